"""Texts in which somebody stands as {7} or {entry}: who that is called is filled in where it is read."""

import re
from collections.abc import Callable, Sequence
from typing import Final

_MARK: Final = re.compile(r"\{([^{}]+)\}")


def spoken(text: str, name: Callable[[str], str]) -> str:
    """The text with what each mark is called."""
    return _MARK.sub(lambda found: name(found[1]), text)


def listed(names: Sequence[str]) -> str:
    """Ann; Ann and Bob; Ann, Bob and Cyd."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def counted(number: int) -> str:
    """Two, three … twelve in letters; above that in figures."""
    return _COUNTS[number - 2] if 2 <= number < len(_COUNTS) + 2 else str(number)


_COUNTS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
