"""Eras: the database is of another one, as after a restore from a copy, and of the first again afterwards."""

from contextlib import contextmanager

from service.store import choices
from tests.conftest import with_pool

SECOND, THIRD = "e3b0c442", "98fc1c14"


def begin(database, era):
    """Another era begins, as a restore begins it; every process hears of it."""
    with_pool(database, lambda pool: choices.write(pool, choices.ERA, era))


@contextmanager
def of_eras(database):
    """Begins eras; at the end there never was one."""

    async def forget(pool):
        async with pool.connection() as connection:
            await connection.execute("delete from choices where name = %s", [choices.ERA])
            await connection.execute("select pg_notify('lurch_choices', '')")

    try:
        yield lambda era: begin(database, era)
    finally:
        with_pool(database, forget)
