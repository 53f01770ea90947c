"""Matches in which two people sat, by the kept rows of a club's matches; and what was appended since."""

from collections.abc import Sequence
from typing import Final

import msgspec

from domain.tournament.events import OWN_EVENTS
from projections.lists import MATCHES, MatchRow
from service.store.pool import Pool

_WITH: Final = """select data from views
    where (projection, version, club_id) = (%(name)s, %(form)s, %(club)s) and data like any(%(parts)s)"""
_SINCE: Final = """select coalesce(max(position), %(after)s), coalesce(bool_or(type = any(%(kinds)s)), false)
    from events where club_id = %(club)s and log = 0 and position > %(after)s"""
# all that seats people, or says who is whom
_SEATING: Final = ("MatchOpened", "PlayersMerged", "PlayersParted", *(kind.__name__ for kind in OWN_EVENTS))


async def rows_with(pool: Pool, club: str, players: Sequence[str]) -> list[MatchRow]:
    """The matches in which any of these ids sits, the newest first."""
    parts = [f"%{player}%" for player in players]
    given = {"name": MATCHES.name, "form": MATCHES.version, "club": club, "parts": parts}
    async with pool.connection() as connection:
        found = await (await connection.execute(_WITH, given)).fetchall()
    rows = [msgspec.json.decode(data, type=MatchRow) for (data,) in found]
    wanted = set(players)
    seated = [row for row in rows if any(wanted & set(side) for side in row.sides)]
    return sorted(seated, key=lambda row: row.id, reverse=True)


async def seated_since(pool: Pool, club: str, after: int) -> tuple[int, bool]:
    """The end of a club's open log, and whether anything behind a position seats people or says who is whom."""
    given = {"club": club, "after": after, "kinds": list(_SEATING)}
    async with pool.connection() as connection:
        row = await (await connection.execute(_SINCE, given)).fetchone()
    return (row[0], row[1]) if row else (after, True)
