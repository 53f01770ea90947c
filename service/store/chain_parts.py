"""The events of a stream column by column, as the database joins them: a row a stream costs less than a row an event.

A joined column is read only where it can be read in one way: no value is absent, texts are parted by a character that
none of them holds, and numbers and hashes are of one length. Where that is not so, the stream is read again,
row by row."""

import sys
from array import array
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from itertools import repeat
from typing import Final

import msgspec

from domain.log.event import NOTHING, SALT, Public, instant

PARTED: Final = "\x1f"  # the JSON of an event never holds it as it is
NONE: Final = "-"  # a value that is absent; before any other stands an equals sign
EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)  # from which PostgreSQL counts its microseconds


class OddError(ValueError):
    """Columns that cannot be read in one way only."""


class StreamPart(msgspec.Struct, frozen=True):
    """Events of a stream next to each other: how many, the last version, whether none lacks anything, their columns,
    and their private parts."""

    stream: str
    count: int
    last: int
    complete: bool
    least_log: int
    most_log: int
    versions: bytes
    positions: bytes
    previous: bytes | None
    hashes: bytes | None
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
    id: str
    first: int
    private: list[int] | None
    salts: list[bytes | None] | None
    words: list[str | None] | None

    @property
    def has_whole_columns(self) -> bool:
        """Tells whether each number, hash and time is there for each event, whatever the database believes of that."""
        columns = ((self.versions, 4), (self.positions, 8), (self.schemas, 2), (self.recorded, 8))
        hashes = ((self.previous, 32), (self.hashes, 32))
        return all(column is not None and len(column) == size * self.count for column, size in (*columns, *hashes))

    def inners(self) -> Iterable[bytes]:
        """The hash of the private part of each event, or of nothing. Raises OddError."""
        if not self.private or not self.salts or not self.words:
            return repeat(NOTHING)
        found = dict(zip(self.private, map(_inner, self.salts, self.words), strict=True))
        if len(found) != len(self.private):
            raise OddError
        return [found.get(version, NOTHING) for version in numbers("i", self.versions)]

    def publics(self, club: str) -> Iterable[Public]:
        """The public parts, so many of them as can be read. Raises ValueError, OverflowError."""
        count = self.count
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
            _seats(self.seats, count),
            _optionals(self.devices, count),
            _optionals(self.clocks, count),
            _moments(self.recorded, count),
            _values(self.commands, count),
            _optionals(self.causes, count),
        )


def _inner(salt: bytes | None, words: str | None) -> bytes:
    if salt is None or words is None or len(salt) != SALT:
        raise OddError
    return sha256(salt + words.encode()).digest()


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


def _seats(joined: str, count: int) -> Sequence[int | None]:
    found = _optionals(joined, count)
    return [None if each is None else int(each) for each in found] if any(found) else [None] * count


def _moments(joined: bytes, count: int) -> Iterable[str]:
    """So many times; those of one command are the same. Raises OverflowError."""
    if joined == joined[:8] * count:
        return repeat(_moment(*numbers("q", joined[:8])), count)
    return map(_moment, numbers("q", joined))


def _moment(microseconds: int) -> str:
    """A time by the database's count as it is hashed. Raises OverflowError, as for the end of all times."""
    minute, rest = divmod(microseconds, 60_000_000)
    return f"{_minute(minute)}{rest // 1_000_000:02}.{rest % 1_000_000:06}Z"


@lru_cache(maxsize=256)  # in which many events were recorded, each at a time of its own
def _minute(minutes: int) -> str:
    """The time of a whole minute as far as the seconds. Raises OverflowError."""
    return instant(EPOCH + timedelta(minutes=minutes)).removesuffix("00.000000Z")
