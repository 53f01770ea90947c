"""Which round is to be paired, who is absent in it, and the table as it stood before a round."""

from collections.abc import Iterable

import msgspec

from domain.tournament.crosstable import NOTHING, Cell, Crosstable, Outcome, Row
from domain.tournament.trf.model import Tournament

BYES = frozenset({Outcome.HALF_BYE, Outcome.FULL_BYE, Outcome.ZERO_BYE})


def upcoming(rows: Iterable[Row]) -> int:
    """The first round in which somebody has neither result nor bye. A blank before a round in which others met, or
    of somebody who was away the round before too while others met, is an absence (TRF26: the same as Z)."""
    rows = tuple(rows)
    last = max((place for row in rows for place, cell in enumerate(row.cells, 1) if cell.opponent), default=0)
    for round_ in range(1, last + 1):
        open_ = [row for row in rows if row.cell(round_).outcome is Outcome.UNKNOWN]
        if any(row.cell(round_).opponent for row in open_):
            return round_
        if round_ == last and any(not _away(row, round_ - 1) for row in open_):
            return round_
    following = last + 1
    while rows and all(row.cell(following).outcome is not Outcome.UNKNOWN for row in rows):
        following += 1
    return following


def _away(row: Row, round_: int) -> bool:
    """Whether the round was there and the player was not, and nobody said so."""
    return round_ > 0 and row.cell(round_) == NOTHING


def absent_in(rows: Iterable[Row], round_: int) -> dict[int, str]:
    """Who already has a half-, full- or zero-point bye in a round, by letter."""
    return {row.number: row.cell(round_).outcome.value for row in rows if row.cell(round_).outcome in BYES}


def with_cell(row: Row, round_: int, cell: Cell) -> Row:
    """The row with another cell in a round."""
    cells = list(row.cells) + [NOTHING] * (round_ - len(row.cells))
    cells[round_ - 1] = cell
    return msgspec.structs.replace(row, cells=tuple(cells))


def before(tournament: Tournament, round_: int) -> Crosstable:
    """The table as the pairing of a round finds it: the rounds before it, and in it the byes that were granted, to
    which a blank belongs when the round is over; `forbidden` is what is in force then."""
    rows = tuple(_cut(row, round_, round_ < tournament.upcoming) for row in tournament.table.rows)
    return msgspec.structs.replace(tournament.table, rows=rows, forbidden=in_force(tournament, round_))


def _cut(row: Row, round_: int, over: bool) -> Row:
    kept = msgspec.structs.replace(row, cells=row.cells[: round_ - 1])
    granted = row.cell(round_)
    if over and granted == NOTHING:
        granted = Cell(outcome=Outcome.ZERO_BYE)
    return with_cell(kept, round_, granted) if granted.outcome in BYES else kept


def in_force(tournament: Tournament, round_: int) -> tuple[tuple[int, ...], ...]:
    """The groups of numbers that do not meet in a round."""
    return tournament.always + tuple(each.numbers for each in tournament.barred if each.first <= round_ <= each.last)
