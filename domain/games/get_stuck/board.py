"""The 7 x 7 square of Get Stuck as bit sets of cells: what lies in line, and what lies between.

A cell is an int, row by row from the top left; bit n of a set is cell n.
"""

from functools import lru_cache
from typing import Final

from domain.games.get_stuck.options import SIZE

CELLS: Final = tuple((row, column) for row in range(SIZE) for column in range(SIZE))
CELL_NUMBER: Final = {cell: number for number, cell in enumerate(CELLS)}
EVERY_CELL: Final = (1 << len(CELLS)) - 1
_STRAIGHT_STEPS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL_STEPS: Final = ((1, 1), (1, -1), (-1, -1), (-1, 1))


def _ray(gap: int, step: tuple[int, int]) -> list[int]:
    """The cells from the gap in one direction, the nearest first."""
    row, column = CELLS[gap]
    away = [(row + step[0] * far, column + step[1] * far) for far in range(1, SIZE)]
    return [CELL_NUMBER[cell] for cell in away if cell in CELL_NUMBER]


def _lines(steps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    return tuple(sum(1 << cell for step in steps for cell in _ray(gap, step)) for gap in range(len(CELLS)))


def _between(gap: int) -> dict[int, int]:
    """For every cell in line with the gap, the cells that lie between the two."""
    found = {}
    for step in (*_STRAIGHT_STEPS, *_DIAGONAL_STEPS):
        passed = 0
        for cell in _ray(gap, step):
            found[cell] = passed
            passed |= 1 << cell
    return found


STRAIGHT: Final = _lines(_STRAIGHT_STEPS)
DIAGONAL: Final = _lines(_DIAGONAL_STEPS)
BETWEEN: Final = tuple(_between(gap) for gap in range(len(CELLS)))


@lru_cache(maxsize=1 << 16)
def clear(gap: int, lines: int, dead: int) -> int:
    """The cells of these lines from which a card passes no dead one on its way to the gap (GS.4). Few
    different lines occur, so they are remembered; `dead` holds only cells of the lines."""
    return sum(1 << cell for cell, passed in BETWEEN[gap].items() if lines >> cell & 1 and not passed & dead)


def cells_in(mask: int) -> list[int]:
    """The cells of a bit set in reading order."""
    return [cell for cell in range(len(CELLS)) if mask >> cell & 1]
