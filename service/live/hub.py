"""The hub: wakes whoever follows a club. A wake is a hint, so it may be dropped: readers re-read.

Between processes the hint travels by NOTIFY, sent after the commit and coalesced; inside an append it
would make every commit of the server wait for every other.
"""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
import structlog

from service.live.room import Room
from service.store import notices
from service.store.pool import Pool

LOGGER = structlog.get_logger()
EVERY: Final = "*"


class Hub:
    """Followers of clubs in this process; each has one flag, so a slow reader holds up nobody."""

    def __init__(self) -> None:
        self.closing = asyncio.Event()
        self.room = Room()
        self.stirred = asyncio.Event()  # something happened in some club: for the courier, who then looks himself
        self._flags: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._said: set[str] = set()
        self._speak = asyncio.Event()
        self._news: asyncio.Queue[str] = asyncio.Queue()
        self._queued: set[str] = set()
        self._name = secrets.token_hex(4)

    @contextmanager
    def follow(self, club: str) -> Iterator[asyncio.Event]:
        """A flag that is set whenever something happened in the club."""
        flag = asyncio.Event()
        self._flags[club].add(flag)
        try:
            yield flag
        finally:
            self._flags[club].discard(flag)
            if not self._flags[club]:
                del self._flags[club]

    def said(self, club: str) -> None:
        """This process has appended: wake our own readers now, the other processes soon."""
        self.wake(club)
        self._said.add(club)
        self._speak.set()

    def wake(self, club: str) -> None:
        """Something happened in a club."""
        self.stirred.set()
        for flag in self._flags.get(club, ()):
            flag.set()
        if club not in self._queued:
            self._queued.add(club)
            self._news.put_nowait(club)

    def wake_all(self) -> None:
        """Everybody reads again and is asked again who he is: hints may have been missed, a token may have been
        revoked, or we are closing."""
        self.stirred.set()
        for flags in self._flags.values():
            for flag in flags:
                flag.set()
        if self.closing.is_set():
            self.room.wake()

    async def changed(self) -> str:
        """The next club with news, for the projector."""
        club = await self._news.get()
        self._queued.discard(club)
        return club

    async def speak(self, pool: Pool) -> None:
        """Tell the other processes, many appends in one notice."""
        while True:
            await self._speak.wait()
            self._speak.clear()
            clubs, self._said = self._said, set()
            try:
                await notices.tell(pool, self._name, clubs)
            except (psycopg.Error, OSError) as error:
                LOGGER.warning("a notice is sent again in a moment", error=str(error))
                self._said |= clubs
                self._speak.set()
                await asyncio.sleep(0.2)
            await asyncio.sleep(0.01)

    def _heard(self, sender: str, club: str) -> None:
        """Our own readers were woken when we appended."""
        if sender != self._name:
            self.wake(club)

    async def listen(self, url: str, lost: Callable[[], Awaitable[None]], forget: Callable[[str | None], None]) -> None:
        """Hear the other processes; when the connection is lost, `lost` may start the database again. `forget` throws
        away what is remembered of callers, with a club also its words, with EVERY those of every club."""
        while True:
            try:
                async with await notices.connected(url) as connection:
                    await notices.listen(connection)
                    self.wake_all()
                    forget(EVERY)
                    async for notice in notices.heard(connection):
                        match notice:
                            case None:
                                forget(None)
                                self.wake_all()
                            case (None, club):
                                forget(club)
                                self.wake(club)
                            case (str() as sender, club):
                                self._heard(sender, club)
            except (psycopg.Error, OSError) as error:
                LOGGER.warning("listening again in a moment", error=str(error))
                forget(EVERY)
            await lost()
            await asyncio.sleep(0.2)
