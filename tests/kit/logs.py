"""Reading whole logs: every event of a club, and the verdict on all chains."""

from service.desk import verifying
from service.store import log


async def verify(pool):
    """The number of events, and the first fault ("" without any)."""
    found = await verifying.verify(pool)
    return found.events, found.wrong[0].text if found.wrong else ""


async def faults_of(pool, club):
    """What is wrong with the log of one club: others of the same database may have been tampered with on purpose."""
    return [each.text for each in (await verifying.verify(pool)).wrong if club in each.text]


async def tail(pool, club, after):
    """Every event of a club behind a position, page by page."""
    while page := await log.read_club(pool, club, after):
        for each in page:
            yield each
        after = page[-1].event.position
