"""Streams ahead of the log: as they will be once the appends that are under way are in it.

The next command on a stream may be decided on that, so that many at one table share a statement. Nobody is told, shown
or answered anything of it, and where an append is not taken the stream is forgotten here before anything else runs.
"""

import asyncio
from typing import Any

from service.store.gathering import Answer
from service.store.loaded import AnyLoaded


class Ahead:
    """The streams with appends under way. `losses` counts the appends that were not taken: what was decided on a stream
    from here is good only while that has not changed."""

    def __init__(self) -> None:
        self.losses = 0
        self._streams: dict[str, tuple[AnyLoaded, Answer]] = {}

    def of(self, stream: str) -> AnyLoaded | None:
        """A stream as it will be; None where nothing is under way."""
        found = self._streams.get(stream)
        return None if found is None else found[0]

    def put(self, after: AnyLoaded, answer: Answer) -> None:
        """An append is under way that makes this of its stream."""
        self._streams[after.stream] = (after, answer)

    def taken(self, after: AnyLoaded) -> None:
        """It is in the log."""
        if self.of(after.stream) is after:
            del self._streams[after.stream]

    def lost(self, stream: str) -> None:
        """It is not, nor is what builds on it."""
        self.losses += 1
        self._streams.pop(stream, None)

    async def settled(self, stream: str) -> None:
        """Wait until nothing is under way on a stream."""
        while (found := self._streams.get(stream)) is not None:
            waiting: set[asyncio.Future[Any]] = {found[1]}
            await asyncio.wait(waiting)
