"""Notices between processes: clubs with new events in one of their logs, tokens made or ended, choices made for the
service, and clubs of which somebody was erased."""

from collections.abc import AsyncIterator
from typing import Final

import msgspec
import psycopg

from service.store.patience import PatientConnection
from service.store.pool import Connection, Pool

CHANNEL: Final = "lurch"
CLOSED: Final = "lurch_closed"  # heard by nobody who follows an open log
TOKENS: Final = "lurch_tokens"
ERASED: Final = "lurch_erased"
CHOICES: Final = "lurch_choices"
ASK_SECONDS: Final = 10.0  # of silence: networks drop a connection that is idle, and tell nobody
CONNECT_SECONDS: Final = 3  # or a server that takes connections and says nothing is waited for, more than two minutes


class Notice(msgspec.Struct, frozen=True):
    """News of a club: somebody appended, to its `closed` log or the open one; without a sender, a person was erased."""

    club: str
    sender: str | None = None
    closed: bool = False


class ChoiceMade(msgspec.Struct, frozen=True):
    """Somebody chose something for the whole service."""


async def tell(pool: Pool, sender: str, logs: set[tuple[str, bool]]) -> None:
    """Name the clubs in which the sender has appended, each with whether it was to the closed log. Raises
    psycopg.Error."""
    async with pool.connection() as connection:
        for club, closed in logs:
            await connection.execute("select pg_notify(%s, %s)", [CLOSED if closed else CHANNEL, f"{sender} {club}"])


async def connected(url: str) -> Connection:
    """A connection of our own, outside the pool. Raises psycopg.OperationalError."""
    return await PatientConnection.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS)


async def listen(connection: Connection) -> None:
    """Hear of all of them from now on."""
    await connection.execute(f"listen {CHANNEL}")
    await connection.execute(f"listen {CLOSED}")
    await connection.execute(f"listen {TOKENS}")
    await connection.execute(f"listen {ERASED}")
    await connection.execute(f"listen {CHOICES}")


async def heard(connection: Connection) -> AsyncIterator[Notice | ChoiceMade | None]:
    """Each append, erasure and choice; None for tokens that changed. Raises psycopg.OperationalError where the other
    end is not there any more."""
    while True:
        async for notice in connection.notifies(timeout=ASK_SECONDS):
            yield _taken(notice)
        await connection.execute(f"listen {CHOICES}")  # as good a question as any


def _taken(notice: psycopg.Notify) -> Notice | ChoiceMade | None:
    """A notice of the database as it is heard."""
    if notice.channel == TOKENS:
        return None
    if notice.channel == CHOICES:
        return ChoiceMade()
    if notice.channel == ERASED:
        return Notice(notice.payload)
    sender, _, club = notice.payload.partition(" ")
    return Notice(club, sender, notice.channel == CLOSED)
