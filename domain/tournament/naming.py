"""Names in a row, and counts in words, as a sentence has them."""

from collections.abc import Sequence
from typing import Final


def listed(names: Sequence[str]) -> str:
    """Ann; Ann and Bob; Ann, Bob and Cyd."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def counted(number: int) -> str:
    """Two, three … twelve in letters; above that in figures."""
    return _COUNTS[number - 2] if 2 <= number < len(_COUNTS) + 2 else str(number)


_COUNTS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
