"""What a tournament report file says of a new tournament: who plays, in which format, on what terms; what it drops."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import msgspec

from domain.decider import Refusal
from domain.tournament import commands as c
from domain.tournament.announcing import announced, entered_by
from domain.tournament.crosstable import Cell, Outcome, Row
from domain.tournament.exchange.faults import Fault, FaultyError
from domain.tournament.exchange.trf_out import NOT_IN_FILES
from domain.tournament.formats.round_robin import round_robin
from domain.tournament.state import Tournament
from domain.tournament.swiss.acceleration import baku
from domain.tournament.terms import Terms
from domain.tournament.tiebreaks.registry import TIEBREAKS
from domain.tournament.trf import model

MOST: Final = 500
LONGEST: Final = 80
UNNAMED: Final = "Tournament from a file"
_POINTS: Final = frozenset({"162", "XXS", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"})


class Source:
    """A file with the places of its players' lines."""

    def __init__(self, file: model.Tournament) -> None:
        self.file, self.table = file, file.table
        self.lines = {line.row.number: at for at, line in enumerate(file.lines, start=1) if line.row is not None}
        self.rows = {row.number: row for row in self.table.rows}
        self.places = {number: seed for seed, number in enumerate(self.rows, start=1)}

    def fault(self, row: Row, column: int, message: str) -> Fault:
        """Something wrong with a player's line."""
        return Fault(self.lines[row.number], column, message)

    @property
    def last(self) -> int:
        """The last round in which somebody met somebody, or had the bye of the pairing."""
        there = range(1, max((len(row.cells) for row in self.table.rows), default=0) + 1)
        return max((each for each in there if any(in_pairing(row.cell(each)) for row in self.table.rows)), default=0)

    @property
    def known(self) -> int:
        """The last round of which a result is known."""
        rounds = range(self.last, 0, -1)
        return next((each for each in rounds if any(_known(row.cell(each)) for row in self.table.rows)), 0)


@cache
def plays_in_pairs(game: str) -> bool:
    """Whether two people make an entry of a game as it is usually played. Raises Refusal for a game that is none."""
    stage = c.StagePlan(format={"kind": "swiss"}, game=game)
    return entered_by(announced(Tournament(), c.Announce(UNNAMED, (stage,))).stages[0]) > 1


def in_pairing(cell: Cell) -> bool:
    """Whether the pairing saw to somebody in a round: an opponent, or the bye."""
    return bool(cell.opponent) or cell.outcome is Outcome.PAIRING_BYE


def _known(cell: Cell) -> bool:
    return bool(cell.opponent) and cell.outcome is not Outcome.UNKNOWN


def plan_of(file: model.Tournament, game: str) -> tuple[c.Announce, tuple[tuple[str, ...], ...], bool]:
    """What is announced, who plays by entry, and whether the plan is that of a round robin. Raises FaultyError, and
    Refusal for a game that is none."""
    source, partners = Source(file), plays_in_pairs(game)
    faults = [*_bad_names(source, partners), *_bad_points(source)]
    if len(file.table.rows) > MOST:
        faults.append(source.fault(file.table.rows[MOST], 1, f"no more than {MOST} entries are made at once"))
    if faults:
        raise FaultyError(faults)
    fixed = file.table.fixed_pairings and _by_berger(source) is not None
    people = tuple(_people(row.name, partners) for row in file.table.rows)
    terms = msgspec.structs.replace(_terms(file), rounds="strict") if fixed else _terms(file)  # a file has whole rounds
    stage = c.StagePlan(format=_format(source, fixed), game=game, terms=terms)
    name = " ".join(file.table.name.split())[:LONGEST].strip() or UNNAMED
    return c.Announce(name, (stage,)), people, fixed


def left_out(file: model.Tournament) -> tuple[str, ...]:
    """What the file says and the tournament will not hold."""
    told = [f"{each.line}:{each.column}: {each.message}" for each in file.warnings]
    unknown = [code for code in file.table.tiebreaks if _code(code) not in TIEBREAKS]
    told += [f"the tie-break {code} is not known and left out" for code in unknown]
    if file.always or file.barred:
        told.append(
            "forbidden pairs are not kept: the rounds of the file stand, and later ones are paired without them"
        )
    if file.table.fixed_pairings and _by_berger(Source(file)) is None:
        told.append("its rounds are not those of the Berger table: it is taken as a Swiss with these pairings")
    if file.table.extra and not _is_baku(file):
        told.append("its acceleration is not Baku's: rounds to come are paired without it")
    return tuple(told)


