"""Garbo: the table as one viewer may see it."""

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.cards.card import cards_in
from domain.cards.facts import Fact
from domain.game.protocol import Table, Viewer
from domain.game.shown import Figure, Layout
from domain.game.sight import hands_for, legal_for
from domain.games.garbo.judging import legal
from domain.games.garbo.layout import Square, squares, table_layout
from domain.games.garbo.options import PACK, ClaimMade
from domain.games.garbo.script import totals_by_level
from domain.games.garbo.state import Building, Covering, State, cards_left, level_of, to_act


class GarboTable(Table, frozen=True, kw_only=True):
    """The table, with the layout as it lies and the points so far. With claims by hand these are the
    points claimed, and `legal` names no claim: the table does not tell what could be claimed. `stated`
    are the words of facts that any seat may state a number with."""

    squares: tuple[Square, ...] = ()
    points: tuple[int, ...] = (0, 0)
    levels: tuple[tuple[int, ...], ...] = ()
    stated: tuple[str, ...] = ()

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Points, and what they were when the first level was full."""
        return (Figure("points", self.points), *(Figure("level", each) for each in self.levels[:1]))

    @property
    def layout(self) -> Layout | None:
        """The cards that lie uppermost."""
        return table_layout(self.squares)

    @property
    def numbers(self) -> tuple[str, ...]:
        """Claims, where they are made by hand."""
        return self.stated


PHRASES: Final[Mapping[str, str]] = {"level": "{n} on the first level"}


def _shown_legal(state: State, viewer: Viewer) -> tuple[Fact, ...]:
    """The legal facts without claims, which would tell what was missed (LAP), and, with physical cards,
    without what a recorded draw tells of the hands."""
    if viewer != "all" and isinstance(state, Building | Covering) and state.base.packets is None:
        unseen = PACK & ~state.seen
        state = msgspec.structs.replace(state, hands=(unseen, unseen))
    return tuple(fact for fact in legal(state) if not isinstance(fact, ClaimMade))


def view(state: State, viewer: Viewer) -> GarboTable:
    """The table as the viewer may see it; the stock is a number."""
    at = level_of(state)
    known, seat = at.base.packets is not None, to_act(state)
    level = 1 if isinstance(at, Building) else 2
    return GarboTable(
        to_act=seat,
        phase=level,
        stock=cards_left(at),
        hands=hands_for(viewer, at.hands, known),
        seen=tuple(cards_in(at.seen)),
        legal=legal_for(viewer, seat, known, _shown_legal(state, viewer)),
        squares=squares(at.tops, at.taken, at.covered if isinstance(at, Covering) else 0),
        points=at.points,
        levels=totals_by_level(state),
        stated=("claim",) if at.base.manual and seat is not None else (),
    )
