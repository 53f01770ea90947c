"""The embedded server of a process that has started it: started again when it dies, or goes deaf."""

import asyncio
from typing import Final

import psycopg
import structlog

from service.run.binaries import EmbeddedError
from service.run.database import Database
from service.store.patience import DatabaseProbe

WATCH_SECONDS: Final = 2.0
LOGGER = structlog.get_logger()


class Reviver:
    """Starts the embedded server again; a database of somebody else's is waited for."""

    def __init__(self, database: Database, probe: DatabaseProbe, closing: asyncio.Event) -> None:
        self.embedded = database.embedded if database.ours else None
        self.probe, self.closing = probe, closing
        self._turn = asyncio.Lock()  # the file's lock keeps out other processes only

    async def revive(self) -> None:
        """Start it again, unless it serves or the service ends."""
        if self.embedded is None or self.closing.is_set():
            return
        async with self._turn:
            try:
                await self.embedded.start_again()
            except (EmbeddedError, psycopg.Error, OSError) as error:
                LOGGER.warning("the database could not be started again; another try follows", error=str(error))

    async def watch(self) -> None:
        """A server that dies ends the connection that listens; one that goes deaf has to be asked."""
        while self.embedded is not None:
            await asyncio.sleep(WATCH_SECONDS)
            if not await self.probe.serves():
                await self.revive()
