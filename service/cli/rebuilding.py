"""The clerk's rebuilding of every kept view from the log."""

from collections.abc import Callable

from service.bookkeeper import Bookkeeper
from service.projector import Projector
from service.store import log
from service.store.pool import Pool


async def events_to_fold(pool: Pool) -> int:
    """The number of events in all open logs together, of which kept views are made."""
    return sum(position for _, position in await log.clubs(pool))


async def rebuild(pool: Pool, told: Callable[[int], None] = lambda _: None) -> int:
    """Fold the kept views of every club again; `told` is called with the number of events read."""
    clubs = await log.clubs(pool)
    for club, _ in clubs:
        await Projector(pool).rebuild(club, told)
        await Bookkeeper(pool).rebuild(club)
    return len(clubs)
