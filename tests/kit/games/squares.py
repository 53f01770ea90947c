"""Layouts of Get Stuck drawn row by row, and a naive implementation of its rules."""

from typing import Any

from domain.cards.card import CARD_OF, cards_in, pack_of
from domain.games import find

KEY = "get_stuck"
GAME = find(KEY)
TENLESS = [str(card) for card in cards_in(pack_of("A23456789JQK"))]


def layout(*rows: str, colours: tuple[str, str] = ("red", "black")) -> Any:
    """Make a layout from rows of words.

    `r` and `b` are filled with unnamed red and black cards, numerals first; `R` and `B` with courts first.
    """
    words = [word for row in rows for word in row.split()]
    words += ["any"] * (49 - len(words))
    left = [code for code in TENLESS if code not in words]
    for kind in ("R", "B", "r", "b", "any"):
        for place, word in enumerate(words):
            if word == kind:
                words[place] = _taken(left, kind)
    if "--" not in words:
        raise AssertionError("a layout has a gap")
    return GAME.deal(tuple(words), colours)


def _taken(left: list[str], kind: str) -> str:
    suits = {"r": "DH", "b": "CS"}.get(kind.lower(), "CDHS")
    own = [code for code in left if code[0] in suits]
    if kind in "RB":
        own = [code for code in own if code[1] in "JQK"] or own
    elif kind in "rb":
        own = [code for code in own if code[1] not in "JQK"] or own
    left.remove(own[0])
    return own[0]


class Plain:
    """Naive Get Stuck, written from the rule book: lists, no bit sets, no caches."""

    def __init__(self, deal: Any, dealer: int):
        words = list(deal.grid)
        self.cards = {(at // 7, at % 7): word for at, word in enumerate(words) if word != "--"}
        self.gap = divmod(words.index("--"), 7)
        self.dead: set = set()
        self.turn = 1 - dealer
        self.suits = [{"red": "DH", "black": "CS"}[colour] for colour in deal.colours]
        self.moved = [0, 0]

    def moves(self) -> list[tuple[int, int]]:
        """Return the cells whose card the seat to move may move, in reading order."""
        return sorted(self._along(((0, 1), (0, -1), (1, 0), (-1, 0)))) or sorted(
            self._along(((1, 1), (1, -1), (-1, 1), (-1, -1)))
        )

    def _along(self, steps: Any) -> list[tuple[int, int]]:
        found = []
        for down, right in steps:
            passed = False
            at = (self.gap[0] + down, self.gap[1] + right)
            while at in self.cards:
                card = self.cards[at]
                if at in self.dead:
                    passed = True
                elif card[0] in self.suits[self.turn] and (card[1] in "JQK" or not passed):
                    found.append(at)
                at = (at[0] + down, at[1] + right)
        return found

    def move(self, cell: tuple[int, int]) -> None:
        """Move the card of a cell into the gap, face down."""
        self.cards[self.gap] = self.cards.pop(cell)
        self.dead.add(self.gap)
        self.gap = cell
        self.moved[self.turn] += 1
        self.turn = 1 - self.turn

    def left(self, seat: int) -> list[str]:
        """Return the ranks of a seat's face-up cards."""
        up = [card for cell, card in self.cards.items() if cell not in self.dead]
        return [card[1] for card in up if card[0] in self.suits[seat]]

    def scores(self) -> tuple[int, ...]:
        """Return the scores when the seat to move is stuck."""
        found = []
        for seat in (0, 1):
            sign = -10 if seat == self.turn else 10
            worth = {"A": 1, "J": sign, "Q": sign, "K": sign}
            found.append(sum(worth[rank] if rank in worth else int(rank) for rank in self.left(seat)))
        return tuple(found)


def copied(table: Plain) -> Plain:
    """Return an independent copy of the table."""
    other = object.__new__(Plain)
    other.cards, other.gap, other.dead = dict(table.cards), table.gap, set(table.dead)
    other.turn, other.suits, other.moved = table.turn, table.suits, list(table.moved)
    return other


def card_on(deal: Any, row: int, column: int) -> Any:
    """Return the card that was dealt to a cell."""
    return CARD_OF[deal.grid[7 * row + column]]
