"""Slow play (SLO): a deal that took more than twice the median time, from its first fact to its end, in a late round.

It needs eight tables of that game in the round, and is never more than circumstantial.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

TABLES: Final = 8
TIMES: Final = 2


class Pace(msgspec.Struct, frozen=True):
    """One deal at a table: from its first fact to its end, in seconds."""

    match: str
    deal: int
    seconds: float


class Slow(msgspec.Struct, frozen=True):
    """A deal that took too long, and the median of the round."""

    match: str
    deal: int
    seconds: float
    median: float
    code: str = "SLO"
    grade: str = "C"


def slow(paces: Iterable[Pace], late: bool) -> tuple[Slow, ...]:
    """The deals of one game in one round that took too long, slowest first; none while the round is in time."""
    timed = [each for each in paces if each.seconds >= 0]
    if not late or len({each.match for each in timed}) < TABLES:
        return ()
    median = _median([each.seconds for each in timed])
    found = (each for each in timed if each.seconds > TIMES * median)
    return tuple(
        Slow(each.match, each.deal, each.seconds, median)
        for each in sorted(found, key=lambda each: (-each.seconds, each.match, each.deal))
    )


def _median(times: list[float]) -> float:
    ordered = sorted(times)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
