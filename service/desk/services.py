"""The services of every handler, made once when the application starts."""

from typing import Protocol

import msgspec

from service.desk.books import Books
from service.desk.lists import Lists
from service.desk.recording import Recorder
from service.desk.tables import Tables
from service.live.feed import Feeds
from service.live.hub import EVERY, Hub
from service.projector import Projector
from service.store.doorkeeper import Doorkeeper
from service.store.pool import Pool
from service.store.streams import Streams
from service.webhooks.courier import Courier


class CatchesUp(Protocol):
    """The steward of tournaments, who stands above the desk."""

    async def catch_up(self, club: str) -> None:
        """Bring the tournaments of a club in step with their matches."""

    def positions(self) -> dict[str, int]:
        """The position up to which each club was read that this process knows."""

    def timed(self) -> list[str]:
        """The clubs that this process knows to have a tournament in which silence counts."""

    async def going(self) -> list[str]:
        """The clubs in which a tournament is not over, by their lists."""


class Services(msgspec.Struct, frozen=True):
    """The pool and that of the event streams, the folded streams, the recorder, the hub and the feeds of clubs, the
    projector, the door, the steward of tournaments, the lists, the books of what results add up to, the courier of
    webhooks, and the doors of tables."""

    pool: Pool
    readers: Pool
    streams: Streams
    recorder: Recorder
    hub: Hub
    feeds: Feeds
    projector: Projector
    doors: Doorkeeper
    steward: CatchesUp
    lists: Lists
    books: Books
    courier: Courier
    tables: Tables

    def forget(self, club: str | None = None) -> None:
        """Callers and devices are looked up again: a token was revoked, a device erased. Of a club of which somebody
        was erased, or of every one, everything that held words is read and drawn again."""
        self.doors.forget()
        self.recorder.devices.forget()
        if club is not None:
            for each in self.streams.remembered() if club == EVERY else (club,):
                self.streams.forget(each)
                self.feeds.forget(each)
