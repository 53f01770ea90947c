"""Verification as it was: one process asks every question of every row, through one cursor. The reference of `verify`,
and what the tests compare it with."""

from collections.abc import AsyncIterator, Mapping
from typing import Final

from domain.log.event import Public
from service.desk.verifying import Verified, Walks
from service.store.chain_bytes import WHEN
from service.store.chains import ChainRow, Snapshot, snapshot
from service.store.log_sql import OPEN
from service.store.pool import Pool

FETCHED: Final = 2000  # rows that are fetched at a time, each an event
ROWS: Final = f"""select e.club_id::text, e.stream_id::text, e.version, e.type, e.schema, e.data, e.actor, e.role,
    e.seat, e.device, {WHEN.format("e.device_clock")}, {WHEN.format("e.recorded_at")}, e.command_id, e.cause,
    e.log, e.position, p.salt, p.data, e.prev_hash, e.hash
from events e left join private p using (club_id, stream_id, version) order by e.club_id, e.stream_id, e.version"""


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
            which, position, salt, private, previous, digest = values[14:]
            row = ChainRow(Public(*values[:14]), which, position, salt, private, previous, digest, erased)
            if rows and (rows[0].public.club, rows[0].public.stream) != (row.public.club, row.public.stream):
                yield rows
                rows = []
            rows.append(row)
    if rows:
        yield rows
