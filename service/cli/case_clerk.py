"""Cases at the terminal: the file of one, and whether a file still says what the log says."""

from datetime import UTC, datetime

from domain.log.decider import Refusal
from service.cli.clerk import FileResult
from service.desk.cases.access import CaseViewer
from service.desk.cases.filing import case_file, compared, seen_as
from service.store.pool import Pool
from service.store.streams import Streams


async def export_case(pool: Pool, case: str, audience: str) -> str:
    """The file of a case for an audience: `director`, or a side by its number. Raises Refusal."""
    if audience != "director" and not (audience.isdecimal() and len(audience) == 1):
        raise Refusal("malformed", "--for is director, or the number of a side: 0, 1 …")
    viewer = CaseViewer("director") if audience == "director" else CaseViewer("party", int(audience))
    streams = Streams(pool)
    seen = await seen_as(streams, case, viewer)
    return (await case_file(streams, seen, datetime.now(UTC))).decode()


async def verify_case(pool: Pool, text: str) -> list[FileResult]:
    """Compares the file of a case with the log."""
    found = await compared(Streams(pool), text)
    return [FileResult(found.text, found.good)]
