"""Reasons of corrections, disputes and opened hands: told to those concerned, once they tell nothing of a hand."""

from typing import Any, Final

import msgspec

from domain import codec
from domain.cards.facts import Fact
from domain.game.protocol import ALL
from domain.log.event import AnyEvent, instant
from domain.match.events import (
    UNKNOWN,
    CorrectionProposed,
    EntryCorrected,
    Event,
    FactInserted,
    FactWithdrawn,
    HandsOpened,
    ResultDisputed,
    ResultEntered,
)
from domain.match.sight import hands_open, holds_hidden, open_at
from domain.match.state import Match, deal_at
from service.desk.access import viewer_in
from service.desk.services import Services
from service.store import log
from service.store.callers import Caller, of_club
from service.store.loaded import LoadedMatch
from service.web.moments import Teller

MENDED: Final = {
    FactWithdrawn: "taken back at the table",
    FactInserted: "completed",
    CorrectionProposed: "proposed to be corrected",
}


class FactReason(msgspec.Struct, frozen=True):
    """The reason of a step: its version, its deal (None: the match), the step, its time and role, and the words; whose
    step it was, and of a correction what was there and what is now."""

    version: int
    deal: int | None
    what: str
    at: str
    role: str
    words: str
    actor: str | None = None
    change: str = ""


async def reasons_of(
    services: Services, caller: Caller, loaded: LoadedMatch, teller: Teller | None = None
) -> tuple[FactReason, ...]:
    """The reasons that a caller may read, the oldest first: of disputes and opened hands a director; of corrections all
    of the club, but who sits at the table when the deal is over, for the words may name a card."""
    match = loaded.match
    sees_all, directs, found = (
        viewer_in(caller, loaded) == ALL,
        caller.directs(loaded.club, match.setup.tournament, loaded.stream),
        [],
    )
    mended = match.superseded or match.proposals or any(deal.mended_in for deal in match.deals)
    if not of_club(caller, loaded.club) or not (mended or (directs and _has_more(match))):
        return ()
    course = Course(teller)
    for each in await log.read_stream(services.pool, loaded.club, loaded.stream, 0, loaded.head.version):
        event = each.event
        words = (event.private or {}).get("note")
        change = course.change(event.version, event.data)
        told = _told(match, event.data, sees_all, directs) if words else None
        if words and told is not None:
            at = instant(event.recorded_at)
            found.append(FactReason(event.version, *told, at, event.role, words, event.actor, change))
    return tuple(found)


def _has_more(match: Match) -> bool:
    """True where there was a dispute, or hands were opened."""
    return bool(match.disputes or match.settled) or any(
        deal.opened and holds_hidden(match, deal) for deal in match.deals
    )


def _told(match: Match, event: Event, sees_all: bool, directs: bool) -> tuple[int | None, str] | None:
    """The deal and what was done to it, of an event whose reason may be told."""
    match event:
        case FactWithdrawn() | FactInserted() | CorrectionProposed():
            number, own = event.deal, match.deals[event.deal - 1]
            return (number, MENDED[type(event)]) if sees_all or hands_open(match, own) else None
        case EntryCorrected():
            deal = deal_at(match, event.version)
            seen = deal is not None and (sees_all or open_at(match, event.version))
            return (deal.number, "corrected") if deal is not None and seen else None
        case ResultDisputed() if directs:
            return event.deal, "disputed"
        case HandsOpened() if directs:
            return event.deal, "opened to everybody"
    return None


class Course:
    """The entries of a match by their versions, as JSON, so that a correction can say what was there before."""

    def __init__(self, teller: Teller | None) -> None:
        self.teller, self.values = teller, dict[int, Any]()

    def change(self, version: int, event: AnyEvent) -> str:
        """Tells what an event changes: was → is. What it puts in place is remembered."""
        now = None
        match event:
            case Fact():
                self.values[version] = codec.plain(event)
                return ""
            case ResultEntered():
                self.values[version] = codec.decode(event.entry, dict)
                return ""
            case FactInserted():
                now = self.values[version] = codec.decode(event.fact, dict)
                return f"missing: {self._said(now)}"
            case EntryCorrected() | CorrectionProposed():
                now = None if event.now == UNKNOWN else codec.decode(event.now, dict)
                if isinstance(event, CorrectionProposed) and event.do == "insert":
                    return f"missing: {self._said(now)}"
                if isinstance(event, EntryCorrected):
                    self.values[version] = now
            case FactWithdrawn():
                pass
            case _:
                return ""
        return f"{self._said(self.values.get(event.version))} → {self._said(now) or 'nothing'}"

    def _said(self, value: Any) -> str:
        return "" if self.teller is None or value is None else self.teller.value(value)
