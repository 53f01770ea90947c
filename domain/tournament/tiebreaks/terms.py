"""The working of a tie-break: the terms of its sum, each with a word on where it comes from."""

import msgspec


class Term(msgspec.Struct, frozen=True):
    """One term, in the unit of its tie-break. What was cut stays visible and does not count."""

    value: int
    words: str
    round: int = 0
    counts: bool = True


def total(terms: tuple[Term, ...]) -> int:
    """What the terms that count add up to."""
    return sum(term.value for term in terms if term.counts)


def shown(value: int, unit: int = 10) -> str:
    """7.5 of 75 tenths, without a zero that says nothing."""
    return f"{value / unit:g}"


def points(score: int) -> str:
    """2 points, 1 point, 0.5 points."""
    return f"{shown(score)} point{'' if score == 10 else 's'}"
