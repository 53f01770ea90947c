"""What the first deal of a match settles for all that follow, like who plays which colour (GS.2)."""

from typing import Any

from domain.game import Breach
from domain.match.state import Deal, Match


def contradicts_earlier_deal(match: Match, cards: Any, before: int) -> Breach | None:
    """The breach if this deal contradicts what an earlier deal fixed for the match (Get Stuck: who plays red, GS.2),
    else None. `before` is the number of the deal itself: only earlier ones count."""
    settles = getattr(match.setup.game, "settles", None)
    if settles is None or cards is None:
        return None
    first = next((deal for deal in match.deals if _counts(deal) and deal.number < before), None)
    if first is None or settles(first.cards)[1] == settles(cards)[1]:
        return None
    rule, value = settles(cards)
    return Breach(rule, None, f"deal {first.number} settled it for the match: {settles(first.cards)[1]}, not {value}")


def _counts(deal: Deal) -> bool:
    return deal.cards is not None and not deal.void
