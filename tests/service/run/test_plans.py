"""Plans of the server: made anew as a connection is used, for tables grow; those of a look at news are kept."""

import asyncio

from service.run.pool import make_pool
from service.store.ids import new_id
from service.store.news import NEWEST, read_news_for_fold

PLAN = "explain execute card(1)"


async def told(connection, *statements):
    """What the server says to the last of these."""
    for each in statements:
        answer = await connection.execute(each)
    return await answer.fetchall()


def test_a_plan_is_forgotten_when_its_connection_is_reused(database):
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


def test_the_query_for_several_streams_is_planned_once(database):
    asked = "select generic_plans, custom_plans from pg_prepared_statements where statement like '%as chosen%'"

    async def act():
        async with make_pool(database.url, 1) as pool:
            for few in (1, 2, 3, 1, 2, *[2] * 10):
                await read_news_for_fold(pool, new_id(), {new_id(): (0, NEWEST) for _ in range(few)})
            async with pool.connection() as connection:
                return await told(connection, asked)

    [(kept, made)] = asyncio.run(act())
    assert (kept, made) == (10, 5), "the server tries a plan of its own for the first five"
