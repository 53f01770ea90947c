"""Tie-breaks of card games: win points, match points, deal points, lurches given and taken, the lot."""

from collections.abc import Callable, Sequence

from domain.tournament.crosstable import Cell
from domain.tournament.tiebreaks.counts import described
from domain.tournament.tiebreaks.event import Event
from domain.tournament.tiebreaks.terms import Term

Both = tuple[Callable[[Event], list[int]], Callable[[Event, int], tuple[Term, ...]]]


def summed(figure: Callable[[Event, Cell], int]) -> Both:
    """Values and working of a figure that is added up over the rounds."""

    def values(event: Event) -> list[int]:
        return [sum(figure(event, cell) for cell in cells) for cells in event.cells]

    def working(event: Event, place: int) -> tuple[Term, ...]:
        rounds: Sequence[tuple[int, Cell]] = list(enumerate(event.cells[place], start=1))
        return tuple(
            Term(figure(event, cell), described(event, cell), round_) for round_, cell in rounds if figure(event, cell)
        )

    return values, working


def win_points(event: Event, cell: Cell) -> int:
    """WP: what the round was worth by its lurch."""
    return cell.worth


def match_points(event: Event, cell: Cell) -> int:
    """MP: 1, 1/2 or 0 of a round, in tenths, whatever the standings count."""
    return event.points.of(cell.outcome)


def deal_points(event: Event, cell: Cell) -> int:
    """GD: the deal points more than the opponents'."""
    return cell.difference


def lurches_given(event: Event, cell: Cell) -> int:
    """LG: levels of lurch that opponents lost at."""
    return cell.given


def lurches_taken(event: Event, cell: Cell) -> int:
    """LT: the own ones; the fewest is best."""
    return cell.taken


def lots(event: Event) -> list[int]:
    """LOT: the place in the draw that was made when the stage began; the first is best."""
    return [row.lot for row in event.rows]


def lot_working(event: Event, place: int) -> tuple[Term, ...]:
    """The place drawn."""
    return (Term(event.rows[place].lot, "drawn by lot when the stage began"),)
