"""The choice among candidates that are equal by the criteria (Articles 3 and 4): the one that is generated first.

Whoever moved down is chosen by lowest number in the bracket, then their opponents, lexicographically. In the rest, the
higher-ranked of a pair is taken to come from S1: an exchange is then a pair whose higher-ranked player began in S2.
"""

from collections.abc import Container, Iterator, Sequence

from domain.pairing.swiss.matcher import NO_MATE, Extra, Matcher


class Ordering:
    """Settles the order of choice where the criteria are settled. The bracket's nodes are 0 … inside − 1, those moved
    down first; `down` of all are left over, `limbo` of those moved down."""

    def __init__(self, matcher: Matcher, moved: int, inside: int, down: int, limbo: int) -> None:
        self.matcher, self.moved, self.inside = matcher, moved, inside
        self.limbo = limbo
        self.pairs: list[tuple[int, int]] = []
        self.left = (inside - down) // 2

    def choose(self) -> list[tuple[int, int]]:
        """The pairs of the bracket."""
        chosen = self._moved_to_pair()
        self._pair(chosen, list(range(self.moved, self.inside)))
        rest = [node for node in range(self.moved, self.inside) if node not in self.matcher.gone]
        if self.left:
            first, second = self._halves(rest)
            self._pair(first, second)
        return self.pairs

    def _pair(self, first: Sequence[int], second: Sequence[int]) -> None:
        found = transposed(self.matcher, first, second)
        self.pairs.extend(found)
        self.left -= len(found)

    def _moved_to_pair(self) -> list[int]:
        """4.4: the first set of those moved down that can be paired."""
        moved = list(range(self.moved))
        if not self.limbo:
            return moved
        chosen: list[int] = []
        for chunk in _chunks(moved, max(self.matcher.room - 1, 1)):
            weights = {node: 1 << (len(chunk) - 1 - place) for place, node in enumerate(chunk)}
            self.matcher.order(self._cost_of_leaving(weights), 1 << len(chunk))
            taken = {node for node in chunk if 0 <= self.matcher.mates[node] < self.inside}
            chosen.extend(sorted(taken))
            self._decide(set(chunk), taken)
        return chosen

    def _decide(self, asked: set[int], taken: set[int]) -> None:
        """Leave those taken only their edges in the bracket, and the others only those out of it."""
        self.matcher.keep(lambda one, other: one not in asked or (other < self.inside) == (one in taken))

    def _cost_of_leaving(self, weights: dict[int, int]) -> Extra:
        """The cost of each of some nodes that is not paired in the bracket."""
        inside = self.inside
        return lambda one, other: weights.get(one, 0) if other == NO_MATE or other >= inside else 0

    def _halves(self, rest: list[int]) -> tuple[list[int], list[int]]:
        """S1 and S2 of the remainder after the exchanges that are needed (4.3)."""
        place, half, many = {node: at for at, node in enumerate(rest)}, self.left, len(rest)
        unit = half * many + 1

        def exchange(one: int, other: int) -> int:
            at = place.get(one, many)
            return (unit * (at >= half) + at) if other in place and at < many else 0

        self.matcher.order(exchange, unit * (half + 1))
        total = sum(exchange(one, other) for one, other in self._matched(place))
        ahead = set(rest[:half]) if total < unit else self._exchanged(rest, place, half, exchange, total)
        behind = set(rest) - ahead
        self._keep_halves(place, ahead, behind)
        return sorted(ahead), sorted(behind)

    def _exchanged(self, rest: list[int], place: dict[int, int], half: int, exchange: Extra, total: int) -> set[int]:
        """The players to exchange: the lowest out of S1, then the highest out of S2."""
        ahead: set[int] = set()
        behind: set[int] = set()
        queue = [*reversed(rest[:half]), *rest[half:]]
        for chunk in _chunks(queue, max(self.matcher.room - total.bit_length() - 2, 1)):
            worth = {node: 1 << (len(chunk) - 1 - at) for at, node in enumerate(chunk)}
            unit = 1 << len(chunk)

            def extra(one: int, other: int, w: dict[int, int] = worth, u: int = unit) -> int:
                """S1 players cost when they stay, S2 players when they do not come up."""
                paired = other in place
                found = u * exchange(one, other)
                for node, up in ((one, paired), (other, False)):
                    if node in w and up == (place[node] < half):
                        found += w[node]
                return found

            self.matcher.order(extra, unit * (total + 1))
            mates = self.matcher.mates
            raised = {node for node in chunk if mates[node] in place and mates[node] > node}
            ahead |= raised
            behind |= set(chunk) - raised
            self._keep_halves(place, ahead, behind)
        return ahead

    def _keep_halves(self, place: Container[int], ahead: set[int], behind: set[int]) -> None:
        """Leave those of S1 what leads to somebody below them in the remainder, and those of S2 what does not."""

        def wanted(one: int, other: int) -> bool:
            within = other in place
            if one in ahead:
                return within and other not in ahead
            return not (within and (one in behind or other in ahead))

        self.matcher.keep(wanted)

    def _matched(self, place: dict[int, int]) -> Iterator[tuple[int, int]]:
        mates = self.matcher.mates
        return ((node, mates[node]) for node in place if mates[node] in place and mates[node] > node)


def transposed(matcher: Matcher, first: Sequence[int], second: Sequence[int]) -> list[tuple[int, int]]:
    """4.2: partners for S1 in turn, each as high in S2 as the rest allows; the pairs are fixed."""
    places = {node: place for place, node in enumerate(second)}
    width = len(second).bit_length()
    pairs: list[tuple[int, int]] = []
    for chunk in _chunks(first, max(matcher.room // width - 1, 1)):
        shifts = {node: width * (len(chunk) - 1 - place) for place, node in enumerate(chunk)}

        def extra(one: int, other: int, s: dict[int, int] = shifts) -> int:
            return places.get(other, 0) << s[one] if one in s and other != NO_MATE else 0

        matcher.order(extra, 1 << (width * len(chunk)))
        found = [(node, matcher.mates[node]) for node in chunk]
        matcher.fix(found)
        pairs.extend(found)
    return pairs


def _chunks(nodes: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(nodes), size):
        yield nodes[start : start + size]
