"""The round to be paired, the absences in it, and the table as it stood before a round."""

from collections.abc import Iterable

import msgspec

from domain.exchange.trf.model import TournamentFile
from domain.pairing.crosstable import NOTHING, Crosstable, Outcome, PlayerRow, RoundCell

BYES = frozenset({Outcome.HALF_BYE, Outcome.FULL_BYE, Outcome.ZERO_BYE})


def upcoming(rows: Iterable[PlayerRow]) -> int:
    """The first round in which a player has neither result nor bye. A blank counts as an absence (TRF26: the same as
    Z) before a round with games, and in the last such round behind another blank of the same player."""
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


def _away(row: PlayerRow, round_: int) -> bool:
    """Find a player with a blank in a round, an absence that was not announced."""
    return round_ > 0 and row.cell(round_) == NOTHING


def absent_in(rows: Iterable[PlayerRow], round_: int) -> dict[int, str]:
    """The half-, full- and zero-point byes of a round: their letters by number."""
    return {row.number: row.cell(round_).outcome.value for row in rows if row.cell(round_).outcome in BYES}


def with_cell(row: PlayerRow, round_: int, cell: RoundCell) -> PlayerRow:
    """The row with another cell in a round."""
    cells = list(row.cells) + [NOTHING] * (round_ - len(row.cells))
    cells[round_ - 1] = cell
    return msgspec.structs.replace(row, cells=tuple(cells))


def before_round(tournament: TournamentFile, round_: int) -> Crosstable:
    """The table as the pairing of a round finds it: the rounds before it, and the byes granted in it. A blank counts as
    a bye in a round that is over; `forbidden` are the groups of that round."""
    rows = tuple(_cut(row, round_, round_ < tournament.upcoming) for row in tournament.table.rows)
    return msgspec.structs.replace(tournament.table, rows=rows, forbidden=in_force(tournament, round_))


def _cut(row: PlayerRow, round_: int, over: bool) -> PlayerRow:
    kept = msgspec.structs.replace(row, cells=row.cells[: round_ - 1])
    granted = row.cell(round_)
    if over and granted == NOTHING:
        granted = RoundCell(outcome=Outcome.ZERO_BYE)
    return with_cell(kept, round_, granted) if granted.outcome in BYES else kept


def in_force(tournament: TournamentFile, round_: int) -> tuple[tuple[int, ...], ...]:
    """The groups of numbers that do not meet in a round."""
    return tournament.always + tuple(each.numbers for each in tournament.barred if each.first <= round_ <= each.last)
