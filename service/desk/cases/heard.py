"""Knowledge that a person at a table may have of the case about its match, and words said in it from there, with a page
of the case or only the table's code."""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

import msgspec

from domain.case import commands as c
from domain.case.events import Matter
from domain.case.state import Case, DirectorCall
from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.log.event import instant
from domain.match.sight import may_be_known
from domain.match.state import Match, side_of
from domain.match.windows import Moment
from service.desk.access import actor_at, match_to_write
from service.desk.cases import acting, lookup
from service.desk.cases.access import told, viewer_in
from service.desk.cases.bodies import AppealBody
from service.desk.requests import Done, Request
from service.desk.services import Services
from service.desk.showing import moment_shown
from service.store import log, times
from service.store.callers import Caller
from service.store.kinds import CASE
from service.store.loaded import LoadedCase, LoadedMatch

UNHEARD: Final = Refusal(
    "misfit", "nothing waits for a statement of yours: call the director first, or dispute the result"
)
NO_CASE: Final = Refusal("misfit", "this ruling was made in no case: call the director, and appeal there")


class Heard(msgspec.Struct, frozen=True):
    """A case about a match, as far as somebody at its table may know of it: the matter of the call that he knows of,
    and its time; whether he has a `page` of it; whether his side is still to state (`asks`)."""

    case: str
    matter: Matter
    since: str
    page: bool
    asks: bool


async def heard_at(services: Services, caller: Caller, loaded: LoadedMatch, moment: Moment) -> Heard | None:
    """The case about a match that somebody there may know of, the one with the newest call; None for everybody else.
    He knows of a call of his own side, of a dispute, which is public, and of any other once the findings of its deals
    are told to him. Until then nothing differs because the other side, or a director, has begun one."""
    actor = actor_at(caller, loaded)
    if not any(each.directs or side_of(loaded.match, each) is not None for each in actor.each()):
        return None
    cases = await lookup.about_match(services.streams, loaded.club, loaded.stream)
    found = [await _heard(services, caller, loaded, each, moment) for each in cases if each.state.is_heard]
    return max(filter(None, found), key=lambda each: each.since, default=None)


async def _heard(
    services: Services, caller: Caller, loaded: LoadedMatch, about: LoadedCase, moment: Moment
) -> Heard | None:
    """One case, for who has a page of it, or came in by the code of the table."""
    case, viewer = about.state, viewer_in(caller, about)
    if viewer is None:
        return await _by_code(services, caller, loaded, about, moment)
    if viewer.kind == "director":
        return await _since(services, about, _of(case, loaded), page=True, asks=False)
    if viewer.kind != "party":
        return None
    actor, own = actor_at(caller, loaded), {each.version for each in case.calls if each.side == viewer.side}
    stated = any(each.side == viewer.side for each in case.statements)
    known = [each for each in _of(case, loaded) if stated or _known(loaded.match, each, own, actor, moment)]
    if not known or not await told(services, about):  # nothing more is read for a case that is not known of
        return None
    return await _since(services, about, known, page=True, asks=not stated)


async def _by_code(
    services: Services, caller: Caller, loaded: LoadedMatch, about: LoadedCase, moment: Moment
) -> Heard | None:
    """The same for a phone on which a name was tapped: own is what it did itself, whoever else has that name."""
    actor, case = _tapped(actor_at(caller, loaded), loaded.stream), about.state
    if case.side_of(actor) is None:
        return None
    theirs = {each.person for each in case.calls} | {each.person for each in case.statements}
    own = await _done_on(services, caller, about) if theirs & {*actor.people} else frozenset[int]()
    known = [each for each in _of(case, loaded) if _known(loaded.match, each, own, actor, moment)]
    asks = not any(each.version in own for each in case.statements)
    return await _since(services, about, known, page=False, asks=asks)


async def _done_on(services: Services, caller: Caller, about: LoadedCase) -> frozenset[int]:
    """The versions of a case that came from the device of a caller."""
    device = await services.recorder.devices.known(about.club, caller.by())
    events = [each.event for each in await log.read_stream(services.pool, about.club, about.stream)]
    return frozenset(each.version for each in events if each.device is not None and each.device == device)


def _of(case: Case, loaded: LoadedMatch) -> list[DirectorCall]:
    """The calls of a case that are about a match."""
    return [each for each in case.calls if each.place.match == loaded.stream]


def _known(match: Match, call: DirectorCall, own: Iterable[int], actor: Actor, moment: Moment) -> bool:
    """Tells whether somebody may know of a call."""
    if call.version in own or call.matter == "dispute":
        return True
    deals = [deal for deal in match.deals if call.place.deal in (None, deal.number)]
    return all(may_be_known(match, deal, actor, moment) for deal in deals)


async def _since(
    services: Services, about: LoadedCase, known: list[DirectorCall], page: bool, asks: bool
) -> Heard | None:
    if not known:
        return None
    first = known[0]
    at = await times.times_of(services.pool, about.club, about.stream, [first.version])
    return Heard(about.stream, first.matter, instant(at[first.version]), page, asks)


def _tapped(actor: Actor, match: str) -> Actor:
    """An actor with the name that was tapped behind the code of this table, and nothing else."""
    rights = tuple(each for each in actor.rights if each.by_code and each.match == match and each.person is not None)
    return msgspec.structs.replace(actor, rights=rights)


async def state(services: Services, caller: Caller, match: UUID, words: str | None, request: Request) -> Done[Case]:
    """A side states in the case about a match that it may know of. A name that was tapped behind the table's code is
    enough, at its own table; it states once. Raises Refusal, the same whether there is no case or none to know of."""
    loaded = await match_to_write(services, caller, match)
    moment = await moment_shown(services, caller, loaded)
    heard = await heard_at(services, caller, loaded, moment)
    if heard is None:
        raise UNHEARD
    command = c.MakeStatement(words=words)
    if heard.page:
        return await acting.step(services, caller, UUID(heard.case), command, request)
    tapped = msgspec.structs.replace(request, actor=_tapped(request.actor, loaded.stream))
    return await services.recorder.on_stream(heard.case, CASE, command, tapped)


async def appeal(
    services: Services, signer: Caller, match: UUID, ruling: int, grounds: str | None, request: Request
) -> Done[Case]:
    """Somebody who typed a PIN at a table appeals against a ruling there, in the case in which it was made, or one that
    is about its deal. Raises Refusal."""
    loaded = await match_to_write(services, signer, match)
    case = await _case_of(services, signer, loaded, ruling)
    if case is None:
        raise NO_CASE
    body = AppealBody(ruling=ruling, match=loaded.stream, grounds=grounds)
    return await acting.step(services, signer, case, await acting.appealing(services, signer, case, body), request)


async def _case_of(services: Services, signer: Caller, loaded: LoadedMatch, ruling: int) -> UUID | None:
    """The case in which a side appeals against a ruling; None where none is about it."""
    on = {each.version: (deal.number, each.case) for deal in loaded.match.deals for each in deal.rulings}
    deal, case = on.get(ruling, (0, None))
    if case is not None:
        return UUID(case)
    found = await lookup.about_match(services.streams, loaded.club, loaded.stream)
    mine = [each for each in found if viewer_in(signer, each) is not None]
    about = [each for each in mine if any(place.deal in (None, deal) for place in each.state.places())]
    chosen = max(about, key=lambda each: (each.state.is_open, each.head.version), default=None)
    return UUID(chosen.stream) if deal and chosen is not None else None
