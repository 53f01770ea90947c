"""Append to the log and read it back. Every append is one statement and one round trip.

The update of the club's row in `logs` takes its lock, so positions are dense and commit order is position
order; the primary key (club, stream, version) is the judge of a race.
"""

import os
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import msgspec
import psycopg
from psycopg.rows import args_row
from psycopg_pool import AsyncConnectionPool

from domain import registry
from domain.decider import New
from domain.event import GENESIS, Public, Recorded, chain_hash, instant, leaf_hash, public_bytes
from domain.match.events import ChainHead
from domain.upcast import UPCASTERS

APPEND_LIMIT: Final = 1000
SHORT: Final = 100
PAGE: Final = 100  # events of a stream, a timeline or a replay that are read at a time

_INSERT: Final = """
, added as (
    insert into events (club_id, stream_id, version, position, type, schema, data, actor, role, seat, device,
                        device_clock, recorded_at, command_id, command_index, fingerprint, cause, prev_hash, hash)
    select %(club)s, %(stream)s, %(version)s + ord, base + ord, new.type, new.schema, new.data, %(actor)s,
           %(role)s, %(seat)s, %(device)s, %(clock)s, %(at)s, %(command)s, ord - 1, %(fingerprint)s, %(cause)s,
           new.prev_hash, new.hash
    from head, unnest(%(types)s::text[], %(schemas)s::smallint[], %(data)s::text[], %(prevs)s::bytea[],
                      %(hashes)s::bytea[]) with ordinality as new (type, schema, data, prev_hash, hash, ord)
    returning 1
)"""
_INSERT_ONE: Final = """
, added as (
    insert into events (club_id, stream_id, version, position, type, schema, data, actor, role, seat, device,
                        device_clock, recorded_at, command_id, command_index, fingerprint, cause, prev_hash, hash)
    select %(club)s, %(stream)s, %(version)s + 1, base + 1, %(type)s, %(schema)s, %(text)s, %(actor)s, %(role)s,
           %(seat)s, %(device)s, %(clock)s, %(at)s, %(command)s, 0, %(fingerprint)s, %(cause)s, %(prev)s, %(hash)s
    from head
    returning 1
)"""
_PRIVATE: Final = """
, kept as (
    insert into private (club_id, stream_id, version, salt, data)
    select %(club)s, %(stream)s, own.version, own.salt, own.data
    from head, unnest(%(p_versions)s::int[], %(p_salts)s::bytea[], %(p_data)s::text[]) as own (version, salt, data)
)"""
_HEAD: Final = """with head as (
    update logs set position = position + %(n)s where club_id = %(club)s returning position - %(n)s as base
)"""
_FOUND: Final = """with head as (
    insert into logs (club_id, position) values (%(club)s, %(n)s) returning 0::bigint as base
)"""
_TELL: Final = " select base, (select count(*) from added) from head"
_STATEMENTS: Final = {
    (founding, one, private): "".join(
        (_FOUND if founding else _HEAD, _INSERT_ONE if one else _INSERT, _PRIVATE if private else "", _TELL)
    )
    for founding in (False, True)
    for one in (False, True)
    for private in (False, True)
}
_COLUMNS: Final = """e.club_id::text, e.stream_id::text, e.version, e.position, e.type, e.schema, e.data, e.actor,
    e.role, e.seat, e.device, e.device_clock, e.recorded_at, e.command_id, e.cause, p.data, p.salt,
    e.prev_hash, e.hash"""
_JOINED: Final = f"""select {_COLUMNS} from events e
    left join private p on (p.club_id, p.stream_id, p.version) = (e.club_id, e.stream_id, e.version)"""  # noqa: S608  # the columns are ours


class LostRaceError(Exception):
    """Somebody else appended first: the stream is not at the version that was decided on."""


class UnknownClubError(Exception):
    """There is no log of that club."""


class Device(msgspec.Struct, frozen=True):
    """A device before it has its id: what it is given to (a sign-in, a token, a program), and what it calls itself."""

    holder: str
    name: str | None = None


class By(msgspec.Struct, frozen=True):
    """Who records, with what, under which command: `device` is an id, and `on` what it is still to be given to."""

    actor: str | None
    role: str
    seat: int | None = None
    device: str | None = None
    device_clock: datetime | None = None
    cause: str | None = None
    on: Device | None = None


class Head(msgspec.Struct, frozen=True):
    """Where a stream stands: its last version, hash and time."""

    version: int = 0
    hash: bytes = GENESIS
    recorded_at: datetime | None = None


class Stored(msgspec.Struct, frozen=True):
    """A recorded event with what proves it."""

    event: Recorded
    salt: bytes | None
    private: str | None
    prev_hash: bytes
    hash: bytes


class Appended(msgspec.Struct, frozen=True):
    """The events of an append, and where the stream stands now."""

    events: list[Recorded]
    head: Head


