"""Cross Purposes for four players: the table as one viewer may see it."""

from domain.cards.card import STANDARD_PACK, cards_in
from domain.game.protocol import Call, Table, Viewer
from domain.game.sight import hands_for, legal_for, on_table
from domain.game.tricks import Playing
from domain.games.cross_purposes.four.judging import legal
from domain.games.cross_purposes.four.state import Proposing, Scored, State, contract_of, hands_of, to_act
from domain.games.cross_purposes.options import ValueProposed
from domain.games.cross_purposes.scoring import sides_of
from domain.games.cross_purposes.shown import tops_named
from domain.log.message import Message


class FourTable(Table, frozen=True, kw_only=True):
    """The table; `sides` are the pairs once they are known."""

    sides: tuple[tuple[int, ...], ...] | None = None

    @property
    def notes(self) -> tuple[Message, ...]:
        """Trumps, tops and the pairs."""
        seats = (seat for side in self.sides or () for seat in side)
        pairs = (Message("sides", dict(zip("abcd", seats, strict=True))),) if self.sides else ()
        return (*super().notes, *tops_named(self.tops), *pairs)


def view(state: State, viewer: Viewer) -> FourTable:
    """The table as the viewer may see it."""
    if isinstance(state, Proposing):
        return _bidding_view(state, viewer)
    contract = state.contract if isinstance(state, Scored) else contract_of(state)
    known = contract.bidding.deal is not None
    seat = to_act(state)
    hands, seen = (state.hands, state.seen) if isinstance(state, Playing) else ((0,) * 4, STANDARD_PACK)
    return FourTable(
        to_act=seat,
        phase=1,
        tricks=state.tricks,
        calls=_calls(contract.bidding),
        trumps=contract.trumps,
        tops=contract.tops,
        sides=sides_of(contract.allies),
        hands=hands_for(viewer, hands, known),
        seen=tuple(cards_in(seen)),
        legal=legal_for(viewer, seat, known, legal(state)),
        trick=on_table(state.seats, state.cards) if isinstance(state, Playing) else (),
        last_trick=on_table(*state.last),
    )


def _bidding_view(state: Proposing, viewer: Viewer) -> FourTable:
    hands, known = hands_of(state)
    settled = {state.agreed.dim: state.agreed.value} if state.agreed else {}
    return FourTable(
        to_act=state.turn,
        phase=1,
        tricks=(0,) * 4,
        calls=_calls(state),
        trumps=settled.get("trump"),
        tops=settled.get("top"),
        sides=sides_of(state.agreed.pair) if state.agreed else None,
        hands=hands_for(viewer, hands, known),
        legal=legal_for(viewer, state.turn, known, legal(state)),
    )


def _calls(state: Proposing) -> tuple[Call, ...]:
    return tuple(Call(call.seat, call.value if isinstance(call, ValueProposed) else "-") for call in state.calls)
