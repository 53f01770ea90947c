"""The kept rows of matches that had news, each with the place where its match was opened."""

from collections.abc import Sequence
from typing import Any

import msgspec
from psycopg_pool import AsyncConnectionPool

from projections.lists import MATCHES, MatchRow

_ROWS = """
select views.data, events.position from views
join events on events.club_id = views.club_id and events.stream_id = views.key::uuid and events.version = 1
where views.projection = %s and views.version = %s and views.club_id = %s and views.key = any(%s)"""


async def match_rows(pool: AsyncConnectionPool[Any], club: str, streams: Sequence[str]) -> list[tuple[MatchRow, int]]:
    """The rows of these matches, with their first positions, as far as the projector has come."""
    async with pool.connection() as connection:
        cursor = await connection.execute(_ROWS, [MATCHES.name, MATCHES.version, club, list(streams)])
        return [(msgspec.json.decode(row[0], type=MatchRow), row[1]) for row in await cursor.fetchall()]
