"""The quality criteria C6–C21 as costs of pairs, in the edition of 1 February 2026 (Article 2.4)."""

from collections import Counter

from domain.pairing.crosstable import Tenths
from domain.pairing.swiss.bracket import SwissBracket
from domain.pairing.swiss.entrants import Float, Strength, SwissPlayer
from domain.pairing.swiss.matcher import Costs, Matcher
from domain.pairing.swiss.sides import allocated


def broken_sides(one: SwissPlayer, other: SwissPlayer, odd_first: bool) -> dict[str, int]:
    """The criteria C10–C13 that a pair breaks, each with its cost: only two who want the same side break any."""
    if one.wish is None or one.wish != other.wish:
        return {}
    broken = {"C12": 1}
    if min(one.strength, other.strength) == Strength.STRONG:
        broken["C13"] = 1
    if one.top or other.top:
        first, second, _ = allocated(one, other, odd_first)
        for player, side in ((first, True), (second, False)):
            if abs(player.difference + (1 if side else -1)) > 2:
                broken["C10"] = broken.get("C10", 0) + 1
            if player.sides[-2:] == (side, side):
                broken["C11"] = broken.get("C11", 0) + 1
    return broken


class Criteria:
    """Names and upper bounds of the criteria in a bracket, and what each possible pair costs in them. Score levels are
    criteria of their own, the highest first: a list of scores is compared like that."""

    def __init__(self, bracket: SwissBracket, odd_first: bool) -> None:
        self.bracket, self.odd_first = bracket, odd_first
        self.moved, self.inside = len(bracket.moved), len(bracket.players)
        self.end = self.inside + len(bracket.following)
        self.resident_score = bracket.residents[0].score
        self.moved_scores = Counter(player.score for player in bracket.moved)
        self.names: list[str] = []
        self.bounds: list[int] = []
        self.rungs: dict[tuple[str, Tenths], int] = {}
        self.nodes = bracket.nodes
        self._lay_out()

    def _lay_out(self) -> None:
        residents, many = self.bracket.residents, self.inside
        self._add("C6", many)
        self._add_by_score("C7", self.moved_scores)
        self.first_stage = len(self.names)
        self._add("C8", self.end)
        self._add_by_score("C8", self.moved_scores + Counter({self.resident_score: len(residents)}))
        self._add("C9", max(player.unplayed for player in self.nodes) if self.bracket.bye else 0)
        for name in ("C10", "C11", "C12", "C13"):
            self._add(name, many)
        for place, (down, up) in enumerate((("C14", "C15"), ("C16", "C17"))):
            floats = [(player.last, player.before)[place] for player in residents]
            self._add(down, floats.count(Float.DOWN))
            self._add(up, min(floats.count(Float.UP), self.moved))
        for name in ("C18", "C19", "C20", "C21"):
            self._add_by_score(name, self.moved_scores)

    def _add(self, name: str, bound: int, level: Tenths = -1) -> None:
        if bound:
            self.rungs[name, level] = len(self.names)
            self.names.append(name)
            self.bounds.append(bound)

    def _add_by_score(self, name: str, counts: Counter[Tenths]) -> None:
        for level in sorted(counts, reverse=True):
            self._add(name, counts[level], level)

    def pair(self, one: int, other: int) -> Costs:
        """The costs of a pair of nodes, the smaller node first; the bracket's nodes are the smallest."""
        if one >= self.end:
            return ()
        if one >= self.inside:
            return self.costs({("C8", -1): int(other >= self.end)})
        if other >= self.inside:
            return self.down(one, last=other >= self.end)
        high, low = self.nodes[one], self.nodes[other]
        found = {(name, -1): cost for name, cost in broken_sides(high, low, self.odd_first).items()}
        if one < self.moved:
            for name, scores, before in (("C15", "C19", low.last), ("C17", "C21", low.before)):
                if before is Float.UP:
                    found[name, -1] = 1
                    found[scores, high.score] = 1
        return self.costs(found)

    def down(self, node: int, last: bool, bye: bool = False) -> Costs:
        """The costs of a node that leaves the bracket; `last` if it is not paired in the next one either."""
        if node >= self.inside:
            return self.costs({("C8", -1): 1}) if node < self.end else ()
        player = self.nodes[node]
        found: dict[tuple[str, Tenths], int] = {("C6", -1): 1}
        if last:
            found["C8", -1] = found["C8", player.score] = 1
        if bye:
            found["C9", -1] = player.unplayed
        if node < self.moved:
            found["C7", player.score] = 1
            found["C18", player.score] = int(player.last is Float.DOWN)
            found["C20", player.score] = int(player.before is Float.DOWN)
        else:
            found["C14", -1] = int(player.last is Float.DOWN)
            found["C16", -1] = int(player.before is Float.DOWN)
        return self.costs(found)

    def costs(self, found: dict[tuple[str, Tenths], int]) -> Costs:
        """Named costs by the place of their criterion."""
        return tuple(sorted((self.rungs[key], cost) for key, cost in found.items() if cost and key in self.rungs))

    def narrow(self, matcher: Matcher, down: int) -> None:
        """Bounds that follow from the number of downfloaters: C9 is for a bracket with one, who then has the bye."""
        nine = self.rungs.get(("C9", -1))
        if nine is not None and down != 1:
            matcher.edges = [
                (one, other, tuple(cost for cost in costs if cost[0] != nine)) for one, other, costs in matcher.edges
            ]
        for name in ("C14", "C16"):
            if (name, -1) in self.rungs:
                rung = self.rungs[name, -1]
                self.bounds[rung] = min(self.bounds[rung], down)

    def limbo(self, matcher: Matcher) -> int:
        """The number of those moved down who are left over."""
        unpaired = {rung for (name, _), rung in self.rungs.items() if name == "C7"}
        return sum(total for rung, total in enumerate(matcher.settled) if rung in unpaired)
