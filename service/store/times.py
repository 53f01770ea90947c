"""Times of recorded events: those of some versions of a stream, and those of its events of some types."""

from collections.abc import Iterable
from datetime import datetime

from domain import registry
from domain.log.event import AnyEvent
from service.store.log import NOT_OURS, UnreadableLogError
from service.store.pool import Pool


async def times_of(pool: Pool, club: str, stream: str, versions: Iterable[int]) -> dict[int, datetime]:
    """The time of each of these versions that there is."""
    statement = """select version, recorded_at from events
        where club_id = %s and stream_id = %s and version = any(%s)"""
    async with pool.connection() as connection:
        cursor = await connection.execute(statement, [club, stream, list(versions)], prepare=True)
        return dict(await cursor.fetchall())


async def said(
    pool: Pool, club: str, stream: str, kinds: Iterable[str], upto: int = 2**31 - 1
) -> list[tuple[AnyEvent, datetime]]:
    """The events of these types in a stream, up to a version, in order, each with its time. Raises
    UnreadableLogError."""
    statement = """select type, schema, data, recorded_at from events
        where club_id = %s and stream_id = %s and type = any(%s) and version <= %s order by version"""
    async with pool.connection() as connection:
        cursor = await connection.execute(statement, [club, stream, list(kinds), upto])
        rows = await cursor.fetchall()
    try:
        return [(registry.read_event(kind, schema, text), at) for kind, schema, text, at in rows]
    except NOT_OURS as error:
        raise UnreadableLogError(stream) from error
