"""Reading whole logs and verifying their hash chains."""

from service.desk import verifying
from service.store import log


async def verify(pool):
    """Return the number of events and the first fault, "" if there is none."""
    found = await verifying.verify(pool)
    return found.events, found.wrong[0].text if found.wrong else ""


async def faults_of(pool, club):
    """Return the faults in the log of one club; other clubs of the database may be damaged on purpose."""
    return [each.text for each in (await verifying.verify(pool)).wrong if club in each.text]


async def tail(pool, club, after):
    """Yield every event of a club after a position."""
    while page := await log.read_club(pool, club, after):
        for each in page:
            yield each
        after = page[-1].event.position
