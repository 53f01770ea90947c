"""A stage as FIDE's tournament report file, with all that a check of pairing and standings needs."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from domain.exchange.trf.rounds import with_cell
from domain.exchange.trf.write import FileForm, compose, tenths
from domain.log.decider import Refusal
from domain.pairing.crosstable import Crosstable, PlayerRow, RoundCell
from domain.tournament.crosstable_of import BYES
from domain.tournament.state import Stage, Tournament

NOT_IN_FILES: Final = frozenset({"WP", "GD", "LG", "LT", "LOT", "MP"})  # they come from deals, or from our own lot
_XXS: Final = (
    *(("WW", "win"), ("BW", "win"), ("WD", "draw"), ("BD", "draw"), ("WL", "loss"), ("BL", "loss")),
    *(("ZPB", "zero_bye"), ("HPB", "half_bye"), ("FPB", "full_bye"), ("PAB", "pairing_bye")),
    *(("FW", "forfeit_win"), ("FL", "forfeit_loss")),
)


def trf_of(state: Tournament, number: int, names: Mapping[str, str], form: FileForm = "trf16") -> str:
    """A stage as a file. Raises Refusal for a stage that such a file cannot hold."""
    stage = state.stages[number]
    table = table_of_stage(state, number, names)
    system = stage.format.system_reported()
    ranks = {place.seed: place.rank for place in state.places_of(number)}
    text = compose(table, form, system, ranks)
    return text + "".join(f"{line}\n" for line in _beside(stage, table, form, system))


def table_of_stage(state: Tournament, number: int, names: Mapping[str, str]) -> Crosstable:
    """The cross table with names, ratings and what is settled of the stage. Raises Refusal."""
    stage = state.stages[number]
    format_, field = stage.format, state.field(number)
    found = format_.crosstable(field)
    if not format_.report_system or found is None:
        raise Refusal("misfit", f"{format_.title} does not fit into a tournament report file: take the archive")
    if field.terms.points == "win":
        raise Refusal(
            "misfit", "its points are win points, which a tournament report file cannot hold: take the archive"
        )
    rows = tuple(_row(state, stage, row, names) for row in found.rows)
    codes = tuple(code for code in format_.ordered_by(field) if code not in NOT_IN_FILES)
    title = state.name if len(state.stages) == 1 else f"{state.name}: {stage.setup.name or format_.title}"
    table = msgspec.structs.replace(found, rows=rows, name=title, tiebreaks=codes)
    return _granted(stage, format_.reported(table, field))


def _row(state: Tournament, stage: Stage, row: PlayerRow, names: Mapping[str, str]) -> PlayerRow:
    entry, cells = stage.order[row.number - 1], row.cells
    if stage.format.drawn_round_by_round:
        cells = cells[: len(stage.rounds)]
    return PlayerRow(row.number, names[entry], cells, state.entries[entry].rating or 0, _points(stage, cells), row.lot)


def _points(stage: Stage, cells: tuple[RoundCell, ...]) -> int:
    """The points of the rounds so far, without byes of rounds to come."""
    points = stage.setup.terms.match_points()
    return sum(points.of(cell.outcome) for cell in cells)


def _granted(stage: Stage, table: Crosstable) -> Crosstable:
    """The table with the byes of rounds that are still to be paired."""
    rows = {row.number: row for row in table.rows}
    seeds = {entry: seed for seed, entry in enumerate(stage.order, start=1)}
    for round_, granted in stage.granted.items():
        for entry, kind in granted.items():
            if round_ > len(stage.rounds) and entry in seeds:
                rows[seeds[entry]] = with_cell(rows[seeds[entry]], round_, RoundCell(outcome=BYES[kind]))
    return msgspec.structs.replace(table, rows=tuple(rows.values()))


def _beside(stage: Stage, table: Crosstable, form: FileForm, system: str) -> Iterator[str]:
    """The lines that `compose` leaves out: in a file of 2016 the system and the tie-breaks, which Lurch's own commands
    read there too; points that no other record can hold."""
    if form == "trf16":
        yield f"192 {system}"
        yield f"212 {','.join(table.tiebreaks)}"
    points = table.points
    plain = msgspec.structs.replace(points, forfeit_win=points.win, half_bye=points.draw, full_bye=points.win)
    if points != plain:
        yield "XXS " + " ".join(f"{code}={tenths(getattr(points, name)).strip()}" for code, name in _XXS)
