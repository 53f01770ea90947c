"""A stage as FIDE's tournament report file: everything that pairing and standings need, so that both can be checked."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from domain.decider import Refusal
from domain.tournament.crosstable import Cell, Crosstable, Points, Row
from domain.tournament.format import Format
from domain.tournament.formats.round_robin import RoundRobin
from domain.tournament.formats.swiss import Swiss
from domain.tournament.state import Stage, Tournament
from domain.tournament.swiss.acceleration import baku
from domain.tournament.tabled import BYES
from domain.tournament.trf.rounds import with_cell
from domain.tournament.trf.write import Form, compose, tenths

SYSTEMS: Final = {"dutch-2026": "FIDE_DUTCH_2025", "dutch-till-2026": "FIDE_DUTCH_2017", "monrad": "CUSTOM_MONRAD"}
ROUND_ROBIN: Final = "FIDE_ROUNDROBIN"
NOT_IN_FILES: Final = frozenset({"WP", "GD", "LG", "LT", "LOT", "MP"})  # they come from deals, or from our own lot
_XXS: Final = (
    ("WW", "win"), ("BW", "win"), ("WD", "draw"), ("BD", "draw"), ("WL", "loss"), ("BL", "loss"), ("ZPB", "zero_bye"),
    ("HPB", "half_bye"), ("FPB", "full_bye"), ("PAB", "pairing_bye"), ("FW", "forfeit_win"), ("FL", "forfeit_loss"),
)  # fmt: skip


def trf_of(state: Tournament, number: int, names: Mapping[str, str], form: Form = "trf16") -> str:
    """A stage as a file. Raises Refusal for a stage that such a file cannot hold."""
    stage = state.stages[number]
    table = table_of_stage(state, number, names)
    system = _system(stage.format)
    ranks = {place.seed: place.rank for place in state.places_of(number)}
    text = compose(table, form, system, ranks)
    return text + "".join(f"{line}\n" for line in _beside(stage, table, form, system))


def table_of_stage(state: Tournament, number: int, names: Mapping[str, str]) -> Crosstable:
    """The cross table with names, ratings and what is settled of the stage. Raises Refusal."""
    stage = state.stages[number]
    format_, field = stage.format, state.field(number)
    if not isinstance(format_, Swiss | RoundRobin):
        raise Refusal("misfit", f"{format_.title} does not fit into a tournament report file: take the archive")
    if field.terms.points == "win":
        raise Refusal(
            "misfit", "its points are win points, which a tournament report file cannot hold: take the archive"
        )
    found = format_.crosstable(field)
    rows = tuple(_row(state, stage, row, names) for row in found.rows)
    codes = tuple(code for code in format_.ordered_by(field) if code not in NOT_IN_FILES)
    title = state.name if len(state.stages) == 1 else f"{state.name}: {stage.setup.name or format_.title}"
    table = msgspec.structs.replace(found, rows=rows, name=title, tiebreaks=codes)
    if isinstance(format_, Swiss):
        table = msgspec.structs.replace(table, rounds=format_.rounds, forbidden=field.met)
        table = _granted(stage, baku(table) if format_.acceleration == "baku" else table)
    return table


def _row(state: Tournament, stage: Stage, row: Row, names: Mapping[str, str]) -> Row:
    entry, cells = stage.order[row.number - 1], row.cells
    if isinstance(stage.format, Swiss) and stage.format.sides == "none":  # pairing looks at no sides: none are told
        cells = tuple(msgspec.structs.replace(cell, first=None) for cell in cells)
    if isinstance(stage.format, Swiss):
        cells = cells[: len(stage.rounds)]
    return Row(row.number, names[entry], cells, state.entries[entry].rating or 0, _points(stage, cells), row.lot)


def _points(stage: Stage, cells: tuple[Cell, ...]) -> int:
    """What was won in the rounds so far; byes of rounds to come are not among them."""
    points = stage.setup.terms.match_points()
    return sum(points.of(cell.outcome) for cell in cells)


def _granted(stage: Stage, table: Crosstable) -> Crosstable:
    """The table with the byes of rounds that are still to be paired."""
    rows = {row.number: row for row in table.rows}
    seeds = {entry: seed for seed, entry in enumerate(stage.order, start=1)}
    for round_, granted in stage.granted.items():
        for entry, kind in granted.items():
            if round_ > len(stage.rounds) and entry in seeds:
                rows[seeds[entry]] = with_cell(rows[seeds[entry]], round_, Cell(outcome=BYES[kind]))
    return msgspec.structs.replace(table, rows=tuple(rows.values()))


def _system(format_: Format) -> str:
    if not isinstance(format_, Swiss):
        return ROUND_ROBIN
    return SYSTEMS[format_.rules] + ("_BAKU" if format_.acceleration == "baku" else "")


def _beside(stage: Stage, table: Crosstable, form: Form, system: str) -> Iterator[str]:
    """What `compose` leaves out: in a file of 2016 the system and the tie-breaks, which our own commands read there
    too; points that no other record can say."""
    if form == "trf16":
        yield f"192 {system}"
        yield f"212 {','.join(table.tiebreaks)}"
    points = table.points
    plain = Points(
        points.win, points.draw, points.loss, points.win, points.forfeit_loss, points.pairing_bye, points.draw,
        points.win, points.zero_bye,
    )  # fmt: skip
    if points != plain:
        yield "XXS " + " ".join(f"{code}={tenths(getattr(points, name)).strip()}" for code, name in _XXS)
