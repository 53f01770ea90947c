"""All rows of the log as they are hashed, stream by stream, in one snapshot. Nothing is decoded, so that no forged row
can stop a check."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import msgspec

from domain.log.chain import Link
from domain.log.event import Public, chain_hash, leaf_hash, public_bytes
from service.store.pool import Connection, Pool

FETCHED: Final = 2000
_WHEN: Final = """to_char({} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
_ROWS: Final = f"""select e.club_id::text, e.stream_id::text, e.version, e.type, e.schema, e.data, e.actor, e.role,
    e.seat, e.device, {_WHEN.format("e.device_clock")}, {_WHEN.format("e.recorded_at")}, e.command_id, e.cause,
    e.position, p.salt, p.data, e.prev_hash, e.hash
from events e left join private p using (club_id, stream_id, version) order by e.club_id, e.stream_id, e.version"""  # noqa: S608  # fixed words
_HEADS: Final = "select club_id::text, position from logs"
_GAPS: Final = """select club_id::text, before + 1, position - 1 from (
    select club_id, position, lag(position, 1, 0::bigint) over (partition by club_id order by position) as before
    from events) as own where position <> before + 1 order by club_id, position"""


class ChainRow(msgspec.Struct, frozen=True):
    """A row of the log: its public part, and its hashes and salt."""

    public: Public
    position: int
    salt: bytes | None
    private: str | None
    prev_hash: bytes
    hash: bytes

    def fits(self, version: int) -> bool:
        """Compare the hash with the contents of the row, as if it were of this version."""
        public = (
            self.public if version == self.public.version else msgspec.structs.replace(self.public, version=version)
        )
        private = None if self.private is None else self.private.encode()
        return self.hash == chain_hash(self.prev_hash, leaf_hash(public_bytes(public), self.salt, private))

    def link(self) -> Link:
        """The row as a link of its chain."""
        return Link(self.public.version, self.position, self.prev_hash, self.hash, self.fits)


class Snapshot:
    """Every club's log as it is at one moment."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    async def heads(self) -> dict[str, int]:
        """The last position of each log by the table `logs`."""
        return dict(await (await self.connection.execute(_HEADS)).fetchall())

    async def gaps(self) -> dict[str, list[tuple[int, int]]]:
        """The positions at which a club has no event, before its last one, as (first, last)."""
        found: dict[str, list[tuple[int, int]]] = {}
        for club, first, last in await (await self.connection.execute(_GAPS)).fetchall():
            found.setdefault(club, []).append((first, last))
        return found

    async def streams(self) -> AsyncIterator[list[ChainRow]]:
        """The rows of every stream, club by club, in the order of their versions."""
        rows: list[ChainRow] = []
        async with self.connection.cursor(name="chains") as cursor:
            cursor.itersize = FETCHED
            await cursor.execute(_ROWS)
            async for values in cursor:
                row = ChainRow(Public(*values[:14]), *values[14:])
                if rows and (rows[0].public.club, rows[0].public.stream) != (row.public.club, row.public.stream):
                    yield rows
                    rows = []
                rows.append(row)
        if rows:
            yield rows


@asynccontextmanager
async def snapshot(pool: Pool) -> AsyncIterator[Snapshot]:
    """A transaction that sees no change, while others go on appending."""
    async with pool.connection() as connection, connection.transaction():
        await connection.execute("set transaction isolation level repeatable read, read only")
        yield Snapshot(connection)
