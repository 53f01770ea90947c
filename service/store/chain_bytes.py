"""The chains of a stretch of streams followed on the bytes, column by column: which streams are whole, and which must
be read again with every question asked (`chains`). A process that verifies loads this and little else."""

from array import array
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Final

import msgspec
from psycopg import sql
from psycopg.rows import TupleRow

from domain.log.event import GENESIS, Public, chain_hash, leaf_over, public_bytes
from service.store.patience import PatientConnection
from service.store.pool import Connection

FETCHED: Final = 2000
_STREAM: Final = itemgetter(6)  # of a row of `_ROWS`
_POSITION: Final = itemgetter(1)
NOTHING: Final = sha256(b"").digest()  # the inner hash of an event without a private part
UNHURRIED: Final = "set local idle_in_transaction_session_timeout = 0"  # who waits for another process is not idle
WHEN: Final = """to_char({} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
_ROWS: Final = f"""select e.log, e.position, p.salt, p.data, e.prev_hash, e.hash, e.stream_id::text, e.version, e.type,
    e.schema, e.data, e.actor, e.role, e.seat, e.device, {WHEN.format("e.device_clock")},
    {WHEN.format("e.recorded_at")}, e.command_id, e.cause
from events e left join private p on (p.club_id, p.stream_id, p.version) = (e.club_id, e.stream_id, e.version)
    and p.stream_id between %(first)s and %(last)s
where e.club_id = %(club)s and e.stream_id between %(first)s and %(last)s
order by e.stream_id, e.version"""  # noqa: S608  # fixed words


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
    bytes each, of this machine); and the streams that must be read again."""

    events: tuple[int, int]
    reach: tuple[int, int]
    again: tuple[str, ...]
    positions: tuple[bytes, bytes]

    def positions_in(self, log: int) -> Sequence[int]:
        """The positions in one log."""
        found = array("Q")
        found.frombytes(self.positions[log])
        return found


class Follower:
    """Follows the chains of a stretch as its rows come in: stream by stream, each in the order of its versions."""

    def __init__(self, stretch: StreamRange, known: KnownLogs) -> None:
        self.stretch, self.known = stretch, known
        self.ends = known.ends.get(stretch.club, (None, None))
        self._events, self._reach, self._again = [0, 0], [0, 0], list[str]()
        self._positions, self._own = (array("Q"), array("Q")), array("Q")
        self._stream = ""
        self._holds = False
        self._home = self._version = self._position = 0
        self._hash = GENESIS

    def rows(self, rows: Sequence[TupleRow]) -> None:
        """The next rows of `_ROWS`."""
        for stream, group in groupby(rows, _STREAM):
            own = list(group)
            if stream != self._stream:
                self._ended()
                self._begin(stream, own[0])
            self._holds = self._holds and self._sound(own)

    def _begin(self, stream: str, first: TupleRow) -> None:
        self._stream, self._hash, self._own = stream, GENESIS, array("Q")
        self._version = self._position = 0
        self._home = self.known.homes.get(first[8], first[0])
        self._holds = stream not in self.stretch.again

    def _sound(self, rows: Sequence[TupleRow]) -> bool:
        """Tells whether rows are the next of their stream, each in its log, with a hash that is its own."""
        club, home, previous, position = self.stretch.club, self._home, self._hash, self._position
        for expected, row in enumerate(rows, self._version + 1):
            log, at, salt, private, before, digest, stream, version, *more = row
            if version != expected or before != previous or log != home or at <= position:
                return False
            public = public_bytes(Public(club, stream, version, *more))
            inner = NOTHING if private is None else sha256((salt or b"") + private.encode()).digest()
            if chain_hash(before, leaf_over(public, inner)) != digest:
                return False
            previous, position = digest, at
        self._hash, self._position, self._version = previous, position, self._version + len(rows)
        self._own.extend(map(_POSITION, rows))
        return True

    def _ended(self) -> None:
        """A stream has no more rows: its positions rise, so that the last of them is its furthest."""
        if not self._stream:
            return
        end = self.ends[self._home]
        if not self._holds or (end is not None and self._position > end):
            self._again.append(self._stream)
            return
        self._positions[self._home].extend(self._own)
        self._events[self._home] += self._version
        self._reach[self._home] = max(self._reach[self._home], self._position)

    def followed(self) -> Followed:
        """The result when the last row was seen."""
        self._ended()
        self._stream = ""
        (events, closed), (reach, other), (opened, shut) = self._events, self._reach, self._positions
        return Followed((events, closed), (reach, other), tuple(self._again), (opened.tobytes(), shut.tobytes()))


async def follow(connection: Connection, stretch: StreamRange, known: KnownLogs) -> Followed:
    """Follow the chains of a stretch, in the transaction that the connection is in."""
    follower = Follower(stretch, known)
    values = {"club": stretch.club, "first": stretch.first, "last": stretch.last}
    async with connection.cursor(name="chain_bytes", binary=True) as cursor:
        await cursor.execute(_ROWS, values)
        while rows := await cursor.fetchmany(FETCHED):
            follower.rows(rows)
    return follower.followed()
