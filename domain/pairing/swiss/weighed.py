"""A bracket paired by matchings: always right, and slow only where many players are in it."""

from domain.pairing.swiss.bracket import Split, SwissBracket
from domain.pairing.swiss.criteria import Criteria
from domain.pairing.swiss.criteria_till_2026 import CriteriaTill2026
from domain.pairing.swiss.matcher import NO_MATE, Costs, Matcher
from domain.pairing.swiss.order import Ordering


class WeighedBracket:
    """The answer for a bracket; `mates` are the nodes' mates in it, those below the bracket as a witness that all can
    be paired."""

    def __init__(self, bracket: SwissBracket, criteria: Criteria | CriteriaTill2026) -> None:
        self.bracket, self.criteria = bracket, criteria
        self.matcher = self._arena()
        self.pairs = self._pairs()

    @property
    def split(self) -> Split:
        """Pairs and those left over."""
        nodes = self.bracket.players
        taken = {node for pair in self.pairs for node in pair}
        left = tuple(player for node, player in enumerate(nodes) if node not in taken)
        return Split(tuple((nodes[one], nodes[other]) for one, other in self.pairs), left)

    def _arena(self) -> Matcher:
        bracket, criteria, nodes = self.bracket, self.criteria, self.bracket.nodes
        edges: list[tuple[int, int, Costs]] = [
            (one, other, criteria.pair(one, other)) for one, other in bracket.meetings()
        ]
        if bracket.whole:
            rests = [
                (node, len(nodes), criteria.down(node, last=True, bye=True))
                for node, player in enumerate(nodes)
                if bracket.may_rest(player)
            ]
            return Matcher(len(nodes) + 1, edges + rests, None, criteria.bounds)
        alone = [criteria.down(node, last=True) for node in range(len(nodes))]
        return Matcher(len(nodes), edges, alone, criteria.bounds)

    def _pairs(self) -> list[tuple[int, int]]:
        matcher, criteria = self.matcher, self.criteria
        matcher.settle(criteria.first_stage)
        down = matcher.settled[0]
        criteria.narrow(matcher, down)
        matcher.settle()
        limbo = criteria.limbo(matcher)
        return Ordering(matcher, len(self.bracket.moved), len(self.bracket.players), down, limbo).choose()

    def over(self) -> list[int]:
        """The nodes that the last matching leaves without a mate."""
        gone = self.matcher.gone
        return [
            node
            for node in range(len(self.bracket.nodes))
            if node not in gone and (not self.matcher.mates or self.matcher.mates[node] == NO_MATE)
        ]
