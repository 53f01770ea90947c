"""Notices between processes: clubs with new events, tokens made or ended, and clubs of which somebody was erased."""

from collections.abc import AsyncIterator
from typing import Final

import psycopg

from service.store.pool import Connection, Pool

CHANNEL: Final = "lurch"
TOKENS: Final = "lurch_tokens"
ERASED: Final = "lurch_erased"
CONNECT_SECONDS: Final = 3  # or a server that takes connections and says nothing is waited for, more than two minutes


async def tell(pool: Pool, sender: str, clubs: set[str]) -> None:
    """Name the clubs in which the sender has appended. Raises psycopg.Error."""
    async with pool.connection() as connection:
        for club in clubs:
            await connection.execute("select pg_notify(%s, %s)", [CHANNEL, f"{sender} {club}"])


async def connected(url: str) -> Connection:
    """A connection of our own, outside the pool. Raises psycopg.OperationalError."""
    return await psycopg.AsyncConnection.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS)


async def listen(connection: Connection) -> None:
    """Hear of appends, tokens and erasures from now on."""
    await connection.execute(f"listen {CHANNEL}")
    await connection.execute(f"listen {TOKENS}")
    await connection.execute(f"listen {ERASED}")


async def heard(connection: Connection) -> AsyncIterator[tuple[str | None, str] | None]:
    """The sender and the club of each append; None and the club for an erasure; None for tokens that changed."""
    async for notice in connection.notifies():
        if notice.channel == TOKENS:
            yield None
        elif notice.channel == ERASED:
            yield None, notice.payload
        else:
            sender, _, club = notice.payload.partition(" ")
            yield sender, club
