"""The languages that people chose."""

from collections.abc import Sequence
from typing import Final

from service.store.pool import Pool


async def read(pool: Pool, club: str, person: str) -> str | None:
    """The language that a person chose, if any."""
    statement = "select language from languages_of_people where club_id = %s and player = %s"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, person])).fetchone()
    return None if row is None else row[0]


# who leaves in this moment is signed out first: what would be written waits for it, and is not written then
_WRITE: Final = """with held as (select club_id from sign_in_people where hash = %s for share)
insert into languages_of_people (club_id, player, language)
select club, player, %s from unnest(%s::uuid[], %s::uuid[]) as own (club, player)
where club in (select club_id from held)
on conflict (club_id, player) do update set language = excluded.language"""


async def write(pool: Pool, sign_in: bytes, people: Sequence[tuple[str, str]], language: str) -> None:
    """Remember what was chosen by whoever is a person of each of these clubs on this sign-in: club and person."""
    if not people:
        return
    clubs, own = [club for club, _ in people], [person for _, person in people]
    async with pool.connection() as connection:
        await connection.execute(_WRITE, [sign_in, language, clubs, own])
