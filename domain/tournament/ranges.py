"""The best and the worst place that each seed can still have while matches that were paired are open or disputed."""

from collections.abc import Set
from typing import TypeAlias

import msgspec

from domain.tournament.crosstable import Cell, Crosstable
from domain.tournament.format import Field, Format
from domain.tournament.meetings import Meeting, lower, meetings
from domain.tournament.places import Place

Range: TypeAlias = tuple[int, int]


def place_ranges(
    format_: Format, field: Field, places: tuple[Place, ...], paired: Set[str], disputed: Set[str], most: int
) -> dict[int, Range]:
    """(best, worst) by seed; both the rank itself where nothing that was paired is open. `most` is what a match can be
    worth at most in win points. In a bracket the rest of it counts as open until it is decided."""
    found = _bounds(format_, field, places, paired, disputed, most)
    own = {place.seed: place.rank for place in places}  # a bye of the round that is on is not counted in it yet
    return {seed: (min(best, own[seed]), max(worst, own[seed])) for seed, (best, worst) in found.items()}


def _bounds(
    format_: Format, field: Field, places: tuple[Place, ...], paired: Set[str], disputed: Set[str], most: int
) -> dict[int, Range]:
    if not format_.columns:
        return _of_order(field, places, disputed) if format_.drawn else _of_bracket(format_, field, disputed)
    pending = [each for name, each in field.found.items() if name in paired and _open(each, disputed)]
    if not pending:
        return {place.seed: (place.rank, place.rank) for place in places}
    code = format_.ordered_by(field)[0]
    table = format_.crosstable(field)
    if table is None or code not in ("PTS", "MP", "WP"):
        return {place.seed: (1, len(places)) for place in places}
    low = {row.number: sum(_points(table, code, cell) for cell in row.cells) for row in table.rows}
    high = _with_pending(low, pending, code, table, most)
    return _of_points(low, high, format_.sets(field))


def _points(table: Crosstable, code: str, cell: Cell) -> int:
    """The points of a round, in tenths, as the first tie-break counts them."""
    if code == "WP":
        return 10 * cell.worth
    return table.won(cell) if code == "PTS" else table.points.of(cell.outcome)


def _with_pending(
    low: dict[int, int], pending: list[Meeting], code: str, table: Crosstable, most: int
) -> dict[int, int]:
    """The most that each can have; what a disputed match gave is taken from `low`, for it may be taken away."""
    worth = 10 * most if code == "WP" or (code == "PTS" and table.by_worth) else table.points.win
    high = dict(low)
    for each in pending:
        for seed in each.seeds:
            if each.decided is not None:
                low[seed] -= worth
            high[seed] += worth
    return high


def _open(meeting: Meeting, disputed: Set[str]) -> bool:
    return meeting.status == "ready" or meeting.fixture.id in disputed


def _of_points(low: dict[int, int], high: dict[int, int], sets: tuple[tuple[int, ...], ...]) -> dict[int, Range]:
    """Bounds from points alone: whoever cannot be caught, and whoever cannot be passed. Of several sets the first of
    each stand before the second of each."""
    found = {}
    for members in sets:
        for seed in members:
            ahead = sum(low[other] > high[seed] for other in members if other != seed)
            reach = 1 + sum(high[other] >= low[seed] for other in members if other != seed)
            best = 1 + sum(min(len(each), ahead) for each in sets)
            found[seed] = (best, sum(min(len(each), reach) for each in sets))
    return found


def _of_order(field: Field, places: tuple[Place, ...], disputed: Set[str]) -> dict[int, Range]:
    """A ladder: while a challenge is open anybody may end anywhere."""
    pending = [each for each in field.found.values() if each.status == "ready"]
    if not pending and not disputed:
        return {place.seed: (place.rank, place.rank) for place in places}
    return {place.seed: (1, len(places)) for place in places}


def _of_bracket(format_: Format, field: Field, disputed: Set[str]) -> dict[int, Range]:
    """Who is out has a place that only those who are still in it, and have not come further yet, can push back; what is
    disputed is open, and so is what hangs on it."""
    field = _without(field, disputed)
    places = format_.places(field)
    going = [each for each in field.found.values() if each.status in ("waiting", "ready")]
    alive = {seed for each in going for seed in each.sides if seed > 0}
    rank = {place.seed: place.rank for place in places}
    third = {seed for each in going if each.fixture.id[0] == "C" for seed in each.sides if seed > 0}
    found: dict[int, Range] = {}
    for seed, mine in rank.items():
        if seed in third:
            found[seed] = (mine, 4)
        elif seed in alive:
            behind = sum(rank[other] > mine for other in rank if other not in alive)
            found[seed] = (1, len(rank) - behind)
        else:
            passing = sum(rank[other] >= mine for other in alive)
            found[seed] = (mine, mine + passing)
    return found


def _without(field: Field, disputed: Set[str]) -> Field:
    """The field as if these matches, and those that hang on them, were still to be decided."""
    if not disputed:
        return field
    open_ones = {*disputed, *(name for each in disputed for name in lower(field.found, each))}
    known = {name: each.decided for name, each in field.found.items() if each.decided and name not in open_ones}
    found = meetings([each.fixture for each in field.found.values()], known)
    return msgspec.structs.replace(field, found=found)
