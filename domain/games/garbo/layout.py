"""The layout of Garbo: a seven by seven frame round the first card, its squares as bits.

The theory. The four by four square may grow any way from the first card (GA.3, GA.g4), so it stays within three squares
of it: 49 squares, one bit each, and `INDEX` gives the bit of a cell. All that placing needs is looked up by square:

- `BESIDE` the squares that share an edge, `WITHIN` those that fit into four by four together with it. A square is open
  on the first level when it is beside a card, within reach of every card, and free.
- `ROUND` the eight squares about it, where suits match (GA.4, GA.g3), `IN_LINE` row, column and both diagonals, where
  ranks match; no card shields another (GA.g4).

`Tops` tells what lies uppermost as twelve bit sets of squares: one for each suit, then one for each rank. What a card
gives (`conceded`) is then two intersections and two counts: its suit's squares in scope, its rank's squares in line.

On the second level a card takes the place of the one below it in all twelve sets (`laid`), so that what is covered
counts no more (GA.g5); ten times the value comes from the card's own square, before it is laid (GA.7). The two levels
(`Building`, `Covering`) differ in the squares that are free; totals run through both, and those at the end of the
first say who begins the second (GA.6, GA.g7).
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

import msgspec

from domain.cards.card import CARDS, Card
from domain.game import shown
from domain.games.garbo.options import RANK_WORTH, SUIT_WORTH, square_name

REACH: Final = 3
SIZE: Final = 2 * REACH + 1
CELLS: Final = tuple((row, column) for row in range(-REACH, REACH + 1) for column in range(-REACH, REACH + 1))
INDEX: Final = {cell: place for place, cell in enumerate(CELLS)}
FRAME: Final = (1 << len(CELLS)) - 1
COLUMNS: Final = tuple("abcdefg")
ROWS: Final = tuple("7654321")
ORIGIN: Final = 1 << INDEX[0, 0]

Steps: TypeAlias = tuple[tuple[int, int], ...]
Tops: TypeAlias = tuple[int, ...]

ORTHOGONAL: Final[Steps] = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONAL: Final[Steps] = ((-1, -1), (-1, 1), (1, -1), (1, 1))

NOTHING: Final[Tops] = (0,) * 12
SUIT_SET: Final = tuple(card // 13 for card in range(52))
RANK_SET: Final = tuple(max(4, card % 13 - 1) for card in range(52))  # Seven is the fifth set, Ace the twelfth


def _reached(cell: tuple[int, int], steps: Steps, far: int) -> int:
    """The squares at up to `far` of these steps from a square."""
    row, column = cell
    found = ((row + down * n, column + across * n) for down, across in steps for n in range(1, far + 1))
    return sum(1 << INDEX[each] for each in found if each in INDEX)


def _within(cell: tuple[int, int]) -> int:
    """The squares that fit into a four by four square together with this one (GA.g4)."""
    near = (each for each in CELLS if max(abs(each[0] - cell[0]), abs(each[1] - cell[1])) <= REACH)
    return sum(1 << INDEX[each] for each in near)


BESIDE: Final = tuple(_reached(cell, ORTHOGONAL, 1) for cell in CELLS)
ROUND: Final = tuple(_reached(cell, ORTHOGONAL + DIAGONAL, 1) for cell in CELLS)
IN_LINE: Final = tuple(_reached(cell, ORTHOGONAL + DIAGONAL, SIZE) for cell in CELLS)
WITHIN: Final = tuple(_within(cell) for cell in CELLS)


class Square(msgspec.Struct, frozen=True):
    """The card that lies uppermost on a square, whether it covers one of the first level, and the square's name."""

    cell: tuple[int, int]
    card: Card
    covered: bool
    name: str


def conceded(tops: Tops, card: int, place: int, scope: tuple[int, ...]) -> int:
    """The points that a card on a square gives the opponent: the suit's value for each card of its suit in scope,
    the rank's for each of its rank in line (GA.4), ten times either when it covers its own (GA.7)."""
    suit, rank = tops[SUIT_SET[card]], tops[RANK_SET[card]]
    suits, ranks = (suit & scope[place]).bit_count(), (rank & IN_LINE[place]).bit_count()
    if (suit | rank) >> place & 1:
        if suit >> place & 1:
            suits += 10
        else:
            ranks += 10
    return SUIT_WORTH[card] * suits + RANK_WORTH[card] * ranks


def laid(tops: Tops, card: int, spot: int, taken: int) -> Tops:
    """The uppermost cards once this one lies on the square `spot`."""
    after = [each & ~spot for each in tops] if taken & spot else list(tops)
    after[SUIT_SET[card]] |= spot
    after[RANK_SET[card]] |= spot
    return tuple(after)


def cells_in(squares: int) -> Iterator[tuple[int, int]]:
    """The squares of a bit set, row by row."""
    return (cell for place, cell in enumerate(CELLS) if squares >> place & 1)


def card_on(tops: Tops, place: int) -> Card:
    """The card that lies uppermost on a square that is taken."""
    suit = next(each for each in range(4) if tops[each] >> place & 1)
    rank = next(each for each in range(4, 12) if tops[each] >> place & 1)
    return CARDS[13 * suit + rank + 1]


def squares(tops: Tops, taken: int, covered: int) -> tuple[Square, ...]:
    """The layout as it lies, row by row."""
    places = ((INDEX[cell], cell) for cell in cells_in(taken))
    return tuple(
        Square(cell, card_on(tops, place), bool(covered >> place & 1), square_name(cell)) for place, cell in places
    )


def table_layout(squares: tuple[Square, ...]) -> shown.Layout | None:
    """The layout as pages show it, as far as it has grown."""
    if not squares:
        return None
    lying = {each.name: each for each in squares}
    columns = tuple(sorted({name[0] for name in lying}))
    rows = tuple(sorted({name[1] for name in lying}, reverse=True))
    return shown.Layout(columns, rows, tuple(tuple(_shown(lying.get(c + r)) for c in columns) for r in rows))


def _shown(square: Square | None) -> shown.Square | None:
    if square is None:
        return None
    return shown.Square(square.name, square.cell, square.card, "covering" if square.covered else "up")
