"""Events and their private parts as they are sent: rows of JSON, which cost a fifth of arrays."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from domain.log.event import Recorded


class EventRow(msgspec.Struct, frozen=True, gc=False):
    """An event as it is sent; hashes are hex."""

    stream: str
    version: int
    type: str
    schema: int
    data: str
    actor: str | None
    role: str
    seat: int | None
    device: str | None
    clock: datetime | None
    at: datetime
    command: str
    place: int
    fingerprint: str
    cause: str | None
    prev_hash: str
    hash: str


class PrivateRow(msgspec.Struct, frozen=True, gc=False):
    """A private part as it is sent; the salt is hex."""

    stream: str
    version: int
    salt: str
    data: str


def rows_of(events: Sequence[Recorded], hashes: Sequence[bytes], fingerprint: bytes) -> list[EventRow]:
    """The rows of the events of one command; `hashes` begin with that of the event before them."""
    mark, chain = fingerprint.hex(), [each.hex() for each in hashes]
    return [
        EventRow(
            stream=event.stream,
            version=event.version,
            type=event.type,
            schema=event.schema,
            data=event.text,
            actor=event.actor,
            role=event.role,
            seat=event.seat,
            device=event.device,
            clock=event.device_clock,
            at=event.recorded_at,
            command=event.command_id,
            place=place,
            fingerprint=mark,
            cause=event.cause,
            prev_hash=chain[place],
            hash=chain[place + 1],
        )
        for place, event in enumerate(events)
    ]


def as_json(rows: Sequence[EventRow] | Sequence[PrivateRow]) -> str:
    """Rows as one text."""
    return msgspec.json.encode(rows).decode()
