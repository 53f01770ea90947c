"""Standings: order, every tie-break with its working, the places that are still possible, the crosstable."""

from collections.abc import Mapping

import msgspec

from domain.pairing.crosstable import Crosstable, RoundCell
from domain.pairing.placeholders import fill
from domain.pairing.tenths import shown
from domain.standings.tiebreaks.ranking import working
from domain.standings.tiebreaks.registry import TieBreak, tiebreaks_named
from domain.standings.tiebreaks.terms import Term
from domain.tournament.doubts import NONE, Doubt, doubt_in, doubts_of_entries
from domain.tournament.format import StageSoFar
from domain.tournament.ranges import Range, place_ranges, sure_of
from domain.tournament.signatures import not_final
from domain.tournament.state import Stage, Tournament
from projections.tournaments.beside import beside


class Column(msgspec.Struct, frozen=True):
    """A tie-break: its code, and what it is."""

    code: str
    title: str


class StandingRow(msgspec.Struct, frozen=True):
    """One entry: its rank, the value of each tie-break, the best and worst place it can still have; where there are
    groups, its group and its rank in that; `not_final` counts its results that both sides have not confirmed strongly
    enough. `qualified`: it goes on whatever happens; `uncatchable`: it is first
    whatever happens, while something still may. `doubt` is the weightiest about one of its results."""

    rank: int
    entry: str
    name: str
    seed: int
    values: tuple[int | float, ...]
    best: int
    worst: int
    left: str | None
    group: str | None = None
    in_group: int | None = None
    qualified: bool = False
    uncatchable: bool = False
    not_final: int = 0
    doubt: Doubt | None = None


class StandingsView(msgspec.Struct, frozen=True):
    """The standings of a stage; `provisional` while a match that was paired is open, disputed or contested, `settled`
    once nothing can change any more: no match is open, no round is to come."""

    stage: int
    name: str
    version: int
    provisional: bool
    tiebreaks: tuple[Column, ...]
    rows: tuple[StandingRow, ...]
    settled: bool = True


class TermView(msgspec.Struct, frozen=True):
    """One term of a value: what it comes from, and whether it counts."""

    value: str
    words: str
    round: int
    counts: bool


class WorkingView(msgspec.Struct, frozen=True):
    """A tie-break of one entry, term by term."""

    code: str
    title: str
    value: str
    terms: tuple[TermView, ...]


class WhyView(msgspec.Struct, frozen=True):
    """Reasons for the place of an entry: each value with its working, and a sentence on each neighbour."""

    entry: str
    name: str
    rank: int
    values: tuple[WorkingView, ...]
    ahead: str
    behind: str


class CrossCell(msgspec.Struct, frozen=True):
    """A round of an entry: the opponent's place in the table, the outcome's letter, points, whether it dealt first, and
    the doubt about the result."""

    opponent: str | None
    letter: str
    points: str
    first: bool | None
    doubt: Doubt | None = None


class CrossRow(msgspec.Struct, frozen=True):
    """An entry of the crosstable, round by round."""

    entry: str
    name: str
    seed: int
    rank: int
    cells: tuple[CrossCell, ...]


def standings_view(
    state: Tournament, number: int, names: Mapping[str, str], beside: Mapping[str, Doubt] = NONE
) -> StandingsView:
    """The standings of a stage that has begun; `beside` are the doubts that do not stand in the tournament."""
    stage = state.stages[number]
    field = state.field(number)
    places = stage.format.places(field)
    doubtful = stage.disputed | frozenset(stage.contested)
    open_ones = any(name not in stage.decided or name in doubtful for name in stage.pairings)
    ended = number < state.at or state.finished
    settled = not open_ones and (ended or stage.format.over(field))
    ranges = place_ranges(stage.format, field, places, doubtful, most_worth(stage), ended)
    open_results = [
        {*pairing.sides[0], *pairing.sides[1]}
        for pairing in map(stage.pairings.get, not_final(state, number))
        if pairing
    ]
    groups, going_on = stage.format.group_places(field), _going_on(state, number, ranges, settled)
    first = frozenset() if settled else sure_of(ranges, 1)
    doubts = doubts_of_entries(stage, beside)
    rows = []
    for place in places:
        entry = stage.order[place.seed - 1]
        best, worst, _ = ranges[place.seed]
        group, in_group = groups.get(place.seed, (None, None))
        rows.append(
            StandingRow(
                place.rank,
                entry,
                names[entry],
                place.seed,
                place.values,
                best,
                worst,
                state.entries[entry].withdrawn,
                group,
                in_group,
                entry in going_on,
                place.seed in first,
                sum(entry in each for each in open_results),
                doubts.get(entry),
            )
        )
    columns = tuple(Column(each.code, each.title) for each in tiebreaks_named(stage.format.ordered_by(field)))
    title = stage.setup.name or stage.format.title
    return StandingsView(number, title, state.version, open_ones, columns, tuple(rows), settled)


