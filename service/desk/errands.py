"""Errands: work that somebody waits for a moment and that goes on without him; of one name there is one at a time."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from time import monotonic

import structlog

LOGGER = structlog.get_logger()


class Errands:
    """The errands of this process that are under way."""

    def __init__(self) -> None:
        self._running: dict[Hashable, asyncio.Task[None]] = {}

    async def wait(self, name: Hashable, work: Callable[[], Awaitable[None]], until: float) -> None:
        """Wait for an errand that began now or later, at most until that time of the monotonic clock. One that is under
        way already may have looked at less than there is now, so another one follows it."""
        before = self._running.get(name)
        while (patience := until - monotonic()) > 0:
            task = self._begun(name, work)
            await asyncio.wait({task}, timeout=patience)
            if task is not before:
                return

    def _begun(self, name: Hashable, work: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        task = self._running.get(name)
        if task is None:
            task = self._running[name] = asyncio.create_task(self._done(name, work))
        return task

    async def _done(self, name: Hashable, work: Callable[[], Awaitable[None]]) -> None:
        """A failure is logged once; the next request tries again, and those that waited show the rows there are."""
        try:
            await work()
        except Exception as error:
            LOGGER.warning("what a list waited for failed", errand=str(name), error=str(error), exc_info=True)
        finally:
            del self._running[name]

    def running(self) -> list[asyncio.Task[None]]:
        """Those that have to be ended before the service is."""
        return list(self._running.values())
