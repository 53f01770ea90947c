"""Cross Game in notation: calls, cards, pairs that were shown, and the points of both at the end."""

from collections.abc import Sequence
from typing import ClassVar

from domain.cards.facts import Fact
from domain.game.script import Calls, PlainScript, Sums, card_text
from domain.games.cross_game import scoring
from domain.games.cross_game.options import Deal, Options
from domain.games.cross_game.state import Playing, Scored, State
from domain.log.event import JsonObject


class CrossGameScript(PlainScript):
    """The notation of Cross Game. Card points and cross points of an entered result are told apart by the entry only."""

    deal: ClassVar = Deal

    def sections(self, options: Options) -> tuple[str, ...]:
        """One stretch, behind its calls."""
        return ("BID",)

    def move_text(self, before: State, fact: Fact) -> str | None:
        """A card; a pass is a call of the auction."""
        return card_text(fact)

    def section_sums(self, state: State) -> tuple[Sums, ...]:
        """Card points with announcements, of a complete deal."""
        if not isinstance(state, Scored):
            return ()
        pairs = zip(state.play.points, scoring.bonuses(state.play), strict=True)
        return (tuple(card + bonus for card, bonus in pairs),)

    def announced_points(self, before: State, after: State) -> int | None:
        """20 or 40 for a pair that was shown with the lead."""
        if not isinstance(before, Playing) or not isinstance(after, Playing):
            return None
        if len(after.shown) == len(before.shown) or after.order is None:
            return None
        return scoring.announcement(after.shown[-1][1], after.order.trump)

    def entry_read(self, options: Options, calls: Calls, sums: Sequence[Sums]) -> JsonObject | None:
        """The highest bid, and the totals of the score sheet as cross points."""
        bids = [(int(call), seat) for seat, call in calls if call.isdigit()]
        if not bids or len(sums) != 1:
            return None
        bid, bidder = max(bids, key=lambda each: each[0])
        made = [scoring.cross_points(total) for total in sums[0]]
        return {"bidder": bidder, "bid": bid, "cross_points": made}
