"""The events of a stream column by column, as the database joins them: a row a stream costs less than a row an event.

A joined column is read only where it can be read in one way: no value is absent, texts are parted by a character that
none of them holds, and numbers and hashes are of one length. Where that is not so, the stream is read again,
row by row."""

import sys
from array import array
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import repeat
from typing import Final

import msgspec

from domain.log.event import Public, instant

PARTED: Final = "\x1f"  # the JSON of an event never holds it as it is
NONE: Final = "-"  # a value that is absent; before any other stands an equals sign
EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)  # from which PostgreSQL counts its microseconds
WHEN: Final = """to_char({} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""


def _texts(column: str) -> str:
    return f"string_agg({column}, e'\\x1f')"


def _optional(column: str) -> str:
    return _texts(f"coalesce('=' || {column}, '{NONE}')")


# The events behind a place, in the order of their streams and versions, a row for each stream of which there are some.
PARTS: Final = f"""select e.stream_id::text, count(*),
    bool_and(length(e.prev_hash) = 32 and length(e.hash) = 32 and (e.version, e.log, e.position, e.type, e.schema,
        e.data, e.role, e.recorded_at, e.command_id, e.prev_hash, e.hash) is not null),
    min(e.log), max(e.log), max(e.version), string_agg(int4send(e.version), ''), string_agg(int8send(e.position), ''),
    string_agg(e.prev_hash, ''), string_agg(e.hash, ''), {_texts("e.type")}, string_agg(int2send(e.schema), ''),
    {_texts("e.data")}, {_optional("e.actor")}, {_texts("e.role")}, {_optional("e.seat")}, {_optional("e.device")},
    {_optional(WHEN.format("e.device_clock"))}, string_agg(timestamptz_send(e.recorded_at), ''),
    {_texts("e.command_id")}, {_optional("e.cause")}
from (select * from events where club_id = %(club)s and (stream_id, version) > (%(stream)s::uuid, %(version)s::bigint)
    and stream_id <= %(last)s order by stream_id, version limit %(most)s) e
group by e.stream_id order by e.stream_id"""  # noqa: S608  # fixed words


class OddError(ValueError):
    """Columns that cannot be read in one way only."""


class StreamPart(msgspec.Struct, frozen=True):
    """Events of a stream next to each other: how many, whether each is complete, and their columns."""

    stream: str
    count: int
    complete: bool
    least_log: int
    most_log: int
    last: int
    versions: bytes
    positions: bytes
    previous: bytes
    hashes: bytes
    types: str
    schemas: bytes
    data: str
    actors: str
    roles: str
    seats: str
    devices: str
    clocks: str
    recorded: bytes
    commands: str
    causes: str

    def publics(self, club: str) -> Iterable[Public]:
        """The public parts, as if the versions were those behind each other. Raises ValueError, OverflowError."""
        count = self.count
        seats = (None if each is None else int(each) for each in _optionals(self.seats, count))
        return map(
            Public,
            repeat(club),
            repeat(self.stream),
            numbers("i", self.versions),
            _values(self.types, count),
            numbers("h", self.schemas),
            _values(self.data, count),
            _optionals(self.actors, count),
            _values(self.roles, count),
            seats,
            _optionals(self.devices, count),
            _optionals(self.clocks, count),
            map(_moment, numbers("q", self.recorded)),
            _values(self.commands, count),
            _optionals(self.causes, count),
        )


def numbers(code: str, joined: bytes) -> "array[int]":
    """Numbers of one length as the database sends them, by their code in an array."""
    found = array(code)
    found.frombytes(joined)
    if sys.byteorder == "little":
        found.byteswap()
    return found


def _values(joined: str, count: int) -> Sequence[str]:
    """So many texts; they are often all the same. Raises OddError."""
    first = joined.partition(PARTED)[0]
    same = [first] * count
    if len(joined) == count * len(first) + count - 1 and joined == PARTED.join(same):
        return same
    found = joined.split(PARTED)
    if len(found) != count:
        raise OddError
    return found


def _optionals(joined: str, count: int) -> Sequence[str | None]:
    """So many texts, of which any may be absent. Raises OddError."""
    found = _values(joined, count)
    return [None] * count if found.count(NONE) == count else [None if each == NONE else each[1:] for each in found]


@lru_cache(maxsize=64)  # the events of one command share theirs
def _moment(microseconds: int) -> str:
    """A time by the database's count as it is hashed. Raises OverflowError, as for the end of all times."""
    return instant(EPOCH + timedelta(microseconds=microseconds))
