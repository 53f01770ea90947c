"""Streams in the log: their clubs, their kinds, their news."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from domain.tournament.doubts import BEGUN_BY
from service.store.log_sql import OPEN
from service.store.pool import Pool

ENDLESS: Final = 2**62  # behind every position
LAST: Final = "ffffffff-ffff-ffff-ffff-ffffffffffff"
_BEGUN_BY: Final = ", ".join(f"'{kind}'" for kind in BEGUN_BY)  # by their names: an index is of these alone
_DOUBTS: Final = f"""select chosen.stream::text, ends.version, exists (
        select from events where club_id = %(club)s and stream_id = chosen.stream and version > chosen.after
            and type in ({_BEGUN_BY}))
    from unnest(%(streams)s::uuid[], %(afters)s::int[]) as chosen (stream, after), lateral (
        select version from events
        where club_id = %(club)s and stream_id = chosen.stream and version > chosen.after
        order by version desc limit 1
    ) as ends"""  # noqa: S608  # names of ours


async def origin_of(pool: Pool, stream: str) -> tuple[str, str] | None:
    """The club of a stream, and the type of its first event."""
    statement = "select club_id::text, type from events where stream_id = %s and version = 1"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [stream], prepare=True)).fetchone()
    return None if row is None else (row[0], row[1])


async def is_begun(pool: Pool, streams: Sequence[str]) -> bool:
    """Tells whether one of these streams has begun, in any club."""
    statement = "select exists (select from events where stream_id = any(%s::uuid[]) and version = 1)"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [list(streams)])).fetchone()
    return bool(row and row[0])


async def existing(pool: Pool, club: str, streams: Sequence[str]) -> set[str]:
    """Those of these streams that have begun, in their club."""
    statement = "select stream_id::text from events where club_id = %s and version = 1 and stream_id = any(%s::uuid[])"
    async with pool.connection() as connection:
        cursor = await connection.execute(statement, [club, list(streams)], prepare=True)
        return {row[0] for row in await cursor.fetchall()}


async def streams_with_news(
    pool: Pool, club: str, after: int, upto: int = ENDLESS
) -> tuple[list[tuple[str, str | None]], int]:
    """The streams of a club with events behind a position of its open log, each with the type of its first event if
    that is new too, and the position of the last of these events."""
    statement = """select stream_id::text, max(type) filter (where version = 1), max(position) from events
        where club_id = %s and log = 0 and position > %s and position <= %s group by stream_id order by max(position)"""
    async with pool.connection() as connection:
        rows = await (await connection.execute(statement, [club, after, upto], prepare=True)).fetchall()
    return [(row[0], row[1]) for row in rows], max((row[2] for row in rows), default=after)


async def streams_begun_with(pool: Pool, club: str, kind: str, upto: int = ENDLESS) -> tuple[list[str], int]:
    """The streams of a club's open log that began with an event of this type, up to a position, in order, and the head
    of that log before it was looked for."""
    async with pool.connection() as connection:
        statement = "select position from logs where club_id = %s and log = 0"
        head = await (await connection.execute(statement, [club])).fetchone()
        statement = """select stream_id::text from events
            where club_id = %s and log = 0 and version = 1 and type = %s and position <= %s order by position"""
        cursor = await connection.execute(statement, [club, kind, upto])
        return [row[0] for row in await cursor.fetchall()], head[0] if head else 0


async def going(pool: Pool, club: str) -> list[str]:
    """The tournaments of a club that are not finished, or were reopened since, the oldest first."""
    statement = """select a.stream_id::text from events a
        where a.club_id = %(club)s and a.log = 0 and a.version = 1 and a.type = 'TournamentAnnounced'
            and not exists (select 1 from events f where f.club_id = %(club)s and f.stream_id = a.stream_id
                and f.type = 'TournamentFinished' and not exists (select 1 from events r where r.club_id = %(club)s
                    and r.stream_id = f.stream_id and r.type = 'TournamentReopened' and r.version > f.version))
        order by a.position"""
    async with pool.connection() as connection:
        cursor = await connection.execute(statement, {"club": club}, prepare=True)
        return [row[0] for row in await cursor.fetchall()]


async def clubs_going(pool: Pool) -> list[str]:
    """The clubs with a tournament that is not finished, or was reopened since, by their open logs alone."""
    statement = """select distinct a.club_id::text from events a
        where a.log = 0 and a.version = 1 and a.type = 'TournamentAnnounced'
            and not exists (select 1 from events f where f.club_id = a.club_id and f.stream_id = a.stream_id
                and f.type = 'TournamentFinished' and not exists (select 1 from events r where r.club_id = f.club_id
                    and r.stream_id = f.stream_id and r.type = 'TournamentReopened' and r.version > f.version))"""
    async with pool.connection() as connection:
        return [club for (club,) in await (await connection.execute(statement)).fetchall()]


async def tournaments_of(pool: Pool, club: str, streams: Sequence[str]) -> dict[str, str | None]:
    """The tournament that each of these streams is, or is a match of; None for what has nothing to do with one."""
    statement = """select stream_id::text, case type when 'TournamentAnnounced' then stream_id::text
            when 'MatchOpened' then data::jsonb ->> 'tournament' end
        from events where club_id = %s and stream_id = any(%s::uuid[]) and version = 1"""
    async with pool.connection() as connection:
        cursor = await connection.execute(statement, [club, list(streams)], prepare=True)
        return dict(await cursor.fetchall())


async def begun_with(pool: Pool, club: str, kind: str, streams: Sequence[str]) -> list[str]:
    """Those of these streams that began with an event of this type."""
    statement = """select stream_id::text from events
        where club_id = %s and stream_id = any(%s::uuid[]) and version = 1 and type = %s"""
    async with pool.connection() as connection:
        cursor = await connection.execute(statement, [club, list(streams), kind], prepare=True)
        return [row[0] for row in await cursor.fetchall()]


async def doubts_since(pool: Pool, club: str, after: Mapping[str, int]) -> dict[str, tuple[int, bool]]:
    """The last version of tournaments in which something was recorded behind a version of each, and whether a doubt
    began with any of that."""
    given = {"club": club, "streams": list(after), "afters": list(after.values())}
    async with pool.connection() as connection:
        rows = await (await connection.execute(_DOUBTS, given, prepare=True)).fetchall()
    return {stream: (last, begun) for stream, last, begun in rows}


async def is_later(pool: Pool, club: str, one: tuple[str, int], other: tuple[str, int]) -> bool:
    """Compare two events, each a stream and a version; True if the first stands behind the other in the same log."""
    statement = """select one.position > other.position from events one join events other using (club_id, log)
        where one.club_id = %(club)s and one.stream_id = %(one)s and one.version = %(at)s
            and other.stream_id = %(other)s and other.version = %(before)s"""
    given = {"club": club, "one": one[0], "at": one[1], "other": other[0], "before": other[1]}
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, given, prepare=True)).fetchone()
    return bool(row and row[0])


async def newest_streams(pool: Pool, club: str, kind: str, position: int, after: str, limit: int) -> list[str]:
    """The newest streams of a club's open log that began with an event of this type up to a position, older than the
    one named."""
    statement = """select stream_id::text from events where club_id = %s and log = 0 and version = 1 and type = %s
        and position <= %s and stream_id < %s::uuid order by stream_id desc limit %s"""
    async with pool.connection() as connection:
        cursor = await connection.execute(statement, [club, kind, position, after or LAST, limit], prepare=True)
        return [row[0] for row in await cursor.fetchall()]


async def position_at(pool: Pool, club: str, moment: int | datetime, which: int = OPEN) -> int:
    """The last position of a club's open log, or of its closed one, at a time, or at that position itself if the log
    reaches so far."""
    if isinstance(moment, datetime):  # what was pushed stands behind events that are younger than it
        statement = """select coalesce(
            (select min(position) - 1 from events
                where club_id = %(club)s and log = %(log)s and recorded_at > %(moment)s),
            (select max(position) from events where club_id = %(club)s and log = %(log)s))"""
    else:
        statement = """select max(position) from events
            where club_id = %(club)s and log = %(log)s and position <= %(moment)s"""
    async with pool.connection() as connection:
        given = {"club": club, "log": which, "moment": moment}
        row = await (await connection.execute(statement, given)).fetchone()
    return row[0] or 0 if row else 0


async def time_of(pool: Pool, club: str, position: int) -> datetime | None:
    """The time of the event at a position of a club's open log, or of the last one before it."""
    statement = """select recorded_at from events where club_id = %s and log = 0 and position <= %s
        order by position desc limit 1"""
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, position])).fetchone()
    return None if row is None else row[0]


async def by_hash(pool: Pool, version: int, digest: bytes) -> str | None:
    """The stream of an open log whose event of that number has that hash."""
    statement = "select stream_id::text from events where version = %s and hash = %s and log = 0"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [version, digest])).fetchone()
    return None if row is None else row[0]
