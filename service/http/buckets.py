"""Buckets of tokens: so many at once, so many a second after that. Time comes from outside, memory has a bound.

A bucket is one number: the moment at which it is full again. One that is full is the same as none."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

import msgspec

MOST: Final = 20_000  # buckets that are remembered; beyond, the one that was asked longest ago begins anew
Clock = Callable[[], float]  # seconds that never run backwards


class Rate(msgspec.Struct, frozen=True):
    """The rate that is let through: `burst` at once, and `a_second` of them come back."""

    a_second: float
    burst: float

    def among(self, processes: int) -> "Rate":
        """The share of each of so many processes that answer together."""
        return Rate(self.a_second / processes, max(1.0, self.burst / processes))


class Buckets:
    """A bucket for each name, all of one rate."""

    def __init__(self, rate: Rate, clock: Clock, most: int = MOST) -> None:
        self.rate = rate
        self._clock, self._most = clock, most
        self._full_at: OrderedDict[Hashable, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, whose: Hashable) -> float:
        """Take one and answer 0; where none is left, take nothing and answer after how many seconds there is one."""
        now, one = self._clock(), 1 / self.rate.a_second
        full_at = max(self._full_at.get(whose, now), now) + one
        wait = full_at - now - self.rate.burst * one
        if wait > one * 1e-3:  # not the last digits of a sum
            return wait
        self._full_at[whose] = full_at
        self._full_at.move_to_end(whose)
        if len(self._full_at) > self._most:
            self._full_at.popitem(last=False)
        return 0.0
