"""Settlements by the first deal of a match for all that follow, such as the colours of the players (GS.2)."""

from domain.game.judgement import Breach
from domain.game.protocol import AnyDeal, AnyGame
from domain.match.state import Deal, Match


def contradicts_earlier_deal(match: Match, cards: AnyDeal | None, before: int) -> Breach | None:
    """The breach if this deal contradicts what an earlier deal fixed for the match (Get Stuck: who plays red, GS.2),
    else None. `before` is the number of the deal itself: only earlier ones count."""
    game: AnyGame = match.setup.game
    first = next((deal for deal in match.deals if _counts(deal) and deal.number < before), None)
    if first is None or cards is None:
        return None
    earlier, now = game.fixed_for_match(first.cards), game.fixed_for_match(cards)
    if earlier is None or now is None or earlier == now:
        return None
    rule, value = now
    return Breach(rule, None, f"deal {first.number} settled it for the match: {earlier[1]}, not {value}")


def _counts(deal: Deal) -> bool:
    return deal.cards is not None and not deal.void
