"""Simulated annealing of an evening: exchange two players of a round, keep what makes the counts more level.

**What is levelled.** An evening is a list of rounds, a round is tables of four: partners a b against partners c d,
and behind the tables those who sit out. Everybody should be everybody's partner equally often, and everybody's
opponent. In so many rounds the sums of both counts are fixed, and of numbers with a fixed sum those have the smallest
squares that are most level. So the cost is the sum of squares over all pairs, partners counting several times as
much; the smallest that whole numbers allow is known beforehand (`search.lowest_squares`), and reaching it ends the
search.

**Symmetry.** Only the base rounds are annealed: the others follow by moving all numbers on (`orbits`). Pairs that are
moved into each other form a class and have one count; `weights` says how much one meeting adds to each pair of a
class. An exchange changes a dozen counts at most, however many rounds it stands for.

**A step.** Take two seats of one round, from one random word: which round, which seats. Seats of one pair are passed
by; so is an exchange with somebody who sits out and moves in another circle, for sitting out must stay shared as it
was. The exchange changes the classes of at most two pairs of partners and four of opponents: count the new ones in
and the old ones out, and add up how the squares change ((n + 1)² − n² = 2n + 1). If the cost grows by less than the
heat times a random −log, the exchange stands, which is the rule of Metropolis without a division; else it is counted
back. The heat falls by a constant factor each step, from `HOT` to `COLD`; what is nearly level already begins `WARM`,
else it would be stirred into disorder first.

**Deterministic.** Chance is a linear congruential stream from a seed, its high bits used, and the logarithms are a
table of 1,024: the same arguments give the same evening on every machine.
"""

from collections.abc import Sequence
from math import log
from typing import Final

from domain.pairing.movements.orbits import Symmetry

PARTNER, STRICT = 4, 1000  # STRICT: where no partner is met twice as yet
HOT, WARM, COLD = 1.5, 0.6, 0.4  # WARM: for what is good already
_LOGS: Final = tuple(-log((each + 0.5) / 1024) for each in range(1024))
_MASK: Final = (1 << 64) - 1

Seating = list[int]  # tables of four, a b - c d, then who sits out


