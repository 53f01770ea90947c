"""News of several streams of a club, in one statement."""

from collections.abc import Mapping
from datetime import datetime

import msgspec
import psycopg

from domain.log.event import AnyEvent
from service.store.log import Beside, Head, read_line
from service.store.log_sql import FOLDING_NEWS
from service.store.pool import Pool


class News(msgspec.Struct, frozen=True):
    """The events of a stream between two versions, each with its own; the head there, and the type of the first."""

    events: list[tuple[int, AnyEvent]]
    head: Head
    first: str


class NewLines(msgspec.Struct, frozen=True):
    """The same as the database tells it: an event a line, and the last version with its time and hash."""

    text: str
    version: int
    at: datetime
    hash: bytes


async def read_news_for_fold(
    pool: Pool, club: str, within: Mapping[str, tuple[int, int]]
) -> tuple[dict[str, NewLines], Beside]:
    """The events of several streams, each behind a version and up to another, in one statement, and what stood beside
    them; nothing of those that have none there."""
    asked = {
        "club": club,
        "streams": list(within),
        "afters": [after for after, _ in within.values()],
        "uptos": [upto for _, upto in within.values()],
    }
    async with pool.connection() as connection:
        cursor = connection.cursor(binary=True)
        await cursor.execute(FOLDING_NEWS, asked, prepare=True)
        rows = await cursor.fetchall()
    beside = Beside(*(each or 0 for each in rows[0][:2]))
    return {stream: NewLines(*lines) for _, _, stream, *lines in rows if stream}, beside


def read_lines(stream: str, after: int, found: NewLines) -> News:
    """The events of a stream behind a version. Raises psycopg.DataError where one is missing, and what an event that
    cannot be read raises."""
    lines = found.text.split("\n")
    if after + len(lines) != found.version:
        raise psycopg.DataError(f"the stream {stream} has {after + len(lines)} events up to version {found.version}")
    events = list(enumerate(map(read_line, lines), after + 1))
    return News(events, Head(found.version, found.hash, found.at), lines[0].partition("/")[0])
