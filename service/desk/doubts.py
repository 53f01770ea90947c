"""Doubts about results, for whoever may see the results: contested, under appeal, or disputed, that is not yet final.
No more is told: not who said what, no code, no grade."""

from collections.abc import Iterable

from domain.tournament.posting import place_of_match
from projections.lists import MatchRow
from projections.match_view import Doubt
from service.store import cases
from service.store.streams import LoadedMatch, Streams


async def doubts(streams: Streams, club: str, rows: Iterable[MatchRow]) -> dict[str, Doubt]:
    """The doubts about the results of matches in a list, as they are now."""
    listed = list(rows)
    contested = await _contested(streams, {each.id: each.tournament for each in listed if each.tournament})
    appealed = await _appealed(streams, club, [each.id for each in listed])
    found: dict[str, Doubt] = {each.id: "disputed" for each in listed if each.disputed}
    return {**found, **dict.fromkeys(appealed, "under appeal"), **dict.fromkeys(contested, "contested")}


async def doubt_of(streams: Streams, loaded: LoadedMatch) -> Doubt | None:
    """The doubt about the result of one match; None where there is none."""
    cup = loaded.match.setup.tournament
    if cup is not None and await _contested(streams, {loaded.stream: cup}):
        return "contested"
    if await _appealed(streams, loaded.club, [loaded.stream]):
        return "under appeal"
    return "disputed" if loaded.match.disputes else None


async def appealed_in(streams: Streams, loaded: LoadedMatch) -> frozenset[int]:
    """The versions of the rulings in a match against which an appeal is not decided yet."""
    found = [await streams.case(each) for each in await cases.appealed(streams.pool, loaded.club, [loaded.stream])]
    pending = [appeal for each in found if each is not None for appeal in each.state.pending]
    return frozenset(each.ruling for each in pending if each.match == loaded.stream)


async def _contested(streams: Streams, cups: dict[str, str]) -> list[str]:
    """The matches whose record says something else than the result that stands in their tournament."""
    found = []
    for match, cup in cups.items():
        loaded = await streams.tournament(cup)
        place = None if loaded is None else place_of_match(loaded.tournament, match)
        if loaded is not None and place is not None and place[1] in loaded.tournament.stages[place[0]].contested:
            found.append(match)
    return found


async def _appealed(streams: Streams, club: str, matches: list[str]) -> list[str]:
    """The matches with a ruling against which an appeal is not decided yet."""
    found = []
    for each in await cases.appealed(streams.pool, club, matches):
        loaded = await streams.case(each)
        found += [] if loaded is None else [appeal.match for appeal in loaded.state.pending]
    return [each for each in matches if each in found]
