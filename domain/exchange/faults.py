"""Faults of a text that was given to be read: all of them at once, by line and column."""

from collections.abc import Iterable

import msgspec

MOST_SAID = 100


class TextFault(msgspec.Struct, frozen=True, order=True):
    """A fault with its place, counted from 1 (0: no line to name)."""

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.message}"


class FaultyError(ValueError):
    """A text with faults, of which nothing is taken."""

    def __init__(self, faults: Iterable[TextFault]) -> None:
        self.faults = tuple(sorted(faults))
        super().__init__("\n".join(map(str, self.faults)))
