"""What every handler works with, made once when the application starts."""

from typing import Any

import msgspec
from psycopg_pool import AsyncConnectionPool

from service.auth import Doorkeeper
from service.books import Books
from service.lists import Lists
from service.live.hub import Hub
from service.projector import Projector
from service.recording import Recorder
from service.streams import Streams
from service.tournaments.steward import Steward
from service.webhooks.courier import Courier
from service.webhooks.sending import Sender


class Services(msgspec.Struct, frozen=True):
    """The pool, the folded streams, the recorder, the hub, the projector, the door, the steward of tournaments, the
    lists, the books of what results add up to, and the courier of webhooks."""

    pool: AsyncConnectionPool[Any]
    streams: Streams
    recorder: Recorder
    hub: Hub
    projector: Projector
    doors: Doorkeeper
    steward: Steward
    lists: Lists
    books: Books
    courier: Courier


def make_services(pool: AsyncConnectionPool[Any], hub: Hub | None = None, webhook_private: bool = False) -> Services:
    """Everything over one pool."""
    heard = hub or Hub()
    streams = Streams(pool)
    recorder = Recorder(streams, heard.said)
    projector, steward = Projector(pool), Steward(streams, recorder)
    lists, courier = Lists(pool, projector, steward), Courier(pool, Sender(webhook_private))
    doors, books = Doorkeeper(pool), Books(pool, lists)
    return Services(pool, streams, recorder, heard, projector, doors, steward, lists, books, courier)
