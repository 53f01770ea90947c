"""All rows of the log as they are hashed, stream by stream, in one snapshot. Nothing is decoded, so that no forged row
can stop a check."""

import re
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import msgspec

from domain.log.chain import Link
from domain.log.event import JsonObject, Public, chain_hash, leaf_hash, leaf_over, public_bytes
from service.store.erasing import Place, inner_hash, kept_of, newest
from service.store.pool import Connection, Pool

FETCHED: Final = 2000
_WHEN: Final = """to_char({} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
_ROWS: Final = f"""select e.club_id::text, e.stream_id::text, e.version, e.type, e.schema, e.data, e.actor, e.role,
    e.seat, e.device, {_WHEN.format("e.device_clock")}, {_WHEN.format("e.recorded_at")}, e.command_id, e.cause,
    e.log, e.position, p.salt, p.data, e.prev_hash, e.hash
from events e left join private p using (club_id, stream_id, version) order by e.club_id, e.stream_id, e.version"""  # noqa: S608  # fixed words
_HEADS: Final = "select club_id::text, log, position from logs"
_GAPS: Final = """select club_id::text, log, before + 1, position - 1 from (
    select club_id, log, position,
        lag(position, 1, 0::bigint) over (partition by club_id, log order by position) as before
    from events) as own where position <> before + 1 order by club_id, log, position"""
_LISTED: Final = """select club_id::text, data from events
where type = 'PersonErased' and club_id = stream_id order by club_id, version"""
_REMAINS: Final = "select stream_id::text, version, data from remains where club_id = %s"


Which: TypeAlias = tuple[str, int]  # a club, and one of its logs
_INNER: Final = re.compile(r"[0-9a-f]{64}")


class _Listing(msgspec.Struct):
    rows: list[tuple[str, int, str]] = []


class ChainRow(msgspec.Struct, frozen=True):
    """A row of a log: its public part, in which log and at which position it stands, its hashes and salt, and the inner
    hashes (hex) with which an erasure lists its private part."""

    public: Public
    log: int
    position: int
    salt: bytes | None
    private: str | None
    prev_hash: bytes
    hash: bytes
    listed: frozenset[str] = frozenset()

    @property
    def unfinished(self) -> bool:
        """Tells whether the private part was erased and is still there."""
        return self.private is not None and inner_hash(self.salt or b"", self.private) in self.listed

    def fits(self, version: int) -> bool:
        """Compare the hash with the contents of the row, as if it were of this version."""
        public = (
            self.public if version == self.public.version else msgspec.structs.replace(self.public, version=version)
        )
        if self.private is None and self.listed:
            leaves = [leaf_over(public_bytes(public), bytes.fromhex(inner)) for inner in self.listed]
        else:
            private = None if self.private is None else self.private.encode()
            leaves = [leaf_hash(public_bytes(public), self.salt, private)]
        return any(self.hash == chain_hash(self.prev_hash, leaf) for leaf in leaves)

    def link(self) -> Link:
        """The row as a link of its chain."""
        return Link(self.public.version, self.position, self.prev_hash, self.hash, self.fits)


class Snapshot:
    """Every club's logs as they are at one moment."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    async def heads(self) -> dict[Which, int]:
        """The last position of each log by the table `logs`."""
        rows = await (await self.connection.execute(_HEADS)).fetchall()
        return {(club, which): position for club, which, position in rows}

    async def gaps(self) -> dict[Which, list[tuple[int, int]]]:
        """The positions at which a log has no event, before its last one, as (first, last)."""
        found: dict[Which, list[tuple[int, int]]] = {}
        for club, which, first, last in await (await self.connection.execute(_GAPS)).fetchall():
            found.setdefault((club, which), []).append((first, last))
        return found

    async def listed(self) -> dict[tuple[str, str, int], frozenset[str]]:
        """The inner hashes with which erasures list private rows, by club, stream and version. What is no such list is
        passed over: its own chain tells of it."""
        found: defaultdict[tuple[str, str, int], set[str]] = defaultdict(set)
        for club, data in await (await self.connection.execute(_LISTED)).fetchall():
            for stream, version, inner in _list_of(data):
                found[club, stream, version].add(inner)
        return {place: frozenset(inner) for place, inner in found.items()}

    async def clubs_with_remains(self) -> set[str]:
        """The clubs of whose private rows something stays."""
        rows = await (await self.connection.execute("select distinct club_id::text from remains")).fetchall()
        return {row[0] for row in rows}

    async def strange_remains(self, club: str) -> list[Place]:
        """Where what is shown in the place of erased words is not what the erasure kept."""
        kept = newest(await kept_of(self.connection, club))
        rows = await (await self.connection.execute(_REMAINS, [club])).fetchall()
        shown = {(stream, version): _decoded(data) for stream, version, data in rows}
        return sorted(place for place in kept.keys() | shown.keys() if kept.get(place) != shown.get(place))

    async def streams(self, listed: Mapping[tuple[str, str, int], frozenset[str]]) -> AsyncIterator[list[ChainRow]]:
        """The rows of every stream, club by club, in the order of their versions; `listed` is what was erased."""
        rows: list[ChainRow] = []
        async with self.connection.cursor(name="chains") as cursor:
            cursor.itersize = FETCHED
            await cursor.execute(_ROWS)
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


def _list_of(data: str) -> list[tuple[str, int, str]]:
    try:
        rows = msgspec.json.decode(data, type=_Listing).rows
    except (msgspec.MsgspecError, UnicodeError):
        return []
    return [each for each in rows if _INNER.fullmatch(each[2])]


def _decoded(data: str) -> JsonObject | None:
    try:
        return msgspec.json.decode(data, type=dict)
    except (msgspec.MsgspecError, UnicodeError):
        return None


@asynccontextmanager
async def snapshot(pool: Pool) -> AsyncIterator[Snapshot]:
    """A transaction that sees no change, while others go on appending."""
    async with pool.connection() as connection, connection.transaction():
        await connection.execute("set transaction isolation level repeatable read, read only")
        yield Snapshot(connection)
