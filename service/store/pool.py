"""The types of connections, pools and parameters; a pool is handed to every function that reads or writes."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

Column: TypeAlias = str | int | bytes
Parameter: TypeAlias = Column | datetime | Sequence[Column] | None
Parameters: TypeAlias = Mapping[str, Parameter]  # of a statement, by name
Connection: TypeAlias = AsyncConnection[TupleRow]
Pool: TypeAlias = AsyncConnectionPool[Connection]
