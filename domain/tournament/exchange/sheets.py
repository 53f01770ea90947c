"""Tables as CSV: the separator told from the header, every cell with its line and column, nothing that a spreadsheet
would run."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from domain.tournament.exchange.faults import Fault, FaultyError

SEPARATORS: Final = (",", ";", "\t")
MOST_ROWS: Final = 5000
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class Cell(msgspec.Struct, frozen=True):
    """What stands in a cell, without blanks around it, and where it begins."""

    text: str
    line: int
    column: int

    def fault(self, message: str) -> Fault:
        """Something that is wrong with it."""
        return Fault(self.line, self.column, message)


class Row(msgspec.Struct, frozen=True):
    """A line of a table: its cells by column name; an empty cell is there, a missing one is not."""

    line: int
    cells: Mapping[str, Cell]

    def text(self, name: str) -> str:
        """What stands in a column, or nothing."""
        return self.cells[name].text if name in self.cells else ""

    def cell(self, name: str) -> Cell:
        """A column's cell; where the row has none, its beginning."""
        return self.cells.get(name) or Cell("", self.line, 1)


def read_sheet(text: str, known: Sequence[str], needed: Iterable[str]) -> list[Row]:
    """The rows under the header. Raises FaultyError with everything that is wrong with the table as such."""
    text = text.removeprefix("\ufeff")
    separator = _separator(text)
    records, broken = _records(text, separator)
    if not records:
        raise FaultyError([broken or Fault(1, 1, f"there is no header: the columns are {', '.join(known)}")])
    header, *rest = records
    names, faults = _names(header, known, needed)
    faults += [broken] if broken else []
    faults += [_too_wide(cells[len(header)], len(header)) for cells in rest if len(cells) > len(header)]
    if len(rest) > MOST_ROWS:
        faults.append(Fault(rest[MOST_ROWS][0].line, 1, f"no more than {MOST_ROWS} rows are read at once"))
    if faults:
        raise FaultyError(faults)
    return [
        Row(cells[0].line, {name: cell for name, cell in zip(names, cells, strict=False) if name})
        for cells in rest if any(cell.text for cell in cells)
    ]  # fmt: skip


def _separator(text: str) -> str:
    """The separator that the header has most of, a comma where it has none."""
    header = next((line for line in _LINE.findall(text) if line.strip()), "")
    return max(SEPARATORS, key=header.count)


def _names(header: list[Cell], known: Sequence[str], needed: Iterable[str]) -> tuple[list[str], list[Fault]]:
    names: list[str] = []
    faults = []
    for cell in header:
        name = cell.text.casefold()
        if name and name not in known:
            faults.append(cell.fault(f"there is no column {_shown(cell.text)}; there are {', '.join(known)}"))
        elif name and name in names:
            faults.append(cell.fault(f"the column {name} stands twice"))
        names.append(name)
    last = header[-1]
    faults += [last.fault(f"the column {name} is missing") for name in needed if name not in names]
    return names, faults


def _too_wide(cell: Cell, wide: int) -> Fault:
    return cell.fault(f"the header has {wide} columns, this line has more: put quotes around a text with a separator")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…")


def _records(text: str, separator: str) -> tuple[list[list[Cell]], Fault | None]:
    """The lines as cells with their places, and what ended the reading before the end."""
    lines = _LINE.findall(text)
    reader = csv.reader(iter(lines), delimiter=separator, strict=True)
    found: list[list[Cell]] = []
    while True:
        first = reader.line_num
        try:
            values = next(reader)
        except StopIteration:
            return found, None
        except csv.Error as error:
            return found, Fault(first + 1, 1, f"this line cannot be read: {error}")
        if values and any(values):
            starts = _starts("".join(lines[first : reader.line_num]), separator)
            found.append(
                [Cell(_bare(value.strip()), first + line, column)
                 for value, (line, column) in zip(values, starts, strict=False)]
            )  # fmt: skip


def _starts(record: str, separator: str) -> Iterator[tuple[int, int]]:
    """Where the cells of a record begin, as line in it and column, from 1; quotes as the csv module reads them."""
    line, column, state = 1, 1, "start"
    yield line, column
    for at, char in enumerate(record):
        state = _next_state(state, char, separator)
        line, column = (line + 1, 1) if _ends_line(record, at) else (line, column + 1)
        if state == "start":
            yield line, column


def _next_state(state: str, char: str, separator: str) -> str:
    """At the start of a cell, in one that is bare or quoted, or behind a quote that may have closed it."""
    if state == "quoted":
        return "closed" if char == '"' else "quoted"
    if char == separator:
        return "start"
    if char == '"' and state in ("start", "closed"):
        return "quoted"
    return "bare"


def _ends_line(record: str, at: int) -> bool:
    return record[at] == "\n" or (record[at] == "\r" and record[at + 1 : at + 2] != "\n")


def write_sheet(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with commas, a line of CR and LF each; what a spreadsheet would run has an apostrophe before it."""
    lines: list[str] = []
    writer = csv.writer(_Lines(lines), lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([_guarded(cell.strip()) for cell in row] for row in rows)
    return "".join(lines)


class _Lines:
    """Where the csv module writes to."""

    def __init__(self, lines: list[str]) -> None:
        self.write = lines.append


def _guarded(text: str) -> str:
    """A text that looks like a formula with one more apostrophe before it."""
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA) else text


def _bare(text: str) -> str:
    """The text without the apostrophe that writing added."""
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(_FORMULA) else text
