"""The plan of a new tournament from a report file: players, format and terms, and the parts that are left out."""

from collections.abc import Iterator
from functools import cache
from typing import Final

import msgspec

from domain.exchange.faults import FaultyError, TextFault
from domain.exchange.trf import model
from domain.exchange.trf_out import NOT_IN_FILES
from domain.log.decider import Refusal
from domain.log.event import JsonObject
from domain.pairing.crosstable import Outcome, PlayerRow, RoundCell
from domain.pairing.swiss.acceleration import baku
from domain.standings.tiebreaks.registry import TIEBREAKS
from domain.tournament import commands as c
from domain.tournament.decide.announcing import announced, entered_by
from domain.tournament.formats.round_robin import round_robin
from domain.tournament.points import Terms
from domain.tournament.state import Tournament

MOST: Final = 500
LONGEST: Final = 80
UNNAMED: Final = "Tournament from a file"
_POINTS: Final = frozenset({"162", "XXS", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"})


class ReportSource:
    """A file with the places of its players' lines."""

    def __init__(self, file: model.TournamentFile) -> None:
        self.file, self.table = file, file.table
        self.lines = {line.row.number: at for at, line in enumerate(file.lines, start=1) if line.row is not None}
        self.rows = {row.number: row for row in self.table.rows}
        self.places = {number: seed for seed, number in enumerate(self.rows, start=1)}

    def fault(self, row: PlayerRow, column: int, message: str) -> TextFault:
        """Something wrong with a player's line."""
        return TextFault(self.lines[row.number], column, message)

    @property
    def last(self) -> int:
        """The last round with a game or with the bye of the pairing."""
        there = range(1, max((len(row.cells) for row in self.table.rows), default=0) + 1)
        return max((each for each in there if any(in_pairing(row.cell(each)) for row in self.table.rows)), default=0)

    @property
    def known(self) -> int:
        """The last round with a known result."""
        rounds = range(self.last, 0, -1)
        return next((each for each in rounds if any(_known(row.cell(each)) for row in self.table.rows)), 0)


@cache
def plays_in_pairs(game: str) -> bool:
    """Tell a game whose entries are pairs as it is usually played. Raises Refusal for an unknown game."""
    stage = c.StagePlan(format={"kind": "swiss"}, game=game)
    return entered_by(announced(Tournament(), c.Announce(UNNAMED, (stage,))).stages[0]) > 1


def in_pairing(cell: RoundCell) -> bool:
    """Tell a cell that comes from the pairing: an opponent, or the bye."""
    return bool(cell.opponent) or cell.outcome is Outcome.PAIRING_BYE


def _known(cell: RoundCell) -> bool:
    return bool(cell.opponent) and cell.outcome is not Outcome.UNKNOWN


def plan_of(file: model.TournamentFile, game: str) -> tuple[c.Announce, tuple[tuple[str, ...], ...], bool]:
    """The announcement, the people of each entry, and True for the plan of a round robin. Raises FaultyError, and
    Refusal for an unknown game."""
    source, partners = ReportSource(file), plays_in_pairs(game)
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


def left_out(file: model.TournamentFile) -> tuple[str, ...]:
    """Sentences on the parts of a file that the tournament will not hold."""
    told = [f"{each.line}:{each.column}: {each.message}" for each in file.warnings]
    unknown = [code for code in file.table.tiebreaks if _code(code) not in TIEBREAKS]
    told += [f"the tie-break {code} is not known and left out" for code in unknown]
    if file.always or file.barred:
        told.append(
            "forbidden pairs are not kept: the rounds of the file stand, and later ones are paired without them"
        )
    if file.table.fixed_pairings and _by_berger(ReportSource(file)) is None:
        told.append("its rounds are not those of the Berger table: it is taken as a Swiss with these pairings")
    if file.table.extra and not _is_baku(file):
        told.append("its acceleration is not Baku's: rounds to come are paired without it")
    return tuple(told)


def _people(name: str, partners: bool) -> tuple[str, ...]:
    return tuple(each.strip() for each in name.split(" & ")) if partners else (name,)


def _bad_names(source: ReportSource, partners: bool) -> Iterator[TextFault]:
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


def _bad_points(source: ReportSource) -> Iterator[TextFault]:
    """The faults of points that a tournament of Lurch cannot give."""
    points = source.table.points
    told = [at for at, line in enumerate(source.file.lines, start=1) if line.text[:3] in _POINTS]
    if points.forfeit_loss or points.zero_bye:
        yield TextFault(told[-1], 5, "who does not come has no points here")
    if min(msgspec.structs.astuple(points)) < 0 or max(msgspec.structs.astuple(points)) > 10_000:
        yield TextFault(told[-1], 5, "a round is worth 0 to 1000 points")


def _format(source: ReportSource, fixed: bool) -> JsonObject:
    if fixed:
        return {"kind": "round-robin", "double": _by_berger(source)}
    table = source.table
    rounds = min(max(table.rounds, source.last, 1), 100)
    accelerated = "baku" if _is_baku(source.file) else "none"
    rules = table.rules or "dutch-2026"
    return {"kind": "swiss", "rounds": rounds, "rules": rules, "acceleration": accelerated}


def _is_baku(file: model.TournamentFile) -> bool:
    return "BAKU" in file.system.split("_") or (
        bool(file.table.extra) and file.table.extra == baku(msgspec.structs.replace(file.table, extra=())).extra
    )


def _by_berger(source: ReportSource) -> bool | None:
    """True for the rounds of a double round robin, False for a single one, None for rounds of other tables."""
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


def pairs_of(source: ReportSource) -> Iterator[list[tuple[int, int]]]:
    """The pairs of each round by place, the first dealer first; without a side in the file, the smaller number."""
    for round_ in range(1, source.last + 1):
        cells = [(row, row.cell(round_)) for row in source.table.rows]
        yield [
            (source.places[row.number], source.places[cell.opponent])
            for row, cell in cells
            if cell.opponent and _named_first(row, cell, source, round_)
        ]


def _named_first(row: PlayerRow, cell: RoundCell, source: ReportSource, round_: int) -> bool:
    if cell.first is not None:
        return cell.first
    other = source.rows[cell.opponent].cell(round_)
    return not other.first if other.first is not None else row.number < cell.opponent


def _terms(file: model.TournamentFile) -> Terms:
    points = file.table.points
    codes = dict.fromkeys(_code(code) for code in file.table.tiebreaks)
    return Terms(
        win=points.win,
        draw=points.draw,
        loss=points.loss,
        walkover=points.forfeit_win,
        bye=points.pairing_bye,
        half=points.half_bye,
        full=points.full_bye,
        tiebreaks=tuple(code for code in codes if code in TIEBREAKS and code not in NOT_IN_FILES)[:20],
    )


def _code(code: str) -> str:
    return code.strip().upper().replace(":", "/")
