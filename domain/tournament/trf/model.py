"""What a tournament file holds: the cross table, and every line as it was read."""

import msgspec

from domain.tournament.crosstable import Crosstable, Row


class BadFile(ValueError):
    """A file that cannot be read as a tournament: where, counted from 1 (0: no line to name), and what is wrong."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"{line}:{column}: {message}")
        self.line, self.column, self.message = line, column, message


class Warned(msgspec.Struct, frozen=True):
    """Something that does not fit and does not keep the file from being read."""

    line: int
    column: int
    message: str


class Line(msgspec.Struct, frozen=True):
    """A line as it stands in the file, what ends it, and for a player's line what was made of it."""

    text: str
    ending: str = "\n"
    row: Row | None = None


class Barred(msgspec.Struct, frozen=True):
    """Numbers that never meet from one round to another (TRF26, record 260)."""

    first: int
    last: int
    numbers: tuple[int, ...]


class Tournament(msgspec.Struct, frozen=True):
    """A file that was read. `upcoming` is the round to be paired, `absent` who has a bye in it, by letter; in the
    table `forbidden` is what is in force in that round. `always` are groups that never meet, `barred` those that do not
    in some rounds. `system` is code 192 as written."""

    table: Crosstable
    upcoming: int = 1
    absent: dict[int, str] = {}
    barred: tuple[Barred, ...] = ()
    system: str = ""
    lines: tuple[Line, ...] = ()
    warnings: tuple[Warned, ...] = ()
    always: tuple[tuple[int, ...], ...] = ()
