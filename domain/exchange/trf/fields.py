"""Numbers, points and words out of a line, each failure with the column at which it stands."""

import re
from collections.abc import Callable

import msgspec

from domain.exchange.trf.model import BadFile
from domain.pairing.crosstable import Tenths

MOST_ROUNDS = 999  # three digits in every record of TRF26
LARGEST = 9_999  # four digits for a player
_WORD = re.compile(r"[^\s,;]+")
_POINTS = re.compile(r"(-?)(\d{1,4})(?:[.,](\d)0*)?", re.ASCII)


class Word(msgspec.Struct, frozen=True):
    """A word of a line and where it begins, line and column from 1."""

    text: str
    line: int
    column: int

    def bad(self, message: str) -> BadFile:
        """A BadFile at the place of this word."""
        return BadFile(self.line, self.column, message)


def field(text: str, line: int, first: int, last: int) -> Word:
    """The columns `first` to `last` of a line without the blanks around; its column is that of its first letter."""
    part = text[first - 1 : last]
    column = first + len(part) - len(part.lstrip()) if part.strip() else first
    return Word(part.strip(), line, column)


def words(text: str, line: int) -> list[Word]:
    """The words behind a code of three letters, parted by blanks, commas and semicolons."""
    return [Word(each.group(), line, each.start() + 1) for each in _WORD.finditer(text, 3)]


def number(word: Word, what: str, least: int = 0, most: int = LARGEST) -> int:
    """A whole number within bounds."""
    if not (word.text.isascii() and word.text.isdigit() and len(word.text) <= 9):
        raise word.bad(f"{what} is a number, not {word.text[:20]!r}")
    value = int(word.text)
    if not least <= value <= most:
        raise word.bad(f"{what} is from {least} to {most}, not {value}")
    return value


def points(word: Word, what: str) -> Tenths:
    """Points in tenths."""
    found = _POINTS.fullmatch(word.text)
    if found is None:
        raise word.bad(f"{what} are a number with one decimal, not {word.text[:20]!r}")
    sign, whole, tenth = found.groups()
    value = int(whole) * 10 + int(tenth or 0)
    return -value if sign else value


def round_number(word: Word) -> int:
    """The number of a round."""
    return number(word, "a round", 1, MOST_ROUNDS)


def player(word: Word) -> int:
    """A player's number."""
    return number(word, "a player's number", 1)


def one(found: list[Word], line: int, what: str) -> Word:
    """The first word behind a code, which must be there."""
    if not found:
        raise BadFile(line, 5, f"{what} is missing")
    return found[0]


def each_of(found: list[Word], read: Callable[[Word], int]) -> tuple[int, ...]:
    """Every word read by the same function."""
    return tuple(read(word) for word in found)
