"""The first deal of a pair (Article 5)."""

from domain.pairing.crosstable import Crosstable
from domain.pairing.swiss.entrants import Strength, SwissPlayer, places


def initial_side(table: Crosstable) -> bool:
    """True if odd numbers dealt first in round 1: as the lot fell, else as the first game of round 1 shows."""
    if table.first_deals is not None:
        return table.first_deals
    started = places(table, 2, [row.number for row in table.rows])
    for row in sorted(table.rows, key=lambda row: row.number):
        cell = row.cell(1)
        if cell.first is not None and cell.opponent > row.number:
            return cell.first == (started[row.number] % 2 == 1)
    return True


def allocated(one: SwissPlayer, other: SwissPlayer, odd_first: bool) -> tuple[SwissPlayer, SwissPlayer, int]:
    """(who deals first, the other, which rule of 5.2 says so)."""
    high, low = sorted((one, other), key=lambda entrant: entrant.rank)
    first, rule = _high_first(high, low, odd_first)
    return (high, low, rule) if first else (low, high, rule)


def _high_first(high: SwissPlayer, low: SwissPlayer, odd_first: bool) -> tuple[bool, int]:
    """True if the higher-ranked deals first, with the rule of 5.2 that says so."""
    if high.wish != low.wish:
        return (high.wish if high.wish is not None else not low.wish), 1
    if high.wish is not None:
        if high.strength != low.strength:
            return (high.wish if high.strength > low.strength else not high.wish), 2
        wider = abs(high.difference) - abs(low.difference)
        if high.strength == Strength.ABSOLUTE and wider:
            return (high.wish if wider > 0 else not high.wish), 2
    for mine, yours in zip(reversed(high.sides), reversed(low.sides), strict=False):
        if mine != yours:
            return not mine, 3
    if high.wish is not None:
        return high.wish, 4
    return (high.place % 2 == 1) == odd_first, 5