def _going_on(state: Tournament, number: int, ranges: Mapping[int, Range], settled: bool) -> frozenset[str]:
    """The entries that go on to the next stage: as it began, else as far as nothing can change it."""
    stage, go_on = state.stages[number], state.stages[number].setup.go_on
    if number + 1 == len(state.stages) or not go_on:
        return frozenset()
    if number < state.at:
        return frozenset(state.stages[number + 1].order)
    field = state.field(number)
    if not settled:
        return frozenset(stage.entries(sure_of(ranges, go_on)))
    level = {seed for each in stage.format.tied(field, go_on) for seed in each}
    return frozenset(stage.entries(seed for seed in stage.format.qualifiers(field, go_on) if seed not in level))


def most_worth(stage: Stage) -> int:
    """The most win points that one match can be worth."""
    race = stage.setup.race
    single = max(race.lurch.win_points) if race.lurch else 1
    return max(single * (race.best_of // 2 + 1), stage.setup.terms.walkover_worth)


def why_view(state: Tournament, number: int, entry: str, names: Mapping[str, str]) -> WhyView:
    """Reasons for the place of an entry in one of its stages."""
    stage = state.stages[number]
    field = state.field(number)
    seed = stage.order.index(entry) + 1
    places = stage.format.places(field)
    at = next(index for index, place in enumerate(places) if place.seed == seed)
    codes = stage.format.ordered_by(field)
    table = stage.format.crosstable(field)
    found: list[WorkingView] = []
    if table is not None:
        values = places[at].values
        terms = working(table, tiebreaks_named(codes), seed, fixed=table.fixed_pairings)
        for tiebreak, value, parts in zip(tiebreaks_named(codes), values, terms, strict=True):
            told = tuple(
                TermView(_given(tiebreak, part), _with_names(part.words, stage, names), part.round, part.counts)
                for part in parts
            )
            found.append(WorkingView(tiebreak.code, tiebreak.title, f"{value:g}", told))

    called = {place.seed: names[stage.order[place.seed - 1]] for place in places}
    groups = stage.format.group_places(field)
    ahead, behind = (
        beside(stage.format, field, places[at], places[other], called, groups) if 0 <= other < len(places) else ""
        for other in (at - 1, at + 1)
    )
    return WhyView(entry, names[entry], places[at].rank, tuple(found), ahead, behind)


def _given(tiebreak: TieBreak, term: Term) -> str:
    """The value of a term; of a direct encounter only the count of those placed before gives one."""
    return "" if tiebreak.code == "DE" and not term.counts else shown(term.value, tiebreak.unit)


def _with_names(text: str, stage: Stage, names: Mapping[str, str]) -> str:
    return fill(text, lambda seed: names[stage.order[int(seed) - 1]])


def crosstable_view(
    state: Tournament, number: int, names: Mapping[str, str], beside: Mapping[str, Doubt] = NONE
) -> tuple[CrossRow, ...]:
    """The crosstable of a stage by rank; empty where the places come from a bracket. `beside` are the doubts that do
    not stand in the tournament."""
    stage = state.stages[number]
    field = state.field(number)
    table = stage.format.crosstable(field)
    if table is None:
        return ()
    rows = {row.number: row for row in table.rows}
    doubts = _doubts_by_round(stage, field, beside)
    found = []
    for place in stage.format.places(field):
        row = rows[place.seed]
        entry = stage.order[place.seed - 1]
        cells = tuple(
            _cross(table, stage, cell, doubts.get((entry, number))) for number, cell in enumerate(row.cells, start=1)
        )
        found.append(CrossRow(entry, names[entry], place.seed, place.rank, cells))
    return tuple(found)


def _doubts_by_round(stage: Stage, field: StageSoFar, beside: Mapping[str, Doubt]) -> dict[tuple[str, int], Doubt]:
    """The doubts about results by entry and round, as the crosstable counts rounds."""
    found: dict[tuple[str, int], Doubt] = {}
    for name, pairing in stage.pairings.items():
        doubt = doubt_in(stage, name, beside)
        if doubt is not None and name in field.found:
            for entry in (*pairing.sides[0], *pairing.sides[1]):
                found[entry, field.found[name].fixture.round] = doubt
    return found


def _cross(table: Crosstable, stage: Stage, cell: RoundCell, doubt: Doubt | None) -> CrossCell:
    opponent = stage.order[cell.opponent - 1] if cell.opponent else None
    points = "" if cell.outcome.value == " " else shown(table.won(cell))
    return CrossCell(opponent, cell.outcome.value, points, cell.first if cell.opponent else None, doubt)
