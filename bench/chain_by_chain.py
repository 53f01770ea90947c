"""Verification as it was: one process asks every question of every row, through one cursor. The reference of `verify`,
and what the tests compare it with."""

from collections.abc import AsyncIterator, Mapping
from typing import Final

from service.desk.verify_walks import Walks
from service.desk.verifying import Verified
from service.store.chains import COLUMNS, ChainRow, Snapshot, snapshot
from service.store.log_sql import OPEN
from service.store.pool import Pool

FETCHED: Final = 2000  # rows that are fetched at a time, each an event
ROWS: Final = f"select {COLUMNS} order by e.club_id, e.stream_id, e.version"


async def verify(pool: Pool) -> Verified:
    """Everything that is wrong in the logs as they are at this moment."""
    async with snapshot(pool) as seen:
        heads, gaps = await seen.heads(), await seen.gaps()
        clubs = Walks(heads)
        listed = await seen.listed()
        async for rows in streams(seen, listed):
            clubs.stream(rows)
        for club in {club for club, _, _ in listed} | await seen.clubs_with_remains():
            if not clubs.unfinished(club):
                clubs.of((club, OPEN)).remains(await seen.strange_remains(club))
    for which, walk in clubs.walks.items():
        walk.positions(gaps.get(which, ()))
    walks = [walk for _, walk in sorted(clubs.walks.items())]
    return Verified(sum(each.events for each in walks), tuple(one for walk in walks for one in walk.wrong))


async def streams(
    seen: Snapshot, listed: Mapping[tuple[str, str, int], frozenset[str]]
) -> AsyncIterator[list[ChainRow]]:
    """The rows of every stream, club by club, in the order of their versions; `listed` is what was erased."""
    rows: list[ChainRow] = []
    async with seen.connection.cursor(name="chains") as cursor:
        cursor.itersize = FETCHED
        await cursor.execute(ROWS)
        async for values in cursor:
            erased = listed.get((values[0], values[1], values[2]), frozenset())
            row = ChainRow.of(values, erased)
            if rows and (rows[0].public.club, rows[0].public.stream) != (row.public.club, row.public.stream):
                yield rows
                rows = []
            rows.append(row)
    if rows:
        yield rows
