"""The address for phones of a service that runs: as it was chosen on a page, while this machine has it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import msgspec
import psycopg
import structlog
from litestar.datastructures import State

from service.desk.chosen_address import known_address
from service.run.settings import Settings
from service.store.pool import Pool

MOVED_SECONDS: Final = 5.0  # between two looks at the addresses of this machine
LOGGER = structlog.get_logger()


async def once_it_answers(waits: str, act: Callable[[], Awaitable[None]]) -> None:
    """Do something at the start, as soon as the database answers; `waits` says what waits for it."""
    while True:
        try:
            return await act()
        except (psycopg.Error, OSError) as error:
            LOGGER.warning(f"{waits} for the database", error=str(error))
            await asyncio.sleep(1)


class PhoneAddress:
    """The address for phones in the settings of a running application, which began with the `settings` as they are
    set."""

    def __init__(self, state: State, pool: Pool, settings: Settings) -> None:
        self.state, self.pool, self.settings = state, pool, settings
        self.chosen = asyncio.Event()
        self.chosen.set()
        self._known = settings.address

    async def follow(self) -> None:
        """Remember the address that was chosen, at this process or another. A laptop that wakes elsewhere has it no
        more, or again."""
        may_move = not (self.settings.address or self.settings.tls or self.settings.alone)
        while True:
            try:
                async with asyncio.timeout(MOVED_SECONDS if may_move else None):
                    await self.chosen.wait()
            except TimeoutError:
                with suppress(psycopg.Error, OSError):
                    await self._moved()
                continue
            self.chosen.clear()
            await once_it_answers("the address for phones waits", self._recall)

    async def _recall(self) -> None:
        self._take(await known_address(self.pool, self.settings))

    async def _moved(self) -> None:
        address = await known_address(self.pool, self.settings)
        if address != self._known:
            self._take(address)

    def _take(self, address: str | None) -> None:
        self._known = address
        self.state.settings = msgspec.structs.replace(self.state.settings, address=address)
