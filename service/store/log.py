"""The log read back: streams, and a club's two logs from position to position; `appending` writes them.

A stream stands in one log, whole. Whatever reads a log by positions reads the open one, unless it names the other.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import msgspec
from psycopg.rows import args_row

from domain import registry
from domain.log.event import GENESIS, AnyEvent, Public, Recorded, instant, public_bytes
from service.store.log_sql import CLOSED, JOINED, OPEN
from service.store.pool import Pool

SHORT: Final = 100
PAGE: Final = 100  # events of a stream, a timeline or a replay that are read at a time


NOT_OURS: Final = (msgspec.MsgspecError, KeyError, ValueError, RecursionError)  # raised by text that no Lurch wrote


class UnreadableLogError(Exception):
    """A stream holds what this version of Lurch cannot read, or misses an event. The message says what to do, and does
    not name the `stream`: who asked may not know of it."""

    def __init__(self, stream: str) -> None:
        super().__init__(
            "what is recorded here cannot be read: it was changed outside Lurch, its disk fails, or a newer Lurch has "
            "written it. Whoever runs this service asks `lurch verify` where"
        )
        self.stream = stream


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


class Beside(msgspec.Struct, frozen=True):
    """The things of a club that stood beside a stream when it was read: the last version of the club's own stream, and
    the last position of its closed log."""

    club: int
    closed: int


class Stored(msgspec.Struct, frozen=True):
    """A recorded event with its hashes, salt and private text."""

    event: Recorded
    salt: bytes | None
    private: str | None
    prev_hash: bytes
    hash: bytes


def stored(*row: Any) -> Stored:
    """A row of `JOINED` as an event. Raises UnreadableLogError for a row that no version of Lurch wrote."""
    club, stream, version, position, kind, schema, text, *more = row
    actor, role, seat, device, clock, at, command, cause, private, salt, prev_hash, digest = more
    try:
        data = registry.read_event(kind, schema, text)
        secret = msgspec.json.decode(private) if private and private != "null" else None
    except NOT_OURS as error:
        raise UnreadableLogError(stream) from error
    event = Recorded(
        club=club,
        stream=stream,
        version=version,
        position=position,
        type=kind,
        schema=schema,
        text=text,
        data=data,
        actor=actor,
        role=role,
        seat=seat,
        device=device,
        device_clock=clock,
        recorded_at=at,
        command_id=command,
        cause=cause,
        private=secret,
    )
    return Stored(event, salt, private, prev_hash, digest)


def public_of(event: Recorded) -> bytes:
    """The bytes of an event's public part, as they are hashed."""
    clock = None if event.device_clock is None else instant(event.device_clock)
    head = event.club, event.stream, event.version, event.type, event.schema, event.text
    signer = event.actor, event.role, event.seat, event.device, clock
    return public_bytes(Public(*head, *signer, instant(event.recorded_at), event.command_id, event.cause))


async def read_stream(pool: Pool, club: str, stream: str, after: int = 0, upto: int | None = None) -> list[Stored]:
    """The events of a stream behind a version, in order."""
    where = " where e.club_id = %s and e.stream_id = %s and e.version > %s and e.version <= %s order by e.version"
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=args_row(stored), binary=True)
        await cursor.execute(JOINED + where, [club, stream, after, upto or 2**31 - 1], prepare=True)
        found: list[Stored] = await cursor.fetchall()
        return found


async def read_some(pool: Pool, club: str, stream: str, within: tuple[int, int], kinds: Iterable[str]) -> list[Stored]:
    """The events of a stream within two versions, and those of some types wherever they stand, in order."""
    where = """ where e.club_id = %s and e.stream_id = %s and (e.version between %s and %s or e.type = any(%s))
        order by e.version"""
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=args_row(stored), binary=True)
        await cursor.execute(JOINED + where, [club, stream, *within, list(kinds)], prepare=True)
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
    """The events of a club's open log behind a position, in order."""
    return await _read_log(pool, club, OPEN, after, limit)


