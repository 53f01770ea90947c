"""Figure: best play of full deals and of endings with eight cards each, beside python-chess looking ahead."""

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import chess

from bench.measure import Aim, Figure, FigureRow, in_turns, row
from bench.stage import Run
from domain.cards.card import cards_in
from domain.chance import below, shuffled, words
from domain.game.ending import Hands, Points
from domain.game.protocol import Game
from domain.games import find
from domain.solve import best

DEPTH = 3


class DealKind(NamedTuple):
    """Deals of a game from the first or the last lead at which each seat holds so many cards, and the seconds that the
    slowest may take."""

    label: str
    game: str
    cards: int
    last: bool
    wanted: float


KINDS = (
    DealKind("cross_purposes, a phase of 13 cards", "cross_purposes", 13, True, 5.0),
    DealKind("cross_purposes, phase 1 and all that follows", "cross_purposes", 13, False, 5.0),
    DealKind("cross_purposes, 8 cards", "cross_purposes", 8, True, 0.1),
    DealKind("parity, 15 cards", "parity", 15, True, 5.0),
    DealKind("parity, 8 cards", "parity", 8, True, 0.1),
    DealKind("cross_game, stock empty, 8 cards", "cross_game", 8, True, 0.1),
)


def tables(kind: DealKind) -> Iterator[Any]:
    """The wanted table of one random deal after the other, the same for every run."""
    game: Game[Any, Any] = find(kind.game)
    options = game.options()
    number = 0
    while True:
        number += 1
        stream = words(f"lurch solve/{kind.game}/{number}".encode())
        deal = game.deal_out(options, shuffled(tuple(cards_in(game.pack(options))), stream))
        state, found = game.start(options, number % 2, deal), []
        while choices := game.legal(state):
            state = game.evolve(state, choices[below(stream, len(choices))])
            found += [state] if wanted(game, state, kind.cards) else []
        if found:  # a deal that was passed out has none
            yield found[-1 if kind.last else 0]


def wanted(game: Any, state: Any, cards: int) -> bool:
    """Tell a lead with so many cards in each hand."""
    if game.to_act(state) is None:
        return False
    told = game.ending(state)
    return isinstance(told, Hands | Points) and told.led is None and told.hands[0].bit_count() == cards


def solving(kind: DealKind) -> Callable[[], float]:
    """Seconds that the next deal takes."""
    game, dealt = find(kind.game), tables(kind)
    options = game.options()

    def one() -> float:
        table = next(dealt)
        start = time.perf_counter()
        found = best(game, options, table)
        spent = time.perf_counter() - start
        if not found.exact:
            raise AssertionError("two open hands are solved exactly")
        return spent

    return one


def looking() -> float:
    """Seconds to visit every position three moves from the start."""
    board = chess.Board()
    start = time.perf_counter()
    visit(board, DEPTH)
    return time.perf_counter() - start


def visit(board: chess.Board, depth: int) -> int:
    """The number of positions so many moves ahead."""
    if not depth:
        return 1
    found = 0
    for move in list(board.legal_moves):
        board.push(move)
        found += visit(board, depth - 1)
        board.pop()
    return found


def measure(run: Run) -> Figure:
    """One row for each kind of deal."""
    rounds = run.pick(100, 2)
    rows = [_row(run, kind, rounds) for kind in KINDS]
    return Figure(
        name="solve",
        title="Best play with every hand known: margin, all best cards and a line of play",
        ours_is="`domain.solve.best` of one random deal a round, a fresh solver each time",
        reference_is=f"python-chess: every position {DEPTH} moves from the start of a game (8,902), legal moves and "
        "pushes",
        rounds=rounds,
        rows=tuple(rows),
        aims=tuple(_aim(kind, each) for kind, each in zip(KINDS, rows, strict=True)),
        notes=("one process, no compiled code; by the clock on the wall, so the worst carries the machine's noise",),
    )


def _row(run: Run, kind: DealKind, rounds: int) -> FigureRow:
    return row(kind.label, "s", in_turns(rounds, solving(kind), looking, run.tick), "lower")


def _aim(kind: DealKind, found: FigureRow) -> Aim:
    worst = found.ours.high
    return Aim(kind.label, f"the worst below {kind.wanted:g} s", kind.wanted, worst, worst < kind.wanted)
