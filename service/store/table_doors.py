"""Doors of tables as rows: opened when a code is first shown, found by what was scanned or typed, prolonged, closed."""

import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec
from psycopg.errors import UniqueViolation

from domain.club.doors import DoorKey
from service.store.pool import Connection, Pool

HOURS: Final = timedelta(hours=2)  # after the last fact
FIRST: Final = timedelta(days=1)  # a round is paired, and its codes are printed, before anybody plays
_OPEN: Final = """insert into table_doors (match_id, club_id, counter, code, scan, good_until)
    values (%(match)s, %(club)s, %(counter)s, %(code)s, %(scan)s, %(until)s)
    on conflict (match_id) do update set counter = %(counter)s, code = %(code)s, scan = %(scan)s, closed_at = null,
        good_until = %(until)s
    where table_doors.counter = %(before)s
    returning counter"""
_LAPSE: Final = """with lapsed as (
    update table_doors set closed_at = good_until where closed_at is null and good_until <= %(at)s returning match_id
)
update table_seats set ended_at = %(at)s, ended_why = 'over' where ended_at is null
    and match_id in (select match_id from lapsed)"""
_CLOSE: Final = """with shut as (
    update table_doors set closed_at = %(at)s where match_id = %(match)s and closed_at is null returning match_id
)
update table_seats set ended_at = %(at)s, ended_why = 'over' where ended_at is null
    and match_id in (select match_id from shut)"""
_PROLONG: Final = """with open as (
    update table_doors set good_until = %(until)s
    where match_id = %(match)s and closed_at is null and good_until > %(at)s returning match_id
)
update table_seats set good_until = %(until)s where ended_at is null and match_id in (select match_id from open)"""
_OPEN_OF: Final = """select match_id::text, club_id::text, counter, good_until from table_doors
    where match_id = any(%s::uuid[]) and closed_at is null and good_until > %s"""
_FIND: Final = """select match_id::text, club_id::text, counter, good_until from table_doors
    where {} = %s and closed_at is null and good_until > %s"""
FIND_CODE: Final = _FIND.format("code")
FIND_SCAN: Final = _FIND.format("scan")


class Door(msgspec.Struct, frozen=True):
    """An open door: the match that it leads to, and the counter of its codes."""

    match: str
    club: str
    counter: int
    good_until: datetime


async def key_of(pool: Pool) -> bytes:
    """The secret of the service, made at the first call."""
    read = "select key from door_keys"
    async with pool.connection() as connection:
        row = await (await connection.execute(read)).fetchone()
        if row is None:
            await connection.execute("insert into door_keys (key) values (%s) on conflict do nothing", [os.urandom(32)])
            row = await (await connection.execute(read)).fetchone()
    assert row is not None
    return bytes(row[0])


async def open_doors(pool: Pool, matches: Sequence[str], at: datetime) -> dict[str, Door]:
    """The open doors of these matches."""
    async with pool.connection() as connection:
        rows = await (await connection.execute(_OPEN_OF, [list(matches), at])).fetchall()
    return {row[0]: Door(*row) for row in rows}


async def open_door(pool: Pool, key: DoorKey, club: str, match: str, at: datetime, until: datetime) -> Door:
    """An open door for a match that had none, or only closed ones. Who is in by an older code does not come back."""
    async with pool.connection() as connection, connection.transaction():
        await connection.execute(_LAPSE, {"at": at})
        return await _counted(connection, key, club, match, at, until)


async def change_code(pool: Pool, key: DoorKey, door: Door, at: datetime) -> Door:
    """A new code for a table: the old one is no good any more, and who came in by it is out."""
    async with pool.connection() as connection, connection.transaction():
        await connection.execute(_CLOSE, {"match": door.match, "at": at})
        await connection.execute(
            "update table_seats set ended_why = 'code changed' where match_id = %s and ended_at = %s", [door.match, at]
        )
        await connection.execute("delete from table_asks where match_id = %s", [door.match])
        changed = await _counted(connection, key, door.club, door.match, at, door.good_until)
        await connection.execute("select pg_notify('lurch_tokens', '')")
    return changed


async def _counted(connection: Connection, key: DoorKey, club: str, match: str, at: datetime, until: datetime) -> Door:
    """The door with the next counter whose code no open door has; where another process opened it first, that one."""
    read = "select counter, closed_at is null and good_until > %s, good_until from table_doors where match_id = %s"
    counter = 0
    while True:
        row = await (await connection.execute(read, [at, match])).fetchone()
        if row is not None and row[1]:
            return Door(match, club, row[0], row[2])
        before = row[0] if row is not None else 0
        counter = max(counter, before) + 1
        if await _took(connection, key, club, match, before, counter, until):
            return Door(match, club, counter, until)


async def _took(
    connection: Connection, key: DoorKey, club: str, match: str, before: int, counter: int, until: datetime
) -> bool:
    """Takes a counter for a door; False where its code is another door's, or somebody else was faster."""
    marks = {"code": key.mark(key.code(match, counter)), "scan": key.mark(key.secret(match, counter))}
    values = {"match": match, "club": club, "counter": counter, "before": before, "until": until, **marks}
    try:
        async with connection.transaction():
            return await (await connection.execute(_OPEN, values)).fetchone() is not None
    except UniqueViolation:
        return False


async def scanned(pool: Pool, mark: bytes, at: datetime) -> Door | None:
    """The open door whose secret was scanned."""
    async with pool.connection() as connection:
        row = await (await connection.execute(FIND_SCAN, [mark, at], prepare=True)).fetchone()
    return None if row is None else Door(*row)


async def prolong(pool: Pool, match: str, at: datetime, until: datetime) -> None:
    """Something was recorded: the door, and who is in by it, stay for longer."""
    async with pool.connection() as connection:
        await connection.execute(_PROLONG, {"match": match, "at": at, "until": until}, prepare=True)


async def close(pool: Pool, match: str, at: datetime) -> None:
    """Close the door of a match that is over: who came in by it is out, and may look no longer than anybody."""
    async with pool.connection() as connection, connection.transaction():
        await connection.execute(_CLOSE, {"match": match, "at": at})
        await connection.execute("delete from table_asks where match_id = %s", [match])
        await connection.execute("select pg_notify('lurch_tokens', '')")
