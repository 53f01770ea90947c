"""Any game at all through its own protocol: one question after the other, each proven or given up.

A question asks whether side 0 can force a margin (its score less the other's) of at least so much. An answer bounds the
margin from one side; when the work allowed runs out, what is proven by then stands as a bound and is called one.
"""

from collections.abc import Callable, Hashable, Iterator
from typing import Final

from domain.cards.facts import Fact
from domain.game.ending import TWO, UNEVEN, Ending, Hands, Points, Search, Unknown
from domain.game.protocol import ALL, AnyGame, AnyOptions, AnyTable
from domain.log.decider import Refusal
from domain.solve.hands import tricks_by, worth_of
from domain.solve.points import Counting, extremes
from domain.solve.tricks import TrickEnding

FAR: Final = 1 << 20  # no score comes near
BEAT: Final = 1024  # tables between two ticks


class SpentError(Exception):
    """The work allowed is done, and the question stays open."""


class Solver:
    """The proofs about one deal. `work` is the number of tables that may still be visited."""

    def __init__(self, game: AnyGame, options: AnyOptions, work: int, tick: Callable[[], None]) -> None:
        self.game, self.options, self.work, self.tick = game, options, work, tick
        self.unticked = 0
        self.sides: tuple[tuple[int, ...], ...] = TWO
        self.tricks = TrickEnding()
        self.counting: dict[Hashable, Counting] = {}
        self.proven: dict[Hashable, tuple[int, int]] = {}
        self.refutations: dict[Fact, int] = {}

    def ending(self, state: AnyTable) -> Hands | Points | Search:
        """The kind of ending that the game tells of a table, or the one that fits any game.

        Raises Refusal where it cannot be solved.
        """
        found = self.game.ending(state) or self._any(state)
        if isinstance(found, Unknown):
            raise Refusal("misfit", found.why)
        return found

    def _any(self, state: AnyTable) -> Ending:
        sides = self.game.sides(self.options)
        if len(sides) != len(TWO) or None in self.game.view(state, ALL).hands:
            return Unknown(f"{self.game.title} is solved only with two sides and every hand recorded")
        return Search(sides, state, (-FAR, FAR))

    def margin(self, state: AnyTable) -> int:
        """The margin of a complete deal. Raises Refusal where the record does not tell it."""
        result = self.game.score(state)
        if result is None:
            raise Refusal("misfit", "the deal ends without a score: the record lacks a card that counts")
        by_seat = len(result.scores) == self.game.seats(self.options)
        one, other = (side[0] if by_seat else place for place, side in enumerate(self.sides))
        return result.scores[one] - result.scores[other]

    def reach(self, ending: Search | Points) -> tuple[int, int]:
        """Between which margins a table ends, without looking further."""
        return ending.reach if isinstance(ending, Search) else extremes(ending)

    def key(self, ending: Search) -> Hashable:
        """The part of a table that decides the margin from here on."""
        return ending.key

    def after(self, ending: Hands) -> AnyTable:
        """The table when two open hands have been played out at their best."""
        table: AnyTable = ending.over(tricks_by(ending, worth_of(self.tricks, ending)))
        return table

    def value(self, state: AnyTable, aim: int) -> int:
        """Proves on which side of `aim` the margin lies: an answer of `aim` or more is a lower bound, a smaller
        one an upper bound. Raises SpentError."""
        if self.game.to_act(state) is None:
            return self.margin(state)
        ending = self.ending(state)
        if isinstance(ending, Hands):
            before = len(self.tricks.proven)
            after = self.after(ending)
            self._count(len(self.tricks.proven) - before)
            return self.value(after, aim)
        if isinstance(ending, Points):
            return self._counted(ending, aim)
        low, high = self.reach(ending)
        key = self.key(ending)
        if key in self.proven:
            known = self.proven[key]
            low, high = max(low, known[0]), min(high, known[1])
        if low >= aim:
            return low
        if high < aim:
            return high
        found = self._look(state, aim, self.game.to_act(state) in self.sides[0])
        self.proven[key] = (max(low, found), high) if found >= aim else (low, min(high, found))
        return found

    def _counted(self, ending: Points, aim: int) -> int:
        key = ending.setting, aim
        if key not in self.counting:
            self.counting[key] = Counting(ending, aim)
        counting = self.counting[key]
        before = len(counting.proven)
        held = counting.asked(ending)
        self._count(len(counting.proven) - before)
        return aim if held else aim - 1

    def _look(self, state: AnyTable, aim: int, first: bool) -> int:
        best = -FAR if first else FAR
        for fact in self.choices(state):
            self._count()
            found = self.value(self.game.evolve(state, fact), aim)
            best = max(best, found) if first else min(best, found)
            if (best >= aim) == first:
                self.refutations[fact] = self.refutations.get(fact, 0) + 1
                break
        return best

    def choices(self, state: AnyTable) -> list[Fact]:
        """The legal facts, those first that have settled most questions. Raises Refusal where there is none."""
        legal = self.game.legal(state)
        if not legal:
            raise Refusal("misfit", UNEVEN.why)
        refutations = self.refutations
        return sorted(legal, key=lambda fact: -refutations.get(fact, 0))

    def _count(self, tables: int = 1) -> None:
        if self.work <= 0:
            raise SpentError
        self.work -= tables
        self.unticked += tables
        if self.unticked >= BEAT:
            self.unticked = 0
            self.tick()

    def span(self, state: AnyTable) -> tuple[int, int]:
        """The lowest and the highest margin that is proven: the same two where it is exact."""
        if self.game.to_act(state) is None:
            return (self.margin(state),) * 2
        ending = self.ending(state)
        if isinstance(ending, Hands):
            return self.span(self.after(ending))
        low, high = self.reach(ending)
        for share, aims in ((2, _middle), (4, _lower), (1, _upper)):
            kept, self.work = self.work - self.work // share, self.work // share
            try:
                while low < high:
                    aim = aims(low, high)
                    found = self.value(state, aim)
                    low, high = (found, high) if found >= aim else (low, found)
            except SpentError:
                pass
            self.work += kept
        return low, high

    def keeping(self, state: AnyTable, value: int) -> Iterator[Fact]:
        """The legal facts that give nothing of the margin away. Raises SpentError."""
        first = self.game.to_act(state) in self.sides[0]
        for fact in self.game.legal(state):
            after = self.game.evolve(state, fact)
            if (self.value(after, value) >= value) if first else (self.value(after, value + 1) <= value):
                yield fact


def _middle(low: int, high: int) -> int:
    return (low + high + 1) // 2


def _lower(low: int, high: int) -> int:
    return low + max(1, (high - low) // 8)


def _upper(low: int, high: int) -> int:
    return high - (high - low) // 8


class TrickSolver(Solver):
    """The same for tricks instead of scores: what a claim is judged by."""

    def margin(self, state: AnyTable) -> int:
        """The tricks of side 0 less those of side 1."""
        return _more(self.sides, self.game.view(state, ALL).tricks)

    def reach(self, ending: Search | Points) -> tuple[int, int]:
        """All the tricks left to either side."""
        assert isinstance(ending, Search)
        now = self.now(ending)
        return now - ending.left, now + ending.left

    def now(self, ending: Search) -> int:
        """The lead of side 0."""
        return _more(self.sides, ending.tricks)

    def key(self, ending: Search) -> Hashable:
        """The tricks so far count too."""
        return ending.key, ending.tricks


def _more(sides: tuple[tuple[int, ...], ...], tricks: tuple[int, ...]) -> int:
    one, other = (sum(tricks[seat] for seat in side) for side in sides)
    return one - other
