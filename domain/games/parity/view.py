"""Parity: the table as one viewer may see it."""

from collections.abc import Mapping
from typing import Final

from domain.cards.card import cards_in
from domain.game.protocol import Call, Table, Viewer
from domain.game.sight import hands_for, legal_for, on_table
from domain.game.tricks import Playing
from domain.games.parity import judging
from domain.games.parity.state import Aiming, Contract, Naming, Scored, State, hands_of, setup_of, to_act
from domain.log.message import Message


class ParityTable(Table, frozen=True, kw_only=True):
    """The table, with the parity once it is named."""

    parity: str | None = None

    @property
    def notes(self) -> tuple[Message, ...]:
        """Trumps, and the parity that scores."""
        return (*super().notes, *(() if self.parity is None else (Message(f"scores.{self.parity}"),)))


PHRASES: Final[Mapping[str, str]] = {"scores.odd": "odd scores", "scores.even": "even scores"}


def view(state: State, viewer: Viewer) -> ParityTable:
    """The table as the viewer may see it; open hands are seen by everyone (PA.g6)."""
    setup = setup_of(state)
    seat = to_act(state)
    known, opened = setup.deal is not None, setup.options.open_hands
    legal = legal_for(viewer, seat, known, judging.legal(state), opened)
    if isinstance(state, Naming | Aiming):
        return ParityTable(
            to_act=seat,
            phase=1,
            tricks=(0, 0),
            legal=legal,
            trumps=state.trumps if isinstance(state, Aiming) else None,
            calls=(Call(state.by, state.trumps),) if isinstance(state, Aiming) else (),
            hands=hands_for(viewer, hands_of(setup), known, opened),
        )
    contract: Contract = state.contract if isinstance(state, Scored) else state.base
    hands, seen = (state.hands, state.seen) if isinstance(state, Playing) else ((0, 0), state.seen)
    return ParityTable(
        to_act=seat,
        phase=1,
        tricks=state.tricks,
        legal=legal,
        trumps=contract.trumps,
        parity=contract.parity,
        calls=contract.calls,
        trick=on_table(state.seats, state.cards) if isinstance(state, Playing) else (),
        last_trick=on_table(*state.last),
        seen=tuple(cards_in(seen)),
        hands=hands_for(viewer, hands, known, opened),
    )