def stored(*row: Any) -> Stored:
    """A row of `_JOINED`. Raises KeyError or msgspec errors for what no version of this service wrote."""
    (club, stream, version, position, kind, schema, text, actor, role, seat, device, clock, at, command,
     cause, private, salt, prev_hash, digest) = row  # fmt: skip
    event = Recorded(
        club=club, stream=stream, version=version, position=position, type=kind, schema=schema, text=text,
        data=registry.read_event(kind, schema, text), actor=actor, role=role, seat=seat, device=device,
        device_clock=clock, recorded_at=at, command_id=command, cause=cause,
        private=msgspec.json.decode(private) if private and private != "null" else None,
    )  # fmt: skip
    return Stored(event, salt, private, prev_hash, digest)


def public_of(event: Recorded) -> bytes:
    """The bytes of an event's public part, as they are hashed."""
    clock = None if event.device_clock is None else instant(event.device_clock)
    return public_bytes(
        Public(
            event.club, event.stream, event.version, event.type, event.schema, event.text, event.actor,
            event.role, event.seat, event.device, clock, instant(event.recorded_at), event.command_id,
            event.cause,
        )
    )  # fmt: skip


class Batch:
    """The columns of one append, and the chain over them."""

    def __init__(self, club: str, stream: str, head: Head, by: By, at: datetime, command: str) -> None:
        self.club, self.stream, self.by, self.at, self.command = club, stream, by, at, command
        self.version, self.hash = head.version, head.hash
        self.events: list[Recorded] = []
        self.columns: dict[str, list[Any]] = {
            name: [] for name in ("types", "schemas", "data", "prevs", "hashes", "p_versions", "p_salts", "p_data")
        }

    def add(self, new: New) -> None:
        """One more event."""
        kind = type(new.event).__name__
        data = self._signed(new.event) if new.signs else new.event
        text = registry.write_event(data).decode()
        self.version += 1
        event = Recorded(
            club=self.club, stream=self.stream, version=self.version, position=0, type=kind,
            schema=UPCASTERS.current(kind), text=text, data=data, actor=self.by.actor, role=self.by.role,
            seat=self.by.seat, device=self.by.device, device_clock=self.by.device_clock, recorded_at=self.at,
            command_id=self.command, cause=self.by.cause, private=new.private,
        )  # fmt: skip
        salt, private = self._private(new)
        previous = self.hash
        self.hash = chain_hash(previous, leaf_hash(public_of(event), salt, private))
        self.events.append(event)
        for name, value in (("types", kind), ("schemas", event.schema), ("data", text), ("prevs", previous),
                            ("hashes", self.hash)):  # fmt: skip
            self.columns[name].append(value)

    def _signed(self, event: Any) -> Any:
        """An event that signs, with the one before it in the chain."""
        return msgspec.structs.replace(event, head=ChainHead(self.version, self.hash.hex()))

    def _private(self, new: New) -> tuple[bytes | None, bytes | None]:
        """Salt and text of what is private; an event not seen by every seat has a salt all the same."""
        if new.private is None and not new.secret:
            return None, None
        salt = os.urandom(16)
        text = msgspec.json.encode(new.private, order="deterministic")
        self.columns["p_versions"].append(self.version)
        self.columns["p_salts"].append(salt)
        self.columns["p_data"].append(text.decode())
        return salt, text

    def single(self) -> dict[str, Any]:
        """The only event's columns as plain values, which cost less to send than arrays of one."""
        columns = self.columns
        return {
            "type": columns["types"][0], "schema": columns["schemas"][0], "text": columns["data"][0],
            "prev": columns["prevs"][0], "hash": columns["hashes"][0], "p_versions": columns["p_versions"],
            "p_salts": columns["p_salts"], "p_data": columns["p_data"],
        }  # fmt: skip

    def positioned(self, base: int) -> list[Recorded]:
        """The events with their places in the club's log."""
        return [
            msgspec.structs.replace(event, position=base + place) for place, event in enumerate(self.events, start=1)
        ]


async def append(
    pool: AsyncConnectionPool[Any], club: str, stream: str, head: Head, news: Sequence[New], by: By,
    at: datetime, command: str, fingerprint: bytes, founding: bool = False,
) -> Appended:  # fmt: skip
    """Append after `head`. Raises LostRaceError on any unique violation (the caller looks the command up
    before believing it), UnknownClubError for a club without a log."""
    batch = Batch(club, stream, head, by, at, command)
    for new in news:
        batch.add(new)
    one = len(news) == 1
    parameters = {
        "club": club, "stream": stream, "version": head.version, "n": len(news), "actor": by.actor,
        "role": by.role, "seat": by.seat, "device": by.device, "clock": by.device_clock, "at": at,
        "command": command, "fingerprint": fingerprint, "cause": by.cause,
        **(batch.single() if one else batch.columns),
    }  # fmt: skip
    statement = _STATEMENTS[founding, one, bool(batch.columns["p_versions"])]
    try:
        async with pool.connection() as connection:
            cursor = await connection.execute(statement, parameters, prepare=True)
            row = await cursor.fetchone()
    except psycopg.errors.UniqueViolation as error:
        raise LostRaceError(str(error.diag.constraint_name)) from None
    if row is None:
        raise UnknownClubError(club)
    base, count = row
    if count != len(news):
        raise psycopg.DataError(f"{count} of {len(news)} events were appended")
    return Appended(batch.positioned(base), Head(batch.version, batch.hash, at))