async def read_closed(pool: Pool, club: str, after: int, limit: int = 1000) -> list[Stored]:
    """The events of a club's closed log behind a position of that log, in order: for those whom a case concerns, and
    for nobody else. One stream of it is read as any other."""
    return await _read_log(pool, club, CLOSED, after, limit)


async def _read_log(pool: Pool, club: str, which: int, after: int, limit: int) -> list[Stored]:
    where = " where e.club_id = %s and e.log = %s and e.position > %s order by e.position limit %s"
    async with pool.connection() as connection:
        cursor = connection.cursor(row_factory=args_row(stored), binary=True)
        await cursor.execute(JOINED + where, [club, which, after, limit], prepare=True)
        found: list[Stored] = await cursor.fetchall()
        return found


async def last_position(pool: Pool, club: str, which: int = OPEN) -> int:
    """The last position of a club's open log, or of its closed one."""
    statement = "select position from logs where club_id = %s and log = %s"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, which], prepare=True)).fetchone()
    return row[0] if row else 0


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


async def version_by(pool: Pool, club: str, stream: str, position: int) -> int:
    """The last version of a stream that stands at a position of its log or before."""
    statement = """select version from events where club_id = %s and stream_id = %s and position <= %s
        order by version desc limit 1"""
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, stream, position], prepare=True)).fetchone()
    return row[0] if row else 0


async def versions_by(pool: Pool, club: str, streams: Sequence[str], position: int) -> dict[str, int]:
    """The same of several streams; none of those that had not begun by then."""
    statement = """select chosen.stream::text, (select version from events
            where club_id = %(club)s and stream_id = chosen.stream and position <= %(position)s
            order by version desc limit 1) as last
        from unnest(%(streams)s::uuid[]) as chosen (stream)"""
    given = {"club": club, "streams": list(streams), "position": position}
    async with pool.connection() as connection:
        rows = await (await connection.execute(statement, given, prepare=True)).fetchall()
    return {stream: last for stream, last in rows if last is not None}


def _line(line: str) -> AnyEvent:
    """An event of a line, decoded afresh."""
    form, _, data = line.partition(" ")
    return registry.reader(form)(data)


_short_line = lru_cache(2048)(_line)  # the same few plays and calls come again in every deal, and are immutable


async def find_command(pool: Pool, club: str, command: str) -> tuple[str, int, int, bytes] | None:
    """Stream, first version, number of events and fingerprint of a command that is in one of the club's logs."""
    statement = """select e.stream_id::text, e.version, e.fingerprint,
        (select count(*) from events n where n.club_id = %(club)s and n.stream_id = e.stream_id
            and n.version > e.version and n.command_id = %(command)s)
        from events e where e.club_id = %(club)s and e.command_id = %(command)s and e.command_index = 0"""
    async with pool.connection() as connection:
        given = {"club": club, "command": command}
        row = await (await connection.execute(statement, given, prepare=True)).fetchone()
    return None if row is None else (row[0], row[1], row[3] + 1, bytes(row[2]))


async def known_commands(pool: Pool, club: str, commands: Sequence[str]) -> dict[str, str]:
    """The streams by command, of those commands that are in one of the club's logs."""
    statement = """select each.command, e.stream_id::text from unnest(%(commands)s::text[]) as each (command)
        join events e on e.club_id = %(club)s and e.command_id = each.command and e.command_index = 0"""
    async with pool.connection() as connection:
        given = {"club": club, "commands": commands}
        return dict(await (await connection.execute(statement, given, prepare=True)).fetchall())


async def clubs(pool: Pool) -> list[tuple[str, int]]:
    """Every club's id and the head of its open log."""
    async with pool.connection() as connection:
        cursor = await connection.execute("select club_id::text, position from logs where log = 0 order by club_id")
        found: list[tuple[str, int]] = await cursor.fetchall()
        return found


async def events_in_all(pool: Pool) -> int:
    """The number of events in all logs of all clubs together, the closed ones too."""
    async with pool.connection() as connection:
        row = await (await connection.execute("select coalesce(sum(position), 0)::bigint from logs")).fetchone()
    return row[0] if row else 0
