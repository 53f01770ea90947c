"""Two open hands, tricks alone: can seat 0 force at least so many of those left, or the right parity of them?

A table of positions holds for each what is proven, a lowest and a highest worth. The worth of a position is
the number of tricks that seat 0 takes from it; where a parity is wanted, `RIGHT` more if it is of that
parity, so that any right number is worth more than any wrong one, and more tricks more than fewer.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from domain.solve.rows import Follows, Row, drops, held, leads, top

RIGHT: Final = 32
EVEN, ODD, ANY = 0, 1, 2  # the number of tricks still to be taken that is right; ANY: more is better
AFTER: Final = (ODD, EVEN, ANY)  # what is right for the rest once one has been taken

Rows: TypeAlias = tuple[Row, Row, Row, Row]  # the trumps, then the plain suits in falling order


def in_order(trumps: Row, one: Row, two: Row, three: Row) -> Rows:
    """Rows with the plain suits in falling order: which is which does not matter."""
    if one < two:
        one, two = two, one
    if two < three:
        two, three = three, two
        if one < two:
            one, two = two, one
    return trumps, one, two, three


def certain(rows: Rows, seat: int, leads: bool) -> int:
    """Tricks that a seat can force whatever the other does: its highest trumps; with the lead also the plain
    winners that it can cash first, as long as the other follows or has no trump."""
    trumps = rows[0]
    sure = top(trumps, seat)
    if leads:
        ruffs = held(trumps, 1 - seat)
        for row in rows[1:]:
            winners = top(row, seat)
            if winners:
                sure += min(winners, held(row, 1 - seat)) if ruffs else winners
    return sure


class TrickEnding:
    """The proofs about endings under one order of suits; questions of one deal share it."""

    def __init__(self) -> None:
        self.proven: dict[tuple[Rows, int, int], tuple[int, int]] = {}

    def forces(self, rows: Rows, leader: int, left: int, right: int, worth: int) -> bool:
        """True when seat 0 can force this worth of the tricks left."""
        if not left:
            return worth <= (RIGHT if right == EVEN else 0)
        if worth <= (1 if right == EVEN else 0):
            return True
        key = rows, leader, right
        known = self.proven.get(key)
        if known is not None:
            if known[0] >= worth:
                return True
            if known[1] < worth:
                return False
        least = certain(rows, 0, leader == 0)
        most = left - certain(rows, 1, leader == 1)
        if worth <= least:
            return True
        if worth > (most if right == ANY else most + RIGHT):
            return False
        answer = self._search(rows, leader, left, right, worth)
        low, high = known or (0, RIGHT + left)
        self.proven[key] = (worth, high) if answer else (low, worth - 1)
        return answer

    def _search(self, rows: Rows, leader: int, left: int, right: int, worth: int) -> bool:
        good = leader == 0
        before = 0
        for suit, row in enumerate(rows):
            if suit > 1 and row == before:
                continue  # two suits that look alike
            before = row
            for led, follows in leads(row, leader):
                for after, winner in _answers(rows, suit, led, follows, leader):
                    if winner:
                        held = self.forces(after, 1, left - 1, right, worth)
                    else:
                        held = self.forces(after, 0, left - 1, AFTER[right], worth - 1)
                    if held != good:
                        break
                else:
                    return good
        return not good


def _answers(rows: Rows, suit: int, led: Row, follows: Follows, leader: int) -> Iterator[tuple[Rows, int]]:
    """The rows that each answer to a lead leaves, and the next leader: a card of the suit, else a trump, else any."""
    if follows:
        for row, winner in follows:
            yield changed(rows, suit, row), winner
        return
    other = 1 - leader
    for at in range(4):
        if at != suit:
            for row in drops(rows[at], other):
                yield changed(rows, suit, led, at, row), leader if at else other


def changed(rows: Rows, suit: int, row: Row, other: int = 0, second: Row | None = None) -> Rows:
    """The rows with another one in the place of a suit, or of two, in order again."""
    now = [*rows]
    now[suit] = row
    if second is not None:
        now[other] = second
    return in_order(*now)
