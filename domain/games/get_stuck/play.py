"""Get Stuck: the square after a move."""

from domain.cards.facts import Fact, Passed
from domain.games.get_stuck.board import CELL_NUMBER
from domain.games.get_stuck.options import CARDS_LEFT, RED, CardMoved
from domain.games.get_stuck.state import NOWHERE, Blind, GaveUp, Moving, State, Stuck, movable, next_table


def moved_laid(state: Moving, fact: CardMoved) -> Moving | Stuck:
    """The square after a move, legal or not; the other seat is next (GS.3)."""
    cell = CELL_NUMBER.get(fact.cell)
    if cell is None or cell == state.gap or fact.seat > 1 or fact.card is not None:
        return state
    return next_table(state.layout, cell, state.up & ~(1 << cell), 1 - fact.seat, state.gap)


def moved_blind(state: Blind, fact: CardMoved) -> Blind | GaveUp:
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
    return after if movable(after, 1 - seat).from_cells() else GaveUp(after, 1 - seat)


def evolve(state: State, fact: Fact) -> State:
    """The square after the fact. Who says wrongly that he is stuck plays on (STK)."""
    if type(fact) is CardMoved:
        if type(state) is Moving:
            return moved_laid(state, fact)
        return moved_blind(state, fact) if isinstance(state, Blind) else state
    if isinstance(state, Blind) and isinstance(fact, Passed) and fact.seat < 2:
        return GaveUp(state, fact.seat)
    return state
