"""Get Stuck: the square as everybody sees it."""

from collections.abc import Mapping
from typing import Final, Literal

from domain.cards.card import CARD_OF, Card, cards_in
from domain.game.protocol import Table, Viewer
from domain.game.shown import Figure, Layout, Square
from domain.games.get_stuck.board import CELLS, EVERY_CELL, cells_in
from domain.games.get_stuck.judging import legal
from domain.games.get_stuck.options import COLUMNS, ROWS, SIZE, Cell, square_of
from domain.games.get_stuck.scoring import figures, ranks_left
from domain.games.get_stuck.state import NOWHERE, Blind, GaveUp, Moving, State, Stuck, to_act, turned
from domain.log.message import Message


class GetStuckTable(Table, frozen=True, kw_only=True):
    """The square as everybody sees it (GS.g4). `grid` holds rows from the top: the card of a cell, null
    where none lies face up (`grid` itself is null when nobody typed the layout); `down` are the cells known
    to be face down, `came` the one filled last. `numerals` and `courts` by seat are what lies face up, as
    far as the record tells it."""

    grid: tuple[tuple[Card | None, ...], ...] | None
    gap: Cell | None
    down: tuple[Cell, ...]
    came: Cell | None
    colours: tuple[str, ...] | None
    numerals: tuple[int, ...]
    courts: tuple[int, ...]

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The counts of the cards that lie face up, as far as the record tells them."""
        told = (("numerals", self.numerals), ("courts", self.courts))
        return tuple(Figure(label, values) for label, values in told if values)

    @property
    def notes(self) -> tuple[Message, ...]:
        """The colours, once they are known."""
        return tuple(Message(f"colour.{colour}", {"seat": seat}) for seat, colour in enumerate(self.colours or ()))

    @property
    def layout(self) -> Layout | None:
        """The square; where nobody typed it, as far as the moves tell it."""
        if self.grid is None and self.gap is None:
            return None
        cells = [[self._square((row, column)) for column in range(SIZE)] for row in range(SIZE)]
        return Layout(COLUMNS, ROWS, tuple(map(tuple, cells)), framed=True)

    def _square(self, cell: tuple[int, int]) -> Square | None:
        card = None if self.grid is None else self.grid[cell[0]][cell[1]]
        state: Literal["up", "face_down", "empty"] = "face_down"
        if card is not None:
            state = "up"
        elif cell == self.gap:
            state = "empty"
        elif cell not in self.down:
            return None
        return Square(square_of(cell), cell, card, state)


PHRASES: Final[Mapping[str, str]] = {
    "numerals": "{n} in numerals",
    "courts": "{n} court card|{n} court cards",
    "colour.red": "{seat:seat} plays red",
    "colour.black": "{seat:seat} plays black",
    "pass": "is stuck",
    "pass.offered": "is stuck",
}


def _grid(at: Moving) -> tuple[tuple[Card | None, ...], ...]:
    """Rows from the top: the cards that lie face up."""
    cards = [CARD_OF[text] if at.up >> cell & 1 else None for cell, text in enumerate(at.layout.deal.grid)]
    return tuple(tuple(cards[row : row + SIZE]) for row in range(0, len(cards), SIZE))


def _cell(number: int) -> Cell | None:
    return None if number == NOWHERE else CELLS[number]


def _colours(at: Moving | Blind) -> tuple[str, ...] | None:
    """The colour of each seat, once it is known (GS.2)."""
    if isinstance(at, Moving):
        return at.layout.deal.colours
    if at.red == NOWHERE:
        return None
    return ("red", "black") if at.red == 0 else ("black", "red")


def view(state: State, viewer: Viewer) -> GetStuckTable:
    """The square, the same for everybody (GS.g4)."""
    at = state.at if isinstance(state, Stuck | GaveUp) else state
    counted = [figures(ranks) for ranks in ranks_left(state) or ()]
    down = EVERY_CELL & ~(at.up | 1 << at.gap) if isinstance(at, Moving) else at.dead
    return GetStuckTable(
        to_act=to_act(state),
        phase=1,
        seen=tuple(cards_in(turned(at) if isinstance(at, Moving) else at.turned)),
        # without the layout a thousand moves and more are possible: the cells do, whatever lies on them
        legal=tuple(fact for fact in legal(state) if getattr(fact, "card", None) is None),
        grid=_grid(at) if isinstance(at, Moving) else None,
        gap=_cell(at.gap),
        came=_cell(at.came),
        down=tuple(CELLS[cell] for cell in cells_in(down)),
        colours=_colours(at),
        numerals=tuple(numerals for numerals, _ in counted),
        courts=tuple(courts for _, courts in counted),
    )
