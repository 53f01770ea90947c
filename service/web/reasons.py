"""Why a record was corrected: told to the club's own people, once it can tell nobody what a hand holds."""

import msgspec

from domain.game import ALL
from domain.match.events import EntryCorrected
from domain.match.sight import open_at
from domain.match.state import deal_at
from service.api.access import viewer_in
from service.auth import Caller, of_club
from service.services import Services
from service.store import log
from service.streams import Loaded


class Reason(msgspec.Struct, frozen=True):
    """A correction: its version, the deal that it is of, when and as what it was made, and the words."""

    version: int
    deal: int
    at: str
    role: str
    words: str


async def reasons_of(services: Services, caller: Caller, loaded: Loaded) -> tuple[Reason, ...]:
    """The reasons that a caller may read, the oldest first. A stranger is told the figures only; who sits at the table
    is told when the deal is over, for the words may name a card."""
    match = loaded.match
    if not match.superseded or not of_club(caller, loaded.club):
        return ()
    sees_all, found = viewer_in(caller, loaded) == ALL, []
    for each in await log.read_stream(services.pool, loaded.club, loaded.stream):
        event = each.event
        words = (event.private or {}).get("note")
        if isinstance(event.data, EntryCorrected) and words:
            deal = deal_at(match, event.data.version)
            if deal is not None and (sees_all or open_at(match, event.data.version)):
                at = event.recorded_at.strftime("%Y-%m-%d %H:%M:%S")
                found.append(Reason(event.version, deal.number, at, event.role, words))
    return tuple(found)
