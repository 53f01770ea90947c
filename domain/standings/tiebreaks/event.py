"""A cross table made ready for tie-breaks: the rounds that count, scores, adjusted scores, what each round gives."""

from typing import Final

import msgspec

from domain.pairing.crosstable import Crosstable, Outcome, PlayerRow, RoundCell, Tenths

_ABSENT: Final = frozenset({Outcome.HALF_BYE, Outcome.ZERO_BYE, Outcome.UNKNOWN})


class RoundShare(msgspec.Struct, frozen=True, gc=False):
    """The share of a round in Buchholz and Sonneborn-Berger: the opponent's adjusted score or a dummy's (`real` says
    which), the points that were won, and whether the round was missed of one's own will."""

    round: int
    opponent: int
    score: Tenths
    won: Tenths
    voluntary: bool = False
    real: bool = True


def voluntary(cell: RoundCell) -> bool:
    """A round missed of one's own will (C.07, 16.1): half- or zero-point bye, forfeit loss; a blank is a zero."""
    return cell.outcome is Outcome.FORFEIT_LOSS or requested(cell)


def requested(cell: RoundCell) -> bool:
    """The same without an opponent."""
    return cell.outcome in _ABSENT and not cell.opponent


def rounds_that_count(table: Crosstable) -> int:
    """The rounds that count: up to the last in which a pair has a result, and those after it in which everybody has
    a bye. Byes that some were granted for rounds to come do not count yet."""
    last = max(
        (place for row in table.rows for place, cell in enumerate(row.cells, start=1) if _settled(cell)), default=0
    )
    while table.rows and all(row.cell(last + 1).outcome is not Outcome.UNKNOWN for row in table.rows):
        last += 1
    return last


def _settled(cell: RoundCell) -> bool:
    """True if there was an opponent and there is a result."""
    return cell.opponent > 0 and cell.outcome is not Outcome.UNKNOWN


class TieBreakTable:
    """Lists go by the place of a row in the order of numbers. `fixed`: all pairings were made beforehand."""

    def __init__(self, table: Crosstable, fixed: bool = False) -> None:
        self.points = table.points
        self.fixed = fixed
        self.rounds = rounds_that_count(table)
        self.rows: list[PlayerRow] = sorted(table.rows, key=lambda row: row.number)
        self.place = {row.number: place for place, row in enumerate(self.rows)}
        self.cells = [[row.cell(round_) for round_ in range(1, self.rounds + 1)] for row in self.rows]
        self.won = [[table.won(cell) for cell in cells] for cells in self.cells]
        self.scores = [sum(won) for won in self.won]
        self.adjusted = [self._adjusted(place) for place in range(len(self.rows))]
        self.sources = [self._sources(place) for place in range(len(self.rows))]
        self.buchholz = [sum(source.score for source in sources) for sources in self.sources]

    def _adjusted(self, place: int) -> Tenths:
        """The worth of a player's score to others (16.2.5, 16.3): a requested bye that only voluntary rounds follow
        counts as a draw. With fixed pairings nothing is adjusted."""
        score = self.scores[place]
        if self.fixed:
            return score
        for cell, won in zip(reversed(self.cells[place]), reversed(self.won[place]), strict=True):
            if not voluntary(cell):
                break
            if not cell.opponent:
                score += self.points.draw - won
        return score

    def _sources(self, place: int) -> list[RoundShare]:
        pairs = enumerate(zip(self.cells[place], self.won[place], strict=True), start=1)
        return [
            self._source(place, round_, cell, won) for round_, (cell, won) in pairs if cell.opponent or not self.fixed
        ]

    def _source(self, place: int, round_: int, cell: RoundCell, won: Tenths) -> RoundShare:
        """The opponent's adjusted score; for an own unplayed round a dummy with the player's own score, no more than
        the scheduled opponent's adjusted score (16.4.1), without one no more than a draw in every round (16.4.2)."""
        if cell.opponent:
            score = self.adjusted[self.place[cell.opponent]]
            if self.fixed or cell.outcome.played or cell.outcome is Outcome.UNKNOWN:
                return RoundShare(round_, cell.opponent, score, won)
        else:
            score = self.points.draw * self.rounds
        return RoundShare(round_, cell.opponent, min(self.scores[place], score), won, voluntary(cell), False)

    def met(self, cell: RoundCell) -> bool:
        """True if two players met: at the table; with fixed pairings a forfeit counts as well (6.1.1, 15)."""
        return cell.opponent > 0 and (self.fixed or cell.outcome.played)

    @property
    def games(self) -> int:
        """The number of rounds in which a player can have scored: all; with fixed pairings without the free round."""
        if not self.fixed:
            return self.rounds
        return max((sum(cell.opponent > 0 for cell in cells) for cells in self.cells), default=0)
