"""A service that was restored, until its owner says that the old machine is gone: two must not act as one."""

from typing import Final

import psycopg
from psycopg.rows import TupleRow

from service.store import choices
from service.store.pool import Pool

RESTORED: Final = "restored"  # a choice that waits to be made: when the restore was
BECAUSE: Final = "restored from a copy"
HOOKS: Final = """update webhooks set disabled_at = null, disabled_because = null, next_try_at = now()
    where disabled_because = %s"""


async def restored_at(pool: Pool) -> str | None:
    """The time at which this service was restored, while it waits for the owner's word."""
    return await choices.read(pool, RESTORED)


def is_waiting(connection: psycopg.Connection[TupleRow]) -> bool:
    """The same, without the time, for a command."""
    return connection.execute("select exists (select from choices where name = %s)", [RESTORED]).fetchone() == (True,)


async def say_gone(pool: Pool) -> int | None:
    """The old machine is gone: webhooks that the restore has turned off go on, so many; None where nothing waited."""
    async with pool.connection() as connection, connection.transaction():
        said = await connection.execute("delete from choices where name = %s", [RESTORED])
        if said.rowcount == 0:
            return None
        return (await connection.execute(HOOKS, [BECAUSE])).rowcount
