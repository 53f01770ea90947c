"""Finding streams in the log: what one is, which there are, which have news."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from psycopg_pool import AsyncConnectionPool

ENDLESS: Final = 2**62  # behind every position
LAST: Final = "ffffffff-ffff-ffff-ffff-ffffffffffff"


async def begun(pool: AsyncConnectionPool[Any], stream: str) -> tuple[str, str] | None:
    """The club whose stream this is, and the type of its first event."""
    statement = "select club_id::text, type from events where stream_id = %s and version = 1"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [stream], prepare=True)).fetchone()
    return None if row is None else (row[0], row[1])


async def there(pool: AsyncConnectionPool[Any], streams: Sequence[str]) -> set[str]:
    """Which of these streams have begun."""
    statement = "select stream_id::text from events where version = 1 and stream_id = any(%s::uuid[])"
    async with pool.connection() as connection:
        cursor = await connection.execute(statement, [list(streams)], prepare=True)
        return {row[0] for row in await cursor.fetchall()}


async def touched(
    pool: AsyncConnectionPool[Any], club: str, after: int, upto: int = ENDLESS
) -> tuple[list[tuple[str, str | None]], int]:
    """The streams of a club with events behind a position, each with the type of its first event if that is among
    them, and the position up to which this is so."""
    statement = """select stream_id::text, max(type) filter (where version = 1), max(position) from events
        where club_id = %s and position > %s and position <= %s group by stream_id order by max(position)"""
    async with pool.connection() as connection:
        rows = await (await connection.execute(statement, [club, after, upto], prepare=True)).fetchall()
    return [(row[0], row[1]) for row in rows], max((row[2] for row in rows), default=after)


async def begun_with(
    pool: AsyncConnectionPool[Any], club: str, kind: str, upto: int = ENDLESS
) -> tuple[list[str], int]:
    """The streams of a club that began with an event of this type, up to a position, in order, and the head of the log
    before it was looked for."""
    async with pool.connection() as connection:
        head = await (await connection.execute("select position from logs where club_id = %s", [club])).fetchone()
        statement = """select stream_id::text from events
            where club_id = %s and version = 1 and type = %s and position <= %s order by position"""
        cursor = await connection.execute(statement, [club, kind, upto])
        return [row[0] for row in await cursor.fetchall()], head[0] if head else 0


async def later(pool: AsyncConnectionPool[Any], club: str, one: tuple[str, int], other: tuple[str, int]) -> bool:
    """Whether the event of one stream at a version stands behind that of another in the club's log."""
    statement = """select (select position from events where club_id = %(club)s and stream_id = %(one)s
            and version = %(at)s) > (select position from events where club_id = %(club)s and stream_id = %(other)s
            and version = %(before)s)"""
    given = {"club": club, "one": one[0], "at": one[1], "other": other[0], "before": other[1]}
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, given, prepare=True)).fetchone()
    return bool(row and row[0])


async def begun_by(
    pool: AsyncConnectionPool[Any], club: str, kind: str, position: int, after: str, limit: int
) -> list[str]:
    """The newest streams of a club that began with an event of this type up to a position, behind the one named."""
    statement = """select stream_id::text from events where club_id = %s and version = 1 and type = %s
        and position <= %s and stream_id < %s::uuid order by stream_id desc limit %s"""
    async with pool.connection() as connection:
        cursor = await connection.execute(statement, [club, kind, position, after or LAST, limit], prepare=True)
        return [row[0] for row in await cursor.fetchall()]


async def position_at(pool: AsyncConnectionPool[Any], club: str, moment: int | datetime) -> int:
    """The position that a club's log had reached by then: up to the last event recorded at or before a time, or up to
    that very position, as far as there is one."""
    column = "recorded_at" if isinstance(moment, datetime) else "position"
    statement = f"select max(position) from events where club_id = %s and {column} <= %s"  # noqa: S608  # two fixed names
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, moment])).fetchone()
    return row[0] or 0 if row else 0
