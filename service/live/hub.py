"""The hub: wakes whoever follows a club. A wake is a hint, so it may be dropped: readers re-read.

The two logs of a club are followed apart: news of the closed one wake nobody who follows the open one, neither the
projector, nor webhooks, nor tournaments, so that nothing in the open log happens sooner for what was said in the other.

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
from service.store.notices import ChoiceMade, Notice
from service.store.pool import Pool

LOGGER = structlog.get_logger()
EVERY: Final = "*"


class Hub:
    """Followers of clubs in this process; each has one flag, so a slow reader holds up nobody."""

    def __init__(self, room: Room | None = None) -> None:
        self.closing = asyncio.Event()
        self.room = room or Room()
        self.stirred = asyncio.Event()  # something happened in some club: for the courier, who then looks himself
        self._flags: dict[tuple[str, bool], set[asyncio.Event]] = defaultdict(set)
        self._said: set[tuple[str, bool]] = set()
        self._speak = asyncio.Event()
        self._news: asyncio.Queue[str] = asyncio.Queue()
        self._queued: set[str] = set()
        self._name = secrets.token_hex(4)

    @contextmanager
    def follow(self, club: str, closed: bool = False) -> Iterator[asyncio.Event]:
        """A flag that is set whenever something happened in the club's open log, or in its closed one."""
        flag, which = asyncio.Event(), (club, closed)
        self._flags[which].add(flag)
        try:
            yield flag
        finally:
            self._flags[which].discard(flag)
            if not self._flags[which]:
                del self._flags[which]

    def said(self, club: str, closed: bool = False) -> None:
        """This process has appended: wake our own readers now, the other processes soon."""
        self.wake(club, closed)
        self._said.add((club, closed))
        self._speak.set()

    def wake(self, club: str, closed: bool = False) -> None:
        """Something happened in a log of a club."""
        for flag in self._flags.get((club, closed), ()):
            flag.set()
        if closed:
            return
        self.stirred.set()
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
            logs, self._said = self._said, set()
            try:
                await notices.tell(pool, self._name, logs)
            except (psycopg.Error, OSError) as error:
                LOGGER.warning("a notice is sent again in a moment", error=str(error))
                self._said |= logs
                self._speak.set()
                await asyncio.sleep(0.2)
            await asyncio.sleep(0.01)

    def _heard(self, notice: Notice) -> None:
        """Our own readers were woken when we appended."""
        if notice.sender != self._name:
            self.wake(notice.club, notice.closed)

    async def listen(
        self,
        url: str,
        lost: Callable[[], Awaitable[None]],
        forget: Callable[[str | None], None],
        chosen: Callable[[], None] = lambda: None,
    ) -> None:
        """Hear the other processes; when the connection is lost, `lost` may start the database again. `forget` throws
        away what is remembered of callers, with a club also its words, with EVERY those of every club; `chosen` hears
        that something was chosen for the whole service."""
        while True:
            try:
                async with await notices.connected(url) as connection:
                    await notices.listen(connection)
                    self.wake_all()
                    forget(EVERY)
                    chosen()
                    async for notice in notices.heard(connection):
                        match notice:
                            case None:
                                forget(None)
                                self.wake_all()
                            case ChoiceMade():
                                chosen()
                            case Notice(sender=None, club=club):
                                forget(club)
                                self.wake(club)
                                self.wake(club, closed=True)
                            case _:
                                self._heard(notice)
            except (psycopg.Error, OSError) as error:
                LOGGER.warning("listening again in a moment", error=str(error))
                forget(EVERY)
            await lost()
            await asyncio.sleep(0.2)
