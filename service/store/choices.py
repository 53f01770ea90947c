"""Choices that a page made for the whole service, and that are remembered."""

from typing import Final

from service.store.pool import Pool

ERA: Final = "era"  # changes with each restore


async def read(pool: Pool, name: str) -> str | None:
    """The value that was chosen, if any."""
    async with pool.connection() as connection:
        row = await (await connection.execute("select value from choices where name = %s", [name])).fetchone()
    return None if row is None else row[0]


async def write(pool: Pool, name: str, value: str) -> None:
    """Remember a choice, in the place of an earlier one, and let every process hear of it."""
    async with pool.connection() as connection:
        await connection.execute(
            "insert into choices (name, value) values (%s, %s) on conflict (name) do update set value = excluded.value",
            [name, value],
        )
        await connection.execute("select pg_notify('lurch_choices', '')")
