"""The queue of a club's cases, for those who direct: how long each has waited, and how soon somebody came."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal, TypeAlias
from uuid import UUID

import msgspec

from domain.case import commands as c
from domain.case.appeals import is_owed
from domain.case.events import Ended
from domain.case.settling import settled_as
from domain.case.state import Case
from domain.case.statements import are_open
from domain.log.actor import DIRECTORS, SECRETARIES
from domain.log.decider import Refusal
from domain.log.event import instant
from domain.match.state import Match
from domain.tournament.posting import place_of_match
from domain.tournament.readiness import paired_on
from service.desk.access import check_known, club_for
from service.desk.cases.access import CaseCaller, hears, told_by, viewer_in
from service.desk.cases.settled import settled_in, stands_in
from service.desk.services import Services
from service.desk.showing import names_of
from service.store import cases, times
from service.store.callers import Caller
from service.store.glance import Glance
from service.store.loaded import LoadedCase, LoadedClub
from service.store.streams import Streams

CaseState: TypeAlias = Literal["open", "appeal", "closed"]
MOST: Final = 200  # of the newest cases that are over, beside all that are heard


class CaseRow(msgspec.Struct, frozen=True, kw_only=True):
    """A case in the queue. `waited` is for how many seconds it has been open without anybody who directs having ruled,
    or done anything else in it, else how many it took (`answered`). `disputed`: a dispute that it hears is still open
    in its match; `owed`: an appeal has changed a ruling, and the new one is still to be made there; `paired_on`: what
    hangs on its match was paired before it could wait, and is provisional. Of a case to which whoever asks is too near
    (`recused`) no more is told than where it is, and nothing before its sides know of it; to a secretary no finding
    before that."""

    id: str
    state: CaseState
    matter: str | None
    opened_at: str
    waited: int
    answered: bool
    match: str | None
    tournament: str | None
    fixture: str | None
    table: int | None
    deal: int | None
    sides: tuple[tuple[str | None, ...], ...]
    code: str | None = None
    side: int | None = None
    calls: int = 1
    ruler: str | None = None
    ruler_name: str | None = None
    statements: int = 0
    statements_open: bool = False
    disputed: bool = False
    settled: Ended | None = None
    version: int = 0
    owed: bool = False
    paired_on: bool = False
    ended: str | None = None
    recused: bool = False


class CaseQueue(msgspec.Struct, frozen=True):
    """The cases of a club that somebody hears of: those that are heard first, the longest open first, then the newest
    that are over."""

    items: tuple[CaseRow, ...]


async def queue(services: Services, caller: Caller, club_id: UUID) -> CaseQueue:
    """The queue, for directors, deputies (of their tournament) and secretaries. Raises Refusal."""
    club = await club_for(services, caller, club_id)
    check_known(caller)
    check_hears(caller, club.club)
    return CaseQueue(tuple(await rows(services.streams, caller, club, services.recorder.clock())))


def check_hears(caller: Caller, club: str) -> None:
    """Raises Refusal for whoever directs nothing in a club."""
    here = (each for each in caller.rights if each.club in (None, club) and not each.by_code)
    if not any(each.role in DIRECTORS | SECRETARIES for each in here):
        raise Refusal("forbidden", "this is for directors and deputies")


async def rows(streams: Streams, caller: Caller, club: LoadedClub, now: datetime) -> list[CaseRow]:
    """The rows of the cases that somebody directs, or is too near to."""
    streams, found = Glance(streams), []
    heard = await cases.of_club(streams.pool, club.club, MOST)
    await _look_at(streams, club.club, heard)
    for stream in heard:
        loaded = await streams.case(stream)
        viewer = None if loaded is None else viewer_in(caller, loaded)
        if loaded is None or viewer is None or not await hears(streams, viewer, loaded.state, now):
            continue
        if viewer.kind in ("director", "secretary") or caller_directs(caller, loaded):
            found.append(await _row(streams, club, loaded, now, viewer))
    waiting = sorted((each for each in found if each.state != "closed"), key=lambda each: each.opened_at)
    return [*waiting, *(each for each in found if each.state == "closed")]


async def _look_at(glance: Glance, club: str, heard: Sequence[str]) -> None:
    """Bring the cases up to date together, and what they are about."""
    await glance.look_at(club, heard)
    known = [each for each in [await glance.case(stream) for stream in heard] if each is not None]
    places = [place for each in known for place in each.state.places()]
    await glance.look_at(club, filter(None, (each for place in places for each in (place.match, place.tournament))))


def caller_directs(caller: Caller, loaded: LoadedCase) -> bool:
    """Tells who would direct a case if he were not too near to it."""
    return any(caller.directs(loaded.club, each.tournament, each.match) for each in loaded.state.places())


async def _row(streams: Streams, club: LoadedClub, loaded: LoadedCase, now: datetime, viewer: CaseCaller) -> CaseRow:
    case, names = loaded.state, names_of(club)
    told = viewer.kind in ("director", "secretary")
    call = case.calls[0]
    first = case.statements[0].version if case.statements else 1
    response = _response(case)
    at = await times.times_of(streams.pool, loaded.club, loaded.stream, {1, first, response or 1, case.closed or 1})
    came = [at[response]] if response else []
    answered = min((*came, *await _ruled(streams, loaded, at[1])), default=None)
    waited = (answered or now) - at[1]
    fixture, table, paired = await _table(streams, case)
    bare = CaseRow(
        id=loaded.stream,
        state=_state(case),
        matter=case.matter if told else None,
        opened_at=instant(at[1]),
        waited=max(0, int(waited.total_seconds())),
        answered=answered is not None,
        match=call.place.match,
        tournament=call.place.tournament,
        fixture=fixture,
        table=table,
        deal=call.place.deal,
        sides=tuple(tuple(names.get(who) for who in side) for side in case.sides),
        recused=not told,
    )
    if not told:
        return bare
    if viewer.kind == "secretary" and not await told_by(streams, case, now):
        bare, call = msgspec.structs.replace(bare, matter="other", deal=None), msgspec.structs.replace(call, code=None)
    ruler, owed = None if case.ruler is None else case.ruler.person, await _owed(streams, case)
    disputed = await stands_in(streams, case)
    around = c.Around(at=now, settled=() if disputed else await _settled(streams, loaded))
    return msgspec.structs.replace(
        bare,
        state="appeal" if owed and not case.is_open else bare.state,
        code=call.code,
        side=call.side,
        calls=len(case.calls),
        ruler=ruler,
        ruler_name=None if ruler is None else names.get(ruler),
        statements=len(case.statements),
        statements_open=bool(case.statements) and are_open(case, now, at),
        disputed=disputed,
        settled=settled_as(case, around) if viewer.kind == "director" and not owed else None,
        version=case.version,
        owed=owed,
        paired_on=paired and case.is_open,
        ended=case.ended,
    )


def _state(case: Case) -> CaseState:
    return "open" if case.is_open else "appeal" if case.pending else "closed"


def _response(case: Case) -> int | None:
    """The version of the first thing that somebody who directs did in a case."""
    done = [case.opened, case.closed, *(each.version for each in case.witnesses)]
    done += [each.version for each in case.recused] + ([] if case.ruler is None else [case.ruler.version])
    return min(filter(None, done), default=None)


async def _ruled(streams: Streams, loaded: LoadedCase, since: datetime) -> list[datetime]:
    """The times of the rulings that were made in a case, or in none since it is open, on what it is about: whoever
    ruled has come."""
    case, found = loaded.state, list[datetime]()
    for stream in dict.fromkeys(each.match for each in case.places() if each.match is not None):
        match = await streams.match(stream)
        deals = match.match.deals if match is not None and isinstance(match.state, Match) else ()
        numbers = {each.deal for each in case.places() if each.match == stream}
        about = (deal for deal in deals if None in numbers or deal.number in numbers)
        made = [each.version for deal in about for each in deal.rulings if each.case in (None, loaded.stream)]
        if made:
            found += (await times.times_of(streams.pool, loaded.club, stream, made)).values()
    return [each for each in found if each >= since]


async def _table(streams: Streams, case: Case) -> tuple[str | None, int | None, bool]:
    """The name in the plan and the table of the match that a case was opened for, and whether what hangs on it has been
    paired."""
    place = case.calls[0].place
    loaded = None if place.tournament is None else await streams.tournament(place.tournament)
    if loaded is None or place.match is None:
        return place.fixture, None, False
    where = place_of_match(loaded.tournament, place.match)
    if where is None:
        return None, None, False
    stage = loaded.tournament.stages[where[0]]
    return where[1], stage.pairings[where[1]].table, paired_on(stage, where[1])


async def _settled(streams: Streams, loaded: LoadedCase) -> tuple[c.Settled, ...]:
    """The disputes of an open case that are over."""
    return await settled_in(streams, loaded.club, loaded.state) if loaded.state.is_open else ()


async def _owed(streams: Streams, case: Case) -> bool:
    """Tells whether the changed ruling of an appeal is still to be made in its match."""
    for each in case.appeals:
        found = await streams.match(each.match) if each.outcome == "changed" else None
        if found is not None and isinstance(found.state, Match) and is_owed(each, found.match):
            return True
    return False
