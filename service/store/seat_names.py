"""Names that were tapped behind a table's code: who sits there, and two names put right."""

from typing import NamedTuple

from service.store.pool import Pool


class TableSeat(NamedTuple):
    """A person who came in by a table's code, and the id of the sign-in; `player` is None for a scorer, who taps no
    name."""

    id: str
    holder: str
    player: str | None


async def seats_at(pool: Pool, club: str, match: str) -> tuple[TableSeat, ...]:
    """The seats of those who are in at a table, the first first."""
    statement = """select seats.id::text, sign_ins.id, player::text from table_seats as seats join sign_ins using (hash)
        where seats.club_id = %s and match_id = %s and ended_at is null and good_until > now()
        order by seats.created_at"""
    async with pool.connection() as connection:
        return tuple(TableSeat(*row) for row in await (await connection.execute(statement, [club, match])).fetchall())


async def exchange(pool: Pool, club: str, match: str, holder: str, was: str, now: str) -> bool:
    """Give the seat of a sign-in another name, and whoever had that one its own; whether the seat was there."""
    async with pool.connection() as connection, connection.transaction():
        mine = """update table_seats set player = null where club_id = %s and match_id = %s and player = %s
            and hash = (select hash from sign_ins where id = %s) and ended_at is null returning id"""
        row = await (await connection.execute(mine, [club, match, was, holder])).fetchone()
        if row is None:
            return False
        others = """update table_seats set player = %s where club_id = %s and match_id = %s and player = %s
            and ended_at is null"""
        await connection.execute(others, [was, club, match, now])  # a name has one seat at a time
        await connection.execute("update table_seats set player = %s where id = %s", [now, row[0]])
        await connection.execute("select pg_notify('lurch_tokens', '')")
        return True
