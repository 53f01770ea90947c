"""The standings: who is where by points and tie-breaks, one after the other."""

from collections.abc import Sequence

import msgspec

from domain.pairing.crosstable import Crosstable
from domain.standings.tiebreaks.event import TieBreakTable
from domain.standings.tiebreaks.registry import TieBreak
from domain.standings.tiebreaks.terms import Term


class RankedPlayer(msgspec.Struct, frozen=True):
    """A player's rank and the value of each tie-break, in its unit."""

    number: int
    rank: int
    values: tuple[int, ...]


class Standings(msgspec.Struct, frozen=True):
    """By rank, then by number. `rounds` is how many counted."""

    tiebreaks: tuple[TieBreak, ...]
    rounds: int
    rows: tuple[RankedPlayer, ...]


def standings(table: Crosstable, tiebreaks: Sequence[TieBreak], fixed: bool | None = None) -> Standings:
    """Order the players; who is equal in everything has the same rank, and the next rank is skipped. `fixed`: all
    pairings were made beforehand (a round robin); as the table says unless told."""
    event = TieBreakTable(table, table.fixed_pairings if fixed is None else fixed)
    sets, columns = _order(event, tiebreaks)
    rows = []
    rank = 1
    for tied in sets:
        rows += [
            RankedPlayer(event.rows[each].number, rank, tuple(column[each] for column in columns)) for each in tied
        ]
        rank += len(tied)
    return Standings(tuple(tiebreaks), event.rounds, tuple(rows))


def _order(event: TieBreakTable, tiebreaks: Sequence[TieBreak]) -> tuple[list[list[int]], list[list[int]]]:
    """The sets of players who are still tied, best first, and the values of each tie-break."""
    sets = [list(range(len(event.rows)))]
    columns = []
    for tiebreak in tiebreaks:
        values = tiebreak.values(event, sets)
        columns.append(values)
        sets = [part for tied in sets for part in _parted(tied, values, tiebreak.least_first)]
    return sets, columns


def _parted(tied: Sequence[int], values: Sequence[int], least_first: bool) -> list[list[int]]:
    by_value: dict[int, list[int]] = {}
    for each in tied:
        by_value.setdefault(values[each], []).append(each)
    return [by_value[value] for value in sorted(by_value, reverse=not least_first)]


def working(
    table: Crosstable, tiebreaks: Sequence[TieBreak], number: int, fixed: bool | None = None
) -> list[tuple[Term, ...]]:
    """The terms of each of a player's values, among those with whom the player was tied until then."""
    event = TieBreakTable(table, table.fixed_pairings if fixed is None else fixed)
    place = event.place[number]
    sets = [list(range(len(event.rows)))]
    found = []
    for tiebreak in tiebreaks:
        values = tiebreak.values(event, sets)
        tied = next(each for each in sets if place in each)
        found.append(tiebreak.working(event, place, tied, values[place]))
        sets = [part for each in sets for part in _parted(each, values, tiebreak.least_first)]
    return found
