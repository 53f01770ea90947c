"""Strengths of a signature in their order: own device, pin, table, scorer, timeout. A token and a file speak as a
scorer does."""

from typing import Final

from domain.log.actor import Strength

RANK: Final[dict[Strength | None, int]] = {
    "own device": 5,
    "inspected": 5,
    "pin": 4,
    "table": 3,
    "scorer": 2,
    "token": 2,
    "file": 2,
    None: 2,  # signed before strengths were written down: the word of whoever kept the score
    "timeout": 1,
}


def reaches(given: Strength | None, least: Strength | None) -> bool:
    """Tells whether a signature is strong enough; where nothing is asked, any is."""
    return least is None or RANK[given] >= RANK[least]


def stronger(one: Strength | None, other: Strength | None) -> bool:
    """Tells whether one signature is stronger than another."""
    return RANK[one] > RANK[other]


def asks_persons(least: Strength | None) -> bool:
    """Tells whether more is asked for than a token can give: then a person rules and corrects."""
    return least is not None and RANK[least] > RANK["token"]


def strictest(*asked: Strength | None) -> Strength | None:
    """The most of what is asked; None where nothing is."""
    return max((each for each in asked if each is not None), key=RANK.__getitem__, default=None)
