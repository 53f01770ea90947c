"""Virtual points: the records that a file carries, and the formula of C.04.7 that makes them (Baku)."""

from collections.abc import Callable

import msgspec

from domain.pairing.crosstable import Crosstable, Tenths


def virtual_points(table: Crosstable) -> Callable[[int, int], Tenths]:
    """The virtual points of a number in a round, by the table's records."""
    rounds: dict[int, dict[int, Tenths]] = {}
    for round_, points in table.extra:
        rounds.setdefault(round_, {}).update(points)
    return lambda number, round_: rounds.get(round_, {}).get(number, 0)


def baku(table: Crosstable) -> Crosstable:
    """The table with the records of the formula: the first 2·⌈N/4⌉ numbers have a win more in the first half (rounded
    up) of the accelerated rounds, half a win in the others; ⌈R/2⌉ rounds are accelerated. Written records decide."""
    if table.extra:
        return table
    numbers = sorted(row.number for row in table.rows)
    ahead = numbers[: 2 * -(-len(numbers) // 4)]
    accelerated = -(-table.rounds // 2)
    whole = -(-accelerated // 2)
    points = [table.points.win if round_ <= whole else table.points.win // 2 for round_ in range(1, accelerated + 1)]
    extra = tuple((round_, dict.fromkeys(ahead, each)) for round_, each in enumerate(points, start=1))
    return msgspec.structs.replace(table, extra=extra)
