"""Garbo in notation: cards with their squares, claims, and the totals of each level."""

from collections.abc import Sequence
from typing import ClassVar

from domain.cards.facts import Fact, Passed
from domain.game.script import Calls, DealCards, NotedSection, Script, Sums
from domain.games.garbo.options import CardCovered, CardPlaced, ClaimMade, Deal, Options
from domain.games.garbo.scoring import Entry, given
from domain.games.garbo.state import Building, Covering, Scored, State, level_of
from domain.log.event import JsonObject


class GarboScript(Script):
    """The notation of Garbo."""

    histories_omit_pass: ClassVar = True  # the words of histories know no pass (GA.g6)

    def sections(self, options: Options) -> tuple[str, ...]:
        return ("L1", "L2")

    def cards_of(self, deal: Deal) -> DealCards:
        """The packets as they are dealt, both seats each time; nothing is left."""
        return DealCards(tuple(packet for both in zip(*deal.packets, strict=True) for packet in both))

    def deal_of(self, options: Options, cards: DealCards) -> Deal:
        """The packets seat by seat."""
        return Deal(packets=(cards.hands[0::2], cards.hands[1::2]))

    def move_text(self, before: State, fact: Fact) -> str | None:
        """Card and square, `SQ@d4`; a claim by who did not play last, `!5`; a dash for a pass."""
        if isinstance(fact, CardPlaced | CardCovered):
            return fact.as_call()
        if isinstance(fact, ClaimMade):
            return fact.as_call() if fact.seat != level_of(before).last else None
        return "-" if isinstance(fact, Passed) else None

    def section_sums(self, state: State) -> tuple[Sums, ...]:
        """The totals at the end of each level that is over."""
        return totals_by_level(state)

    def announced_points(self, before: State, after: State) -> int | None:
        """The points that the other player scores from this card."""
        return given(after) - given(before) or None

    def entry_noted(self, options: Options, dealer: int, entry: Entry) -> tuple[NotedSection, ...] | None:
        """The totals of each level; those of the deal alone tell only half of it."""
        return None if entry.levels is None else tuple(NotedSection((), totals) for totals in entry.levels)

    def entry_read(self, options: Options, calls: Calls, sums: Sequence[Sums]) -> JsonObject | None:
        """The totals of both levels."""
        return {"levels": [list(totals) for totals in sums]} if len(sums) == 2 else None


def totals_by_level(state: State) -> tuple[Sums, ...]:
    """The totals at the end of each level that is over."""
    if isinstance(state, Building):
        return ()
    if isinstance(state, Scored):
        return state.play.first, state.play.points
    return (state.first if isinstance(state, Covering) else state.play.first,)
