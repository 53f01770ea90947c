"""Steps in a case: statements, witnesses, who rules, what is heard with it, appeals, its end."""

import hashlib
from uuid import UUID

import msgspec

from domain.case import commands as c
from domain.case.calling import check_place, matter_of
from domain.case.events import CasePlace
from domain.case.rights import rules_here
from domain.case.state import Case
from domain.log.decider import Refusal, decided, forbidden
from domain.match.state import Match, side_of
from service.desk.cases.access import SeenCase, case_for, known_at, may_be_told, near_to, told
from service.desk.cases.around import with_around
from service.desk.cases.bodies import AppealBody, JoinBody
from service.desk.cases.calling import count
from service.desk.pins import with_pin
from service.desk.requests import Done, Request
from service.desk.services import Services
from service.store.callers import Caller
from service.store.kinds import CASE
from service.store.loaded import LoadedMatch


async def step(services: Services, caller: Caller, case: UUID, command: c.CaseCommand, request: Request) -> Done[Case]:
    """A step in a case that the caller may see. Raises Refusal."""
    seen = await case_for(services, caller, case)
    return await services.recorder.on_stream(seen.loaded.stream, CASE, command, without_code(request))


async def join(services: Services, caller: Caller, case: UUID, body: JoinBody, request: Request) -> Done[Case]:
    """A further match, deal or place is heard with a case; counted as a call unless a director does it. Raises Refusal:
    a match of another club is not there, and one that the caller neither directs nor plays in is not joined."""
    seen = await case_for(services, caller, case)
    loaded = await services.streams.match(str(body.match))
    if loaded is None or loaded.club != seen.loaded.club or not isinstance(loaded.state, Match):
        raise Refusal("not-found", "there is no such match in this club")
    place = CasePlace(loaded.stream, loaded.match.setup.tournament, deal=body.deal, at=tuple(body.at))
    check_place(loaded.match, place)
    _check_reach(caller, seen, loaded)
    matter = seen.case.matter if seen.case.matter in ("slow", "other") else "call"
    bare = c.JoinCase(matter=matter, place=place, sides=loaded.match.setup.sides, code=body.code, words=body.reason)
    command = msgspec.structs.replace(bare, matter=matter_of(bare, known_at(caller, loaded)))
    await _check_signals(services, seen, command)
    known = without_code(request)
    if await services.recorder.answered(loaded.club, known) is None:
        await _counted(services, seen, command, known)
    return await services.recorder.on_stream(seen.loaded.stream, CASE, command, known)


def _check_reach(caller: Caller, seen: SeenCase, loaded: LoadedMatch) -> None:
    """Raises Refusal for a further match that is no business of whoever asks: he neither plays in it nor directs it, or
    is close to somebody who plays. Whatever a case hears lies open to who directs that case."""
    actor = known_at(caller, loaded)
    if loaded.stream in {each.match for each in seen.case.places()} or side_of(loaded.match, actor) is not None:
        return
    if not actor.directs:
        raise forbidden(next(iter(actor.each()), actor))
    if near_to(caller, loaded):
        raise Refusal("recused", "you are close to somebody in that match: another director has it heard, or a deputy")


async def _check_signals(services: Services, seen: SeenCase, command: c.JoinCase) -> None:
    """Raises Refusal for what a director found, in a case of which the sides know, while they are not told of it."""
    looks = command.matter == "finding" and command.side is None
    if not looks or not await told(services, seen.loaded):
        return
    if not await may_be_told(services.streams, (command.place,), services.recorder.clock()):
        raise Refusal(
            "misfit",
            "the sides read what this case hears, and are not told yet what is found there: open a case of its own, "
            "from the finding",
        )


async def _counted(services: Services, seen: SeenCase, command: c.JoinCase, request: Request) -> None:
    """Count a call that joins a case, unless whoever directs there makes it. Raises Refusal, also what deciding it
    does: then it counts nothing."""
    at = services.recorder.clock()
    asked = await with_around(services.streams, seen.loaded, command, at)
    actor = request.actor.within(seen.loaded.club).reaching_any(seen.loaded.reach)
    acting = decided(CASE.decide, seen.case, asked, actor)[1]
    if not acting.directs and not rules_here(seen.case, acting):
        await count(services, seen.loaded.club, command, acting, request)


async def appealing(services: Services, caller: Caller, case: UUID, body: AppealBody) -> c.LodgeAppeal:
    """The appeal that a body means. Raises Refusal."""
    seen = await case_for(services, caller, case)
    matches = [each.match for each in seen.case.places() if each.match is not None]
    match = body.match or (matches[0] if matches else None)
    if match is None or match not in matches:
        raise Refusal("misfit", "this case is about no such match: nothing there was ruled on")
    return c.LodgeAppeal(match=match, ruling=body.ruling, side=body.side, words=body.grounds)


async def signing(services: Services, caller: Caller, case: UUID, person: str | None, pin: str | None) -> Caller:
    """The person of the case whose PIN was typed on this device, and nobody else who is signed in there; the caller
    where none was typed. Raises Refusal."""
    if pin is None:
        return caller
    loaded = await services.streams.case(str(case))
    if loaded is None or person is None or person not in loaded.state.parties:
        raise Refusal("malformed", "`person` says whose PIN it is: somebody of one of the sides")
    return await alone(services, caller, loaded.club, person, pin)


async def alone(services: Services, caller: Caller, club: str, person: str, pin: str) -> Caller:
    """The person whose PIN was typed here, with nothing that others who are in on this device hold. Raises Refusal."""
    signer = await with_pin(services, caller, club, person, pin)
    return msgspec.structs.replace(signer, rights=signer.rights[-1:])


def unmarked(request: Request, case: UUID, command: c.CaseCommand) -> Request:
    """A request that a PIN came with, known again by its command: no mark of the PIN is kept with it."""
    parts = (type(command).__name__.encode(), str(case).encode(), msgspec.json.encode(command))
    return msgspec.structs.replace(request, fingerprint=hashlib.sha256(b"\0".join(parts)).digest())


def without_code(request: Request) -> Request:
    """The request without what a table's code gives: a case is for people who are known."""
    rights = tuple(each for each in request.actor.rights if not each.by_code)
    return msgspec.structs.replace(request, actor=msgspec.structs.replace(request.actor, rights=rights))
