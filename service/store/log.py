"""Append to the log and read it back. Every append is one statement and one round trip.

The update of the club's row in `logs` takes its lock, so positions are dense and commit order is position
order; the primary key (club, stream, version) is the judge of a race.
"""

import os
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import msgspec
import psycopg
from psycopg.rows import args_row

from domain import registry
from domain.log.decider import New
from domain.log.event import GENESIS, AnyEvent, Public, Recorded, chain_hash, instant, leaf_hash, public_bytes
from domain.log.upcast import UPCASTERS
from domain.match.events import ChainHead
from service.store.log_sql import FOLDING, JOINED, ON_NO_NEWS, STATEMENTS
from service.store.pool import Column, Parameters, Pool

APPEND_LIMIT: Final = 1000
SHORT: Final = 100
PAGE: Final = 100  # events of a stream, a timeline or a replay that are read at a time


class LostRaceError(Exception):
    """Another command appended first: the stream is not at the version of the decision."""


class LogMovedError(Exception):
    """Something was appended to the club's log since it was looked through for this append."""


class UnknownClubError(Exception):
    """There is no log of that club."""


class Device(msgspec.Struct, frozen=True):
    """A device before it has its id: its holder (a sign-in, a token, a program), and the name that it gives itself."""

    holder: str
    name: str | None = None


class By(msgspec.Struct, frozen=True):
    """The actor and device of an append, and its cause. `device` is an id; `on` is a device that still needs one."""

    actor: str | None
    role: str
    seat: int | None = None
    device: str | None = None
    device_clock: datetime | None = None
    cause: str | None = None
    on: Device | None = None


class Head(msgspec.Struct, frozen=True):
    """The end of a stream: its last version, hash and time."""

    version: int = 0
    hash: bytes = GENESIS
    recorded_at: datetime | None = None


class Stored(msgspec.Struct, frozen=True):
    """A recorded event with its hashes, salt and private text."""

    event: Recorded
    salt: bytes | None
    private: str | None
    prev_hash: bytes
    hash: bytes


class Appended(msgspec.Struct, frozen=True):
    """The events of an append, and the new head of the stream."""

    events: list[Recorded]
    head: Head


def stored(*row: Any) -> Stored:
    """A row of `JOINED` as an event. Raises KeyError or msgspec errors for a row that no version of Lurch wrote."""
    club, stream, version, position, kind, schema, text, *more = row
    actor, role, seat, device, clock, at, command, cause, private, salt, prev_hash, digest = more
    event = Recorded(
        club=club,
        stream=stream,
        version=version,
        position=position,
        type=kind,
        schema=schema,
        text=text,
        data=registry.read_event(kind, schema, text),
        actor=actor,
        role=role,
        seat=seat,
        device=device,
        device_clock=clock,
        recorded_at=at,
        command_id=command,
        cause=cause,
        private=msgspec.json.decode(private) if private and private != "null" else None,
    )
    return Stored(event, salt, private, prev_hash, digest)


def public_of(event: Recorded) -> bytes:
    """The bytes of an event's public part, as they are hashed."""
    clock = None if event.device_clock is None else instant(event.device_clock)
    head = event.club, event.stream, event.version, event.type, event.schema, event.text
    signer = event.actor, event.role, event.seat, event.device, clock
    return public_bytes(Public(*head, *signer, instant(event.recorded_at), event.command_id, event.cause))


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
        salt = os.urandom(16)
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
) -> Appended:
    """Append after `head`; with `ends` only if the club's log ends at that position. Raises LostRaceError on any unique
    violation (the caller looks the command up before believing it), LogMovedError for a log that does not end there,
    UnknownClubError for a club without a log."""
    batch = AppendBatch(club, stream, head, by, at, command)
    for new in news:
        batch.add(new)
    one = len(news) == 1 and ends is None
    parameters = {
        "club": club,
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


async def read_stream(pool: Pool, club: str, stream: str, after: int = 0, upto: int | None = None) -> list[Stored]:
    """The events of a stream behind a version, in order."""
    where = " where e.club_id = %s and e.stream_id = %s and e.version > %s and e.version <= %s order by e.version"
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=args_row(stored), binary=True)
        await cursor.execute(JOINED + where, [club, stream, after, upto or 2**31 - 1], prepare=True)
        found: list[Stored] = await cursor.fetchall()
        return found


