"""A lease that a running process tries to have, and keeps as long as it can."""

import asyncio
import os
import time
from collections.abc import Callable
from typing import Final

import psycopg
import structlog

from service.store import leases
from service.store.ids import new_id
from service.store.lease_watch import BEAT_SECONDS, OthersLease, OwnLease
from service.store.leases import LeaseNumber
from service.store.pool import Pool

FOLLOWING: Final = "following"
COPYING: Final = "copying"
AWAY: Final = (psycopg.Error, OSError)
LOGGER = structlog.get_logger()


class Lease:
    """A lease of this process; `clock` is monotonic, and nobody else's."""

    def __init__(self, pool: Pool, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.pool = pool
        self.name = name
        self.holder = f"{new_id()} {os.getpid()}"
        self.clock = clock
        self.looked = asyncio.Event()  # once: whether it can be had is known
        self._stands: OthersLease | OwnLease | None = None
        self._beaten = asyncio.Event()

    @property
    def held(self) -> LeaseNumber | None:
        """The number under which this process may do what the lease is for, right now."""
        stands = self._stands
        if isinstance(stands, OwnLease) and stands.is_good(self.clock()):
            return LeaseNumber(self.name, stands.number)
        return None

    async def had(self) -> LeaseNumber:
        """The number, as soon as this process may."""
        while (number := self.held) is None:
            self._beaten.clear()
            await self._beaten.wait()
        return number

    async def step(self) -> None:
        """Beat, or look whether the lease can be taken, once."""
        stands, sent = self._stands, self.clock()
        if isinstance(stands, OwnLease):
            if await leases.beat(self.pool, self.name, stands.number):
                self._hold(OwnLease(stands.number, sent))
            else:
                LOGGER.warning("a lease was lost: another process has it", lease=self.name)
                self._stands = None
            return
        row = await leases.read(self.pool, self.name)
        now = self.clock()
        self._stands = watched = stands.seen(row, now) if isinstance(stands, OthersLease) else OthersLease(row, now)
        if not watched.may_take(now):
            return
        number = await leases.take(self.pool, self.name, self.holder, row)
        if number is not None:
            self._hold(OwnLease(number, now))

    def _hold(self, held: OwnLease) -> None:
        self._stands = held
        self._beaten.set()

    async def keep(self) -> None:
        """Try to have the lease until the process ends, then give it back."""
        try:
            while True:
                try:
                    await self.step()
                except AWAY as error:
                    LOGGER.warning("a lease waits for the database", lease=self.name, error=str(error))
                self.looked.set()
                await asyncio.sleep(BEAT_SECONDS)
        finally:
            await self.give_back()

    async def give_back(self) -> None:
        """Let another process begin at once; where the database is away it begins after its eight seconds."""
        stands, self._stands = self._stands, None
        if isinstance(stands, OwnLease):
            try:
                await leases.give_back(self.pool, self.name, stands.number)
            except AWAY as error:
                LOGGER.warning("a lease could not be given back", lease=self.name, error=str(error))
