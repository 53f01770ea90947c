"""Direct encounter: the order among players who are tied so far, by the games between them alone."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from domain.pairing.tenths import shown
from domain.standings.tiebreaks.event import TieBreakTable
from domain.standings.tiebreaks.terms import Term

Group = Sequence[int]
Encounters = dict[int, dict[int, list[int]]]


def direct_encounter(event: TieBreakTable, sets: Iterable[Group]) -> list[int]:
    """DE (6): how many of the players of the same set are placed before one; 0 for the best."""
    values = [0] * len(event.rows)
    for tied in sets:
        before = 0
        for group in _placed(event, tied):
            for place in group:
                values[place] = before
            before += len(group)
    return values


def _placed(event: TieBreakTable, tied: Group) -> list[Group]:
    """The set in order; who stays tied, together. Those who are still tied are looked at again (6.4)."""
    if len(tied) < 2:
        return [tied]
    groups = _once(event, tied, encounters(event, tied))
    if len(groups) == 1:
        return [tied]
    return [each for group in groups for each in _placed(event, group)]


def encounters(event: TieBreakTable, tied: Group) -> Encounters:
    """Each player's points in each game against each other player of the set."""
    inside = set(tied)
    found: Encounters = {}
    for place in tied:
        against: dict[int, list[int]] = {}
        for cell, won in zip(event.cells[place], event.won[place], strict=True):
            if event.met(cell) and event.place[cell.opponent] in inside:
                against.setdefault(event.place[cell.opponent], []).append(won)
        found[place] = against
    return found


def _sum(against: dict[int, list[int]]) -> Fraction | int:
    """Points; of several games between the same two, their average (6.1.2)."""
    if all(len(games) == 1 for games in against.values()):
        return sum(games[0] for games in against.values())
    return sum(Fraction(sum(games), len(games)) for games in against.values())


def _once(event: TieBreakTable, tied: Group, games: Encounters) -> list[Group]:
    """All have met, or pairings are fixed: by points (6.2). Else whoever is alone at the top whatever the missing
    games might give is first; then, in the same way, the second, and so on (6.3)."""
    sums = {place: _sum(games[place]) for place in tied}
    missing = {place: len(tied) - 1 - len(games[place]) for place in tied}
    order = sorted(tied, key=lambda place: (-sums[place], place))
    if event.fixed or not any(missing.values()):
        return _by_sum(order, sums)
    most = {place: sums[place] + missing[place] * event.points.win for place in tied}
    groups: list[Group] = []
    for index, place in enumerate(order[:-1], start=1):
        if sums[place] <= max(most[other] for other in order[index:]):
            return [*groups, order[index - 1 :]]
        groups.append([place])
    return [*groups, order[-1:]]


def _by_sum(order: Group, sums: dict[int, Fraction | int]) -> list[Group]:
    groups: list[list[int]] = []
    for place in order:
        if groups and sums[groups[-1][0]] == sums[place]:
            groups[-1].append(place)
        else:
            groups.append([place])
    return list(groups)


def direct_working(event: TieBreakTable, place: int, tied: Group, value: int) -> tuple[Term, ...]:
    """The games against the others of the set, which decide, and how many are placed before."""
    found = encounters(event, tied)
    games = tuple(
        Term(won, f"{shown(won)} against {event.rows[other].name or event.rows[other].number}", counts=False)
        for other, all_won in found[place].items()
        for won in all_won
    )
    return (*games, Term(value, _told(event, tied, found, value)))


def _told(event: TieBreakTable, tied: Group, games: Encounters, value: int) -> str:
    """The result of the games between those who are level."""
    if len(tied) < 2:
        return "nobody else is level"
    level = f"{_counted(len(tied))} are level"
    if len(_placed(event, tied)) > 1:
        before = {0: "nobody is", 1: "one is"}.get(value, f"{_counted(value)} are")
        return f"{level}: by the games between them {before} placed before"
    if any(len(against) < len(tied) - 1 for against in games.values()):
        return f"{level} and have not {'all ' if len(tied) > 2 else ''}met: direct encounter parts nobody"
    return f"{level} in the games between them too: direct encounter parts nobody"


def _counted(number: int) -> str:
    """Two, three … twelve in letters; above that in figures."""
    return _COUNTS[number - 2] if 2 <= number < len(_COUNTS) + 2 else str(number)


_COUNTS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
