"""Get Stuck in notation: the layout row by row, and moves with their card and the square it left."""

from domain.cards.card import CARD_OF
from domain.cards.facts import Fact, Passed
from domain.game.script import DealCards, Script
from domain.games.get_stuck.board import CELL_NUMBER, DIAGONAL
from domain.games.get_stuck.options import CardMoved, Deal, Options, deal_of_rows, rows_of
from domain.games.get_stuck.state import Blind, GaveUp, Moving, Stuck


class GetStuckScript(Script):
    """The notation of Get Stuck. Sums alone do not say who got stuck, so an entered result stands for itself."""

    def cards_of(self, deal: Deal) -> DealCards:
        """The layout; nobody holds a card."""
        return rows_of(deal)

    def deal_of(self, options: Options, cards: DealCards) -> Deal:
        """The layout that was written row by row."""
        return deal_of_rows(cards)

    def move_text(self, before: Moving | Stuck | Blind | GaveUp, fact: Fact) -> str | None:
        """The card and the square it left, a slash for a diagonal move: `SJc3/`; a dash for who is stuck."""
        if isinstance(fact, CardMoved):
            return _moved(before, fact)
        return "-" if isinstance(fact, Passed) else None


def _moved(before: Moving | Stuck | Blind | GaveUp, fact: CardMoved) -> str:
    """A move with its card, which the layout may tell, and a slash if it went diagonally."""
    at = before.at if isinstance(before, Stuck | GaveUp) else before
    if fact.card is None and isinstance(at, Moving):
        fact = CardMoved(fact.seat, fact.cell, CARD_OF.get(at.layout.deal.grid[CELL_NUMBER[fact.cell]]))
    sideways = at.gap >= 0 and DIAGONAL[at.gap] >> CELL_NUMBER[fact.cell] & 1
    return f"{fact.as_call()}{'/' if sideways else ''}"
