"""Settled disputes: which of those that a case hears are over in their match or tournament, and how each ended."""

from collections.abc import Mapping
from typing import Final

from domain.case import commands as c
from domain.case.events import Ended
from domain.case.settling import disputes
from domain.case.state import Case, DirectorCall
from domain.match.events import Settlement
from domain.match.state import Match
from domain.tournament.posting import place_of_match
from service.store import cases
from service.store.loaded import LoadedTournament
from service.store.streams import Streams

ENDED: Final[Mapping[Settlement, Ended]] = {
    "upheld": "stands",
    "corrected": "corrected",
    "ruled": "ruled",
    "void": "ruled",
    "withdrawn": "withdrawn",
}


async def settled_in(streams: Streams, club: str, case: Case) -> tuple[c.Settled, ...]:
    """The disputes that a case hears and that are over by now."""
    over = [call for call in disputes(case) if await _is_over(streams, call)]
    return tuple([c.Settled(call.version, await _how(streams, club, call)) for call in over])


async def stands_in(streams: Streams, case: Case) -> bool:
    """Tells whether one of the disputes that a case hears still stands."""
    return any([not await _is_over(streams, call) for call in disputes(case)])


async def _is_over(streams: Streams, call: DirectorCall) -> bool:
    if call.dispute is None:
        cup, where = await _result(streams, call)
        return cup is not None and where is not None and where[1] not in cup.tournament.stages[where[0]].disputed
    found = None if call.place.match is None else await streams.match(call.place.match)
    match = None if found is None or not isinstance(found.state, Match) else found.match
    return match is not None and any(begun == call.dispute for begun, _ in match.settled)


async def _how(streams: Streams, club: str, call: DirectorCall) -> Ended:
    """The way in which a dispute ended that is over."""
    if call.dispute is not None:
        told = await cases.settlements(streams.pool, club, call.place.match or "")
        return ENDED[told[call.dispute]]
    cup, where = await _result(streams, call)
    assert cup is not None
    assert where is not None
    stage, fixture = cup.tournament.stages[where[0]], where[1]
    if fixture not in stage.decided:
        return "withdrawn"
    return "stands" if fixture in stage.stands else "corrected"


async def _result(streams: Streams, call: DirectorCall) -> tuple[LoadedTournament | None, tuple[int, str] | None]:
    """The tournament of a call, with the stage, from 0, and the name in the plan of the match that it is about."""
    cup = None if call.place.tournament is None else await streams.tournament(call.place.tournament)
    if cup is None:
        return None, None
    if call.place.match is not None:
        return cup, place_of_match(cup.tournament, call.place.match)
    if call.place.stage is None or call.place.fixture is None:
        return cup, None
    return cup, (call.place.stage, call.place.fixture)
