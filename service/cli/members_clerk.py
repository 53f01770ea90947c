"""The clerk for the people of a club: use cases of the command line on the database."""

from domain.exchange.members import write_members
from service.cli.clerk import CLERK
from service.cli.clubs import club_of
from service.desk.members import PlannedLine, previewed
from service.desk.members import take_table as take
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.pool import Pool
from service.store.streams import Streams


async def export_table(pool: Pool, club: str | None) -> str:
    """Everybody of a club as CSV. Raises Refusal."""
    return write_members((await club_of(Streams(pool), club)).state)


async def take_table(pool: Pool, club: str | None, data: bytes, preview: bool) -> list[PlannedLine]:
    """Plans what each line of a table does, and does it unless it is a `preview`. Raises Refusal."""
    recorder = Recorder(Streams(pool))
    found = await club_of(recorder.streams, club)
    lines = await previewed(recorder, found.club, data)
    if not preview:
        await take(recorder, found.club, data, own_request(CLERK))
    return lines
