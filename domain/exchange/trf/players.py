"""A player's line, code 001: columns as TRF16 and TRF26 lay them out, rounds from column 92 ten columns each."""

from typing import Final

from domain.exchange.trf.fields import MOST_ROUNDS, field, number, player, points
from domain.exchange.trf.model import BadFile
from domain.pairing.crosstable import NOTHING, Outcome, PlayerRow, RoundCell

FIRST_ROUND: Final = 92
WIDTH: Final = 10
SIDES: Final = {"w": True, "b": False, "-": None, "": None}
# results of a round without an opponent, as in files before TRF16
_ALONE: Final = {"+": Outcome.FULL_BYE, "-": Outcome.ZERO_BYE, "=": Outcome.HALF_BYE}
_BYES: Final = frozenset("HFUZ")
_LETTERS: Final = frozenset(outcome.value for outcome in Outcome)


def column_of(round_: int) -> int:
    """The column at which a round begins."""
    return FIRST_ROUND + WIDTH * (round_ - 1)


def read_row(text: str, line: int) -> PlayerRow:
    """A player with every round that the line has."""
    seed = player(field(text, line, 5, 8))
    name, rating, stated = field(text, line, 15, 47), field(text, line, 49, 52), field(text, line, 81, 84)
    rank = field(text, line, 86, 89)
    if rank.text:
        number(rank, "a rank")
    return PlayerRow(
        seed,
        name.text,
        _cells(text.rstrip(), line),
        number(rating, "a rating") if rating.text else 0,
        points(stated, "points") if stated.text else None,
    )


def _cells(text: str, line: int) -> tuple[RoundCell, ...]:
    count = -(-(len(text) - FIRST_ROUND + 1) // WIDTH)
    if count > MOST_ROUNDS:
        raise BadFile(line, column_of(MOST_ROUNDS + 1), f"there are no more than {MOST_ROUNDS} rounds")
    cells = [read_cell(text, line, round_) for round_ in range(1, count + 1)]
    while cells and cells[-1] == NOTHING:
        cells.pop()
    return tuple(cells)


def read_cell(text: str, line: int, round_: int) -> RoundCell:
    """One round: opponent, blank, side, blank, result, two blanks."""
    start = column_of(round_)
    part = text[start - 1 : start - 1 + WIDTH].ljust(WIDTH)
    if part.isspace():
        return NOTHING
    for place in (4, 6, 8, 9):
        if not part[place].isspace():
            raise BadFile(line, start + place, f"{part[place]!r} stands where round {round_} has a blank")
    opponent = field(text, line, start, start + 3)
    other = number(opponent, "an opponent") if opponent.text else 0
    side, letter = part[5].strip().lower(), part[7].upper()
    if side not in SIDES:
        raise BadFile(line, start + 5, f"a side is w or b, not {part[5]!r}")
    return _cell(other, SIDES[side], letter if letter.strip() else " ", BadFile(line, start + 7, ""))


def _cell(other: int, first: bool | None, letter: str, at: BadFile) -> RoundCell:
    """Opponent and result made into a cell when they go together."""
    if letter not in _LETTERS:
        raise BadFile(at.line, at.column, f"{letter!r} is not a result")
    if other:
        if letter in _BYES:
            raise BadFile(at.line, at.column, f"{letter} is a bye, and player {other} is the opponent")
        return RoundCell(other, first, Outcome(letter))
    if letter in _ALONE:
        return RoundCell(outcome=_ALONE[letter])
    if letter in _BYES or letter == " ":
        return RoundCell(outcome=Outcome(letter))
    raise BadFile(at.line, at.column, f"{letter} is the result of a game, and there is no opponent")
