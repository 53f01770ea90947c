"""The chains of a stretch of streams followed on the bytes, column by column: which streams are whole, and which must
be read again with every question asked (`chains`). A process that verifies loads this and little else."""

from array import array
from collections.abc import Mapping, Sequence
from operator import lt
from typing import Final

import msgspec
from psycopg import errors, sql
from psycopg.rows import args_row
from psycopg.types.numeric import Int8

from domain.log.event import GENESIS, chained
from service.store.chain_parts import NONE, PARTED, StreamPart, numbers
from service.store.log_sql import CLOSED, OPEN
from service.store.patience import PatientConnection
from service.store.pool import Connection

JOINED: Final = 6000  # events at most that are asked for at a time: those of a stretch, or a part of a long stream
LOGS: Final = (OPEN, CLOSED)
BEFORE_ALL: Final = Int8(-(1 << 31) - 1)  # a version below every other
# who waits for another process is not idle; a statement that is asked a hundred times is planned once
UNHURRIED: Final = "set local idle_in_transaction_session_timeout = 0; set local plan_cache_mode = force_generic_plan"
# a time as it is hashed; one before our era, and the ends of all times, are written otherwise, and so fit no hash
WHEN: Final = """case when {0} >= '0001-01-01T00:00:00Z' and {0} < 'infinity'
    then to_char({0} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') else {0}::text end"""


def _texts(column: str) -> str:
    return f"coalesce(string_agg({column}, e'\\x1f'), '')"


def _sent(how: str, column: str) -> str:
    return f"coalesce(string_agg({how}({column}), ''), '')"


def _optional(column: str) -> str:
    return _texts(f"coalesce('=' || {column}, '{NONE}')")


# The events behind a place, in the order of their streams and versions, a row for each stream of which there are some,
# with their private parts. What is absent is passed over where values are joined, so it is asked whether all are there.
PARTS: Final = f"""select own.*, private.* from (
    select e.stream_id::text as stream, count(*), max(e.version) as last, bool_and(coalesce(length(e.prev_hash) = 32
        and length(e.hash) = 32 and (e.log, e.version, e.position, e.schema, e.recorded_at) is not null
        and (e.type, e.data, e.role, e.command_id) is not null, false)),
    min(e.log), max(e.log), {_sent("int4send", "e.version")}, {_sent("int8send", "e.position")},
    string_agg(e.prev_hash, ''), string_agg(e.hash, ''), {_texts("e.type")}, {_sent("int2send", "e.schema")},
    {_texts("e.data")}, {_optional("e.actor")}, {_texts("e.role")}, {_optional("e.seat")}, {_optional("e.device")},
    {_optional(WHEN.format("e.device_clock"))}, {_sent("timestamptz_send", "e.recorded_at")},
    {_texts("e.command_id")}, {_optional("e.cause")}, e.stream_id as id, min(e.version) as first
    from (
        select * from events where club_id = %(club)s and stream_id <= %(last)s
            and (stream_id, version) > (%(stream)s::uuid, %(version)s::bigint)
        order by stream_id, version limit %(most)s
    ) e group by e.stream_id
) own left join lateral (
    select array_agg(p.version), array_agg(p.salt), array_agg(p.data) from private p
    where p.club_id = %(club)s and p.stream_id = own.id and p.version between own.first and own.last
) private on true order by own.id"""  # noqa: S608  # fixed words

STREAMS: Final = """select distinct stream_id::text from events
    where club_id = %(club)s and stream_id between %(first)s and %(last)s"""


async def seeing(url: str, snapshot: str, patience: int) -> Connection:
    """A connection that sees what the transaction of that name sees. Raises psycopg.Error."""
    connection = await PatientConnection.connect(url, connect_timeout=patience)
    await connection.execute("set transaction isolation level repeatable read, read only")
    # a name that the server made, and no statement takes it as a parameter
    await connection.execute(sql.SQL("set transaction snapshot {}").format(sql.Literal(snapshot)))
    await connection.execute(UNHURRIED)
    return connection


class StreamRange(msgspec.Struct, frozen=True):
    """Streams of a club next to each other, from the first to the last id, and how many events they have. `again` are
    those that are read again in any case."""

    club: str
    first: str
    last: str
    events: int
    again: frozenset[str] = frozenset()


class KnownLogs(msgspec.Struct, frozen=True):
    """The knowledge of all logs: the log that a stream belongs to, by the type of its first event, and the end of each
    club's logs by the table `logs`."""

    homes: Mapping[str, int]
    ends: Mapping[str, tuple[int | None, int | None]]


class Followed(msgspec.Struct, frozen=True):
    """Of the whole streams of a stretch how many events each log has, how far they reach and their positions (eight
    bytes each, of this machine), and how many events have a private part; and the streams that must be read again."""

    events: tuple[int, int]
    reach: tuple[int, int]
    again: tuple[str, ...]
    positions: tuple[bytes, bytes]
    private: int = 0

    def positions_in(self, log: int) -> Sequence[int]:
        """The positions in one log."""
        found = array("q")
        found.frombytes(self.positions[log])
        return found


