"""Evenings with a symmetry: few rounds are looked for, the others follow by moving every number on in its circle.

With circles of lengths that divide `turns`, moving on `turns` times leads back. Pairs that are moved into each other
form a class; a meeting in a base round becomes `turns` meetings, `weight` for each pair of its class.
"""

from collections.abc import Sequence
from math import gcd

import msgspec


class Symmetry(msgspec.Struct, frozen=True):
    """Circles of these lengths, one behind the other, on which numbers move; `classes[a][b]` is the class of a pair."""

    turns: int
    circles: tuple[int, ...]
    classes: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...]

    @property
    def players(self) -> int:
        """The number of players."""
        return sum(self.circles)


def symmetry(turns: int, circles: Sequence[int]) -> Symmetry:
    """The classes of pairs under these circles."""
    places = [(circle, at) for circle, length in enumerate(circles) for at in range(length)]
    known: dict[tuple[int, int, int], int] = {}
    weights: list[int] = []
    rows = []
    for one in places:
        row = []
        for other in places:
            key, weight = _class(turns, circles, min(one, other), max(one, other))
            if key not in known:
                known[key] = len(weights)
                weights.append(weight)
            row.append(known[key])
        rows.append(tuple(row))
    return Symmetry(turns, tuple(circles), tuple(rows), tuple(weights))


def _class(
    turns: int, circles: Sequence[int], one: tuple[int, int], other: tuple[int, int]
) -> tuple[tuple[int, int, int], int]:
    (first, a), (second, b) = one, other
    length = circles[first]
    if first == second:
        apart = min((a - b) % length, (b - a) % length)
        size = length // 2 if 2 * apart == length else length
        return (first, first, apart), turns // size
    common = gcd(length, circles[second])
    return (first, second, (a - b) % common), turns * common // (length * circles[second])


def moved_on(circles: Sequence[int], by: int) -> list[int]:
    """The place of each number after so many steps."""
    found: list[int] = []
    for length in circles:
        start = len(found)
        found.extend(start + (at + by) % length for at in range(length))
    return found


def circles_of(players: int, turns: int) -> tuple[int, ...]:
    """Circles that hold all players, the longest that fit first; every length divides the number of turns."""
    found: list[int] = []
    for length in range(turns, 0, -1):
        if turns % length == 0:
            found += [length] * ((players - sum(found)) // length)
    return tuple(found)
