"""Reasons of corrections, disputes and opened hands: told to those concerned, once they tell nothing of a hand."""

import msgspec

from domain.game.protocol import ALL
from domain.log.event import instant
from domain.match.events import EntryCorrected, Event, HandsOpened, ResultDisputed
from domain.match.sight import holds_hidden, open_at
from domain.match.state import Match, deal_at
from service.desk.access import viewer_in
from service.desk.services import Services
from service.store import log
from service.store.callers import Caller, of_club
from service.store.streams import LoadedMatch


class FactReason(msgspec.Struct, frozen=True):
    """The reason of a step: its version, its deal (None: the match), the step, its time and role, and the words."""

    version: int
    deal: int | None
    what: str
    at: str
    role: str
    words: str


async def reasons_of(services: Services, caller: Caller, loaded: LoadedMatch) -> tuple[FactReason, ...]:
    """The reasons that a caller may read, the oldest first: of disputes and opened hands a director; of corrections all
    of the club, but who sits at the table when the deal is over, for the words may name a card."""
    match = loaded.match
    sees_all, directs, found = (
        viewer_in(caller, loaded) == ALL,
        caller.directs(loaded.club, match.setup.tournament, loaded.stream),
        [],
    )
    if not of_club(caller, loaded.club) or not (match.superseded or (directs and _has_more(match))):
        return ()
    for each in await log.read_stream(services.pool, loaded.club, loaded.stream):
        event = each.event
        words = (event.private or {}).get("note")
        told = _told(match, event.data, sees_all, directs) if words else None
        if words and told is not None:
            at = instant(event.recorded_at)
            found.append(FactReason(event.version, told[0], told[1], at, event.role, words))
    return tuple(found)


def _has_more(match: Match) -> bool:
    """True where there was a dispute, or hands were opened."""
    return bool(match.disputes or match.settled) or any(
        deal.opened and holds_hidden(match, deal) for deal in match.deals
    )


def _told(match: Match, event: Event, sees_all: bool, directs: bool) -> tuple[int | None, str] | None:
    """The deal and what was done to it, of an event whose reason may be told."""
    match event:
        case EntryCorrected():
            deal = deal_at(match, event.version)
            seen = deal is not None and (sees_all or open_at(match, event.version))
            return (deal.number, "corrected") if deal is not None and seen else None
        case ResultDisputed() if directs:
            return event.deal, "disputed"
        case HandsOpened() if directs:
            return event.deal, "opened to everybody"
    return None
