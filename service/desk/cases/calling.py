"""Calling the director: to a match, or to a fixture that nobody played. A call about what is heard already joins that
case, unless the sides are told of the one and not of the other; so many an hour from one side of a table, and of one
person, and no more."""

import hmac
from typing import Final
from uuid import UUID

import msgspec

from domain.case import commands as c
from domain.case.calling import check_place, matter_of, same_matter
from domain.case.events import CasePlace
from domain.case.state import side_in
from domain.log.actor import Actor, Reach
from domain.log.decider import Refusal, decided
from domain.match.state import Match, deal_at
from domain.tournament.state import Tournament
from service.desk.access import check_known, match_to_write, tournament_for
from service.desk.cases import lookup
from service.desk.cases.access import may_be_told, told_by
from service.desk.cases.bodies import CallBody, FixtureCallBody
from service.desk.recording import Recorder
from service.desk.requests import BusyError, Request
from service.desk.services import Services
from service.desk.tournament_bodies import from_zero
from service.store import cases
from service.store.callers import Caller
from service.store.cases import CallsWait
from service.store.kinds import CASE
from service.store.loaded import LoadedCase
from service.store.table_doors import key_of

LOOKS: Final = 10  # how often it is looked again which case hears a matter


async def call(services: Services, caller: Caller, match: UUID, body: CallBody, request: Request) -> LoadedCase:
    """A call to a match; the case that hears it. Raises Refusal."""
    loaded = await match_to_write(services, caller, match)
    state = loaded.match
    if state.void:
        raise Refusal("misfit", "this match is void: its pairing was taken back")
    place = CasePlace(loaded.stream, state.setup.tournament, deal=_deal(state, body), at=tuple(body.at))
    check_place(state, place)
    command = c.OpenCase(
        matter=body.matter,
        place=place,
        sides=state.setup.sides,
        minutes=0,
        code=body.code,
        side=body.side,
        words=body.reason,
    )
    return await _called(services, loaded.club, command, request)


async def call_fixture(
    services: Services, caller: Caller, tournament: UUID, body: FixtureCallBody, request: Request
) -> LoadedCase:
    """A call to a match of a tournament by its name in the plan: a no-show, a walkover, slow play. Raises Refusal."""
    loaded, _ = await tournament_for(services, caller, tournament)
    check_known(caller)
    state = loaded.tournament
    number = state.at if body.stage is None else (from_zero(body.stage) or 0)
    if not 0 <= number < len(state.stages) or not state.stages[number].begun:
        raise Refusal("misfit", "that stage has not begun")
    place, sides = place_in(state, loaded.stream, number, body.fixture)
    command = c.OpenCase(
        matter=body.matter, place=place, sides=sides, minutes=0, code=body.code, side=body.side, words=body.reason
    )
    return await _called(services, loaded.club, command, request)


async def heard(recorder: Recorder, club: str, command: c.OpenCase, request: Request) -> LoadedCase:
    """The case that hears a matter: the open one about it, which it joins, else a new one; a case of which the sides
    are not told yet is never joined by one that they know of, nor the other way round. Two calls at once meet in one
    case: its id follows from how many there were. Raises Refusal."""
    streams, place = recorder.streams, command.place
    state = (await recorder.club(club)).state
    opening = msgspec.structs.replace(command, minutes=state.settings.statement_minutes)
    key = await key_of(streams.pool)
    about = Reach(place.match, place.tournament)
    for _ in range(LOOKS):
        known = await _known(recorder, club, place)
        same = [each for each in known if same_matter(each.state, place)]
        there = next(iter([each for each in same if await _shared(recorder, each, opening)]), None)
        try:
            if there is None:
                stream = _id(key, club, place, len(known))
                return (await recorder.begin(club, stream, CASE, opening, request, (about,))).loaded
            return (await recorder.on_stream(there.stream, CASE, _joining(command), request)).loaded
        except BusyError:
            continue  # somebody opened one at the same moment
        except Refusal as refusal:
            fresh = None if there is None else await streams.case(there.stream)
            if refusal.slug != "misfit" or fresh is None or fresh.state.is_open:
                raise
    raise BusyError(place.match or place.tournament or "")


