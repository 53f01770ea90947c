"""What every handler works with, made once when the application starts."""

from typing import Any

import msgspec
from psycopg_pool import AsyncConnectionPool

from service.auth import Doorkeeper
from service.books import Books
from service.lists import Lists
from service.live.feed import Feeds
from service.live.hub import Hub
from service.projector import Projector
from service.recording import Recorder
from service.streams import Streams
from service.tournaments.steward import Steward
from service.webhooks.courier import Courier
from service.webhooks.sending import Sender


class Services(msgspec.Struct, frozen=True):
    """The pool and that of the event streams, the folded streams, the recorder, the hub and the feeds of clubs, the
    projector, the door, the steward of tournaments, the lists, the books of what results add up to, and the courier of
    webhooks."""

    pool: AsyncConnectionPool[Any]
    readers: AsyncConnectionPool[Any]
    streams: Streams
    recorder: Recorder
    hub: Hub
    feeds: Feeds
    projector: Projector
    doors: Doorkeeper
    steward: Steward
    lists: Lists
    books: Books
    courier: Courier

    def forget(self) -> None:
        """Who asks and on what device is looked up again: a token was revoked, a device erased."""
        self.doors.forget()
        self.recorder.devices.forget()


def make_services(
    pool: AsyncConnectionPool[Any], hub: Hub | None = None, webhook_private: bool = False,
    readers: AsyncConnectionPool[Any] | None = None,
) -> Services:  # fmt: skip
    """Everything over one pool, and what event streams read over another, if there is one."""
    heard, beside = hub or Hub(), readers or pool
    streams, doors = Streams(pool), Doorkeeper(pool, beside)
    recorder = Recorder(streams, heard.said)
    projector, steward = Projector(pool), Steward(streams, recorder)
    lists, courier = Lists(pool, projector, steward), Courier(pool, Sender(webhook_private))
    books, feeds = Books(pool, lists), Feeds(heard, streams, doors, beside, steward.catch_up)
    return Services(pool, beside, streams, recorder, heard, feeds, projector, doors, steward, lists, books, courier)
