"""Turns of the loop: who works for long lets others have theirs."""

import asyncio
from time import monotonic
from typing import Final

LONG: Final = 0.002  # seconds of work before others have their turn


class Turns:
    """The turns of one piece of work. Others are let in by the time that it took and not by its parts: a loop that is
    full takes milliseconds for each turn, and the work may hold what another process waits for."""

    def __init__(self) -> None:
        self._since = monotonic()

    async def give(self) -> None:
        """Let others have their turn, where this has worked for long."""
        if monotonic() - self._since > LONG:
            await asyncio.sleep(0)
            self._since = monotonic()
