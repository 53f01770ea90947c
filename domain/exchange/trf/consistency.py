"""Consistency of the rows of a file: opponents known, pairings mutual, sides and results complementary."""

from typing import Final

from domain.exchange.trf.model import BadFile
from domain.exchange.trf.players import column_of
from domain.pairing.crosstable import Outcome, PlayerRow, RoundCell

_FITS: Final = {"1": "0", "0": "1", "=": "=", "W": "L", "L": "W", "D": "D", "+": "-", "-": "+-", " ": " "}


def check(rows: dict[int, PlayerRow], lines: dict[int, int]) -> None:
    """Compare each cell with that of its opponent. Raises BadFile at the first, in the order of the lines, that does
    not fit."""
    for number, line in lines.items():
        for round_, cell in enumerate(rows[number].cells, start=1):
            if cell.opponent:
                _check_pair(rows, line, number, round_, cell)


def _check_pair(rows: dict[int, PlayerRow], line: int, number: int, round_: int, cell: RoundCell) -> None:
    column = column_of(round_)
    other = rows.get(cell.opponent)
    if other is None:
        raise BadFile(line, column, f"there is no player {cell.opponent}, the opponent of {number} in round {round_}")
    if cell.opponent == number:
        raise BadFile(line, column, f"player {number} is said to meet themselves in round {round_}")
    back = other.cell(round_)
    if back.opponent != number:
        whom = f"player {back.opponent}" if back.opponent else "nobody"
        raise BadFile(
            line, column, f"player {number} meets {cell.opponent} in round {round_}, who is said to meet {whom}"
        )
    if cell.first is not None and cell.first is back.first:
        side = "w" if cell.first else "b"
        raise BadFile(line, column + 5, f"both {number} and {cell.opponent} have {side} in round {round_}")
    if back.outcome.value not in _FITS[cell.outcome.value]:
        raise BadFile(line, column + 7, _misfit(number, cell, back.outcome, round_))


def _misfit(number: int, cell: RoundCell, back: Outcome, round_: int) -> str:
    mine, theirs = (repr(each.value) if each.value.strip() else "no result" for each in (cell.outcome, back))
    return f"{mine} of player {number} and {theirs} of player {cell.opponent} do not go together in round {round_}"
