"""The pool of connections: opened later, asked before use, exhausted at once and not late."""

import os
from time import monotonic
from typing import Final

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from service.store.notices import CONNECT_SECONDS
from service.store.patience import PatientConnection
from service.store.pool import Connection, Pool, forget_plans
from service.store.roles import TIME_LIMITS

IDLE_SECONDS: Final = 1.0
POOL_SECONDS: Final = 2.5  # the longest wait for a connection
REQUESTS: Final = 8  # connections for requests
READERS: Final = 4  # connections for event streams, beside those of requests: no writer waits for a stream
WRITERS: Final = 4  # connections for appends, one a log: no append waits for who reads
WAITING: Final = 256  # who may wait for a connection for requests
NO_LIMIT: Final = 0  # to how many may wait for a connection


async def check(connection: Connection) -> None:
    """Ask a connection whether it still lives, unless it was in use a moment ago: the question costs as much as a small
    statement. At its 2nd, 4th, 8th … use it forgets its plans. Raises psycopg.OperationalError."""
    assert isinstance(connection, PatientConnection), "a pool of ours has no others"
    moment = monotonic()
    if moment - connection.used_at >= IDLE_SECONDS:
        await AsyncConnectionPool.check_connection(connection)
    connection.used_at = moment
    connection.uses = uses = connection.uses + 1
    if uses > 1 and uses.bit_count() == 1:
        await forget_plans(connection)


def options_of(url: str) -> str:
    """The options that every connection asks for: limits in time, as on a server of ours, whose roles have them; what
    the URL, or the environment, sets stands behind and so holds."""
    own = conninfo_to_dict(url).get("options") or os.environ.get("PGOPTIONS", "")
    return " ".join((*(f"-c {name}={value}" for name, value in TIME_LIMITS.items()), str(own))).strip()


def make_pool(
    url: str,
    size: int = REQUESTS,
    waiting: int = WAITING,
    timed: bool = True,
    cursor: type[psycopg.AsyncCursor[TupleRow]] = psycopg.AsyncCursor,
) -> Pool:
    """A pool that is opened later, checks connections that were idle, and says at once when it is exhausted.

    While the database is away an attempt to connect is given up after a second, and the next request begins
    another: the pool's own pauses double, so that it would stay away as long again as the database was. What the owner
    does by hand to the whole database is not `timed`.
    """
    return AsyncConnectionPool(
        url,
        connection_class=PatientConnection,
        min_size=1,
        max_size=size,
        open=False,
        check=check,
        max_waiting=waiting,
        timeout=POOL_SECONDS,
        reconnect_timeout=1,
        kwargs={
            "autocommit": True,
            "cursor_factory": cursor,
            "connect_timeout": CONNECT_SECONDS,
            **({"options": options_of(url)} if timed else {}),
        },
    )
