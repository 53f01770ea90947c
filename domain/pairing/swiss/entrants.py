"""Players before a round, as the rounds before leave them: scores, sides, floats, opponents met, byes."""

import enum
from collections.abc import Collection
from itertools import combinations

import msgspec

from domain.pairing.crosstable import Crosstable, Outcome, PlayerRow, RoundCell, Rules, Tenths
from domain.pairing.swiss.acceleration import virtual_points


class Float(enum.Enum):
    """The float of a round: played against the same score, a lower one (down) or a higher one (up)."""

    NONE = 0
    DOWN = 1
    UP = 2


class Strength(enum.IntEnum):
    """The weight of a player's preference for a side (1.7)."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


class SwissPlayer(msgspec.Struct, frozen=True, eq=False):
    """One player before a round. `score` holds virtual points too; `wish` is whether the player should deal first;
    `last` and `before` are the floats of the last round and of the one before it. `place` is the number by seed among
    those who have taken part by now: numbers are provisional until somebody does (C.04.2)."""

    number: int
    place: int
    score: Tenths
    met: frozenset[int]
    sides: tuple[bool, ...]
    difference: int
    wish: bool | None
    strength: Strength
    last: Float
    before: Float
    barred: bool
    unplayed: int
    top: bool

    @property
    def rank(self) -> tuple[int, int]:
        """The order of 1.2: score, then number by seed."""
        return (-self.score, self.number)


def legal(one: SwissPlayer, other: SwissPlayer) -> bool:
    """C1, forbidden pairs, and C3: two who must both have the same side meet only if one is a topscorer."""
    if other.number in one.met:
        return False
    if one.strength != Strength.ABSOLUTE or other.strength != Strength.ABSOLUTE or one.wish != other.wish:
        return True
    return one.top or other.top


def preference(sides: tuple[bool, ...]) -> tuple[bool | None, Strength]:
    """The side that a player should have next, and how strongly (1.7), from the played rounds alone."""
    difference = 2 * sum(sides) - len(sides)
    if abs(difference) > 1:
        return difference < 0, Strength.ABSOLUTE
    if len(sides) > 1 and sides[-1] == sides[-2]:
        return not sides[-1], Strength.ABSOLUTE
    if difference:
        return difference < 0, Strength.STRONG
    return (not sides[-1], Strength.MILD) if sides else (None, Strength.NONE)


def players_of_round(
    table: Crosstable, round_: int, rules: Rules, absent: Collection[int], with_sides: bool
) -> tuple[SwissPlayer, ...]:
    """The players of a round by rank, as the rounds before leave them."""
    history = _History(table, round_, rules, absent)
    found = [history.entrant(row, with_sides) for row in table.rows if row.number not in absent]
    return tuple(sorted(found, key=lambda entrant: entrant.rank))


def places(table: Crosstable, round_: int, absent: Collection[int]) -> dict[int, int]:
    """The numbers from 1 of those who are paired in a round or were in one before it, in the order of seeds."""

    def part(row: PlayerRow) -> bool:
        cells = (row.cell(each) for each in range(1, round_))
        return any(cell.opponent or cell.outcome is Outcome.PAIRING_BYE for cell in cells)

    numbers = sorted(row.number for row in table.rows if row.number not in absent or part(row))
    return {number: place for place, number in enumerate(numbers, start=1)}


class _History:
    def __init__(self, table: Crosstable, round_: int, rules: Rules, absent: Collection[int]) -> None:
        self.table, self.round, self.rules = table, round_, rules
        self.rows = {row.number: row for row in table.rows}
        self.virtual = virtual_points(table)
        self.running = {number: self._running(row) for number, row in self.rows.items()}
        self.places = places(table, round_, absent)
        self.forbidden: dict[int, set[int]] = {}
        for group in table.forbidden:
            for one, other in combinations(group, 2):
                self.forbidden.setdefault(one, set()).add(other)
                self.forbidden.setdefault(other, set()).add(one)

    def _running(self, row: PlayerRow) -> list[Tenths]:
        sums = [0]
        for round_ in range(1, self.round):
            sums.append(sums[-1] + self.table.won(row.cell(round_)))
        return sums

    def score(self, number: int, round_: int) -> Tenths:
        """The score with which a player is, or was, paired in a round."""
        return self.running[number][round_ - 1] + self.virtual(number, round_)

    def entrant(self, row: PlayerRow, with_sides: bool) -> SwissPlayer:
        cells = [row.cell(round_) for round_ in range(1, self.round)]
        played = [cell for cell in cells if cell.outcome.played]
        sides = tuple(cell.first for cell in played if cell.first is not None) if with_sides else ()
        wish, strength = preference(sides)
        met = {cell.opponent for cell in cells if cell.outcome.played or cell.outcome is Outcome.UNKNOWN}
        return SwissPlayer(
            number=row.number,
            place=self.places[row.number],
            score=self.score(row.number, self.round),
            met=frozenset(met | self.forbidden.get(row.number, set()) | {row.number}),
            sides=sides,
            difference=2 * sum(sides) - len(sides),
            wish=wish,
            strength=strength,
            last=self._float(row, self.round - 1),
            before=self._float(row, self.round - 2),
            barred=any(self._bars(cell) for cell in cells),
            unplayed=len(cells) - len(played),
            top=self._top(row.number),
        )

    def _top(self, number: int) -> bool:
        """Topscorers exist only when the last round is paired (1.8); virtual points make none."""
        best = self.table.points.win * (self.round - 1)
        return self.round == self.table.rounds and 2 * self.running[number][-1] > best

    def _bars(self, cell: RoundCell) -> bool:
        """C2: what keeps a player from the bye; until 2026 only a bye or a forfeit win did."""
        if self.rules == "dutch-till-2026" or cell.outcome in (Outcome.PAIRING_BYE, Outcome.FORFEIT_WIN):
            return cell.outcome in (Outcome.PAIRING_BYE, Outcome.FORFEIT_WIN)
        points = self.table.points
        return not cell.outcome.played and cell.outcome is not Outcome.UNKNOWN and points.of(cell.outcome) >= points.win

    def _float(self, row: PlayerRow, round_: int) -> Float:
        """1.4: a float by scores, else by points without play; until 2026 by not playing alone (A.4.b)."""
        if round_ < 1:
            return Float.NONE
        cell = row.cell(round_)
        if cell.outcome.played and cell.opponent in self.rows:
            own, other = self.score(row.number, round_), self.score(cell.opponent, round_)
            return Float.NONE if own == other else Float.DOWN if own > other else Float.UP
        gained = self.table.points.of(cell.outcome) > self.table.points.loss
        return Float.DOWN if gained or self.rules == "dutch-till-2026" else Float.NONE
