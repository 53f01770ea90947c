"""The best pairing by many criteria, one above the other, found with weights of less than 128 bits.

A criterion counts; whichever has priority must not get worse for anything below it. One weight for all would need
hundreds of bits, so criteria are settled a few at a time: when the optimum of one is known to be t, every later weight
keeps it in log2(t + 1) bits, since whoever does worse loses a whole unit of it, and nobody can do better. Optima are
small numbers: fields in which most pairs are forbidden need 70 bits. Should they ever fill a weight, what comes after
them is not compared.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

Costs: TypeAlias = tuple[tuple[int, int], ...]  # (criterion, how much), what is nothing left out
Extra: TypeAlias = Callable[[int, int], int]  # what an edge costs below all criteria
NO_MATE: Final = -1
ROOM: Final = 108  # bits of a weight; the matching adds some of its own
FULL: Final = 112  # what one criterion alone may fill


def heaviest_matching(size: int, edges: Sequence[tuple[int, int, int]], whole: bool) -> list[int]:
    """Each node's mate, or ALONE, in the heaviest matching; of those with most edges if `whole`."""
    import rustworkx  # noqa: PLC0415  # only who pairs needs it, and it takes a tenth of a second

    nodes = sorted({node for one, other, _ in edges for node in (one, other)})
    places = {node: place for place, node in enumerate(nodes)}
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(nodes)
    graph.add_edges_from([(places[one], places[other], weight) for one, other, weight in edges])
    mates = [NO_MATE] * size
    for one, other in rustworkx.max_weight_matching(graph, max_cardinality=whole, weight_fn=int):
        mates[nodes[one]], mates[nodes[other]] = nodes[other], nodes[one]
    return mates


class Matcher:
    """Nodes, the edges between them with their costs, and what it costs to stay alone (None: nobody may)."""

    def __init__(
        self, size: int, edges: list[tuple[int, int, Costs]], alone: list[Costs] | None, bounds: Sequence[int]
    ) -> None:
        self.size, self.edges, self.alone, self.bounds = size, edges, alone, bounds
        self.settled: list[int] = []
        self.mates: list[int] = []
        self.gone: set[int] = set()

    def settle(self, upto: int | None = None) -> None:
        """Find the optimum of each criterion in turn, up to a number of them."""
        end = len(self.bounds) if upto is None else upto
        while len(self.settled) < end:
            start = len(self.settled)
            radices = [each + 1 for each in self.settled]
            bits = sum((radix - 1).bit_length() for radix in radices)
            if bits + self.bounds[start].bit_length() > FULL:
                self.bounds = self.bounds[:start]
                return
            while len(radices) < end:
                bits += self.bounds[len(radices)].bit_length()
                if bits > ROOM and len(radices) > start:
                    break
                radices.append(self.bounds[len(radices)] + 1)
            self._match(_units(radices), 1, None)
            self.settled.extend(self._totals()[start : len(radices)])

    def order(self, extra: Extra, bound: int) -> None:
        """Of the optimal pairings the one with the least of something more, which is at most `bound`."""
        self._match(_units([each + 1 for each in self.settled]), bound + 1, extra)

    @property
    def room(self) -> int:
        """The bits that are free below the criteria."""
        return ROOM - sum(each.bit_length() for each in self.settled)

    def keep(self, wanted: Callable[[int, int], bool]) -> None:
        """Leave only the edges that are wanted, each with its smaller node first."""
        self.edges = [edge for edge in self.edges if wanted(edge[0], edge[1])]

    def fix(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Take pairs out, with what they cost."""
        wanted = {(min(pair), max(pair)) for pair in pairs}
        for one, other, costs in self.edges:
            if (one, other) in wanted:
                for rung, cost in costs:
                    if rung < len(self.settled):
                        self.settled[rung] -= cost
        self.gone.update(node for pair in wanted for node in pair)
        gone = self.gone
        self.edges = [edge for edge in self.edges if edge[0] not in gone and edge[1] not in gone]

    def _match(self, units: list[int], unit: int, extra: Extra | None) -> None:
        known: dict[Costs, int] = {}

        def weight(costs: Costs) -> int:
            found = known.get(costs)
            if found is None:
                found = known[costs] = unit * sum(units[rung] * cost for rung, cost in costs if rung < len(units))
            return found

        edges = [(one, other, weight(costs)) for one, other, costs in self.edges]
        if extra is not None:
            edges = [(one, other, cost + extra(one, other)) for one, other, cost in edges]
        if self.alone is None:
            most = max((cost for _, _, cost in edges), default=0)
            edges = [(one, other, most - cost) for one, other, cost in edges]
        else:
            lone = [weight(costs) for costs in self.alone]
            if extra is not None:
                lone = [cost + extra(node, NO_MATE) for node, cost in enumerate(lone)]
            edges = [(one, other, lone[one] + lone[other] - cost) for one, other, cost in edges]
            edges = [edge for edge in edges if edge[2] >= 0]
        self.mates = heaviest_matching(self.size, edges, self.alone is None)

    def _totals(self) -> list[int]:
        """The totals of the last matching in each criterion."""
        mates, totals = self.mates, [0] * len(self.bounds)
        chosen = [costs for one, other, costs in self.edges if mates[one] == other]
        if self.alone is not None:
            lone = enumerate(self.alone)
            chosen += [costs for node, costs in lone if mates[node] == NO_MATE and node not in self.gone]
        for rung, cost in (each for costs in chosen for each in costs):
            if rung < len(totals):
                totals[rung] += cost
        return totals


def _units(radices: Sequence[int]) -> list[int]:
    """The weight of one of each criterion: more than everything below it together."""
    units = [1] * len(radices)
    for rung in range(len(radices) - 2, -1, -1):
        units[rung] = units[rung + 1] * radices[rung + 1]
    return units
