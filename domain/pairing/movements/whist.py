"""Whist tournaments: 4n or 4n + 1 players, everybody partners everybody once and opposes everybody twice.

A cyclic one comes from its first round: add 1 to every number modulo m, the last player (∞) staying where there are 4n.
It is a whist tournament exactly if the first round has every partner difference once and every opponent difference
twice. Nine have no cyclic one: theirs adds pairs of numbers modulo 3.
"""

from collections.abc import Iterator
from typing import Final

from domain.chance import shuffled, words

STAYS: Final = -1  # ∞
STARTERS: Final[dict[int, str]] = {
    4: "∞ 0 – 1 2",
    5: "1 4 – 3 2",
    8: "∞ 0 – 1 3, 2 6 – 4 5",
    12: "∞ 0 – 1 3, 2 9 – 6 7, 4 10 – 5 8",
    13: "1 8 – 12 2, 3 11 – 6 10, 4 5 – 9 7",
    16: "∞ 0 – 1 2, 3 6 – 9 11, 4 13 – 8 12, 5 10 – 7 14",
    17: "1 16 – 12 5, 2 15 – 10 7, 3 14 – 13 4, 6 11 – 9 8",
    20: "∞ 0 – 2 13, 1 7 – 17 16, 3 18 – 11 4, 5 8 – 10 12, 6 15 – 9 14",
    21: "1 18 – 13 7, 2 10 – 19 20, 3 12 – 5 8, 4 14 – 6 11, 9 16 – 17 15",
    24: "∞ 0 – 12 3, 1 6 – 19 17, 2 10 – 16 20, 4 11 – 8 5, 7 18 – 9 22, 13 14 – 15 21",
    25: "1 11 – 5 4, 2 15 – 17 9, 3 8 – 24 20, 6 13 – 14 16, 7 23 – 18 12, 10 21 – 22 19",
    28: "∞ 0 – 25 14, 1 11 – 4 13, 2 9 – 16 8, 3 15 – 19 24, 5 6 – 17 23, 7 20 – 10 12, 18 21 – 26 22",
    29: "1 8 – 11 5, 2 21 – 17 20, 3 15 – 23 25, 4 18 – 27 16, 6 26 – 19 24, 7 28 – 12 13, 9 22 – 10 14",
    32: "∞ 0 – 8 25, 1 23 – 7 2, 3 11 – 18 21, 4 29 – 26 6, 5 24 – 19 17, 9 13 – 12 22, 10 28 – 30 14, 15 16 – 27 20",
    33: "1 14 – 28 6, 2 18 – 21 9, 3 12 – 16 23, 4 8 – 26 7, 5 13 – 15 30, 10 20 – 22 19, 11 17 – 27 32, 24 25 – 31 29",
    36: "∞ 0 – 8 30, 1 6 – 26 15, 2 11 – 20 23, 3 34 – 10 33, 4 32 – 17 7, 5 19 – 21 27, 9 29 – 12 28, 13 31 – 25 24, "
    "14 22 – 16 18",
}
SEEDS: Final = {20: 4, 21: 6, 24: 2, 25: 207, 28: 180, 29: 126}  # with which `tried` finds them again
NINE: Final = "01 02 – 10 20, 11 22 – 12 21"


def whist(players: int) -> list[list[int]] | None:
    """The seatings of a whist tournament; None where none is known here."""
    if players == 9:
        return _by_threes()
    if players in STARTERS:
        return _cyclic(players, starter_read(STARTERS[players]))
    if players % 4 == 1 and _is_prime(players):
        return _cyclic(players, by_root(players))
    return None


def starter_read(starter: str) -> list[int]:
    """The numbers of a first round."""
    return [STAYS if word == "∞" else int(word) for word in starter.replace("–", " ").replace(",", " ").split()]


