"""The pool of connections: opened later, asked before use, exhausted at once and not late."""

from time import monotonic
from typing import Any, Final

from psycopg_pool import AsyncConnectionPool

from service.store.notices import CONNECT_SECONDS
from service.store.patience import PatientConnection
from service.store.pool import Pool

IDLE_SECONDS: Final = 1.0
READERS: Final = 4  # connections for event streams, beside those of requests: no writer waits for a stream
NO_LIMIT: Final = 0  # to how many may wait for a connection


async def check_idle(connection: Any) -> None:
    """Ask a connection whether it still lives, unless it was in use a moment ago: the question costs as much
    as a small statement. Raises psycopg.OperationalError."""
    moment = monotonic()
    if moment - getattr(connection, "used_at", -IDLE_SECONDS) >= IDLE_SECONDS:
        await AsyncConnectionPool.check_connection(connection)
    connection.used_at = moment


def make_pool(url: str, size: int = 8, waiting: int = 256) -> Pool:
    """A pool that is opened later, checks connections that were idle, and says at once when it is exhausted.

    While the database is away an attempt to connect is given up after a second, and the next request begins
    another: the pool's own pauses double, so that it would stay away as long again as the database was.
    """
    return AsyncConnectionPool(
        url,
        connection_class=PatientConnection,
        min_size=1,
        max_size=size,
        open=False,
        check=check_idle,
        max_waiting=waiting,
        timeout=2.5,
        reconnect_timeout=1,
        kwargs={"autocommit": True, "connect_timeout": CONNECT_SECONDS},
    )
