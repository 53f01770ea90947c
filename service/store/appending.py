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
from domain.log.event import Recorded, chain_hash, leaf_hash
from domain.log.upcast import UPCASTERS
from domain.match.events import ChainHead
from service.store.ids import chance
from service.store.log import By, Head, public_of
from service.store.log_sql import ON_NO_NEWS, OPEN, STATEMENTS
from service.store.pool import Column, Parameters, Pool

APPEND_LIMIT: Final = 1000


class LostRaceError(Exception):
    """Another command appended first: the stream is not at the version of the decision."""


class LogMovedError(Exception):
    """Something was appended to the club's log since it was looked through for this append."""


class UnknownClubError(Exception):
    """There is no log of that club."""


class Appended(msgspec.Struct, frozen=True):
    """The events of an append, and the new head of the stream."""

    events: list[Recorded]
    head: Head


class AppendBatch:
    """The columns of one append, and the chain over them."""

    def __init__(self, club: str, stream: str, head: Head, by: By, at: datetime, command: str) -> None:
        self.club, self.stream, self.by, self.at, self.command = club, stream, by, at, command
        self.version, self.hash = head.version, head.hash
        self.events: list[Recorded] = []
        self.columns: dict[str, list[Column]] = {
            name: [] for name in ("types", "schemas", "data", "prevs", "hashes", "p_versions", "p_salts", "p_data")
        }

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
        previous = self.hash
        self.hash = chain_hash(previous, leaf_hash(public_of(event), salt, private))
        self.events.append(event)
        columns: dict[str, Column] = {
            "types": kind,
            "schemas": event.schema,
            "data": text,
            "prevs": previous,
            "hashes": self.hash,
        }
        for name, value in columns.items():
            self.columns[name].append(value)

    def _signed(self, event: msgspec.Struct) -> msgspec.Struct:
        """A signing event with the head of the chain before it."""
        return msgspec.structs.replace(event, head=ChainHead(self.version, self.hash.hex()))

    def _private(self, new: New) -> tuple[bytes | None, bytes | None]:
        """Salt and text of the private part; an event that some seats have not seen has a salt without it too."""
        if new.private is None and not new.secret:
            return None, None
        salt = chance(16)
        text = msgspec.json.encode(new.private, order="deterministic")
        self.columns["p_versions"].append(self.version)
        self.columns["p_salts"].append(salt)
        self.columns["p_data"].append(text.decode())
        return salt, text

    def single(self) -> Parameters:
        """The only event's columns as plain values, which cost less to send than arrays of one."""
        columns = self.columns
        return {
            "type": columns["types"][0],
            "schema": columns["schemas"][0],
            "text": columns["data"][0],
            "prev": columns["prevs"][0],
            "hash": columns["hashes"][0],
            **{name: columns[name] for name in ("p_versions", "p_salts", "p_data")},
        }

    def positioned(self, base: int) -> list[Recorded]:
        """The events with their places in the club's log."""
        return [
            msgspec.structs.replace(event, position=base + place) for place, event in enumerate(self.events, start=1)
        ]


async def append(
    pool: Pool,
    club: str,
    stream: str,
    head: Head,
    news: Sequence[New],
    by: By,
    at: datetime,
    command: str,
    fingerprint: bytes,
    founding: bool = False,
    *,
    ends: int | None = None,
    into: int = OPEN,
) -> Appended:
    """Append after `head`, to the open log or the closed one; with `ends` only if that log ends at that position.
    Raises LostRaceError on any unique violation (the caller looks the command up before believing it), LogMovedError
    for a log that does not end there, UnknownClubError for a club without a log."""
    batch = AppendBatch(club, stream, head, by, at, command)
    for new in news:
        batch.add(new)
    one = len(news) == 1 and ends is None
    parameters = {
        "club": club,
        "log": into,
        "stream": stream,
        "version": head.version,
        "n": len(news),
        "actor": by.actor,
        "role": by.role,
        "seat": by.seat,
        "device": by.device,
        "clock": by.device_clock,
        "at": at,
        "command": command,
        "fingerprint": fingerprint,
        "cause": by.cause,
        "ends": ends,
        **(batch.single() if one else batch.columns),
    }
    statement = ON_NO_NEWS if ends is not None else STATEMENTS[founding, one, bool(batch.columns["p_versions"])]
    try:
        async with pool.connection() as connection:
            cursor = await connection.execute(statement, parameters, prepare=True)
            row = await cursor.fetchone()
    except psycopg.errors.UniqueViolation as error:
        raise LostRaceError(str(error.diag.constraint_name)) from None
    if row is None:
        raise UnknownClubError(club) if ends is None else LogMovedError(club)
    base, count = row
    if count != len(news):
        raise psycopg.DataError(f"{count} of {len(news)} events were appended")
    return Appended(batch.positioned(base), Head(batch.version, batch.hash, at))
