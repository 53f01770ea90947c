"""The best and the worst place that each seed can still have: by what is open or disputed, and by rounds to come.

They hold as long as nobody comes late, leaves or comes back, and no result is corrected."""

from collections import Counter
from collections.abc import Mapping, Set
from typing import NamedTuple

import msgspec

from domain.pairing.crosstable import Crosstable, RoundCell
from domain.tournament.fixtures import LoserOf
from domain.tournament.format import Format, StageSoFar
from domain.tournament.meetings import NOBODY, Decided, Meeting, lower, meetings
from domain.tournament.places import LOST, MISSED, ORDER, RankedSeed, Reach, reach_of, reached


class Range(NamedTuple):
    """The best and the worst place that can still be had; `last` is the last of those that may share the worst."""

    best: int
    worst: int
    last: int


def place_ranges(
    format_: Format,
    field: StageSoFar,
    places: tuple[RankedSeed, ...],
    disputed: Set[str],
    most: int,
    ended: bool = False,
) -> dict[int, Range]:
    """The range of each seed; the rank itself where nothing can change any more. `most` is what a match can be
    worth at most in win points. A stage that was `ended` as it is has no rounds to come."""
    found = _bounds(format_, field, places, disputed, most, ended)
    if not format_.tiebreaks:
        return found
    own = {place.seed: place.rank for place in places}  # a bye of the round that is on is not counted in it yet
    return {
        seed: Range(min(each.best, own[seed]), max(each.worst, own[seed]), max(each.last, own[seed]))
        for seed, each in found.items()
    }


def sure_of(ranges: Mapping[int, Range], line: int) -> frozenset[int]:
    """The seeds that end among the first so many whatever happens, and level with nobody behind them."""
    return frozenset(seed for seed, each in ranges.items() if each.last <= line)


def _bounds(
    format_: Format, field: StageSoFar, places: tuple[RankedSeed, ...], disputed: Set[str], most: int, ended: bool
) -> dict[int, Range]:
    level = Counter(place.rank for place in places)
    exact = {place.seed: Range(place.rank, place.rank, place.rank + level[place.rank] - 1) for place in places}
    if ended and not disputed:
        return exact
    anywhere = {place.seed: Range(1, len(places), len(places)) for place in places}
    pending = [each for name, each in field.found.items() if name in disputed or (not ended and _open(each))]
    to_come = 0 if ended else format_.to_come(field)
    if format_.bracket:
        stands = _of_bracket(format_, field)
        return _either(stands, _of_bracket(format_, _without(field, disputed))) if disputed else stands
    if not pending and not to_come:
        return exact
    code = format_.ordered_by(field)[0] if format_.tiebreaks else ""
    table = format_.crosstable(field)
    if table is None or code not in ("PTS", "MP", "WP"):
        return anywhere  # on a ladder a challenge that is won may put anybody anywhere
    low = {row.number: sum(_points(table, code, cell) for cell in row.cells) for row in table.rows}
    match, bye = _most(table, code, most), _most_of_byes(table, code, field)
    high = _with_pending(low, pending, match)
    for seed in high.keys() - field.gone:
        high[seed] += to_come * max(match, bye)
    return _of_points(low, high, format_.sets(field))


def _open(meeting: Meeting) -> bool:
    """True for a match of the plan, paired or not, that is still to be decided."""
    return meeting.status in ("waiting", "ready")


def _most(table: Crosstable, code: str, most: int) -> int:
    """The most that a match can give, in tenths, as the first tie-break counts it."""
    points = table.points
    if code == "WP" or (code == "PTS" and table.by_worth):
        return 10 * most
    return max(points.win, points.draw, points.loss, points.forfeit_win)


def _most_of_byes(table: Crosstable, code: str, field: StageSoFar) -> int:
    """The most that a round without a match can give."""
    points = table.points
    if code == "WP" or (code == "PTS" and table.by_worth):
        return 10 * field.terms.bye_worth
    return max(points.pairing_bye, points.half_bye, points.full_bye)


def _points(table: Crosstable, code: str, cell: RoundCell) -> int:
    """The points of a round, in tenths, as the first tie-break counts them."""
    if code == "WP":
        return 10 * cell.worth
    return table.won(cell) if code == "PTS" else table.points.of(cell.outcome)


