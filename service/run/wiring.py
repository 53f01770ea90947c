"""The wiring: every service made once, over one pool."""

from domain.club.state import Club
from service.bookkeeper import Bookkeeper
from service.desk.books import Books
from service.desk.delays import public_end
from service.desk.lists import Lists
from service.desk.recording import Recorder
from service.desk.services import Services
from service.desk.tables import Tables
from service.live.feed import Feeds
from service.live.hub import Hub
from service.projector import Projector
from service.steward.steward import Steward
from service.store.doorkeeper import Doorkeeper
from service.store.pool import Pool
from service.store.streams import Streams
from service.webhooks.courier import Courier
from service.webhooks.sending import Sender


def make_services(
    pool: Pool,
    hub: Hub | None = None,
    webhook_private: bool = False,
    readers: Pool | None = None,
    writers: Pool | None = None,
) -> Services:
    """Everything over one pool; what event streams read over another, and appends over a third, if there are those."""
    heard, beside = hub or Hub(), readers or pool
    streams = Streams(pool)

    async def club_of(club: str) -> Club | None:
        loaded = await streams.club(club)
        return None if loaded is None else loaded.state

    doors = Doorkeeper(pool, club_of, beside)
    recorder = Recorder(streams, heard.said, writers=writers)
    projector, steward = Projector(pool), Steward(streams, recorder)

    async def end_of(club: str) -> int | None:
        return await public_end(streams, club, recorder.clock())

    lists = Lists(pool, projector, steward.catch_up)
    courier = Courier(pool, Sender(webhook_private), streams=streams, end=end_of)
    books = Books(pool, lists, Bookkeeper(pool, streams))
    feeds, tables = Feeds(heard, streams, doors, beside, steward.catch_up), Tables(pool, recorder)
    return Services(
        pool, beside, streams, recorder, heard, feeds, projector, doors, steward, lists, books, courier, tables
    )
