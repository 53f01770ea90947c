"""Get Stuck: the moves that a seat may make, and the rules that any other breaks."""

from domain.cards.card import cards_in
from domain.cards.facts import Fact, Passed
from domain.game.judgement import Breach, misfit
from domain.games.get_stuck.board import BETWEEN, CELL_NUMBER, CELLS, DIAGONAL, EVERY_CELL, STRAIGHT, cells_in
from domain.games.get_stuck.options import CARDS_LEFT, COURTS, CardMoved, square_of
from domain.games.get_stuck.state import NOWHERE, Blind, Moving, State, colour_of, movable, reachable


def legal_laid(state: Moving) -> tuple[Fact, ...]:
    """The moves in reading order."""
    return tuple(CardMoved(state.turn, CELLS[cell]) for cell in cells_in(state.reach))


def may_move(state: Moving, fact: CardMoved) -> bool:
    """True for a legal move: the fast answer."""
    cell = CELL_NUMBER.get(fact.cell)
    return cell is not None and state.reach >> cell & 1 == 1 and fact.seat == state.turn and fact.card is None


def breaches_laid(state: Moving, fact: Fact) -> tuple[Breach, ...]:
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
    elif not layout.by_seat[fact.seat] & bit:
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


def legal_blind(state: Blind) -> tuple[Fact, ...]:
    """From every cell in line a card unseen or each that may be it; and that the seat is stuck."""
    seat, may = state.turn, movable(state, state.turn)
    moves: list[Fact] = []
    for cell in cells_in(may.from_cells()):
        moves.append(CardMoved(seat, CELLS[cell]))
        moves += [CardMoved(seat, CELLS[cell], card) for card in cards_in(may.cards_from(cell))]
    return (*moves, Passed(seat))


def breaches_blind(state: Blind, fact: Fact) -> tuple[Breach, ...]:
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
    return (*found, *_card_breaches(state, fact), *_cell_breaches_blind(state, fact, cell))


def _card_breaches(state: Blind, fact: CardMoved) -> list[Breach]:
    if fact.card is None:
        return []
    if state.turned >> fact.card & 1:
        return [Breach("GS.g1", "DUP", f"{fact.card} has been turned down before")]
    if not colour_of(state, fact.seat) >> fact.card & 1:
        return [Breach("GS.3", "WCL", f"{fact.card} is not of seat {fact.seat}'s colour")]
    return []


def _cell_breaches_blind(state: Blind, fact: CardMoved, cell: int) -> list[Breach]:
    may, found = movable(state, fact.seat), []
    if state.dead >> cell & 1:
        found.append(Breach("GS.g1", "DUP", f"the card on {square_of(fact.cell)} lies face down: it moves no more"))
    if not may.numerals and not may.courts:
        found.append(Breach("GS.i4", "DUP", f"seat {fact.seat} has moved all its 24 cards"))
    numeral = not may.courts if fact.card is None else not COURTS >> fact.card & 1
    if state.gap != NOWHERE:
        found += line_breaches(state.gap, cell, numeral, state.dead)
    return found


def legal(state: State) -> tuple[Fact, ...]:
    """The moves in reading order of the cells."""
    if isinstance(state, Moving):
        return legal_laid(state)
    return legal_blind(state) if isinstance(state, Blind) else ()


def breaches(state: State, fact: Fact) -> tuple[Breach, ...]:
    """Reasons against a fact; a legal move takes the first line."""
    if type(state) is Moving:
        if type(fact) is CardMoved and may_move(state, fact):
            return ()
        return breaches_laid(state, fact)
    return breaches_blind(state, fact) if isinstance(state, Blind) else misfit("the deal is complete")
