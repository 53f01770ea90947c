"""Get Stuck: its options, the fact of its own, and the layout as it is dealt."""

from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import msgspec

from domain.cards.card import CARD_OF, RED_JOKER, Card, mask_of, pack_of, parse_card
from domain.cards.facts import Fact
from domain.game.script import DealCards
from domain.log.message import Message

CARDS_LEFT: Final = pack_of("A23456789JQK")  # the tens are out (GS.1)
PACK: Final = CARDS_LEFT | 1 << RED_JOKER
COURTS: Final = pack_of("JQK")
RED: Final = 0x1FFF << 13 | 0x1FFF << 26  # diamonds and hearts
GAP: Final = "--"
SIZE: Final = 7
COLUMNS: Final = tuple("abcdefg")
ROWS: Final = tuple("7654321")

Line: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=6)]
Cell: TypeAlias = tuple[Line, Line]
Colour: TypeAlias = Literal["red", "black"]
Square: TypeAlias = Annotated[str, msgspec.Meta(description="a card, or -- for the gap", examples=["SA", "H9", "--"])]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Get Stuck has no rule options of its own."""


class CardMoved(Fact, frozen=True, tag="move"):
    """A seat moved the card of a cell into the gap and turned it face down. `card` may name it where the
    layout is not known; else the cell says which card it was."""

    phrases: ClassVar = {
        "move": "moves {card:card} from {square:square}",
        "move.unseen": "moves the card of {square:square}",
        "move.asks": "which card moves?",
        "move.named": "move",
        "move.awaited": "a move",
    }
    asks: ClassVar = "move.asks"
    control: ClassVar = "square"

    cell: Cell
    card: Card | None = None

    def as_call(self) -> str | None:
        """The card and the square it left, `D3g4`; `??g4` where the layout tells the card."""
        return f"{'??' if self.card is None else self.card}{square_of(self.cell)}"

    @classmethod
    def of_call(cls, seat: int, call: str) -> Fact | None:
        name, cell = call[:-2], CELL_OF_SQUARE.get(call[-2:])
        if cell is None or (name != "??" and name not in CARD_OF):
            return None
        return cls(seat, cell, CARD_OF.get(name))

    @classmethod
    def of_word(cls, seat: int, word: str) -> tuple[Fact, ...]:
        """`D3g4` with the card, then without it, where the layout tells it; a slash says that it went diagonally."""
        fact = cls.of_call(seat, word.removesuffix("/"))
        return () if not isinstance(fact, CardMoved) else (fact, cls(seat, fact.cell))[fact.card is None :]

    def said(self) -> Message:
        """With the square that the card left."""
        square = square_of(self.cell)
        if self.card is None:
            return Message("move.unseen", {"square": square})
        return Message("move", {"card": str(self.card), "square": square})


def square_of(cell: tuple[int, int]) -> str:
    """A cell as notation names its square, columns a-g and rows from the bottom: [0, 0] is `a7`."""
    row, column = cell
    return f"{COLUMNS[column]}{ROWS[row]}"


CELL_OF_SQUARE: Final = {square_of((row, column)): (row, column) for row in range(SIZE) for column in range(SIZE)}


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Forty-nine squares row by row from the top left, `--` the gap, and who plays which colour."""

    grid: tuple[Square, ...]
    colours: tuple[Colour, Colour] = ("red", "black")

    def __post_init__(self) -> None:
        """Cards are read in either order and kept suit first. Raises ValueError for what is no card."""
        grid = tuple(text if text == GAP else str(parse_card(text)) for text in self.grid)
        msgspec.structs.force_setattr(self, "grid", grid)


def check_deal(deal: Deal) -> str | None:
    """The fault of a layout, or None (GS.1, GS.2)."""
    if len(deal.grid) != SIZE * SIZE or deal.grid.count(GAP) != 1:
        return "`grid` is 49 squares row by row, one of them the gap `--`"
    if mask_of(CARD_OF[text] for text in deal.grid if text != GAP) != CARDS_LEFT:
        return "every card but the tens stands exactly once in the `grid`"
    if sorted(deal.colours) != ["black", "red"]:
        return "`colours` by seat: one plays red, the other black"
    return None


def shuffled(cards: tuple[Card, ...]) -> Deal:
    """The layout that a shuffled pack gives, row by row; the joker leaves the gap. Seat 0 plays red."""
    return Deal(tuple(GAP if card >= RED_JOKER else str(card) for card in cards))


def moved_in(deal: Deal, fact: Fact) -> Fact:
    """A move with its card as it was dealt; any other fact as it is."""
    if not isinstance(fact, CardMoved) or fact.card is not None or not 0 <= min(fact.cell) <= max(fact.cell) < SIZE:
        return fact
    row, column = fact.cell
    return CardMoved(fact.seat, fact.cell, CARD_OF.get(deal.grid[row * SIZE + column]))


def deal_of_rows(cards: DealCards) -> Deal:
    """The layout that was written in rows; seat 0 plays red unless it says otherwise."""
    grid = tuple(GAP if card is None else str(card) for row in cards.rows for card in row)
    return Deal(grid, ("black", "red") if cards.red == 1 else ("red", "black"))


def rows_of(deal: Deal) -> DealCards:
    """The layout in rows: `deal_of_rows` backwards."""
    cards = tuple(CARD_OF.get(text) for text in deal.grid)
    rows = tuple(cards[at : at + SIZE] for at in range(0, len(cards), SIZE))
    return DealCards(rows=rows, red=deal.colours.index("red"))