def _with_pending(low: dict[int, int], pending: list[Meeting], worth: int) -> dict[int, int]:
    """The most that each can have; what a disputed match gave is taken from `low`, for it may be taken away."""
    high = dict(low)
    for each in pending:
        for seed in each.seeds:
            if each.decided is not None:
                low[seed] -= worth
            high[seed] += worth
    return high


def _of_points(low: dict[int, int], high: dict[int, int], sets: tuple[tuple[int, ...], ...]) -> dict[int, Range]:
    """Bounds from points alone: whoever cannot be caught, and whoever cannot be passed. Of several sets the first of
    each stand before the second of each."""
    found = {}
    for members in sets:
        for seed in members:
            ahead = sum(low[other] > high[seed] for other in members if other != seed)
            reach = 1 + sum(high[other] >= low[seed] for other in members if other != seed)
            best = 1 + sum(min(len(each), ahead) for each in sets)
            worst = sum(min(len(each), reach) for each in sets)
            found[seed] = Range(best, worst, worst)
    return found


def _either(one: Mapping[int, Range], other: Mapping[int, Range]) -> dict[int, Range]:
    """The ranges of both ways together: a disputed result may stand, or be open with all that hangs on it."""
    return {
        seed: Range(min(each.best, also.best), max(each.worst, also.worst), max(each.last, also.last))
        for (seed, each), also in zip(one.items(), map(other.__getitem__, one), strict=True)
    }


def _of_bracket(format_: Format, field: StageSoFar) -> dict[int, Range]:
    """Nobody who is out can pass those who came further. Who is in can still be first, or third where that is what is
    left; at worst everything is lost from here on, and as many come further as the bracket sends on."""
    going = [each for each in field.found.values() if _open(each)]
    alive = {seed for each in going for seed in each.sides if seed > NOBODY}
    third = {seed for each in going if each.fixture.part == "third" for seed in each.sides if seed > NOBODY}
    came, lost = reached(field.entrants, field.found), _all_lost(field)
    end = list(reached(field.entrants, _played_out(field)).values())
    found: dict[int, Range] = {}
    for place in format_.places(field):
        seed = place.seed
        reach = max(came[seed], lost.get(seed, ()))
        worst, last = 1 + sum(each > reach for each in end), sum(each >= reach for each in end)
        if seed in alive and reach[0] == ORDER["final"]:
            worst, last = 2, 2  # a final that is played again parts the same two
        best = 3 if seed in third else 1 if seed in alive else place.rank
        found[seed] = Range(best, worst, last)
    return found


def _all_lost(field: StageSoFar) -> dict[int, Reach]:
    """The reach of those who are still in it if they lose their next match, and the one that losers of it have then;
    who has left may miss it."""
    below = {
        slot.fixture: each.fixture
        for each in field.found.values()
        for slot in each.fixture.slots
        if isinstance(slot, LoserOf)
    }
    last = max(each.fixture.round for each in field.found.values() if each.fixture.part == "winners")
    found: dict[int, Reach] = {}
    for each in filter(_open, field.found.values()):
        following = below.get(each.fixture.id, each.fixture)
        reach = max(reach_of(each.fixture, LOST, last), reach_of(following, LOST, last))
        missed = reach_of(each.fixture, MISSED, last)
        found |= {seed: missed if seed in field.gone else reach for seed in each.sides if seed > NOBODY}
    return found


def _played_out(field: StageSoFar) -> dict[str, Meeting]:
    """The bracket as if the upper side won every match that is left: who comes how far does not hang on who it is."""
    fixtures = [each.fixture for each in field.found.values()]
    known = {name: each.decided for name, each in field.found.items() if each.decided}
    while True:
        found = meetings(fixtures, known)
        left = {name: Decided(0, "played") for name, each in found.items() if each.status == "ready"}
        if not left:
            return found
        known |= left


def _without(field: StageSoFar, disputed: Set[str]) -> StageSoFar:
    """The field as if these matches, and those that hang on them, were still to be decided."""
    open_ones = {*disputed, *(name for each in disputed for name in lower(field.found, each))}
    known = {name: each.decided for name, each in field.found.items() if each.decided and name not in open_ones}
    found = meetings([each.fixture for each in field.found.values()], known)
    return msgspec.structs.replace(field, found=found)
