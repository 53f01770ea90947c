"""The kept rows of matches, each with the place where its match was opened."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from projections.lists import MATCHES, MatchRow
from service.store.pool import Connection, Parameters, Pool
from service.store.turns import Turns

_OWN: Final = "(views.projection, views.version, views.club_id) = (%(name)s, %(form)s, %(club)s)"
# the few are looked up one by one: joined, they were looked for among all streams of the club
_THESE: Final = f"""select views.data, (
    select position from events where club_id = %(club)s and stream_id = views.key::uuid and version = 1
) from views where {_OWN} and views.key = any(%(streams)s)"""  # noqa: S608  # fixed words
_UPTO: Final = f"""select views.data, events.position from views
join events on events.club_id = views.club_id and events.stream_id = views.key::uuid and events.version = 1
where {_OWN} and events.position <= %(position)s"""  # noqa: S608  # fixed words
_CHECKPOINT: Final = """select position from checkpoints
    where (projection, version, club_id) = (%(name)s, %(form)s, %(club)s)"""
_OPENED: Final = """select stream_id::text, position from events
    where club_id = %s and version = 1 and type = 'MatchOpened' and position <= %s and stream_id = any(%s::uuid[])"""


async def match_rows(pool: Pool, club: str, streams: Sequence[str]) -> list[tuple[MatchRow, int]]:
    """The rows of these matches, with their first positions, as far as the projector has come."""
    async with pool.connection() as connection:
        return await _read(connection, _THESE, {**_own(club), "streams": list(streams)})


async def every_match_row(pool: Pool, club: str, position: int) -> tuple[list[tuple[MatchRow, int]], int]:
    """The rows of all matches that were opened up to a position, and a checkpoint that they are no older than."""
    async with pool.connection() as connection:
        found = await (await connection.execute(_CHECKPOINT, _own(club))).fetchone()
        return await _read(connection, _UPTO, {**_own(club), "position": position}), found[0] if found else 0


async def opened_at(pool: Pool, club: str, position: int, streams: Iterable[str]) -> dict[str, int]:
    """The first positions of those streams that are matches opened up to a position."""
    async with pool.connection() as connection:
        cursor = await connection.execute(_OPENED, [club, position, list(streams)])
        return dict(await cursor.fetchall())


def _own(club: str) -> Parameters:
    return {"name": MATCHES.name, "form": MATCHES.version, "club": club}


async def _read(connection: Connection, statement: str, parameters: Parameters) -> list[tuple[MatchRow, int]]:
    found, turns = [], Turns()
    async for data, at in await connection.execute(statement, parameters):
        found.append((msgspec.json.decode(data, type=MatchRow), at))
        await turns.give()
    return found
