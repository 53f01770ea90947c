"""What every handler works with, made once when the application starts."""

from typing import Any

import msgspec
from psycopg_pool import AsyncConnectionPool

from service.auth import Doorkeeper
from service.live.hub import Hub
from service.projector import Projector
from service.recording import Recorder
from service.streams import Streams
from service.tournaments.steward import Steward


class Services(msgspec.Struct, frozen=True):
    """The pool, the folded streams, the recorder, the hub, the projector, the door and the steward of tournaments."""

    pool: AsyncConnectionPool[Any]
    streams: Streams
    recorder: Recorder
    hub: Hub
    projector: Projector
    doors: Doorkeeper
    steward: Steward


def make_services(pool: AsyncConnectionPool[Any], hub: Hub | None = None) -> Services:
    """Everything over one pool."""
    heard = hub or Hub()
    streams = Streams(pool)
    recorder = Recorder(streams, heard.said)
    return Services(pool, streams, recorder, heard, Projector(pool), Doorkeeper(pool), Steward(streams, recorder))
