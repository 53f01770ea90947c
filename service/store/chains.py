"""The logs in one snapshot: where they end, what they miss, stretches of their streams, and the rows of a stream as
they are hashed. Nothing is decoded, so that no forged row can stop a check."""

import re
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import msgspec
from psycopg.rows import TupleRow

from domain.log.chain import Link
from domain.log.event import SALT, JsonObject, Public, chain_hash, leaf_hash, leaf_over, public_bytes
from service.store.chain_bytes import UNHURRIED, WHEN, StreamRange
from service.store.erasing import EventAddress, inner_hash, kept_of, newest
from service.store.pool import Connection, Pool

# What is absent where something must be is read as what no event has.
COLUMNS: Final = f"""e.club_id::text, e.stream_id::text, coalesce(e.version, 0), e.type, coalesce(e.schema, 0), e.data,
    e.actor, e.role, e.seat, e.device, {WHEN.format("e.device_clock")}, {WHEN.format("e.recorded_at")}, e.command_id,
    e.cause, coalesce(e.log, -1), coalesce(e.position, 0), p.salt, p.data, coalesce(e.prev_hash, ''),
    coalesce(e.hash, ''), p.club_id is not null
from events e left join private p using (club_id, stream_id, version)"""
_ROWS: Final = f"select {COLUMNS} where e.club_id = %s and e.stream_id = %s order by e.version"  # fixed words
_HEADS: Final = "select coalesce(club_id::text, ''), log, coalesce(position, -1) from logs"
_GAPS: Final = """select club_id::text, log, before + 1, position - 1 from (
    select club_id, log, position,
        lag(position, 1, 0::bigint) over (partition by club_id, log order by position) as before
    from events) as own where position <> before + 1 order by club_id, log, position"""
_CLUBS: Final = """with recursive own as (
    (select club_id from events order by club_id limit 1)
    union all
    select (select e.club_id from events e where e.club_id > own.club_id order by e.club_id limit 1)
    from own where own.club_id is not null)
select club_id::text from own where club_id is not null"""  # a club costs one look into an index, not all of its events
_HOMELESS: Final = "select count(*) from events where club_id is null"
_LONE: Final = """select coalesce(p.club_id::text, ''), p.stream_id::text, p.version from private p
where not exists (select from events e
    where e.club_id = p.club_id and e.stream_id = p.stream_id and e.version = p.version)
order by p.club_id, p.stream_id, p.version"""
_STREAMS: Final = """select stream_id::text, count(*) from events where club_id = %s
group by stream_id order by stream_id"""
# as bytes: what somebody put there may be no text
_LISTED: Final = """select club_id::text, coalesce(textsend(data), '') from events
where type = 'PersonErased' and club_id = stream_id order by club_id, version"""
_REMAINS: Final = "select stream_id::text, version, coalesce(textsend(data), '') from remains where club_id = %s"


Which: TypeAlias = tuple[str, int]  # a club, and one of its logs
Listed: TypeAlias = Mapping[tuple[str, str, int], frozenset[str]]  # the inner hashes that erasures list, by event
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
    beside: bool = False  # a row of `private` stands there, whatever is in it
    listed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, values: TupleRow, listed: frozenset[str]) -> "ChainRow":
        """A row by `COLUMNS`."""
        log, position, salt, private, previous, digest, beside = values[14:]
        public = Public(*values[:14])
        return cls(public, log, position, salt, private, bytes(previous), bytes(digest), beside, listed)

    @property
    def unfinished(self) -> bool:
        """Tells whether the private part was erased and is still there."""
        return self.private is not None and inner_hash(self.salt or b"", self.private) in self.listed

    def fits(self, version: int) -> bool:
        """Compare the hash with the contents of the row, as if it were of this version."""
        if self.beside and (self.private is None or self.salt is None or len(self.salt) != SALT):
            return False
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


_SOME: Final = """select club_id::text, stream_id::text from events
    where version = 1 and club_id is not null and stream_id is not null order by random() limit %s"""


