"""Append to a log. Every append is one statement and one round trip.

A club has two logs, and an append touches one of them. The update of its row in `logs` takes the lock of that row, so
positions are dense and commit order is position order; the primary key (club, stream, version) is the judge of a race.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec
import psycopg

from domain import registry
from domain.log.decider import New
from domain.log.event import SALT, Recorded, chain_hash, leaf_hash
from domain.log.upcast import UPCASTERS
from domain.match.events import ChainHead
from service.store.event_rows import EventRow, PrivateRow, as_json, rows_of
from service.store.ids import chance
from service.store.log import By, Head, public_of
from service.store.log_sql import ON_NO_NEWS, OPEN, STATEMENTS
from service.store.pool import Parameters, Pool

APPEND_LIMIT: Final = 1000


class LostRaceError(Exception):
    """Another command appended first: the stream is not at the version of the decision."""


class LogMovedError(Exception):
    """Something was appended to the club's log since it was looked through for this append."""


class UnknownClubError(Exception):
    """There is no log of that club."""


class Appended(msgspec.Struct, frozen=True):
    """The events of an append, the new head of the stream, and the position of the log behind which they stand."""

    events: list[Recorded]
    head: Head
    base: int


class Behind(msgspec.Struct, frozen=True):
    """The place where an append goes: its club, its stream behind a head, and the open log or the closed one.
    `founding` begins the logs of the club; with `ends` it is only taken if its log ends at that position; what is of
    one `page` of a file shares its statement with the rest of that page and nobody else."""

    club: str
    stream: str
    head: Head
    log: int = OPEN
    founding: bool = False
    ends: int | None = None
    page: str = ""

    @property
    def goes_alone(self) -> bool:
        """Tells what shares no statement with others."""
        return self.founding or self.ends is not None


class AppendBatch:
    """The events of one append, and the chain over them."""

    def __init__(self, behind: Behind, by: By, at: datetime, command: str, fingerprint: bytes) -> None:
        self.behind, self.by, self.at, self.command, self.fingerprint = behind, by, at, command, fingerprint
        self.club, self.stream = behind.club, behind.stream
        self.version, self.hash = behind.head.version, behind.head.hash
        self.size = 0  # bytes of its texts
        self.events: list[Recorded] = []
        self.hashes = [self.hash]  # that of the head, then one an event
        self.private: list[PrivateRow] = []

    def add(self, new: New) -> None:
        """One more event."""
        kind = type(new.event).__name__
        data = self._signed(new.event) if new.signs else new.event
        text = registry.write_event(data).decode()
        self.version += 1
        event = Recorded(
            club=self.club,
            stream=self.stream,
            version=self.version,
            position=0,
            type=kind,
            schema=UPCASTERS.current(kind),
            text=text,
            data=data,
            actor=self.by.actor,
            role=self.by.role,
            seat=self.by.seat,
            device=self.by.device,
            device_clock=self.by.device_clock,
            recorded_at=self.at,
            command_id=self.command,
            cause=self.by.cause,
            private=new.private,
        )
        salt, private = self._private(new)
        self.hash = chain_hash(self.hash, leaf_hash(public_of(event), salt, private))
        self.hashes.append(self.hash)
        self.events.append(event)
        self.size += len(text) + len(private or b"")

    def _signed(self, event: msgspec.Struct) -> msgspec.Struct:
        """A signing event with the head of the chain before it."""
        return msgspec.structs.replace(event, head=ChainHead(self.version, self.hash.hex()))

    def _private(self, new: New) -> tuple[bytes | None, bytes | None]:
        """Salt and text of the private part; an event that some seats have not seen has a salt without it too."""
        if new.private is None and not new.secret:
            return None, None
        salt = chance(SALT)
        text = msgspec.json.encode(new.private, order="deterministic")
        self.private.append(PrivateRow(self.stream, self.version, salt.hex(), text.decode()))
        return salt, text

    @property
    def count(self) -> int:
        """The number of its events."""
        return len(self.events)

    @property
    def head(self) -> Head:
        """The head of the stream behind these events."""
        return Head(self.version, self.hash, self.at)

    def positioned(self, base: int) -> list[Recorded]:
        """The events with their places in the club's log."""
        return [
            msgspec.structs.replace(event, position=base + place) for place, event in enumerate(self.events, start=1)
        ]

    def appended(self, base: int) -> Appended:
        """The outcome of the append, behind this position of its log."""
        return Appended(self.positioned(base), self.head, base)

    def event_rows(self) -> list[EventRow]:
        """The events as they are sent."""
        return rows_of(self.events, self.hashes, self.fingerprint)

    @property
    def is_one(self) -> bool:
        """Tells a single event: its columns go as plain values, which cost the least."""
        return self.count == 1 and self.behind.ends is None

    def parameters(self) -> Parameters:
        """The values of a statement for this append alone."""
        behind = self.behind
        return {
            "club": self.club,
            "log": behind.log,
            "n": self.count,
            "ends": behind.ends,
            "private": as_json(self.private),
            **(self._single() if self.is_one else {"events": as_json(self.event_rows())}),
        }

    def _single(self) -> Parameters:
        (event,), (before, after), by = self.events, self.hashes, self.by
        return {
            "stream": self.stream,
            "version": self.behind.head.version,
            "type": event.type,
            "schema": event.schema,
            "text": event.text,
            "actor": by.actor,
            "role": by.role,
            "seat": by.seat,
            "device": by.device,
            "clock": by.device_clock,
            "at": self.at,
            "command": self.command,
            "fingerprint": self.fingerprint,
            "cause": by.cause,
            "prev": before,
            "hash": after,
        }


def batch_of(
    behind: Behind, news: Sequence[New], by: By, at: datetime, command: str, fingerprint: bytes
) -> AppendBatch:
    """Chains what is to be appended behind a head."""
    batch = AppendBatch(behind, by, at, command, fingerprint)
    for new in news:
        batch.add(new)
    return batch


async def append(pool: Pool, batch: AppendBatch) -> Appended:
    """Append after a head. Raises LostRaceError on any unique violation (the caller looks the command up before
    believing it), LogMovedError for a log that does not end where it should, UnknownClubError for a club without a
    log."""
    behind, private = batch.behind, bool(batch.private)
    statement = ON_NO_NEWS if behind.ends is not None else STATEMENTS[behind.founding, batch.is_one, private]
    try:
        async with pool.connection() as connection:
            cursor = await connection.execute(statement, batch.parameters(), prepare=True)
            row = await cursor.fetchone()
    except psycopg.errors.UniqueViolation as error:
        raise LostRaceError(str(error.diag.constraint_name)) from None
    if row is None:
        raise UnknownClubError(batch.club) if behind.ends is None else LogMovedError(batch.club)
    base, *counts = row
    check_counts(counts, [batch])
    return batch.appended(base)


def check_counts(counts: Sequence[int], batches: Sequence[AppendBatch]) -> None:
    """Hold the numbers of events and private parts that a statement wrote against those it was given. Raises
    psycopg.DataError."""
    wanted = [sum(each.count for each in batches), sum(len(each.private) for each in batches)]
    if list(counts) != wanted:
        raise psycopg.DataError(f"events and private parts appended: {counts}, of {wanted}")
