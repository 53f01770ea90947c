"""Plans of the server: what was planned while a table was young is planned anew as a connection is used."""

import asyncio

import pytest

from service.run.pool import make_pool

PLAN = "explain execute card(1)"


async def told(connection, *statements):
    """What the server says to the last of these."""
    for each in statements:
        answer = await connection.execute(each)
    return await answer.fetchall()


@pytest.mark.timeout(60)
def test_a_plan_made_for_an_empty_table_is_forgotten_when_its_connection_is_used_again(database):
    async def act():
        async with make_pool(database.owner_url, 1) as pool:
            async with pool.connection() as connection:
                young = await told(
                    connection,
                    "set plan_cache_mode = force_generic_plan",
                    "create temp table cards (club int, place int, unique (club, place))",
                    "prepare card(int) as select from cards where club = $1",
                    PLAN,
                )
                fill = "insert into cards select 1, n from generate_series(1, 20000) n returning 1"
                await told(connection, fill)
                assert await told(connection, PLAN) == young, "a plan that is kept is what this test is about"
            async with pool.connection() as connection:
                assert await told(connection, PLAN) != young

    asyncio.run(act())
