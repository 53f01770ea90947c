"""The connection pool, and which database it leads to."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final

import msgspec
from psycopg_pool import AsyncConnectionPool

from service.embedded import Embedded
from service.migrate import upgrade
from service.patience import Line
from service.settings import Settings


class Database(msgspec.Struct, frozen=True):
    """Where the log is: the service's URL, the owner's, and the embedded server if it is ours."""

    url: str
    owner_url: str
    embedded: Any = None


IDLE_SECONDS: Final = 1.0
READERS: Final = 4  # connections for event streams, beside those of requests: no writer waits for a stream
NO_LIMIT: Final = 0  # to how many may wait for a connection
CONNECT_SECONDS: Final = 3  # or one that takes connections and says nothing is waited for, more than two minutes


async def check_idle(connection: Any) -> None:
    """Ask a connection whether it still lives, unless it was in use a moment ago: the question costs as much
    as a small statement. Raises psycopg.OperationalError."""
    moment = monotonic()
    if moment - getattr(connection, "used_at", -IDLE_SECONDS) >= IDLE_SECONDS:
        await AsyncConnectionPool.check_connection(connection)
    connection.used_at = moment


def make_pool(url: str, size: int = 8, waiting: int = 256) -> AsyncConnectionPool[Any]:
    """A pool that is opened later, checks connections that were idle, and says at once when it is exhausted.

    While the database is away an attempt to connect is given up after a second, and the next request begins
    another: the pool's own pauses double, so that it would stay away as long again as the database was.
    """
    return AsyncConnectionPool(
        url, connection_class=Line, min_size=1, max_size=size, open=False, check=check_idle,
        max_waiting=waiting, timeout=2.5, reconnect_timeout=1,
        kwargs={"autocommit": True, "connect_timeout": CONNECT_SECONDS},
    )  # fmt: skip


def locate(settings: Settings) -> Database:
    """The database that the settings mean; the embedded server is started or attached to."""
    if settings.database_url:
        return Database(settings.database_url, settings.migrate_url or settings.database_url)
    embedded = Embedded(settings.data)
    embedded.start()
    return Database(embedded.url("lurch_app"), embedded.url("lurch_owner"), embedded)


@contextmanager
def ready(settings: Settings) -> Iterator[Database]:
    """The database, migrated; an embedded server that we started is stopped at the end."""
    database = locate(settings)
    try:
        upgrade(database.owner_url, database.url)
        yield database
    finally:
        if database.embedded is not None:
            database.embedded.stop()
