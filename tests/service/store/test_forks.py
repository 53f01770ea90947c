"""Forks that were pushed: a club has room for so many, however many come at once."""

import asyncio
from datetime import UTC, datetime

from service.cli.clerk import club_named
from service.run.pool import make_pool
from service.store.forks import MOST, Fork, drop, keep, kept_forks
from service.store.ids import new_id

AT_ONCE = 12
TIMES = 10  # two pass each other now and then only


def a_fork():
    return Fork(new_id(), new_id(), 3, "elsewhere", None, datetime.now(UTC))


def test_concurrent_forks_do_not_exceed_the_limit_of_a_club(database):
    async def act():
        async with make_pool(database.url, AT_ONCE) as pool:
            club = await club_named(pool, f"Forks {new_id()}")

            together = asyncio.Barrier(AT_ONCE)

            async def opened():
                async with pool.connection(60):
                    await together.wait()

            await asyncio.gather(*(opened() for _ in range(AT_ONCE)))  # every connection is open
            for _ in range(MOST - 1):
                assert await keep(pool, club, a_fork(), "{}")
            for _ in range(TIMES):
                forks = [a_fork() for _ in range(AT_ONCE)]
                kept = await asyncio.gather(*(keep(pool, club, fork, "{}") for fork in forks))
                assert sum(kept) == 1
                assert len(await kept_forks(pool, club)) == MOST
                await drop(pool, club, forks[kept.index(True)].id)

    asyncio.run(act())
