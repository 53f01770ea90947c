"""Names that were tapped behind a table's code: who sits there, and two names put right."""

from typing import NamedTuple

from service.store.pool import Pool


class TableSeat(NamedTuple):
    """Who came in by a table's code, on which sign-in (its hash, hex); nobody's name is tapped by who keeps the
    score."""

    id: str
    holder: str
    player: str | None


async def seats_at(pool: Pool, club: str, match: str) -> tuple[TableSeat, ...]:
    """Who is in at a table, the first first."""
    statement = """select id::text, encode(hash, 'hex'), player::text from table_seats
        where club_id = %s and match_id = %s and ended_at is null and good_until > now() order by created_at"""
    async with pool.connection() as connection:
        return tuple(TableSeat(*row) for row in await (await connection.execute(statement, [club, match])).fetchall())


async def exchange(pool: Pool, club: str, match: str, holder: str, was: str, now: str) -> bool:
    """Give the seat of a sign-in another name, and whoever had that one its own; whether the seat was there."""
    async with pool.connection() as connection, connection.transaction():
        mine = """update table_seats set player = %s where club_id = %s and match_id = %s and player = %s
            and hash = decode(%s, 'hex') and ended_at is null returning id"""
        rows = await (await connection.execute(mine, [now, club, match, was, holder])).fetchall()
        others = """update table_seats set player = %s where club_id = %s and match_id = %s and player = %s
            and hash <> decode(%s, 'hex') and ended_at is null"""
        if rows:
            await connection.execute(others, [was, club, match, now, holder])
        return bool(rows)
