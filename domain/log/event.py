"""The recorded event: its data, its actor and time, and its bytes in the chain.

`data` in the log is the canonical JSON text of the public part. Leaf and chain hash are computed here,
so that anybody with the public parts can do it again (docs/chain.md has a test vector).
"""

import functools
import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import msgspec

GENESIS: Final = bytes(32)
SALT: Final = 16  # bytes
NOTHING: Final = hashlib.sha256(b"").digest()  # the inner hash of an event without a private part
_LEAF: Final = hashlib.sha256(b"\x00")
_LINK: Final = hashlib.sha256(b"\x01")
_ENCODE: Final = msgspec.json.Encoder().encode
Json: TypeAlias = Any  # a value of plain data, of any form; its reader says what it must be
JsonObject: TypeAlias = dict[str, Json]  # members by name: what stands beside an event, data of another schema
AnyEvent: TypeAlias = Any  # an event of one of the kinds of stream: the fold of each knows its own


class ClosedEvent(msgspec.Struct, frozen=True):
    """An event of a stream that stands in a club's closed log: whoever is not concerned is never told of it."""


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a log. `version` counts in its stream, `position` in the log; `data` is the
    decoded Struct, `text` its stored bytes; `private` what of it may have been erased."""

    club: str
    stream: str
    version: int
    position: int
    type: str
    schema: int
    text: str
    data: AnyEvent
    actor: str | None
    role: str
    seat: int | None
    device: str | None
    device_clock: datetime | None
    recorded_at: datetime
    command_id: str
    cause: str | None
    private: JsonObject | None = None


class Public(msgspec.Struct, frozen=True, gc=False):
    """The public part, its members in the order in which they are hashed; none is ever left out."""

    club: str
    stream: str
    version: int
    type: str
    schema: int
    data: str
    actor: str | None
    role: str
    seat: int | None
    device: str | None
    device_clock: str | None
    recorded_at: str
    command_id: str
    cause: str | None


@functools.lru_cache(maxsize=64)  # the events of one command share theirs
def instant(moment: datetime) -> str:
    """A time in UTC with six decimals and `Z`."""
    return f"{moment.astimezone(UTC).isoformat(timespec='microseconds')[:-6]}Z"


def public_bytes(public: Public) -> bytes:
    """JSON without spaces, UTF-8, members in the declared order."""
    return _ENCODE(public)


def leaf_hash(public: bytes, salt: bytes | None, private: bytes | None) -> bytes:
    """SHA-256(0x00 ‖ public ‖ SHA-256(salt ‖ private, or nothing))."""
    return leaf_over(public, hashlib.sha256((salt or b"") + (private or b"")).digest())


def leaf_over(public: bytes, inner: bytes) -> bytes:
    """The same from the inner hash, which is all that is kept of a private part that was erased."""
    leaf = _LEAF.copy()  # to begin a hash costs as much as to make it
    leaf.update(public + inner)
    return leaf.digest()


def chain_hash(previous: bytes, leaf: bytes) -> bytes:
    """SHA-256(0x01 ‖ previous hash ‖ leaf); the first previous hash is 32 zero bytes."""
    link = _LINK.copy()
    link.update(previous + leaf)
    return link.digest()


def chained(previous: bytes, publics: Iterable[Public], inners: Iterable[bytes]) -> list[bytes]:
    """The hashes of events behind one another, from the hash before the first and what is under each private part."""
    hashes: list[bytes] = []
    begin_leaf, begin_link, add = _LEAF.copy, _LINK.copy, hashes.append
    for public, inner in zip(map(_ENCODE, publics), inners):  # noqa: B905  # inner hashes may be without end
        leaf, link = begin_leaf(), begin_link()
        leaf.update(public + inner)
        link.update(previous + leaf.digest())
        previous = link.digest()
        add(previous)
    return hashes
