"""The contents of a tournament file: the cross table, and every line as it was read."""

import msgspec

from domain.pairing.crosstable import Crosstable, PlayerRow


class BadFile(ValueError):
    """A file that cannot be read as a tournament: the place, counted from 1 (0: no line to name), and the reason."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"{line}:{column}: {message}")
        self.line, self.column, self.message = line, column, message


class FileWarning(msgspec.Struct, frozen=True):
    """A fault of a file that can be read all the same."""

    line: int
    column: int
    message: str


class FileLine(msgspec.Struct, frozen=True):
    """A line as it stands in the file, its ending, and the row that a player's line holds."""

    text: str
    ending: str = "\n"
    row: PlayerRow | None = None


class Barred(msgspec.Struct, frozen=True):
    """Numbers that never meet from one round to another (TRF26, record 260)."""

    first: int
    last: int
    numbers: tuple[int, ...]


class TournamentFile(msgspec.Struct, frozen=True):
    """A file that was read. `upcoming` is the round to be paired, `absent` the letter of the bye in it by number, and
    the table's `forbidden` holds for that round. `always` are groups that never meet, `barred` those that do not meet
    in some rounds; `system` is code 192 as written."""

    table: Crosstable
    upcoming: int = 1
    absent: dict[int, str] = {}
    barred: tuple[Barred, ...] = ()
    system: str = ""
    lines: tuple[FileLine, ...] = ()
    warnings: tuple[FileWarning, ...] = ()
    always: tuple[tuple[int, ...], ...] = ()
