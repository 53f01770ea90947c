"""Columns of standings as people read them: a word for each tie-break, and none before somebody is level."""

from collections.abc import Sequence, Sized
from typing import Final

from projections.tournaments.standings import StandingRow
from service.languages.spoken import N_, translate

HEADINGS: Final = {
    "PTS": N_("Points"),
    "DE": N_("Met"),
    "BH": N_("Opponents’ points"),
    "BH/C1": N_("Opponents’ points, less the lowest"),
    "BH/C2": N_("Opponents’ points, less the two lowest"),
    "BH/M1": N_("Opponents’ points, less highest and lowest"),
    "BH/M2": N_("Opponents’ points, less the two highest and lowest"),
    "SB": N_("Points of those beaten"),
    "SB/C1": N_("Points of those beaten, less the lowest"),
    "AOB": N_("Opponents’ opponents"),
    "PS": N_("Running total"),
    "PS/C1": N_("Running total, less round 1"),
    "KS": N_("Against the upper half"),
    "WIN": N_("Rounds won"),
    "WON": N_("Wins"),
    "BPG": N_("Dealt second"),
    "BWG": N_("Wins dealing second"),
    "REP": N_("Rounds ready"),
    "WP": N_("Win points"),
    "MP": N_("Match points"),
    "GD": N_("Deal points"),
    "LG": N_("Lurches given"),
    "LT": N_("Lurches taken"),
    "LOT": N_("Lot"),
}


def heading(code: str) -> str:
    """The name of a tie-break above its column."""
    return translate(HEADINGS.get(code, code))


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