def _people(name: str, partners: bool) -> tuple[str, ...]:
    return tuple(each.strip() for each in name.split(" & ")) if partners else (name,)


def _bad_names(source: Source, partners: bool) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for row in source.table.rows:
        if not row.name or not row.name.isprintable():
            yield source.fault(row, 15, f"player {row.number} has no name")
        for each in _people(row.name, partners):
            key = each.casefold()
            if key in seen:
                yield source.fault(row, 15, f"{each!r} stands in line {seen[key]} already")
            seen.setdefault(key, source.lines[row.number])
        if partners and len(_people(row.name, partners)) != 2:
            yield source.fault(row, 15, f"two play together here, like 'Annie & Benny', not {row.name!r}")
        if row.rating > 5000:
            yield source.fault(row, 49, "a rating is at most 5000")


def _bad_points(source: Source) -> Iterator[Fault]:
    """Points that a tournament of ours cannot give."""
    points = source.table.points
    told = [at for at, line in enumerate(source.file.lines, start=1) if line.text[:3] in _POINTS]
    if points.forfeit_loss or points.zero_bye:
        yield Fault(told[-1], 5, "who does not come has no points here")
    if min(msgspec.structs.astuple(points)) < 0 or max(msgspec.structs.astuple(points)) > 10_000:
        yield Fault(told[-1], 5, "a round is worth 0 to 1000 points")


def _format(source: Source, fixed: bool) -> dict[str, Any]:
    if fixed:
        return {"kind": "round-robin", "double": _by_berger(source)}
    table = source.table
    rounds = min(max(table.rounds, source.last, 1), 100)
    accelerated = "baku" if _is_baku(source.file) else "none"
    rules = table.rules or "dutch-2026"
    return {"kind": "swiss", "rounds": rounds, "rules": rules, "acceleration": accelerated}


def _is_baku(file: model.Tournament) -> bool:
    return "BAKU" in file.system.split("_") or (
        bool(file.table.extra) and file.table.extra == baku(msgspec.structs.replace(file.table, extra=())).extra
    )


def _by_berger(source: Source) -> bool | None:
    """Whether the rounds are those of a double round robin; None where they are not those of the tables."""
    try:
        schedules = [round_robin(len(source.table.rows), double) for double in (False, True)]
    except Refusal:
        return None
    for schedule in schedules:
        if source.last <= len(schedule.rounds):
            mine = [set(each) for each in pairs_of(source)]
            if all(pairs == set(each.pairs) for pairs, each in zip(mine, schedule.rounds, strict=False)):
                if not schedule.double and source.table.rounds > len(schedule.rounds):
                    continue
                return schedule.double
    return None


def pairs_of(source: Source) -> Iterator[list[tuple[int, int]]]:
    """The pairs of each round, by place, who deals first first; where nobody says, the smaller number."""
    for round_ in range(1, source.last + 1):
        cells = [(row, row.cell(round_)) for row in source.table.rows]
        yield [
            (source.places[row.number], source.places[cell.opponent]) for row, cell in cells
            if cell.opponent and _named_first(row, cell, source, round_)
        ]  # fmt: skip


def _named_first(row: Row, cell: Cell, source: Source, round_: int) -> bool:
    if cell.first is not None:
        return cell.first
    other = source.rows[cell.opponent].cell(round_)
    return not other.first if other.first is not None else row.number < cell.opponent


def _terms(file: model.Tournament) -> Terms:
    points = file.table.points
    codes = dict.fromkeys(_code(code) for code in file.table.tiebreaks)
    return Terms(
        win=points.win, draw=points.draw, loss=points.loss, walkover=points.forfeit_win, bye=points.pairing_bye,
        half=points.half_bye, full=points.full_bye,
        tiebreaks=tuple(code for code in codes if code in TIEBREAKS and code not in NOT_IN_FILES)[:20],
    )  # fmt: skip


def _code(code: str) -> str:
    return code.strip().upper().replace(":", "/")
