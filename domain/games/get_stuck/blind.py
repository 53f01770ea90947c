"""Get Stuck with the layout not known (physical cards): what the moves themselves tell.

Which cell is the gap and which lie dead come out as the cards move. A move may name its card; if all do,
the cards left are known and the deal scores, else its result is entered. That a seat is stuck must be
said (`pass`), since nobody typed what lies on the other cells.
"""

import msgspec

from domain.cards import cards_in
from domain.facts import Fact, Passed
from domain.game import Breach, misfit
from domain.games.get_stuck.board import CELL_NUMBER, CELLS, DIAGONAL, EVERY_CELL, STRAIGHT, cells_in, clear
from domain.games.get_stuck.options import CARDS_LEFT, COURTS, RED, CardMoved, square_of
from domain.games.get_stuck.play import NOWHERE, line_breaches, turn_breaches


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


class Free(msgspec.Struct, frozen=True, gc=False):
    """What a seat may move, as far as anybody knows: numerals from the cells `near`, courts from `cells`."""

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


def free(state: Blind, seat: int) -> Free:
    """What a seat may move; nothing once its 24 cards are down."""
    own = colour_of(state, seat)
    made = state.unnamed[seat] + ((own & state.turned).bit_count() if state.red != NOWHERE else 0)
    cards = own & ~state.turned if made < 24 else 0
    lines = EVERY_CELL if state.gap == NOWHERE else STRAIGHT[state.gap] | DIAGONAL[state.gap]
    near = lines if state.gap == NOWHERE else clear(state.gap, lines, lines & state.dead)
    return Free(cards & ~COURTS, near & ~state.dead, cards & COURTS, lines & ~state.dead)


def legal(state: Blind) -> tuple[Fact, ...]:
    """From every cell in line a card unseen or each that may be it; and that the seat is stuck."""
    seat, may = state.turn, free(state, state.turn)
    moves: list[Fact] = []
    for cell in cells_in(may.from_cells()):
        moves.append(CardMoved(seat, CELLS[cell]))
        moves += [CardMoved(seat, CELLS[cell], card) for card in cards_in(may.cards_from(cell))]
    return (*moves, Passed(seat))


def breaches(state: Blind, fact: Fact) -> tuple[Breach, ...]:
    """Every reason against a fact, as far as the record so far can tell."""
    if isinstance(fact, Passed) and fact.seat < 2:
        return tuple(turn_breaches(state.turn, fact.seat))
    if not isinstance(fact, CardMoved) or fact.seat > 1:
        return misfit(f"the table waits for `move` from seat {state.turn}")
    cell = CELL_NUMBER.get(fact.cell)
    if cell is None or cell == state.gap:
        return misfit(f"no card lies on {list(fact.cell)} that could be moved")
    if fact.card is not None and not CARDS_LEFT >> fact.card & 1:
        return misfit(f"{fact.card} is not in the pack of this game")
    found = turn_breaches(state.turn, fact.seat)
    return (*found, *_card_breaches(state, fact), *_cell_breaches(state, fact, cell))


def _card_breaches(state: Blind, fact: CardMoved) -> list[Breach]:
    if fact.card is None:
        return []
    if state.turned >> fact.card & 1:
        return [Breach("GS.g1", "DUP", f"{fact.card} has been turned down before")]
    if not colour_of(state, fact.seat) >> fact.card & 1:
        return [Breach("GS.3", "WCL", f"{fact.card} is not of seat {fact.seat}'s colour")]
    return []


def _cell_breaches(state: Blind, fact: CardMoved, cell: int) -> list[Breach]:
    may, found = free(state, fact.seat), []
    if state.dead >> cell & 1:
        found.append(Breach("GS.g1", "DUP", f"the card on {square_of(fact.cell)} lies face down: it moves no more"))
    if not may.numerals and not may.courts:
        found.append(Breach("GS.i4", "DUP", f"seat {fact.seat} has moved all its 24 cards"))
    numeral = not may.courts if fact.card is None else not COURTS >> fact.card & 1
    if state.gap != NOWHERE:
        found += line_breaches(state.gap, cell, numeral, state.dead)
    return found


def moved(state: Blind, fact: CardMoved) -> Blind | GaveUp:
    """The square after a move, legal or not; the first card named tells who plays red."""
    cell, card, seat = CELL_NUMBER.get(fact.cell), fact.card, fact.seat
    if cell is None or cell == state.gap or seat > 1 or (card is not None and not CARDS_LEFT >> card & 1):
        return state
    red, turned, unnamed = state.red, state.turned, state.unnamed
    if card is None:
        unnamed = (unnamed[0] + (seat == 0), unnamed[1] + (seat == 1))
    else:
        turned |= 1 << card
        red = red if red != NOWHERE else seat if RED >> card & 1 else 1 - seat
    dead = state.dead if state.gap == NOWHERE else state.dead | 1 << state.gap
    after = Blind(1 - seat, cell, dead & ~(1 << cell), turned, unnamed, red, state.gap)
    return after if free(after, 1 - seat).from_cells() else GaveUp(after, 1 - seat)


def left(state: Blind) -> tuple[int, int] | None:
    """The cards of each seat that lie face up, as bit sets; None where moves did not name their card.
    Before any move it is the same whoever plays red."""
    if any(state.unnamed):
        return None
    first = RED if state.red in (NOWHERE, 0) else ~RED
    rest = CARDS_LEFT & ~state.turned
    return rest & first, rest & ~first
