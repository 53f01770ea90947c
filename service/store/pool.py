"""The types of connections, pools and parameters; a pool is handed to every function that reads or writes."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

Column: TypeAlias = str | int | float | bytes
Parameter: TypeAlias = Column | datetime | Sequence[Column] | None
Parameters: TypeAlias = Mapping[str, Parameter]  # of a statement, by name
Connection: TypeAlias = AsyncConnection[TupleRow]
Pool: TypeAlias = AsyncConnectionPool[Connection]


async def forget_plans(connection: Connection) -> None:
    """Let the server plan anew what this connection asks. What was planned while a log was young, for a foreign key
    too, would go on reading a whole club for one row, until the statistics are new: all keys of `events` begin with
    the club, and on one page each of them costs the same."""
    await connection.execute("discard plans")
