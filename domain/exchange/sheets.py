"""Tables as CSV: the separator found in the header, every cell with its line and column, and no formula that a
spreadsheet would run."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from domain.exchange.faults import FaultyError, TextFault

SEPARATORS: Final = (",", ";", "\t")
MOST_ROWS: Final = 5000
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
# a cell up to its separator or the end: quoted stretches, in which two quotes are one, then bare text
_CELLS: Final = {each: re.compile(rf'(?:"[^"]*+"?)*+[^{each}]*+({each}|\Z)') for each in SEPARATORS}


class SheetCell(msgspec.Struct, frozen=True):
    """The text of a cell, without blanks around it, and the place of its beginning."""

    text: str
    line: int
    column: int

    def fault(self, message: str) -> TextFault:
        """A fault of this cell."""
        return TextFault(self.line, self.column, message)


class SheetRow(msgspec.Struct, frozen=True):
    """A line of a table: its cells by column name; an empty cell is there, a missing one is not."""

    line: int
    cells: Mapping[str, SheetCell]

    def text(self, name: str) -> str:
        """The text of a column; empty without a cell."""
        return self.cells[name].text if name in self.cells else ""

    def cell(self, name: str) -> SheetCell:
        """The cell of a column; an empty one at the beginning of the line if the row has none."""
        return self.cells.get(name) or SheetCell("", self.line, 1)


def read_sheet(text: str, known: Sequence[str], needed: Iterable[str]) -> list[SheetRow]:
    """The rows under the header. Raises FaultyError with all faults of the table as such."""
    text = text.removeprefix("\ufeff")
    separator = _separator(text)
    records, broken = _records(text, separator)
    if not records:
        raise FaultyError([broken or TextFault(1, 1, f"there is no header: the columns are {', '.join(known)}")])
    header, *rest = records
    names, faults = _names(header, known, needed)
    faults += [broken] if broken else []
    faults += [_too_wide(cells[len(header)], len(header)) for cells in rest if len(cells) > len(header)]
    if len(rest) > MOST_ROWS:
        faults.append(TextFault(rest[MOST_ROWS][0].line, 1, f"no more than {MOST_ROWS} rows are read at once"))
    if faults:
        raise FaultyError(faults)
    return [
        SheetRow(cells[0].line, {name: cell for name, cell in zip(names, cells, strict=False) if name})
        for cells in rest
        if any(cell.text for cell in cells)
    ]


def _separator(text: str) -> str:
    """The separator that the header has most of, a comma if it has none."""
    header = next((line for line in _LINE.findall(text) if line.strip()), "")
    return max(SEPARATORS, key=header.count)


def _names(header: list[SheetCell], known: Sequence[str], needed: Iterable[str]) -> tuple[list[str], list[TextFault]]:
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


def _too_wide(cell: SheetCell, wide: int) -> TextFault:
    return cell.fault(f"the header has {wide} columns, this line has more: put quotes around a text with a separator")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…")


def _records(text: str, separator: str) -> tuple[list[list[SheetCell]], TextFault | None]:
    """The lines as cells with their places, and the fault that ended the reading early."""
    lines = _LINE.findall(text)
    reader = csv.reader(iter(lines), delimiter=separator, strict=True)
    found: list[list[SheetCell]] = []
    while True:
        first = reader.line_num
        try:
            values = next(reader)
        except StopIteration:
            return found, None
        except csv.Error as error:
            return found, TextFault(first + 1, 1, f"this line cannot be read: {error}")
        if values and any(values):
            starts = _starts(lines[first : reader.line_num], separator)
            placed = zip(values, starts, strict=False)
            found.append([SheetCell(_bare(value.strip()), first + line, column) for value, (line, column) in placed])


def _starts(lines: list[str], separator: str) -> Iterator[tuple[int, int]]:
    """The beginning of each cell of a record as line of the record and column, from 1."""
    yield 1, 1
    line, before = 1, 0  # characters of the lines before that one
    for found in _CELLS[separator].finditer("".join(lines)):
        if not found[1]:
            return
        while line < len(lines) and found.end() >= before + len(lines[line - 1]):
            line, before = line + 1, before + len(lines[line - 1])
        yield line, found.end() - before + 1


def write_sheet(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with commas and lines ended by CR and LF; a text that a spreadsheet would run gets an apostrophe."""
    lines: list[str] = []
    writer = csv.writer(_Lines(lines), lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([_guarded(cell.strip()) for cell in row] for row in rows)
    return "".join(lines)


class _Lines:
    """A list of lines in the form of a file, for the csv module to write to."""

    def __init__(self, lines: list[str]) -> None:
        self.write = lines.append


def _guarded(text: str) -> str:
    """A text that looks like a formula with one more apostrophe before it."""
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA) else text


def _bare(text: str) -> str:
    """The text without the apostrophe that writing added, and without blanks behind it."""
    return text[1:].strip() if text.startswith("'") and text.lstrip("'").startswith(_FORMULA) else text
