"""What is wrong with a text that was given to be read: every place at once, by line and column."""

from collections.abc import Iterable

import msgspec

MOST_SAID = 100


class Fault(msgspec.Struct, frozen=True, order=True):
    """One place, counted from 1 (0: no line to name), and what is wrong there."""

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.message}"


class FaultyError(ValueError):
    """A text that cannot be taken as it is: nothing of it is."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(faults))
        super().__init__("\n".join(map(str, self.faults)))
