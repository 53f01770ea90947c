"""Following in the background: lists, tournaments and books of each club with news, in the process that has the lease.

Who reads a list or directs a tournament brings it up to date himself, in any process. What the steward appends carries
no number of the lease: its command has an id of its own, so of two that say the same one is taken.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import psycopg
import structlog

from service.desk.services import Services
from service.run.leasing import AWAY, Lease
from service.store.leases import LeaseLostError, LeaseNumber
from service.store.pool import Pool
from service.store.standing_of_readers import clubs_behind

GATHER: Final = 0.25  # seconds
AGAIN: Final = 0.5  # seconds
TRIES: Final = 3  # after a fault that nobody knows: an event that a view cannot take must not end the others
SILENCE_SECONDS: Final = 30.0  # between two looks at who has not answered
MISSED_SECONDS: Final = 30.0  # between two looks at what nobody heard of
LATER_SECONDS: Final = 30.0  # until a club whose statements took too long is looked at again
SLOW: Final = (psycopg.errors.QueryCanceled, psycopg.errors.LockNotAvailable)  # a limit of time of roles.py ended it
LOGGER = structlog.get_logger()


CatchUp: TypeAlias = Callable[[str, LeaseNumber], Awaitable[None]]


def catching_up(services: Services) -> CatchUp:
    """All that follows from a club's log, in its order: lists, what the steward has to say, books."""

    async def catch_up(club: str, lease: LeaseNumber) -> None:
        await services.projector.catch_up(club, lease=lease)
        await services.steward.catch_up(club)
        await services.books.bookkeeper.catch_up(club, lease)

    return catch_up


async def follow(
    changed: Callable[[], Awaitable[str]], catch_up: CatchUp, lease: Lease, wake: Callable[[str], None]
) -> None:
    """Keep every club up to date while this process has the lease; `changed` waits for the next club with news. What
    came while another process had it is looked at when that has ended. A club whose statements take too long is woken
    later: the others come first."""
    loop = asyncio.get_running_loop()
    while True:
        club = await changed()
        await asyncio.sleep(GATHER)  # more will come; who reads a list meanwhile catches up first
        if not await _followed(club, catch_up, lease):
            loop.call_later(LATER_SECONDS, wake, club)


async def _followed(club: str, catch_up: CatchUp, lease: Lease) -> bool:
    """Bring a club up to date, again and again while the database is away or the lease is somebody else's. Tells
    whether that is done, or was tried often enough; else its statements took too long."""
    faults = 0
    while faults < TRIES:
        try:
            await catch_up(club, await lease.had())
            return True
        except LeaseLostError:
            LOGGER.warning("what was kept under a lease is left to the process that has it now", club=club)
        except SLOW as error:
            LOGGER.warning("a club takes too long to follow; it is tried again later", club=club, error=str(error))
            return False
        except Exception as error:
            if _is_away(error):
                LOGGER.warning("the projector waits for the database", club=club, error=str(error))
            else:
                faults += 1
                LOGGER.exception("a view could not be kept; it is tried again", club=club, faults=faults)
        await asyncio.sleep(AGAIN)
    return True


def _is_away(error: Exception) -> bool:
    """Tells a database that does not answer from a log, or a row, that is damaged, and from a statement that takes too
    long: there waiting mends nothing, and the other clubs would wait with it."""
    return isinstance(error, AWAY) and not isinstance(error, (psycopg.DataError, *SLOW))


async def count_silences(services: Services, lease: Lease) -> None:
    """Let the steward look at who has not answered for as long as his tournament waits, again and again. With a lease
    that is new here he looks once at every club in which a tournament is going: whose silence counts was known to a
    process that may have ended, and where people are silent nothing else tells of it."""
    number: LeaseNumber | None = None
    left: set[str] = set()
    while True:
        await asyncio.sleep(SILENCE_SECONDS)
        held = await lease.had()
        try:
            if held != number:
                left, number = set(await services.steward.going()), held
            for club in sorted({*left, *services.steward.timed()}):
                await _counted(services, club)
                left.discard(club)
        except AWAY as error:
            LOGGER.warning("silences are counted when the database answers", error=str(error))


async def _counted(services: Services, club: str) -> None:
    """Silences of one club. Raises what the database raises while it is away."""
    try:
        await services.steward.catch_up(club)
    except Exception as error:  # an event that cannot be heard must not end the silences of the others
        if _is_away(error):
            raise
        LOGGER.exception("silences could not be counted; they are looked at again", club=club)


async def look_for_missed(pool: Pool, wake: Callable[[str], None], lease: Lease) -> None:
    """Wake for clubs of whose news nobody heard, again and again: a hint is lost with the process that would have said
    or heard it. For what cannot be kept it is done once and not for ever."""
    woken: dict[str, int] = {}
    while True:
        await lease.had()
        try:
            for club, position in await clubs_behind(pool):
                if woken.get(club) != position:
                    woken[club] = position
                    wake(club)
        except AWAY as error:
            LOGGER.warning("what nobody heard of is looked for when the database answers", error=str(error))
        await asyncio.sleep(MISSED_SECONDS)
