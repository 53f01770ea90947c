"""The working of a tie-break: the terms of its sum, each with a word on where it comes from."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from domain.standings.tiebreaks.event import TieBreakTable


class Term(msgspec.Struct, frozen=True):
    """One term, in the unit of its tie-break. What was cut stays visible and does not count."""

    value: int
    words: str
    round: int = 0
    counts: bool = True


# of a tie-break that does not look at who is tied
ValuesAndWorking: TypeAlias = tuple[
    Callable[[TieBreakTable], list[int]],
    Callable[[TieBreakTable, int], tuple[Term, ...]],
]


def total(terms: tuple[Term, ...]) -> int:
    """The sum of the terms that count."""
    return sum(term.value for term in terms if term.counts)