async def read_kind(pool: Pool, club: str, stream: str, kind: str, upto: int) -> list[Stored]:
    """The events of one type in a stream up to a version, in order."""
    where = " where e.club_id = %s and e.stream_id = %s and e.type = %s and e.version <= %s order by e.version"
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=args_row(stored), binary=True)
        await cursor.execute(JOINED + where, [club, stream, kind, upto])
        found: list[Stored] = await cursor.fetchall()
        return found


async def read_club(pool: Pool, club: str, after: int, limit: int = 1000) -> list[Stored]:
    """The events of a club's log behind a position, in order."""
    where = " where e.club_id = %s and e.position > %s order by e.position limit %s"
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=args_row(stored), binary=True)
        await cursor.execute(JOINED + where, [club, after, limit], prepare=True)
        found: list[Stored] = await cursor.fetchall()
        return found


async def last_position(pool: Pool, club: str) -> int:
    """The last position of a club's log."""
    async with pool.connection() as connection:
        row = await (await connection.execute("select position from logs where club_id = %s", [club])).fetchone()
    return row[0] if row else 0


async def read_for_fold(
    pool: Pool, club: str, stream: str, after: int, upto: int = 2**31 - 1
) -> tuple[list[tuple[int, AnyEvent]], Head | None]:
    """(version, Struct) pairs behind a version, up to another, and the head there. One row with an event a line (JSON
    text holds no line break) is the fastest way back into memory."""
    async with pool.connection() as connection:
        cursor = connection.cursor(binary=True)
        await cursor.execute(FOLDING, {"club": club, "stream": stream, "after": after, "upto": upto}, prepare=True)
        row = await cursor.fetchone()
    if row is None or row[0] is None:
        return [], None
    text, version, at, digest = row
    lines = text.split("\n")
    if after + len(lines) != version:
        raise psycopg.DataError(f"the stream {stream} has {after + len(lines)} events up to version {version}")
    return list(enumerate(map(read_line, lines), after + 1)), Head(version, digest, at)


def read_line(line: str) -> AnyEvent:
    """An event of a line like `CardPlayed/1 {…}`. Raises KeyError or msgspec errors for any other."""
    return _short_line(line) if len(line) < SHORT else _line(line)


async def version_at(pool: Pool, club: str, stream: str, moment: datetime) -> int:
    """The last version of a stream that was recorded at a moment or before; times of a stream never run backwards."""
    statement = """select version from events where club_id = %s and stream_id = %s and recorded_at <= %s
        order by version desc limit 1"""
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, stream, moment], prepare=True)).fetchone()
    return row[0] if row else 0


def _line(line: str) -> AnyEvent:
    """An event of a line, decoded afresh."""
    form, _, data = line.partition(" ")
    return registry.reader(form)(data)


_short_line = lru_cache(2048)(_line)  # the same few plays and calls come again in every deal, and are immutable


async def find_command(pool: Pool, club: str, command: str) -> tuple[str, int, int, bytes] | None:
    """Stream, first version, number of events and fingerprint of a command that is in the log."""
    statement = """select e.stream_id::text, e.version, e.fingerprint,
        (select count(*) from events n where n.club_id = e.club_id and n.stream_id = e.stream_id
            and n.version > e.version and n.command_id = e.command_id)
        from events e where e.club_id = %s and e.command_id = %s and e.command_index = 0"""
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, command], prepare=True)).fetchone()
    return None if row is None else (row[0], row[1], row[3] + 1, bytes(row[2]))


async def clubs(pool: Pool) -> list[tuple[str, int]]:
    """Every club's id and the head of its log."""
    async with pool.connection() as connection:
        cursor = await connection.execute("select club_id::text, position from logs order by club_id")
        found: list[tuple[str, int]] = await cursor.fetchall()
        return found
