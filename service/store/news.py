"""News for a fold: the events of one stream, of several streams of a club at once, or of whole ones, a line each.

One row with an event a line (JSON text holds no line break) is the fastest way back into memory."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, TypeAlias

import msgspec

from domain.log.event import AnyEvent
from service.store.log import NOT_OURS, Beside, Head, UnreadableLogError, read_line
from service.store.log_sql import FOLDING, FOLDING_NEWS
from service.store.pool import Pool

Numbered: TypeAlias = list[tuple[int, AnyEvent]]  # events, each with its version
NEWEST: Final = 2**31 - 1


class News(msgspec.Struct, frozen=True):
    """The events of a stream between two versions, each with its own; the head there, and the type of the first."""

    events: Numbered
    head: Head
    first: str


class NewLines(msgspec.Struct, frozen=True):
    """The same as the database tells it: an event a line, and the last version with its time and hash."""

    text: str
    version: int
    at: datetime
    hash: bytes


async def read_for_fold(
    pool: Pool, club: str, stream: str, after: int, upto: int = NEWEST
) -> tuple[NewLines | None, Beside]:
    """The events of a stream behind a version and up to another, and what stood beside it; None where none is there."""
    async with pool.connection() as connection:
        cursor = connection.cursor(binary=True)
        await cursor.execute(FOLDING, {"club": club, "stream": stream, "after": after, "upto": upto}, prepare=True)
        row = await cursor.fetchone()
    assert row is not None, "a row of sums"
    version, closed, *lines = row
    return NewLines(*lines) if lines[0] is not None else None, Beside(version or 0, closed or 0)


async def read_news_for_fold(
    pool: Pool, club: str, within: Mapping[str, tuple[int, int]]
) -> tuple[dict[str, NewLines], Beside]:
    """The same of several streams, each behind a version and up to another, in one statement; nothing of those that
    have none there."""
    asked = {
        "club": club,
        "streams": _array(within),
        "afters": _array(after for after, _ in within.values()),
        "uptos": _array(upto for _, upto in within.values()),
    }
    async with pool.connection() as connection:
        cursor = connection.cursor(binary=True)
        await cursor.execute(FOLDING_NEWS, asked, prepare=True)
        rows = await cursor.fetchall()
    beside = Beside(*(each or 0 for each in rows[0][:2]))
    return {stream: NewLines(*lines) for _, _, stream, *lines in rows if stream}, beside


async def read_many_for_fold(pool: Pool, club: str, streams: Sequence[str]) -> list[tuple[str, Numbered]]:
    """The events of whole streams, in this order, in one statement: stream by stream by the log's own order, however
    little the database knows yet of what is in it. Raises as `read_lines` does."""
    found, _ = await read_news_for_fold(pool, club, dict.fromkeys(streams, (0, NEWEST)))
    return [(each, read_lines(each, 0, found[each]).events) for each in streams if each in found]


def _array(members: Iterable[str | int]) -> str:
    """Ids or numbers as PostgreSQL reads an array; psycopg would look at each member three times, for its type."""
    return f"{{{','.join(map(str, members))}}}"


def read_lines(stream: str, after: int, found: NewLines) -> News:
    """The events of a stream behind a version. Raises UnreadableLogError where one is missing or cannot be read."""
    lines = found.text.split("\n")
    if after + len(lines) != found.version:
        raise UnreadableLogError(stream)
    try:
        events = list(enumerate(map(read_line, lines), after + 1))
    except NOT_OURS as error:
        raise UnreadableLogError(stream) from error
    return News(events, Head(found.version, found.hash, found.at), found.text[: found.text.index("/")])