class Annealing:
    """Base rounds being levelled under a symmetry, with how often each class of pairs meets in them."""

    def __init__(self, form: Symmetry, rounds: list[Seating], seed: int, dear: int = PARTNER) -> None:
        self.form, self.rounds, self.factor = form, rounds, dear
        self.playing = form.players // 4 * 4
        self.home = [circle for circle, length in enumerate(form.circles) for _ in range(length)]
        self.partners = [0] * len(form.weights)
        self.opponents = [0] * len(form.weights)
        self.dear = [dear * weight for weight in form.weights]
        self.word = (seed * 2862933555777941757 + 3037000493) & _MASK
        for seats in rounds:
            for at in range(0, self.playing, 4):
                a, b, c, d = seats[at : at + 4]
                one, other, third = form.classes[a], form.classes[b], form.classes[c]
                _more(self.partners, self.dear, (one[b], third[d]))
                _more(self.opponents, form.weights, (one[c], one[d], other[c], other[d]))

    def cost(self) -> tuple[int, int]:
        """Squares of partners and of opponents, over all pairs, divided by the number of turns."""
        squares = [
            sum(weight * used * used for weight, used in zip(self.form.weights, counts, strict=True))
            for counts in (self.partners, self.opponents)
        ]
        return squares[0], squares[1]

    def anneal(self, steps: int, wanted: tuple[int, int], held: bool = False, hot: float = HOT) -> None:
        """Anneal for so many steps, or until the cost is as wanted; `held`: the same players go on sitting out. Who
        plays and who sits out only change places within a circle, so that sitting out stays shared as it was."""
        partners, opponents = self.cost()
        cost, enough = self.factor * partners + opponents, self.factor * wanted[0] + wanted[1]
        playing = self.playing
        width = playing if held else self.form.players
        heat, cooling = hot, (COLD / hot) ** (1 / max(steps, 1))
        word, rounds, home = self.word, self.rounds, self.home
        for _ in range(steps):
            if cost <= enough:
                break
            heat *= cooling
            word = (word * 6364136223846793005 + 1442695040888963407) & _MASK
            seats = rounds[(word >> 48) % len(rounds)]
            i, j = (word >> 33) % playing, (word >> 18 & 0x7FFFFFF) % width
            if i | 1 == j | 1 or (j >= playing and home[seats[i]] != home[seats[j]]):
                continue
            cost += self._exchange(seats, i, j, heat * _LOGS[word >> 54])
        self.word = word

    def anneal_opponents(self, steps: int) -> None:
        """Anneal by exchanging whole pairs between tables, so that partners stay as they are."""
        classes, weights, opponents = self.form.classes, self.form.weights, self.opponents
        heat, cooling, pairs = HOT, (COLD / HOT) ** (1 / max(steps, 1)), self.playing // 2
        for _ in range(steps):
            heat *= cooling
            self.word = word = (self.word * 6364136223846793005 + 1442695040888963407) & _MASK
            seats = self.rounds[(word >> 48) % len(self.rounds)]
            i, j = (word >> 33) % pairs * 2, (word >> 18 & 0x7FFFFFF) % pairs * 2
            if i >> 2 == j >> 2:
                continue
            one, other = seats[i : i + 2], seats[j : j + 2]
            against, beside = seats[i ^ 2 : (i ^ 2) + 2], seats[j ^ 2 : (j ^ 2) + 2]
            met = tuple(classes[a][b] for x, y in ((one, against), (other, beside)) for a in x for b in y)
            meet = tuple(classes[a][b] for x, y in ((other, against), (one, beside)) for a in x for b in y)
            if _more(opponents, weights, meet) - _fewer(opponents, weights, met) <= heat * _LOGS[word >> 54]:
                seats[i : i + 2], seats[j : j + 2] = other, one
                continue
            _more(opponents, weights, met)
            _fewer(opponents, weights, meet)

    def _exchange(self, seats: Seating, i: int, j: int, bearable: float) -> int:
        """Exchange two players of a round, if the cost does not grow by more than that; by how much it grows."""
        classes, weights, partners, opponents = self.form.classes, self.form.weights, self.partners, self.opponents
        one, other = classes[seats[i]], classes[seats[j]]
        mate, left, right = seats[i ^ 1], seats[i ^ 2], seats[i ^ 3]
        old: tuple[int, ...]
        new: tuple[int, ...]
        met: tuple[int, ...]
        meet: tuple[int, ...]
        if j >= self.playing:
            old, new = (one[mate],), (other[mate],)
            met, meet = (one[left], one[right]), (other[left], other[right])
        elif i >> 2 == j >> 2:
            his = seats[j ^ 1]
            old, new = (one[mate], other[his]), (one[his], other[mate])
            met, meet = new, old
        else:
            his, here, there = seats[j ^ 1], seats[j ^ 2], seats[j ^ 3]
            old, new = (one[mate], other[his]), (other[mate], one[his])
            met = (one[left], one[right], other[here], other[there])
            meet = (other[left], other[right], one[here], one[there])
        change = _more(partners, self.dear, new) - _fewer(partners, self.dear, old)
        change += _more(opponents, weights, meet) - _fewer(opponents, weights, met)
        if change <= bearable:
            seats[i], seats[j] = seats[j], seats[i]
            return change
        for counts, gone, come in ((partners, old, new), (opponents, met, meet)):
            for pair in gone:
                counts[pair] += 1
            for pair in come:
                counts[pair] -= 1
        return 0


def _more(counts: list[int], weights: Sequence[int], pairs: tuple[int, ...]) -> int:
    """Count pairs in; by how much the squares grow."""
    grown = 0
    for pair in pairs:
        used = counts[pair]
        grown += weights[pair] * (2 * used + 1)
        counts[pair] = used + 1
    return grown


def _fewer(counts: list[int], weights: Sequence[int], pairs: tuple[int, ...]) -> int:
    """Count pairs out; by how much the squares shrink."""
    shrunk = 0
    for pair in pairs:
        used = counts[pair] - 1
        shrunk += weights[pair] * (2 * used + 1)
        counts[pair] = used
    return shrunk
