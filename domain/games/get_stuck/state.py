"""Get Stuck: the square with its layout known, or `Blind`, as far as the moves of physical cards tell it.

Blind, which cell is the gap and which lie dead come out as the cards move. A move may name its card; if all do,
the cards left are known and the deal scores, else its result is entered. That a seat is stuck must be
said (`pass`), since nobody typed what lies on the other cells.
"""

from typing import Final, TypeAlias

import msgspec

from domain.cards.card import CARD_OF, mask_of
from domain.cards.seats import left_of
from domain.games.get_stuck.board import DIAGONAL, EVERY_CELL, STRAIGHT, cells_in, clear
from domain.games.get_stuck.options import CARDS_LEFT, COURTS, GAP, RED, Deal, Options

NOWHERE: Final = -1


class Layout(msgspec.Struct, frozen=True, gc=False):
    """The dealt layout: the cells of each seat's colour, and those of the courts."""

    deal: Deal
    by_seat: tuple[int, int]
    courts: int


class Moving(msgspec.Struct, frozen=True, gc=False):
    """A seat is to move. A card moves once, so the dealt layout says what lies face `up`; `reach` are the
    cells that may move now, `came` the cell into which the last card came."""

    layout: Layout
    gap: int
    up: int
    turn: int
    reach: int
    came: int


class Stuck(msgspec.Struct, frozen=True, gc=False):
    """The deal is over: the seat to move could not (GS.6)."""

    at: Moving


def start_laid(dealer: int, deal: Deal) -> Moving | Stuck:
    """The non-dealer is to move, if it can (GS.3, GS.g2)."""
    grid = deal.grid
    gap = grid.index(GAP)
    up = EVERY_CELL ^ 1 << gap
    red = sum([1 << cell for cell, text in enumerate(grid) if text[0] in "DH"])
    courts = sum([1 << cell for cell, text in enumerate(grid) if text[1] in "JQK"])
    own = (red, up ^ red) if deal.colours[0] == "red" else (up ^ red, red)
    return next_table(Layout(deal, own, courts), gap, up, left_of(dealer, 2), NOWHERE)


def next_table(layout: Layout, gap: int, up: int, turn: int, came: int) -> Moving | Stuck:
    """The square with this gap: on it goes, unless the seat to move is stuck."""
    reach = reachable(layout, gap, up, turn)
    state = Moving(layout, gap, up, turn, reach, came)
    return state if reach else Stuck(state)


def reachable(layout: Layout, gap: int, up: int, seat: int) -> int:
    """The cells whose card this seat may move: own colour, face up, in row or column with the gap, only
    without one on a diagonal; a numeral passes over no dead card, a court does (GS.3-GS.5)."""
    mine = up & layout.by_seat[seat]
    lines = STRAIGHT[gap]
    found = mine & (layout.courts & lines | clear(gap, lines, lines & ~up))
    if found:
        return found
    lines = DIAGONAL[gap]
    return mine & (layout.courts & lines | clear(gap, lines, lines & ~up))


def left_laid(state: Moving) -> tuple[int, int]:
    """The cards of each seat that lie face up, as bit sets."""
    up, (first, second) = state.up, state.layout.by_seat
    return _cards_on(state, up & first), _cards_on(state, up & second)


def turned(state: Moving) -> int:
    """The cards that lie face down, as a bit set."""
    return _cards_on(state, EVERY_CELL & ~(state.up | 1 << state.layout.deal.grid.index(GAP)))


def _cards_on(state: Moving, cells: int) -> int:
    """The cards that were dealt to these cells."""
    grid = state.layout.deal.grid
    return mask_of(CARD_OF[grid[cell]] for cell in cells_in(cells))


class Blind(msgspec.Struct, frozen=True, gc=False):
    """A seat is to move. `gap` and `red` (the seat that plays red) are -1 until a move tells them; `dead`
    are the cells known to be face down, `turned` the cards named so far, `unnamed` counts the others by seat."""

    turn: int
    gap: int = NOWHERE
    dead: int = 0
    turned: int = 0
    unnamed: tuple[int, int] = (0, 0)
    red: int = NOWHERE
    came: int = NOWHERE


class GaveUp(msgspec.Struct, frozen=True, gc=False):
    """The deal is over: this seat was stuck."""

    at: Blind
    stuck: int


class Movable(msgspec.Struct, frozen=True, gc=False):
    """The cards that a seat may move, as far as anybody knows: numerals from the cells `near`, courts from `cells`."""

    numerals: int
    near: int
    courts: int
    cells: int

    def from_cells(self) -> int:
        """The cells from which some card may come."""
        return (self.near if self.numerals else 0) | (self.cells if self.courts else 0)

    def cards_from(self, cell: int) -> int:
        """The cards that may come from a cell."""
        return self.courts | (self.numerals if self.near >> cell & 1 else 0)


def colour_of(state: Blind, seat: int) -> int:
    """The cards that are, or may be, of a seat's colour."""
    if state.red == NOWHERE:
        return CARDS_LEFT
    return CARDS_LEFT & (RED if seat == state.red else ~RED)


def movable(state: Blind, seat: int) -> Movable:
    """The cards that a seat may move; none once its 24 cards are down."""
    own = colour_of(state, seat)
    made = state.unnamed[seat] + ((own & state.turned).bit_count() if state.red != NOWHERE else 0)
    cards = own & ~state.turned if made < 24 else 0
    lines = EVERY_CELL if state.gap == NOWHERE else STRAIGHT[state.gap] | DIAGONAL[state.gap]
    near = lines if state.gap == NOWHERE else clear(state.gap, lines, lines & state.dead)
    return Movable(cards & ~COURTS, near & ~state.dead, cards & COURTS, lines & ~state.dead)


def left_blind(state: Blind) -> tuple[int, int] | None:
    """The cards of each seat that lie face up, as bit sets; None where moves did not name their card.
    Before any move it is the same whoever plays red."""
    if any(state.unnamed):
        return None
    first = RED if state.red in (NOWHERE, 0) else ~RED
    rest = CARDS_LEFT & ~state.turned
    return rest & first, rest & ~first


State: TypeAlias = Moving | Stuck | Blind | GaveUp


def start(options: Options, dealer: int, deal: Deal | None) -> State:
    """The non-dealer is to move."""
    return start_laid(dealer, deal) if deal is not None else Blind(left_of(dealer, 2))


def lying(state: State) -> tuple[int, ...]:
    """Nobody's: there are no tricks."""
    return ()


def to_act(state: State) -> int | None:
    """The seat whose turn it is."""
    return state.turn if isinstance(state, Moving | Blind) else None
