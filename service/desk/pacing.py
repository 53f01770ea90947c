"""Slow play: the deals of a round of a tournament that took too long, for those who direct it."""

import math
from datetime import datetime, timedelta

import msgspec

from domain.log.actor import DIRECTORS
from domain.log.decider import Refusal
from domain.match.audit.pace import Pace, Slow, slow
from domain.match.state import Deal, Match, is_complete
from domain.tournament.state import Round, Tournament
from service.desk.access import require
from service.desk.services import Services
from service.desk.tournament_reading import stage_of
from service.store import times
from service.store.callers import Caller
from service.store.loaded import LoadedTournament


class SlowTable(msgspec.Struct, frozen=True):
    """A deal that took too long: its match and table, the time that it took and the median of its round, in seconds."""

    fixture: str
    match: str
    table: int
    deal: int
    seconds: int
    median: int
    code: str = "SLO"
    grade: str = "C"


class RoundPace(msgspec.Struct, frozen=True):
    """The pace of a round: whether it is late by its clock, and by how many seconds; the deals that took too long."""

    stage: int
    round: int
    late: bool
    slow: tuple[SlowTable, ...]
    behind: int = 0


async def pace_of(
    services: Services, caller: Caller, loaded: LoadedTournament, stage: int | None = None, round_: int | None = None
) -> RoundPace:
    """The pace of a round, by its stage and its number among those that were paired there; the last ones where none are
    named. Raises Refusal for who does not direct."""
    require(caller, loaded.club, DIRECTORS, loaded.stream)
    state, number = loaded.tournament, stage_of(loaded.tournament, stage)
    rounds = state.stages[number].rounds
    place = len(rounds) - 1 if not round_ else round_ - 1
    if not 0 <= place < len(rounds):
        raise Refusal("not-found", f"{len(rounds)} rounds of this stage were paired")
    here = rounds[place]
    behind = await _behind(services, loaded, here)
    late = behind > 0
    pairings = state.stages[number].pairings
    tables = {pairings[name].match: name for name in here.names if name in pairings}
    paces = [pace for match in tables for pace in await _paces(services, loaded.club, match)] if late else []
    found = tuple(_named(state, number, tables, each) for each in slow(paces, late))
    return RoundPace(number + 1, place + 1, late, found, behind)


async def _behind(services: Services, loaded: LoadedTournament, here: Round) -> int:
    """The seconds since the clock of a round ran out; 0 before. A round without a clock is never late."""
    if not here.minutes or not here.clock:
        return 0
    set_at = await times.times_of(services.pool, loaded.club, loaded.stream, [here.clock])
    now: datetime = services.recorder.clock()
    if here.clock not in set_at:
        return 0
    return max(0, math.ceil((now - set_at[here.clock] - timedelta(minutes=here.minutes)).total_seconds()))


async def _paces(services: Services, club: str, stream: str) -> list[Pace]:
    """The time that each finished deal of a match took, from its first fact to its last."""
    loaded = await services.streams.match(stream)
    if loaded is None or not isinstance(loaded.state, Match):
        return []
    deals = [deal for deal in loaded.match.deals if _played(loaded.match, deal)]
    wanted = [each for deal in deals for each in (deal.first, deal.last)]
    known = await times.times_of(services.pool, club, stream, wanted)
    return [
        Pace(stream, deal.number, (known[deal.last] - known[deal.first]).total_seconds())
        for deal in deals
        if deal.first in known and deal.last in known
    ]


def _played(match: Match, deal: Deal) -> bool:
    """Tells a deal whose facts were recorded to its end: a result alone tells no pace."""
    return bool(deal.facts) and not deal.void and is_complete(match, deal)


def _named(state: Tournament, number: int, tables: dict[str, str], found: Slow) -> SlowTable:
    fixture = tables[found.match]
    table = state.stages[number].pairings[fixture].table
    return SlowTable(fixture, found.match, table, found.deal, round(found.seconds), round(found.median))