async def read_stream(
    pool: AsyncConnectionPool[Any], club: str, stream: str, after: int = 0, upto: int | None = None
) -> list[Stored]:
    """The events of a stream behind a version, in order."""
    where = " where e.club_id = %s and e.stream_id = %s and e.version > %s and e.version <= %s order by e.version"
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=args_row(stored), binary=True)
        await cursor.execute(_JOINED + where, [club, stream, after, upto or 2**31 - 1], prepare=True)
        found: list[Stored] = await cursor.fetchall()
        return found


async def read_club(pool: AsyncConnectionPool[Any], club: str, after: int, limit: int = 1000) -> list[Stored]:
    """The events of a club's log behind a position, in order."""
    where = " where e.club_id = %s and e.position > %s order by e.position limit %s"
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=args_row(stored), binary=True)
        await cursor.execute(_JOINED + where, [club, after, limit], prepare=True)
        found: list[Stored] = await cursor.fetchall()
        return found


async def head(pool: AsyncConnectionPool[Any], club: str) -> int:
    """How far the log of a club reaches."""
    async with pool.connection() as connection:
        row = await (await connection.execute("select position from logs where club_id = %s", [club])).fetchone()
    return row[0] if row else 0


async def tail(pool: AsyncConnectionPool[Any], club: str, after: int) -> AsyncIterator[Stored]:
    """Every event of a club behind a position, page by page, up to now."""
    while page := await read_club(pool, club, after):
        for each in page:
            yield each
        after = page[-1].event.position


_FOLDING: Final = """
select string_agg(type || '/' || schema || ' ' || data, e'\\n' order by version), max(version), max(recorded_at),
       (select hash from events where club_id = %(club)s and stream_id = %(stream)s and version <= %(upto)s
        order by version desc limit 1)
from events where club_id = %(club)s and stream_id = %(stream)s and version > %(after)s and version <= %(upto)s"""


async def read_for_fold(
    pool: AsyncConnectionPool[Any], club: str, stream: str, after: int, upto: int = 2**31 - 1
) -> tuple[list[tuple[int, Any]], Head | None]:
    """(version, Struct) pairs behind a version, up to another, and the head there. The fastest way back into memory:
    one row, an event a line (JSON text holds no line break), for versions are dense and one hash is wanted."""
    async with pool.connection() as connection:
        cursor = connection.cursor(binary=True)
        await cursor.execute(_FOLDING, {"club": club, "stream": stream, "after": after, "upto": upto}, prepare=True)
        row = await cursor.fetchone()
    if row is None or row[0] is None:
        return [], None
    text, version, at, digest = row
    lines = text.split("\n")
    if after + len(lines) != version:
        raise psycopg.DataError(f"the stream {stream} has {after + len(lines)} events up to version {version}")
    return list(enumerate(map(read_line, lines), after + 1)), Head(version, digest, at)


def read_line(line: str) -> Any:
    """An event of a line like `CardPlayed/1 {…}`. Raises KeyError or msgspec errors for what nobody here wrote."""
    return _short_line(line) if len(line) < SHORT else _line(line)


async def version_at(pool: AsyncConnectionPool[Any], club: str, stream: str, moment: datetime) -> int:
    """The last version of a stream that was recorded at a moment or before; times of a stream never run backwards."""
    statement = """select version from events where club_id = %s and stream_id = %s and recorded_at <= %s
        order by version desc limit 1"""
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, stream, moment], prepare=True)).fetchone()
    return row[0] if row else 0


def _line(line: str) -> Any:
    """An event, not remembered."""
    form, _, data = line.partition(" ")
    return registry.reader(form)(data)


_short_line = lru_cache(2048)(_line)  # the same few plays and calls come again in every deal, and are immutable


async def find_command(pool: AsyncConnectionPool[Any], club: str, command: str) -> tuple[str, int, int, bytes] | None:
    """Stream, first version, number of events and fingerprint of a command that is in the log."""
    statement = """select e.stream_id::text, e.version, e.fingerprint,
        (select count(*) from events n where n.club_id = e.club_id and n.stream_id = e.stream_id
            and n.version > e.version and n.command_id = e.command_id)
        from events e where e.club_id = %s and e.command_id = %s and e.command_index = 0"""
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, command], prepare=True)).fetchone()
    return None if row is None else (row[0], row[1], row[3] + 1, bytes(row[2]))


async def clubs(pool: AsyncConnectionPool[Any]) -> list[tuple[str, int]]:
    """Every club's id and the head of its log."""
    async with pool.connection() as connection:
        cursor = await connection.execute("select club_id::text, position from logs order by club_id")
        found: list[tuple[str, int]] = await cursor.fetchall()
        return found
