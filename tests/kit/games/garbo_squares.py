"""Layouts of Garbo as text: rows separated by strokes, `..` for an empty square, [0, 0] at the top left."""

from typing import Any

from domain.cards.card import cards_in, parse_card
from domain.games import find
from domain.games.garbo.options import CardCovered, CardPlaced
from tests.kit.match.tables import begin, happened

GAME = find("garbo")
NO_MATCH = "SJ H7 SA HT / C8 DT C9 DK / S9 HA S7 H8 / C7 D8 CT DA"


def cells_of(rows: str) -> dict[tuple[int, int], str]:
    """Read a layout: the card of each square."""
    lines = [row.split() for row in rows.split(" / ")]
    every = {(row, column): card for row, line in enumerate(lines) for column, card in enumerate(line)}
    return {cell: card for cell, card in every.items() if card != ".."}


def on_table(rows: str, **given: Any):
    """Return a state of the first level with these cards on the table, adjacent or not."""
    state = begin("garbo", 1, **given)
    for cell, card in cells_of(rows).items():
        state = GAME.evolve(state, CardPlaced(state.turn, parse_card(card), cell))
    return state


def full(rows: str = NO_MATCH, **given: Any):
    """Return a state of the second level over these sixteen cards."""
    state = on_table(rows, **given)
    assert GAME.view(state, None).phase == 2
    return state


def conceded(rows: str, card: str, cell: list[int], **given: Any) -> int:
    """Return the points that a card concedes on a square of a layout."""
    state = on_table(rows, **given)
    return GAME.script.announced_points(state, happened("garbo", state, (state.turn, "place", card, cell))) or 0


def covered_by(under: str, card: str) -> int:
    """Return the points for covering one card with another without further matches."""
    state = begin("garbo", 1)
    state = GAME.evolve(state, CardPlaced(state.turn, parse_card(under), (0, 0)))
    # the rest of the level lies where it matches neither: a knight's move away, or two
    near = [(1, 2), (1, 3), (2, 1), (3, 1), (3, 2), (2, 3)]
    apart = [*near, *((-row, column) for row, column in near), (1, -2), (1, -3), (2, -1)]
    rest = [each for each in cards_in(GAME.pack(GAME.options())) if str(each) not in (under, card)]
    for cell, each in zip(apart, rest, strict=False):
        state = GAME.evolve(state, CardPlaced(state.turn, each, cell))
    assert GAME.view(state, None).phase == 2
    after = GAME.evolve(state, CardCovered(state.turn, parse_card(card), (0, 0)))
    return GAME.script.announced_points(state, after) or 0
