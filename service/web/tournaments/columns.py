"""Columns of standings as people read them: a word for each tie-break, and none before somebody is level."""

from collections.abc import Sequence, Sized
from typing import Final

from projections.tournaments.standings import StandingRow

HEADINGS: Final = {
    "PTS": "Points",
    "DE": "Met",
    "BH": "Opponents’ points",
    "BH/C1": "Opponents’ points, less the lowest",
    "BH/C2": "Opponents’ points, less the two lowest",
    "BH/M1": "Opponents’ points, less highest and lowest",
    "BH/M2": "Opponents’ points, less the two highest and lowest",
    "SB": "Points of those beaten",
    "SB/C1": "Points of those beaten, less the lowest",
    "AOB": "Opponents’ opponents",
    "PS": "Running total",
    "PS/C1": "Running total, less round 1",
    "KS": "Against the upper half",
    "WIN": "Rounds won",
    "WON": "Wins",
    "BPG": "Dealt second",
    "BWG": "Wins dealing second",
    "REP": "Rounds ready",
    "WP": "Win points",
    "MP": "Match points",
    "GD": "Deal points",
    "LG": "Lurches given",
    "LT": "Lurches taken",
    "LOT": "Lot",
}


def heading(code: str) -> str:
    """The name of a tie-break above its column."""
    return HEADINGS.get(code, code)


def wanted(columns: Sized, rows: Sequence[StandingRow]) -> int:
    """The number of columns that say something: the first, and each one behind it for which somebody is level in
    all before it. While nothing but zeros stands in the first, nothing has been played that could part anybody."""
    if not columns or all(not row.values[0] for row in rows):
        return min(len(columns), 1)
    for shown in range(1, len(columns)):
        before = [row.values[:shown] for row in rows]
        if len(set(before)) == len(before):
            return shown
    return len(columns)


def range_text(row: StandingRow) -> str:
    """The places that are still possible, `1–6`; nothing where there is only one."""
    return "" if row.best == row.worst else f"{row.best}–{row.worst}"
