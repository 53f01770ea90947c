"""The two questions to the solver: best play from a table, and the truth of a claim of tricks.

Every hand is known to both sides (double dummy), the cards of what is still to be dealt included. Each side plays for
its own score less the other's: few of these games share out a fixed sum, and the difference is what makes the two
sides opponents in everything.
"""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from domain.cards.card import CARDS
from domain.cards.facts import CardPlayed, Fact
from domain.game.ending import TWO, Hands, Points, Search
from domain.game.protocol import ALL, AnyGame, AnyOptions, AnyTable
from domain.log.decider import Refusal
from domain.solve.hands import forces, keeping, left_in, tricks_by, worth_of
from domain.solve.points import Counting
from domain.solve.search import Solver, SpentError, TrickSolver
from domain.solve.tricks import TrickEnding

WORK: Final = 400_000  # tables: some five seconds


class Best(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of best play by both sides. `margin` is the lowest and the highest that the score of `sides[0]` less
    that of `sides[1]` can be: the same two if and only if the answer is `exact`, and only then are there the other
    members. `best` are all facts that keep it, `line` one way to play on, `tricks` by seat and `scores` at its end
    (tricks of the phase under way where a deal has two); they are left out where the work allowed did not reach
    so far."""

    exact: bool
    to_act: int | None
    sides: tuple[tuple[int, ...], ...]
    margin: tuple[int, int]
    scores: tuple[int, ...] | None = None
    tricks: tuple[int, ...] | None = None
    best: tuple[Fact, ...] = ()
    line: tuple[Fact, ...] = ()


class ClaimVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The truth of a claim that a side takes so many of the tricks left against best defence; null where the work
    allowed did not settle it."""

    holds: bool | None
    seat: int
    tricks: int
    left: int


def _no_progress() -> None:
    """A progress callback that does nothing."""


def best(
    game: AnyGame, options: AnyOptions, state: AnyTable, work: int = WORK, tick: Callable[[], None] = _no_progress
) -> Best:
    """Best play by both sides from a table. Raises Refusal where hands are unknown."""
    solver = Solver(game, options, work, tick)
    seat = game.to_act(state)
    if seat is None:
        solver.sides = game.sides(options)[:2]
    else:
        ending = solver.ending(state)
        solver.sides = ending.sides if isinstance(ending, Search) else TWO
    low, high = solver.span(state)
    if low != high:
        return Best(exact=False, to_act=seat, sides=solver.sides, margin=(low, high))
    solver.work += work
    return _exact(solver, state, low)


def _exact(solver: Solver, state: AnyTable, margin: int) -> Best:
    """The answer where the margin is proven."""
    found: tuple[Fact, ...] = ()
    line: tuple[Fact, ...] = ()
    end = tricks = None
    try:
        found = tuple(optimal_facts(solver, state, margin))
        line, end = _line(solver, state, margin)
        tricks = _tricks(solver, state, end)
    except SpentError:
        pass
    result = None if end is None else solver.game.score(end)
    return Best(
        exact=True,
        to_act=solver.game.to_act(state),
        sides=solver.sides,
        margin=(margin, margin),
        scores=None if result is None else result.scores,
        tricks=tricks,
        best=found,
        line=line,
    )


def optimal_facts(solver: Solver, state: AnyTable, margin: int) -> Iterator[Fact]:
    """The facts that give nothing away, in the order of `legal`."""
    if solver.game.to_act(state) is None:
        return
    ending = solver.ending(state)
    if isinstance(ending, Hands):
        worth = worth_of(solver.tricks, ending)
        yield from (CardPlayed(ending.turn, CARDS[card]) for card in keeping(solver.tricks, ending, worth))
    else:
        yield from solver.keeping(state, margin)


def _line(solver: Solver, state: AnyTable, margin: int) -> tuple[tuple[Fact, ...], AnyTable]:
    """One way to play on at best, and the table at its end."""
    line = []
    while solver.game.to_act(state) is not None:
        fact = next(optimal_facts(solver, state, margin))
        line.append(fact)
        state = solver.game.evolve(state, fact)
    return tuple(line), state


def _tricks(solver: Solver, state: AnyTable, end: AnyTable) -> tuple[int, ...] | None:
    """The tricks by seat at the end of the stretch under way."""
    if solver.game.to_act(state) is not None:
        ending = solver.ending(state)
        if isinstance(ending, Hands):
            return tricks_by(ending, worth_of(solver.tricks, ending))
    return solver.game.view(end, ALL).tricks or None


def claim(
    game: AnyGame,
    options: AnyOptions,
    state: AnyTable,
    seat: int,
    tricks: int,
    work: int = WORK,
    tick: Callable[[], None] = _no_progress,
) -> ClaimVerdict:
    """The truth of a claim that the side of a seat takes at least so many of the tricks left against any defence.
    Raises Refusal where hands are unknown, or the game has no tricks left to claim."""
    solver = TrickSolver(game, options, work, tick)
    if game.to_act(state) is None:
        raise Refusal("misfit", "the deal is complete: nothing is left to claim")
    ending = solver.ending(state)
    if isinstance(ending, Hands):
        left = left_in(ending)
        holds = _holds(solver.tricks, ending, seat, tricks)
        return ClaimVerdict(holds=holds, seat=seat, tricks=tricks, left=left)
    if isinstance(ending, Points):
        left = ending.hands[ending.turn].bit_count()
        return ClaimVerdict(holds=_counted(ending, seat, tricks), seat=seat, tricks=tricks, left=left)
    if not ending.left:
        raise Refusal("misfit", f"{game.title} has no tricks to claim here")
    solver.sides = ending.sides
    first = seat in ending.sides[0]
    now = solver.now(ending)
    aim = now + (2 * tricks - ending.left if first else ending.left - 2 * tricks + 1)
    try:
        proven = solver.value(state, aim) >= aim
    except SpentError:
        return ClaimVerdict(holds=None, seat=seat, tricks=tricks, left=ending.left)
    return ClaimVerdict(holds=proven == first, seat=seat, tricks=tricks, left=ending.left)


def _counted(ending: Points, seat: int, tricks: int) -> bool:
    """The same where cards count: each counts one half of a trick, whatever it is worth."""
    left = ending.hands[ending.turn].bit_count()
    halves = msgspec.structs.replace(ending, values=(1,) * 54, pairs=(), totals=(0, 0), margin=_halved)
    aim = tricks if seat == 0 else left - tricks + 1
    return Counting(halves, aim).asked(halves) == (seat == 0)


def _halved(mine: int, theirs: int) -> int:
    return mine // 2


def _holds(proven: TrickEnding, ending: Hands, seat: int, tricks: int) -> bool:
    plain = msgspec.structs.replace(ending, even=None)
    if seat == 0:
        return forces(proven, plain, tricks)
    return not forces(proven, plain, left_in(ending) - tricks + 1)
