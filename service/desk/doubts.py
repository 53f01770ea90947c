"""Doubts about results, for whoever may see the results: contested, under appeal, or disputed, that is not yet final;
now, or as they were told at a moment. No more is told: not who said what, no code, no grade."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

import msgspec

from domain.match.state import Match
from domain.tournament.doubts import Doubt, doubt_in, weightiest
from domain.tournament.posting import place_of_match
from domain.tournament.state import Tournament
from projections.lists import MatchRow
from service.desk.cases.lookup import closed_beside
from service.store import cases, finding, log
from service.store.kinds import TOURNAMENT
from service.store.loaded import AnyLoaded, LoadedMatch
from service.store.log_sql import CLOSED
from service.store.streams import Streams

LOOKED_THROUGH: Final = 20_000  # tournaments


class Then(msgspec.Struct, frozen=True):
    """A moment in the past of a club: the position of its open log, and the time."""

    position: int
    at: datetime


async def under_appeal(
    streams: Streams, club: str, at: datetime | None = None, closed: int | None = None
) -> frozenset[str]:
    """The matches of a club with a ruling against which an appeal is not decided yet, now or at a time. They are read
    once for each position of the closed log; who has just read that says where it ends."""
    if at is not None:
        return await cases.under_appeal(streams.pool, club, at)
    upto = await log.last_position(streams.pool, club, CLOSED) if closed is None else closed
    known = streams.appealed.get(club)
    if known is None or known[0] != upto:
        known = streams.appealed[club] = (upto, await cases.under_appeal(streams.pool, club))
    return known[1]


async def beside(streams: Streams, club: str, state: Tournament, then: Then | None = None) -> dict[str, Doubt]:
    """The doubts about results of a tournament that do not stand in it, now or at a moment: by the match."""
    appealed = await under_appeal(streams, club, None if then is None else then.at)
    found: dict[str, Doubt] = {}
    if state.finished:  # it hears of no dispute any more
        matches = [each.match for stage in state.stages for each in stage.pairings.values()]
        upto = None if then is None else then.position
        found |= dict.fromkeys(await cases.disputed(streams.pool, club, matches, upto), "disputed")
    return {**found, **dict.fromkeys(appealed, "under appeal")}


async def doubts(streams: Streams, club: str, rows: Iterable[MatchRow], then: Then | None = None) -> dict[str, Doubt]:
    """The doubts about the results of matches in a list, which is of now or of a moment."""
    rows = list(rows)
    appealed = await under_appeal(streams, club, None if then is None else then.at)
    cups = await _cups(streams, club, [row.tournament for row in rows if row.tournament is not None], then)
    found = {}
    for row in rows:
        cup = None if row.tournament is None else cups.get(row.tournament)
        doubt = _doubt(row.id, row.disputed, cup, appealed)
        if doubt is not None:
            found[row.id] = doubt
    return found


async def doubt_of(
    streams: Streams, loaded: LoadedMatch, past: Match | None = None, then: Then | None = None
) -> Doubt | None:
    """The doubt about the result of one match, now or as it was at a moment; None where there is none, and for whom the
    match is as it was before."""
    known = streams.kept(loaded.stream)
    if known is not None and known.head.version > loaded.head.version:
        return None
    match = past or loaded.match
    cup = None if match.setup.tournament is None else await _cup(streams, loaded.club, match.setup.tournament, then)
    appealed = await under_appeal(streams, loaded.club, None if then is None else then.at, closed_beside(loaded))
    return _doubt(loaded.stream, bool(match.disputes), cup, appealed)


async def moment_at(streams: Streams, loaded: AnyLoaded, as_of: int | datetime) -> Then | None:
    """The moment at which a stream stood at a version, or a time; None for a version that it does not have yet."""
    if isinstance(as_of, datetime):
        return await moment_in(streams, loaded.club, as_of)
    stored = await log.read_stream(streams.pool, loaded.club, loaded.stream, as_of - 1, as_of)
    return Then(stored[0].event.position, stored[0].event.recorded_at) if stored else None


async def moment_in(streams: Streams, club: str, as_of: int | datetime) -> Then | None:
    """The moment at which a club's log stood at a position, or a time; None before it began."""
    position = await finding.position_at(streams.pool, club, as_of)
    at = as_of if isinstance(as_of, datetime) else await finding.time_of(streams.pool, club, position)
    return Then(position, at) if position and at is not None else None


async def _cup(streams: Streams, club: str, stream: str, then: Then | None) -> Tournament | None:
    """A tournament of a club, now or as of a moment; one of another club has nothing to do with its matches."""
    loaded = await streams.tournament(stream)
    if loaded is None or loaded.club != club:
        return None
    if then is None:
        return loaded.tournament
    return await streams.state_by(loaded, then.position)


async def _cups(streams: Streams, club: str, named: Iterable[str], then: Then | None) -> dict[str, Tournament]:
    """The same of those of several in which a doubt ever began; of the others nothing more is read."""
    named = await _doubted(streams, club, named)
    found = await (streams.several(club, named) if then is None else streams.several_by(club, named, then.position))
    return {stream: each.tournament for stream, each in found.items() if each.kind is TOURNAMENT}


async def _doubted(streams: Streams, club: str, named: Iterable[str]) -> list[str]:
    """Those of some tournaments in which a doubt ever began. Where nothing was found, only what came since is looked
    through the next time."""
    after = {stream: streams.undoubted.get(stream, 0) for stream in named}
    news = await finding.doubts_since(streams.pool, club, after) if after else {}
    for stream, (last, begun) in news.items():
        if not begun:
            streams.undoubted[stream] = max(last, streams.undoubted.get(stream, 0))
            streams.undoubted.move_to_end(stream)
    while len(streams.undoubted) > LOOKED_THROUGH:
        streams.undoubted.popitem(last=False)
    return [stream for stream, (_, begun) in news.items() if begun]


def _doubt(match: str, disputed: bool, cup: Tournament | None, appealed: frozenset[str]) -> Doubt | None:
    """The doubt about a match by its own record and by its tournament, where it has one."""
    place = None if cup is None else place_of_match(cup, match)
    told = None if cup is None or place is None else doubt_in(cup.stages[place[0]], place[1])
    return weightiest((told, "under appeal" if match in appealed else None, "disputed" if disputed else None))


async def appealed_in(streams: Streams, loaded: LoadedMatch) -> frozenset[int]:
    """The versions of the rulings in a match against which an appeal is not decided yet."""
    if loaded.stream not in await under_appeal(streams, loaded.club):
        return frozenset()
    about = await cases.about_match(streams.pool, loaded.club, loaded.stream)
    found = [await streams.case(each) for each in about]
    pending = [appeal for each in found if each is not None for appeal in each.state.pending]
    return frozenset(each.ruling for each in pending if each.match == loaded.stream)