def by_root(prime: int) -> list[int]:
    """The first round for a prime 4n + 1: x and -x against ix and -ix, i the root of -1, for n multiples x that
    differ in every power of i."""
    root = next(g for g in range(2, prime) if all(pow(g, (prime - 1) // q, prime) != 1 for q in _factors(prime - 1)))
    quarter = pow(root, prime // 4, prime)
    seats = []
    for power in range(prime // 4):
        x = pow(root, power, prime)
        seats += [x, prime - x, x * quarter % prime, prime - x * quarter % prime]
    return seats


def _cyclic(players: int, seats: list[int]) -> list[list[int]]:
    """All rounds of a first round; number 0 is the player m, as 0 and m are the same."""
    modulo = players if players % 4 else players - 1
    rest = [0] if players % 4 else []
    return [
        [players if seat == STAYS else (seat + turn - 1) % modulo + 1 for seat in seats + rest]
        for turn in range(modulo)
    ]


def _by_threes() -> list[list[int]]:
    seats = [divmod(number, 10) for number in (*starter_read(NINE), 0)]
    turns = [(x, y) for x in range(3) for y in range(3)]
    return [[(a + x) % 3 * 3 + (b + y) % 3 or 9 for a, b in seats] for x, y in turns]


def _is_prime(number: int) -> bool:
    return all(number % divisor for divisor in range(2, int(number**0.5) + 1))


def _factors(number: int) -> Iterator[int]:
    return (each for each in range(2, number + 1) if number % each == 0 and _is_prime(each))


class StarterSearch:
    """Backtracking for a first round, candidates in the order of a shuffle; it gives up after so many nodes, for a
    fresh shuffle finds sooner what a bad beginning hides."""

    def __init__(self, players: int, seed: int, nodes: int) -> None:
        self.modulo = players if players % 4 else players - 1
        self.stream = words(f"{players}/{seed}".encode())
        self.nodes = nodes
        self.unused = set(range(1, self.modulo))
        self.partners = [0] * (self.modulo // 2 + 1)
        self.opponents = [0] * (self.modulo // 2 + 1)
        self.seats: list[int] = []

    def run(self, stays: bool) -> list[int]:
        """The first round, empty if there was none among so many nodes."""
        found = self._table(STAYS, 0) if stays else self._next()
        return self.seats if found else []

    def _full(self, one: int, other: int) -> bool:
        return one != STAYS and self.opponents[self._apart(one, other)] > 1

    def _apart(self, one: int, other: int) -> int:
        apart = abs(one - other)
        return min(apart, self.modulo - apart)

    def _next(self) -> bool:
        if not self.unused:
            return True
        self.nodes -= 1
        first = min(self.unused)
        self.unused.discard(first)
        for partner in shuffled(sorted(self.unused), self.stream):
            apart = self._apart(first, partner)
            if self.partners[apart] or self.nodes < 0:
                continue
            self.partners[apart] += 1
            self.unused.discard(partner)
            if self._table(first, partner):
                return True
            self.unused.add(partner)
            self.partners[apart] -= 1
        self.unused.add(first)
        return False

    def _table(self, one: int, other: int) -> bool:
        """Opponents for a pair, and all tables behind it."""
        rest = shuffled(sorted(self.unused), self.stream)
        for at, third in enumerate(rest):
            if self._full(one, third) or self._full(other, third):
                continue
            for fourth in rest[at + 1 :]:
                if self.nodes < 0:
                    return False
                if self.partners[self._apart(third, fourth)] or self._full(one, fourth) or self._full(other, fourth):
                    continue
                if self._seat(one, other, third, fourth) and self._next():
                    return True
                self._lift(one, other, third, fourth)
        return False

    def _seat(self, *table: int) -> bool:
        return max(self._count(table, 1)) <= 2

    def _lift(self, *table: int) -> None:
        self._count(table, -1)

    def _count(self, table: tuple[int, ...], by: int) -> list[int]:
        """Count a table in or out; how often its opponent differences are there now."""
        one, other, third, fourth = table
        self.partners[self._apart(third, fourth)] += by
        met = [self._apart(a, b) for a in (one, other) if a != STAYS for b in (third, fourth)]
        for apart in met:
            self.opponents[apart] += by
        if by > 0:
            self.seats.extend(table)
            self.unused -= {third, fourth}
        else:
            del self.seats[-4:]
            self.unused |= {third, fourth}
        return [self.opponents[apart] for apart in met]


def starter_tried(players: int, seed: int, nodes: int = 3000) -> str:
    """A first round as text, by one try from this seed; empty without success. So the table was found from 20
    players on: 25 to 29 took one or two hundred tries, half a second each, 32 to 36 some hundreds more."""
    seats = StarterSearch(players, seed, nodes).run(players % 4 == 0)
    tables = [["∞" if seat == STAYS else str(seat) for seat in seats[at : at + 4]] for at in range(0, len(seats), 4)]
    return ", ".join(f"{a} {b} – {c} {d}" for a, b, c, d in tables)
