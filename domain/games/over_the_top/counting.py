"""Over the Top: how a trick counts as its cards fall, who wins it, and what it is worth.

What the next card adds depends on two things only: the total so far and the last numeral (OT.3). Both
stand in one int, the *count* of a trick: total * 16 + numeral. Negative totals are in it too (OT.g5).
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import msgspec

from domain.cards.card import rank_index
from domain.games.over_the_top.options import Options

TOP: Final = 21
NOTHING_LED: Final = 15  # total 0, and a mark that no numeral has: the next card is the lead
TEN, JACK, QUEEN, ACE = (rank_index(rank) for rank in "TJQA")
WORTH: Final = tuple(11 if rank == ACE else min(rank + 2, 10) for rank in range(13)) * 4


class Counting(msgspec.Struct, frozen=True, eq=False):
    """The count of a trick after each card: `after[count][card]`, for every count there can be."""

    after: dict[int, tuple[int, ...]]


def total_of(count: int) -> int:
    """The running total of a count."""
    return count >> 4


def next_count(count: int, rank: int, options: Options) -> int:
    """The count after one more card (OT.3)."""
    total, numeral = total_of(count), count & 15
    led = count == NOTHING_LED
    if led:
        numeral = 0
    if rank <= TEN:
        numeral = adds = rank + 2
    elif rank == ACE:
        adds = 11 if total + 11 <= TOP else 1
        numeral = adds if options.ace_is_numeral else numeral
    elif rank == QUEEN:
        adds = 10 if total + 10 <= TOP else 0
    elif led or not numeral:
        adds = 10 if led or options.no_numeral == "ten" else 0  # OT.g1
    else:
        adds = -numeral if rank == JACK else numeral
    return (total + adds) << 4 | numeral


@cache
def counting(options: Options) -> Counting:
    """Every count that up to four cards can reach."""
    found: dict[int, tuple[int, ...]] = {}
    reached = {NOTHING_LED}
    for _ in range(4):
        for count in reached - found.keys():
            found[count] = tuple(next_count(count, card % 13, options) for card in range(52))
        reached = {after for row in found.values() for after in row}
    return Counting(found)


def counts_of(cards: Sequence[int], how: Counting) -> list[int]:
    """The count after each card of a trick."""
    counts, count = [], NOTHING_LED
    for card in cards:
        count = how.after[count][card]
        counts.append(count)
    return counts


def winner_of(seats: Sequence[int], cards: Sequence[int], how: Counting) -> int:
    """To 21 the player of the last card; above it the opponent of who first took it over (OT.5, OT.g6)."""
    totals = [total_of(count) for count in counts_of(cards, how)]
    if totals[-1] <= TOP:
        return seats[-1]
    first = next(place for place, total in enumerate(totals) if total > TOP)
    return 1 - seats[first]


def trick_points(total: int, cards: Sequence[int]) -> int:
    """Below 21 the two lowest cards, above it the two highest, at exactly 21 all of them, at face value
    (OT.6, OT.g10); of a trick that ended short, the cards that are there (OT.g8)."""
    worth = sorted([WORTH[card] for card in cards])
    if total == TOP:
        return sum(worth)
    return sum(worth[:2]) if total < TOP else sum(worth[-2:])


def points_by_seat(taken: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The points of each seat, from (winner, points) of every trick: the winner scores (OT.g6)."""
    totals = [0, 0]
    for winner, points in taken:
        totals[winner] += points
    return totals[0], totals[1]


def tricks_by_seat(taken: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The number of tricks of each seat."""
    second = sum(winner for winner, _ in taken)
    return len(taken) - second, second
