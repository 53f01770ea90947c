"""Acts of a device in a stream, and who has signed in on a device of a club: what a signature is judged by."""

from datetime import datetime

from service.store.pool import Pool


async def acts_of(pool: Pool, club: str, stream: str, device: str, after: int) -> tuple[tuple[int, str | None], ...]:
    """The events that a device recorded in a stream behind a version: each as version and actor."""
    statement = """select version, actor::text from events
        where club_id = %s and stream_id = %s and version > %s and device = %s order by version"""
    async with pool.connection() as connection:
        cursor = await connection.execute(statement, [club, stream, after, device], prepare=True)
        return tuple((row[0], row[1]) for row in await cursor.fetchall())


async def signed_in_since(pool: Pool, club: str, moment: datetime) -> tuple[str, ...]:
    """The people of a club who have signed in, or used their sign-in, since a moment."""
    statement = """select distinct people.player::text from sign_in_people as people join sign_ins using (hash)
        where people.club_id = %s and greatest(people.created_at, sign_ins.last_used) >= %s
        and sign_ins.expires_at > now()"""
    async with pool.connection() as connection:
        return tuple(row[0] for row in await (await connection.execute(statement, [club, moment])).fetchall())
