"""Eras of a log, which a restore begins: clients that followed an earlier one start again."""

from contextlib import contextmanager

from service.store import choices
from tests.conftest import with_pool

SECOND, THIRD = "e3b0c442", "98fc1c14"


def begin(database, era):
    """Begin another era as a restore does, and notify every process."""
    with_pool(database, lambda pool: choices.write(pool, choices.ERA, era))


@contextmanager
def of_eras(database):
    """Yield a function that begins an era; afterwards the database has none."""

    async def forget(pool):
        async with pool.connection() as connection:
            await connection.execute("delete from choices where name = %s", [choices.ERA])
            await connection.execute("select pg_notify('lurch_choices', '')")

    try:
        yield lambda era: begin(database, era)
    finally:
        with_pool(database, forget)
