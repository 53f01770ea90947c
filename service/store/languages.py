"""The languages that people chose."""

from collections.abc import Sequence

from service.store.pool import Pool


async def read(pool: Pool, club: str, person: str) -> str | None:
    """The language that a person chose, if any."""
    statement = "select language from languages_of_people where club_id = %s and player = %s"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, person])).fetchone()
    return None if row is None else row[0]


async def write(pool: Pool, people: Sequence[tuple[str, str]], language: str) -> None:
    """Remember what was chosen by whoever is a person of each of these clubs: club and person."""
    if not people:
        return
    async with pool.connection() as connection:
        await connection.execute(
            "insert into languages_of_people (club_id, player, language)"
            " select club, player, %s from unnest(%s::uuid[], %s::uuid[]) as own (club, player)"
            " on conflict (club_id, player) do update set language = excluded.language",
            [language, [club for club, _ in people], [person for _, person in people]],
        )