class Follower:
    """Follows the chains of a stretch as its events come in: stream by stream, each in the order of its versions."""

    def __init__(self, stretch: StreamRange, known: KnownLogs) -> None:
        self.stretch, self.known = stretch, known
        self.ends = known.ends.get(stretch.club, (None, None))
        self._seen = self._private = self._own_private = 0
        self._events, self._reach, self._again = [0, 0], [0, 0], list[str]()
        self._positions, self._own = (array("q"), array("q")), array("q")
        self._stream = ""
        self._holds = False
        self._home = self._version = self._position = 0
        self._hash = GENESIS

    def part(self, part: StreamPart) -> None:
        """The next events of a stream."""
        self._seen += part.count
        if part.stream != self._stream:
            self._ended()
            self._begin(part)
        if self._holds:
            try:
                self._holds = self._sound(part)
            except (ValueError, OverflowError):
                self._holds = False

    def _begin(self, part: StreamPart) -> None:
        self._stream, self._hash, self._own = part.stream, GENESIS, array("q")
        self._version = self._position = self._own_private = 0
        self._home = self.known.homes.get(part.types.partition(PARTED)[0], part.least_log)
        self._holds = part.stream not in self.stretch.again and self._home in LOGS

    def _sound(self, part: StreamPart) -> bool:
        """Tells whether events are the next of their stream, each in its log, with a hash that is its own. Raises
        ValueError, OverflowError for what cannot be read."""
        if not (part.complete and part.has_whole_columns) or not part.least_log == part.most_log == self._home:
            return False
        positions, versions = numbers("q", part.positions), range(self._version + 1, self._version + part.count + 1)
        if len(positions) != part.count or not _rise(self._position, positions):
            return False
        if numbers("i", part.versions) != array("i", versions):
            return False
        hashes = chained(self._hash, part.publics(self.stretch.club), part.inners())
        if b"".join(hashes) != part.hashes or b"".join((self._hash, *hashes[:-1])) != part.previous:
            return False
        self._hash, self._position, self._version = hashes[-1], positions[-1], versions[-1]
        self._own.extend(positions)
        self._own_private += len(part.private or ())
        return True

    def _ended(self) -> None:
        """A stream has no more events: its positions rise, so that the last of them is its furthest."""
        if not self._stream:
            return
        end = self.ends[self._home] if self._holds else None
        if not self._holds or (end is not None and self._position > end):
            self._again.append(self._stream)
            return
        self._positions[self._home].extend(self._own)
        self._events[self._home] += self._version
        self._private += self._own_private
        self._reach[self._home] = max(self._reach[self._home], self._position)

    def followed(self) -> Followed | None:
        """The result when the last event was seen; None where one stands twice, or nowhere, and was passed over."""
        self._ended()
        self._stream = ""
        if self._seen != self.stretch.events:
            return None
        (events, closed), (reach, other), (opened, shut) = self._events, self._reach, self._positions
        positions = opened.tobytes(), shut.tobytes()
        return Followed((events, closed), (reach, other), tuple(self._again), positions, self._private)


def _rise(before: int, positions: "array[int]") -> bool:
    return before < min(positions, default=before) and all(map(lt, positions, positions[1:]))


async def follow(connection: Connection, stretch: StreamRange, known: KnownLogs) -> Followed:
    """Follow the chains of a stretch, in the transaction that the connection is in. Where its texts are too long to be
    joined, or an event was passed over, all of its streams are to be read again."""
    try:
        async with connection.transaction():
            found = await _joined(connection, stretch, known)
    except (errors.ProgramLimitExceeded, errors.OutOfMemory, UnicodeDecodeError):
        found = None
    if found is not None:
        return found
    rows = await (await connection.execute(STREAMS, msgspec.structs.asdict(stretch))).fetchall()
    return Followed((0, 0), (0, 0), tuple(stream for (stream,) in rows), (b"", b""))


async def _joined(connection: Connection, stretch: StreamRange, known: KnownLogs) -> Followed | None:
    follower, seen = Follower(stretch, known), JOINED
    place = {"club": stretch.club, "stream": stretch.first, "version": BEFORE_ALL, "last": stretch.last}
    async with connection.cursor(binary=True, row_factory=args_row(StreamPart)) as cursor:
        while seen == JOINED:
            await cursor.execute(PARTS, {**place, "most": JOINED}, prepare=True)
            parts = await cursor.fetchall()
            for part in parts:
                follower.part(part)
                place.update(stream=part.stream, version=Int8(part.last or 0))
            seen = sum(part.count for part in parts)
    return follower.followed()
