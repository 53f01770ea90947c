"""Verifying the logs: `events` and `logs` walked together, every chain followed, and what became of which row said.

Both logs of a club are walked, each with positions of its own; a stream stands in one of them, whole. Every stream is
followed on its bytes; one that does not hold, or in which something was erased, is read again with every question."""

from collections.abc import Callable, Mapping
from contextlib import aclosing
from typing import Final

import msgspec

from service.desk import side_by_side
from service.desk.seen_positions import SeenPositions
from service.desk.verify_walks import Walks, Wrong
from service.desk.verify_worker import VerifyTask
from service.store.chain_bytes import KnownLogs
from service.store.chains import ChainRow, Listed, Snapshot, Which, snapshot
from service.store.kinds import KINDS
from service.store.log_sql import CLOSED, OPEN
from service.store.pool import Pool

STRETCH: Final = 5_000  # events that are followed at a time
FEW_STRETCHES: Final = 16  # for which no other process is started: they are followed before it is ready
SOME: Final = 20  # streams of a sample


class Verified(msgspec.Struct, frozen=True):
    """The number of events, and everything that is wrong."""

    events: int
    wrong: tuple[Wrong, ...]


async def verify(
    pool: Pool, told: Callable[[int], None] = lambda _: None, processes: int = 1, size: int = STRETCH
) -> Verified:
    """Everything that is wrong in the logs as they are at this moment; `told` hears how many events were checked. Large
    logs are divided among so many processes, this one too. Raises WorkerError."""
    async with snapshot(pool) as seen:
        heads = await seen.heads()
        clubs, again, private = Walks(heads), list[tuple[str, str]](), 0
        others = processes - 1 if sum(heads.values()) > FEW_STRETCHES * size else 0
        asked = await _asked(pool, seen, heads, others)
        async with side_by_side.started(asked, others) as workers:
            listed = await seen.listed()
            stretches = await seen.stretches(size, listed)
            places = SeenPositions(heads, ((each.club, each.events) for each in stretches))
            async with aclosing(side_by_side.followed(seen, stretches, asked.known, workers)) as parts:
                async for stretch, found in parts:
                    clubs.whole(stretch.club, found, places)
                    private += found.private
                    again += [(stretch.club, stream) for stream in found.again]
                    told(stretch.events)
        for club, stream in sorted(again):
            rows = await _read(seen, clubs, club, stream, listed)
            private += sum(row.beside for row in rows)
            for row in rows:
                places.see((club, row.log), [row.position])
        _beside_streams(seen, clubs)
        lone = await seen.lone() if private != await seen.private_rows() else []
        gaps = {} if places.are_all else await seen.gaps()
        for club in {club for club, _, _ in listed} | await seen.clubs_with_remains():
            if not clubs.unfinished(club):  # what stays is made when it is finished
                clubs.of((club, OPEN)).remains(await seen.strange_remains(club))
    walks = clubs.walks
    for which, walk in walks.items():
        walk.positions(gaps.get(which, ()))
    told_of = {club for club, _ in walks if clubs.tell_of(club)}
    for which, position in places.twice:
        if which[0] not in told_of:
            clubs.of(which).twice(position)
    for club, stream, version in lone:
        if club not in told_of:
            clubs.of((club, OPEN)).lone(stream, version)
    ordered = sorted(walks.items())
    return Verified(
        sum(each.events for each in walks.values()), tuple(one for _, walk in ordered for one in walk.wrong)
    )


async def _read(seen: Snapshot, clubs: Walks, club: str, stream: str, listed: Listed) -> list[ChainRow]:
    """The rows of a stream, of which is told what is wrong; none where bytes of it are no text, which is told too."""
    try:
        rows = await seen.stream(club, stream, listed)
    except UnicodeDecodeError:
        clubs.of((club, OPEN)).unreadable(stream)
        return []
    clubs.stream(rows)
    return rows


def _beside_streams(seen: Snapshot, clubs: Walks) -> None:
    """Tell of events of no club or no stream, and of rows of `logs` that make no sense."""
    for which in seen.odd:
        clubs.of(which).odd()
    for club, events in (*seen.nameless.items(), ("", seen.homeless)):
        if events:
            clubs.of((club, OPEN)).nameless(events)


async def verify_some(pool: Pool, most: int = SOME) -> Verified:
    """Verifies some streams, taken by lot: a look, no proof."""
    async with snapshot(pool) as seen:
        clubs, listed = Walks(await seen.heads()), await seen.listed()
        for club, stream in await seen.some(most):
            await _read(seen, clubs, club, stream, listed)
    walks = [walk for _, walk in sorted(clubs.walks.items())]
    return Verified(sum(each.events for each in walks), tuple(one for walk in walks for one in walk.wrong))


async def _asked(pool: Pool, seen: Snapshot, heads: Mapping[Which, int], others: int) -> VerifyTask:
    """The instructions for every process: where to read, and what is known of all logs."""
    assert isinstance(pool.conninfo, str)  # other processes connect by it
    homes = {kind: CLOSED if begun.closed else OPEN for kind, begun in KINDS.items()}
    ends = {club: (heads.get((club, OPEN)), heads.get((club, CLOSED))) for club, _ in heads}
    return VerifyTask(pool.conninfo, await seen.shared() if others else "", KnownLogs(homes, ends))