class Snapshot:
    """Every club's logs as they are at one moment."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.nameless: dict[str, int] = {}  # by club the number of its events that name no stream
        self.homeless = 0  # events that name no club
        self.odd: list[Which] = []  # logs that are named twice, or with no end that a log can have

    async def heads(self) -> dict[Which, int]:
        """The last position of each log by the table `logs`."""
        rows = await (await self.connection.execute(_HEADS)).fetchall()
        found = {(club, which): position for club, which, position in rows}
        count = Counter((club, which) for club, which, _ in rows)
        self.odd = [which for which, position in found.items() if position < 0 or count[which] > 1]
        return found

    async def gaps(self) -> dict[Which, list[tuple[int, int]]]:
        """The positions at which a log has no event, before its last one, as (first, last)."""
        found: dict[Which, list[tuple[int, int]]] = {}
        for club, which, first, last in await (await self.connection.execute(_GAPS)).fetchall():
            found.setdefault((club, which), []).append((first, last))
        return found

    async def listed(self) -> Listed:
        """The inner hashes with which erasures list private rows, by club, stream and version. What is no such list is
        passed over: its own chain tells of it."""
        found: defaultdict[tuple[str, str, int], set[str]] = defaultdict(set)
        for club, data in await (await self.connection.execute(_LISTED)).fetchall():
            for stream, version, inner in _list_of(data):
                found[club, stream, version].add(inner)
        return {place: frozenset(inner) for place, inner in found.items()}

    async def clubs_with_remains(self) -> set[str]:
        """The clubs of whose private rows something stays."""
        rows = await (
            await self.connection.execute("select distinct club_id::text from remains where club_id is not null")
        ).fetchall()
        return {row[0] for row in rows}

    async def strange_remains(self, club: str) -> list[EventAddress]:
        """The places where the words shown for erased ones are not those that the erasure kept."""
        try:
            kept = newest(await kept_of(self.connection, club))
        except (msgspec.MsgspecError, UnicodeError, TypeError, ValueError, AttributeError):  # the list was forged
            kept = {}
        rows = await (await self.connection.execute(_REMAINS, [club])).fetchall()
        shown = {(stream, version): _decoded(data) for stream, version, data in rows}
        return sorted(
            place
            for place in kept.keys() | shown.keys()
            if place not in kept or place not in shown or kept[place] != shown[place]
        )

    async def stretches(self, size: int, listed: Iterable[tuple[str, str, int]]) -> list[StreamRange]:
        """All events there are, as stretches of at least so many, the last of each club excepted; `listed` is what was
        erased, and its streams are read again."""
        erased: defaultdict[str, set[str]] = defaultdict(set)
        for club, stream, _ in listed:
            erased[club].add(stream)
        found: list[StreamRange] = []
        for (club,) in await (await self.connection.execute(_CLUBS)).fetchall():
            streams = await (await self.connection.execute(_STREAMS, [club])).fetchall()
            named = [(stream, count) for stream, count in streams if stream is not None]
            self.nameless[club] = sum(count for stream, count in streams if stream is None)
            found += _stretches_of(club, named, erased[club], size)
        ((self.homeless,),) = await (await self.connection.execute(_HOMELESS)).fetchall()
        return found

    async def private_rows(self) -> int:
        """The number of private parts there are."""
        ((count,),) = await (await self.connection.execute("select count(*) from private")).fetchall()
        return int(count)

    async def lone(self) -> list[tuple[str, str, int]]:
        """The private parts beside no event, by club, stream and version."""
        rows = await (await self.connection.execute(_LONE)).fetchall()
        return [(club, stream, version) for club, stream, version in rows]

    async def stream(self, club: str, stream: str, listed: Listed) -> list[ChainRow]:
        """The rows of a stream, in the order of their versions; `listed` is what was erased. Raises UnicodeDecodeError
        where bytes of it are no text."""
        # as bytes: a text is otherwise read as far as a zero in it
        found = await (await self.connection.execute(_ROWS, [club, stream], binary=True)).fetchall()
        return [ChainRow.of(each, listed.get((club, stream, each[2]), frozenset())) for each in found]

    async def some(self, most: int) -> list[tuple[str, str]]:
        """Club and id of some streams, by lot."""
        rows = await (await self.connection.execute(_SOME, [most])).fetchall()
        return [(row[0], row[1]) for row in rows]

    async def shared(self) -> str:
        """The name by which other connections see what this one sees, for as long as its transaction lasts."""
        (name,) = (await (await self.connection.execute("select pg_export_snapshot()")).fetchall())[0]
        return str(name)


def _stretches_of(
    club: str, streams: Iterable[tuple[str, int]], erased: Collection[str], size: int
) -> Iterator[StreamRange]:
    """The streams of a club, each with the number of its events, as stretches."""
    ids: list[str] = []
    events = 0
    for stream, count in streams:
        ids.append(stream)
        events += count
        if events >= size:
            yield StreamRange(club, ids[0], ids[-1], events, frozenset(ids).intersection(erased))
            ids, events = [], 0
    if ids:
        yield StreamRange(club, ids[0], ids[-1], events, frozenset(ids).intersection(erased))


def _list_of(data: bytes) -> list[tuple[str, int, str]]:
    try:
        rows = msgspec.json.decode(data, type=_Listing).rows
    except (msgspec.MsgspecError, UnicodeError):
        return []
    return [each for each in rows if _INNER.fullmatch(each[2])]


def _decoded(data: bytes) -> JsonObject | None:
    try:
        return msgspec.json.decode(data, type=dict)
    except (msgspec.MsgspecError, UnicodeError):
        return None


@asynccontextmanager
async def snapshot(pool: Pool) -> AsyncIterator[Snapshot]:
    """A transaction that sees no change, while others go on appending."""
    async with pool.connection() as connection, connection.transaction():
        await connection.execute("set transaction isolation level repeatable read, read only")
        await connection.execute(UNHURRIED)
        yield Snapshot(connection)