async def _called(services: Services, club: str, command: c.OpenCase, request: Request) -> LoadedCase:
    """A call, counted unless a director opens the case himself; a repeat of one is answered as the first time, and a
    call that is refused counts nothing."""
    recorder = services.recorder
    before = await recorder.answered(club, request)
    if before is not None:
        found = await services.streams.case(before.loaded.stream)
        assert found is not None
        return found
    about = Reach(command.place.match, command.place.tournament)
    actor = request.actor.within(club).reaching_any((about,))
    acting = decided(CASE.decide, CASE.initial, command, actor)[1]
    own = side_in(command.sides, acting.people)
    command = msgspec.structs.replace(command, side=command.side if own is None else own)
    if command.place.match is not None:  # of a fixture without a match nothing is found
        command = msgspec.structs.replace(command, matter=matter_of(command, actor))
    if acting.directs:
        return await heard(recorder, club, command, request)
    await count(services, club, command, acting, request)
    return await heard(recorder, club, command, request)


async def count(services: Services, club: str, command: c.Calling, acting: Actor, request: Request) -> None:
    """Count a call by its place and side, and by who makes it; whoever taps a name behind a table's code uses up
    nothing of what that person may call on the own phone. Raises Refusal for too many in an hour."""
    own = side_in(command.sides, acting.people)
    side = command.side if own is None else own
    at = command.place.match or f"{command.place.tournament} {command.place.stage} {command.place.fixture}"
    place = f"{at} {side}{' by code' if acting.by_code else ''}"
    whose = acting.person or acting.id or request.command_id
    try:
        await cases.count_call(services.pool, club, place, whose, services.recorder.clock())
    except CallsWait as waits:
        raise Refusal(
            "too-many-requests",
            "your side has called here many times already: the director is on the way",
            retry_after=waits.seconds,
        ) from None


async def _shared(recorder: Recorder, about: LoadedCase, command: c.OpenCase) -> bool:
    """Tells whether a call may join a case about the same matter: both are told to the sides, or neither is."""
    at, looks = recorder.clock(), command.matter == "finding" and command.side is None
    known = not looks or await may_be_told(recorder.streams, (command.place,), at)
    return known == await told_by(recorder.streams, about.state, at)


def _deal(match: Match, body: CallBody) -> int | None:
    """The deal that a call is about: the one that is named, that of the first entry, else the last one; slow play is
    about no deal by itself."""
    if body.deal is not None or not match.deals:
        return body.deal
    if body.at:
        found = deal_at(match, body.at[0])
        return None if found is None else found.number
    return None if body.matter in ("slow", "other") else match.deals[-1].number


def place_in(state: Tournament, stream: str, number: int, name: str) -> tuple[CasePlace, tuple[tuple[str, ...], ...]]:
    """The place of a match in a plan, and the people of its sides. Raises Refusal for one that there is not."""
    stage = state.stages[number]
    pairing = stage.pairings.get(name)
    if pairing is not None:
        entries = pairing.sides
        place = CasePlace(pairing.match, stream)
    else:
        found = stage.meetings().get(name)
        if found is None:
            raise Refusal("not-found", f"no match {name!r} is in the plan of this stage")
        entries = (stage.entries(found.of_side(0)), stage.entries(found.of_side(1)))
        place = CasePlace(None, stream, number, name)
    sides = tuple(tuple(who for entry in side for who in state.entries[entry].players) for side in entries)
    return place, sides


async def _known(recorder: Recorder, club: str, place: CasePlace) -> list[LoadedCase]:
    """The cases about the match, or the tournament, of a place."""
    if place.match is not None:
        return await lookup.about_match(recorder.streams, club, place.match)
    return await lookup.about_tournament(recorder.streams, club, place.tournament or "")


def _joining(command: c.OpenCase) -> c.JoinCase:
    return c.JoinCase(
        matter=command.matter,
        place=command.place,
        sides=command.sides,
        code=command.code,
        side=command.side,
        person=command.person,
        dispute=command.dispute,
        words=command.words,
    )


def _id(key: bytes, club: str, place: CasePlace, count: int) -> str:
    """The id of the case that is opened next about a match or tournament. Who does not know the service's secret cannot
    tell from one how many there were."""
    about = f"case {club} {place.match} {place.tournament if place.match is None else ''} {count}"
    return str(UUID(bytes=hmac.digest(key, about.encode(), "sha256")[:16], version=4))
