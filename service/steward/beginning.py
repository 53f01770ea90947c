"""The steward's beginning in a club: from where it stood when a service last noted it, or else from the first event.

What stands before the note is over and done, so of that only tournaments that are going are looked at again. One that
is over is looked at when there is news of it or of one of its matches."""

from collections.abc import Sequence
from typing import Final

from service.store import finding, views
from service.store.kinds import TOURNAMENT
from service.store.pool import Pool
from service.store.views import ViewForm

FORM: Final = ("steward", 1)  # among the checkpoints of kept views
DISPUTES: Final = ("disputes", 1)  # as far as every dispute has its case
FAR: Final = 1000  # events between two notes


async def beginning(pool: Pool, club: str) -> tuple[list[str], int, bool]:
    """The tournaments to look at, the position behind which there may be news, and whether these are all there are."""
    noted = await views.position_of(pool, FORM, club)
    if noted is None:
        tournaments, head = await finding.streams_begun_with(pool, club, TOURNAMENT.first)
        return tournaments, head, True
    return await finding.going(pool, club), noted, False


async def note(pool: Pool, club: str, position: int, form: ViewForm = FORM) -> None:
    """Everything up to a position is done."""
    await views.stand_at(pool, form, club, position)


async def unknown_tournaments(pool: Pool, club: str, streams: Sequence[str]) -> tuple[list[str], set[str]]:
    """The tournaments that these streams are, or are matches of, and which of the streams have nothing to do with
    one."""
    origins = await finding.tournaments_of(pool, club, streams) if streams else {}
    found = dict.fromkeys(each for each in origins.values() if each is not None)
    return list(found), {stream for stream in streams if origins.get(stream) is None}
