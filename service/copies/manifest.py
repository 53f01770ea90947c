"""The beginning and the end of a copy: what is in it, as it was counted before, and how many frames there are."""

from datetime import datetime
from typing import Annotated, Final

import msgspec

FORMAT: Final = 1
Printable = Annotated[str, msgspec.Meta(pattern=r"^[ -~]{1,100}\Z")]  # no word to a terminal


class LogHead(msgspec.Struct, frozen=True):
    """The end of one log of a club: its last position and the hash of the event there (hex; none in an empty log)."""

    club: str
    log: int
    position: int
    hash: str | None


class Manifest(msgspec.Struct, frozen=True):
    """The contents of a copy: its format, when it was made, the schema's revision, the versions of Lurch and of
    PostgreSQL, the heads of all logs and the rows of each table."""

    format: int
    made_at: datetime
    revision: Printable
    lurch: Printable
    postgres: Printable
    heads: tuple[LogHead, ...]
    rows: dict[str, int]

    @property
    def clubs(self) -> int:
        """The number of clubs."""
        return len({each.club for each in self.heads})


class TableRows(msgspec.Struct, frozen=True):
    """Some rows of a table, as PostgreSQL's COPY writes them: its name, its columns, the text."""

    table: str
    columns: tuple[str, ...]
    text: bytes


class Ending(msgspec.Struct, frozen=True):
    """The rows that were written of each table."""

    rows: dict[str, int]
