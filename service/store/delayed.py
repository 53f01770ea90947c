"""Delayed streams: those of a club whose onlookers may be behind, and in which of them something happened lately."""

from datetime import datetime
from typing import Final

from service.store.pool import Pool

_BEGUN: Final = """select l.position, array(
        select stream_id::text from events where club_id = %(club)s and log = 0 and position > %(after)s
            and version = 1 and type in ('MatchOpened', 'TournamentAnnounced')
            and regexp_like(data, '"delay": ?"(trick|deal|round)"') order by position)
    from logs l where l.club_id = %(club)s and l.log = 0"""
_LATELY: Final = """select each::text, last.version from unnest(%(streams)s::uuid[]) each, lateral (
        select version, recorded_at from events where club_id = %(club)s and stream_id = each
        order by version desc limit 1) last
    where last.recorded_at > %(at)s"""
_PLACE: Final = "select position from events where club_id = %s and stream_id = %s and version = %s"


async def begun(pool: Pool, club: str, after: int) -> tuple[int, list[str]]:
    """The delayed streams of a club that began behind a position of its open log, and where that ends."""
    async with pool.connection() as connection:
        row = await (await connection.execute(_BEGUN, {"club": club, "after": after}, prepare=True)).fetchone()
    return (row[0], row[1]) if row else (after, [])


async def moved_since(pool: Pool, club: str, streams: list[str], at: datetime) -> list[tuple[str, int]]:
    """Those of these streams in which something was recorded since a time, with their last versions."""
    async with pool.connection() as connection:
        given = {"club": club, "streams": streams, "at": at}
        rows = await (await connection.execute(_LATELY, given, prepare=True)).fetchall()
    return [(row[0], row[1]) for row in rows]


async def place_of(pool: Pool, club: str, stream: str, version: int) -> int:
    """The position of an event in its log."""
    async with pool.connection() as connection:
        row = await (await connection.execute(_PLACE, [club, stream, version], prepare=True)).fetchone()
    return int(row[0]) if row else 0
