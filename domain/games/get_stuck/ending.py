"""Get Stuck: what the solver is told. Gap, cards face up and turn are all there is."""

from functools import lru_cache

from domain.game.ending import TWO, Ending, Search, Unknown
from domain.games.get_stuck.options import GAP, SIZE, Deal
from domain.games.get_stuck.scoring import figures
from domain.games.get_stuck.state import Moving

UNTOLD = Unknown("the layout was not recorded, and best play needs all of it: give a history with its `grid`")
ROW = (1 << SIZE) - 1


def ending_of(state: object) -> Ending:
    """The seats against each other: who wins shows no more numerals than now and gains by every court that is left,
    who loses may have nothing but courts (GS.7)."""
    if not isinstance(state, Moving):
        return UNTOLD
    low = high = 0
    up = state.up
    for row in _worth(state.layout.deal):
        less, more = row[up & ROW]
        low, high, up = low - less, high + more, up >> SIZE
    return Search(TWO, (state.gap, state.up, state.turn), (low, high))


@lru_cache(maxsize=64)
def _worth(deal: Deal) -> tuple[tuple[tuple[int, int], ...], ...]:
    """By row of the square and cells face up in it: by how much seat 1, and by how much seat 0, may win at most."""
    return tuple(tuple(_row(deal, row, up) for up in range(ROW + 1)) for row in range(SIZE))


def _row(deal: Deal, row: int, up: int) -> tuple[int, int]:
    less = more = 0
    for column in range(SIZE):
        text = deal.grid[row * SIZE + column]
        if not up >> column & 1 or text == GAP:
            continue
        numerals, courts = figures([text[1]])
        seat = deal.colours.index("red" if text[0] in "DH" else "black")
        less += 10 * courts + numerals * (seat == 1)
        more += 10 * courts + numerals * (seat == 0)
    return less, more
