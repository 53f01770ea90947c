"""Tie-breaks of card games: win points, match points, deal points, lurches given and taken, the lot."""

from collections.abc import Callable, Sequence

from domain.pairing.crosstable import RoundCell
from domain.standings.tiebreaks.counts import described
from domain.standings.tiebreaks.event import TieBreakTable
from domain.standings.tiebreaks.terms import Term, ValuesAndWorking

Both = ValuesAndWorking


def summed(figure: Callable[[TieBreakTable, RoundCell], int]) -> Both:
    """Values and working of a figure that is added up over the rounds."""

    def values(event: TieBreakTable) -> list[int]:
        return [sum(figure(event, cell) for cell in cells) for cells in event.cells]

    def working(event: TieBreakTable, place: int) -> tuple[Term, ...]:
        rounds: Sequence[tuple[int, RoundCell]] = list(enumerate(event.cells[place], start=1))
        return tuple(
            Term(figure(event, cell), described(event, cell), round_) for round_, cell in rounds if figure(event, cell)
        )

    return values, working


def win_points(event: TieBreakTable, cell: RoundCell) -> int:
    """WP: what the round was worth by its lurch."""
    return cell.worth


def match_points(event: TieBreakTable, cell: RoundCell) -> int:
    """MP: 1, 1/2 or 0 of a round, in tenths, whatever the standings count."""
    return event.points.of(cell.outcome)


def deal_points(event: TieBreakTable, cell: RoundCell) -> int:
    """GD: the deal points more than the opponents'."""
    return cell.difference


def lurches_given(event: TieBreakTable, cell: RoundCell) -> int:
    """LG: levels of lurch that opponents lost at."""
    return cell.given


def lurches_taken(event: TieBreakTable, cell: RoundCell) -> int:
    """LT: the own ones; the fewest is best."""
    return cell.taken


def lots(event: TieBreakTable) -> list[int]:
    """LOT: the place in the draw that was made when the stage began; the first is best."""
    return [row.lot for row in event.rows]


def lot_working(event: TieBreakTable, place: int) -> tuple[Term, ...]:
    """The place drawn."""
    return (Term(event.rows[place].lot, "drawn by lot when the stage began"),)
