"""Every tie-break there is, one entry each."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

import msgspec

from domain.standings.tiebreaks import counts, ours, sums
from domain.standings.tiebreaks.direct import direct_encounter, direct_working
from domain.standings.tiebreaks.event import TieBreakTable
from domain.standings.tiebreaks.terms import Term, ValuesAndWorking

Sets: TypeAlias = Sequence[Sequence[int]]


class UnknownTieBreak(ValueError):
    """A code that no entry has."""


class TieBreak(msgspec.Struct, frozen=True):
    """`values` gives every player's, in parts of `unit`, to the sets of players who are tied so far; `working` the
    terms of one player's, among those of the same set. The most is best, but for direct encounter."""

    code: str
    title: str
    unit: int
    values: Callable[[TieBreakTable, Sets], list[int]]
    working: Callable[[TieBreakTable, int, Sequence[int], int], tuple[Term, ...]]
    least_first: bool = False

    def number(self, value: int) -> int | float:
        """The value as a number of JSON: 2, 1.5."""
        return value // self.unit if value % self.unit == 0 else value / self.unit


def _entry(
    code: str,
    title: str,
    unit: int,
    both: ValuesAndWorking,
    least_first: bool = False,
) -> TieBreak:
    """A tie-break that does not look at who is tied."""
    values, working = both
    return TieBreak(
        code,
        title,
        unit,
        lambda event, sets: values(event),
        lambda event, place, tied, value: working(event, place),
        least_first,
    )


_ALL: Final = (
    _entry("PTS", "points", 10, (counts.points, counts.points_working)),
    TieBreak("DE", "direct encounter", 1, direct_encounter, direct_working, least_first=True),
    _entry("BH", "Buchholz", 10, sums.buchholz()),
    _entry("BH/C1", "Buchholz without the lowest", 10, sums.buchholz(1)),
    _entry("BH/C2", "Buchholz without the two lowest", 10, sums.buchholz(2)),
    _entry("BH/M1", "median Buchholz", 10, sums.buchholz(1, 1)),
    _entry("BH/M2", "median Buchholz, two and two", 10, sums.buchholz(2, 2)),
    _entry("SB", "Sonneborn-Berger", 100, sums.sonneborn_berger()),
    _entry("SB/C1", "Sonneborn-Berger without the lowest", 100, sums.sonneborn_berger(1)),
    _entry("AOB", "average Buchholz of the opponents", sums.FINE, (sums.average, sums.average_working)),
    _entry("PS", "progressive score", 10, counts.progressive(0)),
    _entry("PS/C1", "progressive score without the first round", 10, counts.progressive(1)),
    _entry("KS", "Koya", 10, (counts.koya, counts.koya_working)),
    _entry("WIN", "rounds with a win's points", 1, counts.counter(counts.win)),
    _entry("WON", "wins at the table", 1, counts.counter(counts.won_at_table)),
    _entry("BPG", "games dealt second", 1, counts.counter(counts.played_second)),
    _entry("BWG", "wins dealt second", 1, counts.counter(counts.won_second)),
    _entry("REP", "rounds one was ready to play", 1, counts.counter(counts.ready_to_play)),
    _entry("WP", "win points", 1, ours.summed(ours.win_points)),
    _entry("MP", "match points", 10, ours.summed(ours.match_points)),
    _entry("GD", "deal points more than the opponents", 1, ours.summed(ours.deal_points)),
    _entry("LG", "lurches given", 1, ours.summed(ours.lurches_given)),
    _entry("LT", "lurches taken, the fewest first", 1, ours.summed(ours.lurches_taken), least_first=True),
    _entry("LOT", "the lot", 1, (ours.lots, ours.lot_working), least_first=True),
)
TIEBREAKS: Final[dict[str, TieBreak]] = {each.code: each for each in _ALL}


def tiebreaks_named(codes: Iterable[str]) -> tuple[TieBreak, ...]:
    """The tie-breaks of codes; BH:C1 is BH/C1. Raises UnknownTieBreak."""
    found = []
    for code in codes:
        entry = TIEBREAKS.get(code.strip().upper().replace(":", "/"))
        if entry is None:
            raise UnknownTieBreak(f"there is no tie-break {code.strip()!r}; there are {', '.join(TIEBREAKS)}")
        found.append(entry)
    return tuple(found)
