"""The kept rows of matches, each with the place where its match was opened."""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from projections.lists import MATCHES, MatchRow
from service.store.pool import Parameters, Pool
from service.store.turns import Turns

_OWN: Final = "(views.projection, views.version, views.club_id) = (%(name)s, %(form)s, %(club)s)"
# the few are looked up one by one: joined, they were looked for among all streams of the club
_THESE: Final = f"""select views.data, (
    select position from events where club_id = %(club)s and stream_id = views.key::uuid and version = 1
) from views where {_OWN} and views.key = any(%(streams)s)"""  # noqa: S608  # fixed words
# two questions: right after a large import the server knows no figures of either table, and joins each row with each
_EVERY: Final = f"select key, data from views where {_OWN}"  # noqa: S608  # fixed words
_CHECKPOINT: Final = """select position from checkpoints
    where (projection, version, club_id) = (%(name)s, %(form)s, %(club)s)"""
_OPENED: Final = """select stream_id::text, position from events
    where club_id = %s and version = 1 and type = 'MatchOpened' and position <= %s"""


async def match_rows(pool: Pool, club: str, streams: Sequence[str]) -> list[tuple[MatchRow, int]]:
    """The rows of these matches, with their first positions, as far as the projector has come."""
    async with pool.connection() as connection:
        cursor = await connection.execute(_THESE, {**_own(club), "streams": list(streams)})
        return [(msgspec.json.decode(data, type=MatchRow), at) for data, at in await cursor.fetchall()]


async def opened_at(pool: Pool, club: str, position: int) -> dict[str, int]:
    """The matches that were opened up to a position, each with its first position."""
    async with pool.connection() as connection:
        cursor = await connection.execute(_OPENED, [club, position])
        return dict(await cursor.fetchall())


async def rows_of(pool: Pool, club: str, matches: Collection[str]) -> tuple[list[MatchRow], int]:
    """The rows of these of all matches, and a checkpoint that they are no older than."""
    rows, turns = [], Turns()
    async with pool.connection() as connection:
        checkpoint = await (await connection.execute(_CHECKPOINT, _own(club))).fetchone()
        async for match, data in await connection.execute(_EVERY, _own(club)):
            if match in matches:
                rows.append(msgspec.json.decode(data, type=MatchRow))
                await turns.give()
    return rows, checkpoint[0] if checkpoint else 0


def _own(club: str) -> Parameters:
    return {"name": MATCHES.name, "form": MATCHES.version, "club": club}
