"""The quality criteria C.5–C.19 of the rules until January 2026, as costs of pairs.

Numbers of criteria are those of that text. Where the 2026 text compares scores of downfloaters, this one compares score
differences (PSD, A.8): a pair's own, and for whoever is left over the distance to one point below the bracket.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from domain.pairing.crosstable import Tenths
from domain.pairing.swiss.bracket import SwissBracket
from domain.pairing.swiss.criteria import broken_sides
from domain.pairing.swiss.entrants import Float, SwissPlayer
from domain.pairing.swiss.matcher import Costs, Matcher

POINT: Final = 10
SIDES: Final = {"C10": "C8", "C11": "C9", "C12": "C10", "C13": "C11"}


class CriteriaTill2026:
    """As `Criteria`; the next bracket counts only while the bracket is not paired to complete the round (C.7)."""

    def __init__(self, bracket: SwissBracket, odd_first: bool) -> None:
        self.bracket, self.odd_first = bracket, odd_first
        self.moved, self.inside = len(bracket.moved), len(bracket.players)
        self.end = self.inside + len(bracket.following)
        self.resident_score = min(player.score for player in bracket.residents)
        self.next_score = bracket.following[0].score if bracket.following else 0
        self.nodes = bracket.nodes
        self.names: list[str] = []
        self.bounds: list[int] = []
        self.rungs: dict[tuple[str, Tenths], int] = {}
        self._lay_out()

    def _lay_out(self) -> None:
        many = self.inside
        self._add("C5", many)
        self.first_stage = 1
        differences = self._differences()
        self._add_by_difference("C6", differences, many)
        if not self.bracket.whole and self.bracket.following:
            self._add("C7", self.end)
            reach = {player.score - self.next_score for player in self.bracket.players}
            self._add_by_difference("C7", {*reach, POINT, *(each + POINT for each in reach)}, self.end)
        for name in ("C8", "C9", "C10", "C11", "C12", "C13", "C14", "C15"):
            self._add(name, many)
        for name in ("C16", "C17", "C18", "C19"):
            self._add_by_difference(name, differences, many)

    def _differences(self) -> set[Tenths]:
        scores = Counter(player.score for player in self.bracket.players)
        lower = {player.score for player in self.bracket.residents}
        between = {high - low for high in scores for low in lower if high > low}
        return between | {score - self.resident_score + POINT for score in scores}

    def _add(self, name: str, bound: int, difference: Tenths = 0) -> None:
        self.rungs[name, difference] = len(self.names)
        self.names.append(name)
        self.bounds.append(bound)

    def _add_by_difference(self, name: str, differences: Iterable[Tenths], bound: int) -> None:
        for difference in sorted(differences, reverse=True):
            if difference > 0:
                self._add(name, bound, difference)

    def pair(self, one: int, other: int) -> Costs:
        """The costs of a pair of nodes, the smaller node first."""
        if one >= self.inside:
            return ()
        if other >= self.inside:
            return self.down(one, last=other >= self.end)
        high, low = self.nodes[one], self.nodes[other]
        found = {(SIDES[name], 0): cost for name, cost in broken_sides(high, low, self.odd_first).items()}
        difference = high.score - low.score
        if difference:
            found["C6", difference] = 1
            found |= _same(high, Float.DOWN, difference) | _same(low, Float.UP, difference)
        return self._costs(found)

    def down(self, node: int, last: bool, bye: bool = False) -> Costs:
        """The costs of a node that is left over; `last` if it is so in the next bracket too."""
        del bye  # no criterion of this text looks at who has it
        if node >= self.inside:
            return self._costs({("C7", 0): 1, ("C7", POINT): 1}) if node < self.end else ()
        player = self.nodes[node]
        difference = player.score - self.resident_score + POINT
        found = {("C5", 0): 1, ("C6", difference): 1} | _same(player, Float.DOWN, difference)
        beyond = player.score - self.next_score
        if last:
            found |= {("C7", 0): 1, ("C7", beyond + POINT): 1}
        else:
            found["C7", beyond] = 1
        return self._costs(found)

    def _costs(self, found: dict[tuple[str, Tenths], int]) -> Costs:
        return tuple(sorted((self.rungs[key], cost) for key, cost in found.items() if cost and key in self.rungs))

    def narrow(self, matcher: Matcher, down: int) -> None:
        """Nothing follows from the number of downfloaters here."""

    def limbo(self, matcher: Matcher) -> int:
        """The number of those moved down who are left over in the last matching."""
        return sum(not 0 <= mate < self.inside for mate in matcher.mates[: self.moved])


def _same(player: SwissPlayer, kind: Float, difference: Tenths) -> dict[tuple[str, Tenths], int]:
    """C.12–C.19: the same float as last time, and as the time before that."""
    count, scores = ("C12", "C16") if kind is Float.DOWN else ("C13", "C17")
    older, older_scores = ("C14", "C18") if kind is Float.DOWN else ("C15", "C19")
    last, before = int(player.last is kind), int(player.before is kind)
    return {(count, 0): last, (scores, difference): last, (older, 0): before, (older_scores, difference): before}
