"""The clerk for cases: use cases of the command line on the database."""

from typing import Final

from domain.log.actor import Right
from domain.log.decider import Refusal
from service.cli.clubs import club_of
from service.desk.cases.access import CaseViewer, SeenCase
from service.desk.cases.queue import CaseRow, rows
from service.desk.cases.showing import CaseAnswer, answer_for
from service.store.callers import Caller
from service.store.ids import now
from service.store.pool import Pool
from service.store.streams import Streams

OWNER: Final = Caller(True, rights=(Right("owner"),))


async def queue_of(pool: Pool, club: str | None) -> list[CaseRow]:
    """The cases of a club. Raises Refusal."""
    streams = Streams(pool)
    return await rows(streams, OWNER, await club_of(streams, club), now())


async def case_of(pool: Pool, case: str) -> CaseAnswer:
    """A case as its director sees it. Raises Refusal."""
    streams = Streams(pool)
    loaded = await streams.case(case)
    if loaded is None:
        raise Refusal("not-found", f"there is no case {case}")
    club = await streams.club(loaded.club)
    assert club is not None
    return await answer_for(streams, SeenCase(loaded, club, CaseViewer("director")), now())
