"""Get Stuck with the layout known: what may move, why it may not, and the square after a move."""

from typing import Final

import msgspec

from domain.cards import CARD_OF, mask_of
from domain.facts import Fact, Passed
from domain.game import Breach, misfit
from domain.games.get_stuck.board import BETWEEN, CELL_NUMBER, CELLS, DIAGONAL, EVERY_CELL, STRAIGHT, cells_in, clear
from domain.games.get_stuck.options import GAP, CardMoved, Deal, square_of
from domain.seats import left_of

NOWHERE: Final = -1


class Layout(msgspec.Struct, frozen=True, gc=False):
    """What was dealt and does not change: the cells of each seat's colour, and those of the courts."""

    deal: Deal
    own: tuple[int, int]
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


def start(dealer: int, deal: Deal) -> Moving | Stuck:
    """The non-dealer is to move, if it can (GS.3, GS.g2)."""
    grid = deal.grid
    gap = grid.index(GAP)
    up = EVERY_CELL ^ 1 << gap
    red = sum([1 << cell for cell, text in enumerate(grid) if text[0] in "DH"])
    courts = sum([1 << cell for cell, text in enumerate(grid) if text[1] in "JQK"])
    own = (red, up ^ red) if deal.colours[0] == "red" else (up ^ red, red)
    return settled(Layout(deal, own, courts), gap, up, left_of(dealer, 2), NOWHERE)


def settled(layout: Layout, gap: int, up: int, turn: int, came: int) -> Moving | Stuck:
    """The square with this gap: on it goes, unless the seat to move is stuck."""
    reach = reachable(layout, gap, up, turn)
    state = Moving(layout, gap, up, turn, reach, came)
    return state if reach else Stuck(state)


def reachable(layout: Layout, gap: int, up: int, seat: int) -> int:
    """The cells whose card this seat may move: own colour, face up, in row or column with the gap, only
    without one on a diagonal; a numeral passes over no dead card, a court does (GS.3-GS.5)."""
    mine = up & layout.own[seat]
    lines = STRAIGHT[gap]
    found = mine & (layout.courts & lines | clear(gap, lines, lines & ~up))
    if found:
        return found
    lines = DIAGONAL[gap]
    return mine & (layout.courts & lines | clear(gap, lines, lines & ~up))


def legal(state: Moving) -> tuple[Fact, ...]:
    """The moves in reading order."""
    return tuple(CardMoved(state.turn, CELLS[cell]) for cell in cells_in(state.reach))


def may_move(state: Moving, fact: CardMoved) -> bool:
    """Whether a move is legal: the fast answer."""
    cell = CELL_NUMBER.get(fact.cell)
    return cell is not None and state.reach >> cell & 1 == 1 and fact.seat == state.turn and fact.card is None


def moved(state: Moving, fact: CardMoved) -> Moving | Stuck:
    """The square after a move, legal or not; the other seat is next (GS.3)."""
    cell = CELL_NUMBER.get(fact.cell)
    if cell is None or cell == state.gap or fact.seat > 1 or fact.card is not None:
        return state
    return settled(state.layout, cell, state.up & ~(1 << cell), 1 - fact.seat, state.gap)


def breaches(state: Moving, fact: Fact) -> tuple[Breach, ...]:
    """Every reason against a fact that is not legal."""
    if isinstance(fact, Passed) and fact.seat < 2:
        return tuple(_not_stuck(state, fact.seat))
    if not isinstance(fact, CardMoved) or fact.seat > 1:
        return misfit(f"the table waits for `move` from seat {state.turn}")
    cell = CELL_NUMBER.get(fact.cell)
    if cell is None or cell == state.gap:
        return misfit(f"no card lies on {list(fact.cell)} that could be moved")
    if fact.card is not None:
        return misfit("the layout is known, so the cell alone says which card moved: leave `card` out")
    return tuple(turn_breaches(state.turn, fact.seat) + _cell_breaches(state, fact, cell))


def turn_breaches(turn: int, seat: int) -> list[Breach]:
    """Seats move alternately (GS.3)."""
    return [] if seat == turn else [Breach("GS.3", "POT", f"seat {seat} moves, but it is seat {turn}'s turn")]


def _not_stuck(state: Moving, seat: int) -> list[Breach]:
    """A seat that says it is stuck, and is not, or is not asked."""
    found = turn_breaches(state.turn, seat)
    free = cells_in(reachable(state.layout, state.gap, state.up, seat))
    if free:
        squares = ", ".join(square_of(CELLS[cell]) for cell in free)
        found.append(Breach("GS.6", "STK", f"seat {seat} is not stuck: {squares} can move"))
    return found


def _cell_breaches(state: Moving, fact: CardMoved, cell: int) -> list[Breach]:
    layout, bit = state.layout, 1 << cell
    square, found = square_of(fact.cell), []
    if not state.up & bit:
        found.append(Breach("GS.g1", "DUP", f"the card on {square} has been turned down: it moves no more"))
    elif not layout.own[fact.seat] & bit:
        found.append(Breach("GS.3", "WCL", f"the card on {square} is not of seat {fact.seat}'s colour"))
    numeral = not layout.courts & bit
    found += line_breaches(state.gap, cell, numeral, EVERY_CELL & ~state.up)
    if DIAGONAL[state.gap] & bit:
        straight = reachable(layout, state.gap, state.up, fact.seat) & STRAIGHT[state.gap]
        if straight:
            other = square_of(CELLS[cells_in(straight)[0]])
            found.append(Breach("GS.5", "DGN", f"a diagonal move while {other} can move in a straight line"))
    return found


def line_breaches(gap: int, cell: int, numeral: bool, dead: int) -> list[Breach]:
    """Not in line with the gap, or a numeral that passes over a dead card (GS.3, GS.4)."""
    square = square_of(CELLS[cell])
    if cell not in BETWEEN[gap]:
        return [Breach("GS.3", "WCL", f"{square} is not in line with the gap on {square_of(CELLS[gap])}")]
    if numeral and BETWEEN[gap][cell] & dead:
        return [Breach("GS.4", "JMP", f"the numeral on {square} passes over a card that lies face down")]
    return []


def left(state: Moving) -> tuple[int, int]:
    """The cards of each seat that lie face up, as bit sets."""
    up, (first, second) = state.up, state.layout.own
    return _cards_on(state, up & first), _cards_on(state, up & second)


def turned(state: Moving) -> int:
    """The cards that lie face down, as a bit set."""
    return _cards_on(state, EVERY_CELL & ~(state.up | 1 << state.layout.deal.grid.index(GAP)))


def _cards_on(state: Moving, cells: int) -> int:
    """The cards that were dealt to these cells."""
    grid = state.layout.deal.grid
    return mask_of(CARD_OF[grid[cell]] for cell in cells_in(cells))
