"""Rows: a suit of two open hands as one number, so that positions that play alike are one position.

A row is a leading 1 and then, from the highest card of the suit still in play to the lowest, whose each is
(0 or 1). Which cards they are no longer matters, and neighbours of one owner are one choice.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final, TypeAlias

Row: TypeAlias = int
Follows: TypeAlias = tuple[tuple[Row, int], ...]  # the row after a trick, and who took it
EMPTY: Final[Row] = 1


def row_of(owners: Iterable[int]) -> Row:
    """The row of these owners, the highest card first."""
    row = EMPTY
    for owner in owners:
        row = row << 1 | owner
    return row


def without(row: Row, place: int) -> Row:
    """The row when the card at a place, counted from the lowest, is gone."""
    return row >> place + 1 << place | row & (1 << place) - 1


@cache
def runs(row: Row, seat: int) -> tuple[int, ...]:
    """One place for each run of neighbours that the seat holds, the highest first."""
    places = range(row.bit_length() - 2, -1, -1)
    return tuple(place for place in places if row >> place & 1 == seat and (place == 0 or row >> place - 1 & 1 != seat))


@cache
def held(row: Row, seat: int) -> int:
    """The number of cards of the row that the seat holds."""
    ones = row.bit_count() - 1
    return ones if seat else row.bit_length() - 1 - ones


@cache
def drops(row: Row, seat: int) -> tuple[Row, ...]:
    """The row after each choice of a card that the seat gives up, the lowest first."""
    return tuple(without(row, place) for place in reversed(runs(row, seat)))


@cache
def leads(row: Row, seat: int) -> tuple[tuple[Row, Follows], ...]:
    """Each choice of a lead from this row, the highest first: the row without it, and what the other seat can
    follow with as (row after the trick, winner); nothing where the other seat is void."""
    return tuple((without(row, place), followed(row, seat, place)) for place in runs(row, seat))


def followed(row: Row, seat: int, place: int) -> Follows:
    """The answers from the row to the card that the seat led from a place: the cheapest winner first, then
    the lowest loser. Runs of the other seat end at the card that was led, for it is not its own."""
    found = []
    for answer in reversed(runs(row, 1 - seat)):
        gone = without(without(row, max(place, answer)), min(place, answer))
        found.append((answer > place, gone))
    return tuple((gone, 1 - seat if beats else seat) for beats, gone in sorted(found, key=lambda each: not each[0]))


@cache
def top(row: Row, seat: int) -> int:
    """The number of the highest cards of the row that the seat holds, without a gap."""
    count = 0
    for place in range(row.bit_length() - 2, -1, -1):
        if row >> place & 1 != seat:
            break
        count += 1
    return count
