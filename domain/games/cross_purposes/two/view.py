"""Cross Purposes for two players: the table as one viewer may see it."""

from domain.cards.card import cards_in
from domain.game.protocol import Call, Table, Viewer
from domain.game.shown import Figure
from domain.game.sight import hands_for, legal_for, on_table
from domain.game.tricks import Playing
from domain.games.cross_purposes.shown import tops_named
from domain.games.cross_purposes.two.judging import legal
from domain.games.cross_purposes.two.state import Declaring, State, hands_of, phase_of, to_act
from domain.log.message import Message


class TwoTable(Table, frozen=True, kw_only=True):
    """The table; `phase_tricks` holds the tricks of phase 1 once phase 2 has begun."""

    phase_tricks: tuple[int, ...] | None = None

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Tricks of this phase, and of the one before."""
        return (*super().figures, *(() if self.phase_tricks is None else (Figure("phase_tricks", self.phase_tricks),)))

    @property
    def notes(self) -> tuple[Message, ...]:
        """Trumps and tops."""
        return (*super().notes, *tops_named(self.tops))


def view(state: State, viewer: Viewer) -> TwoTable:
    """The table as the viewer may see it; the 26 of phase 2 stay unseen until they are dealt."""
    declared = state if isinstance(state, Declaring) else phase_of(state).declared
    known = declared.deal is not None
    seat = to_act(state)
    phase_tricks = declared.first or None
    calls = tuple(Call(call.seat, call.value) for call in declared.calls)
    shown = legal_for(viewer, seat, known, legal(state))
    if isinstance(state, Declaring):
        hands, _ = hands_of(state)
        return TwoTable(
            to_act=seat,
            phase=state.phase,
            tricks=(0, 0),
            calls=calls,
            stock=26 if state.phase == 1 else 0,
            hands=hands_for(viewer, hands, known),
            seen=tuple(cards_in(state.seen)),
            legal=shown,
            phase_tricks=phase_tricks,
            trumps=value_named(state, "trump"),
            tops=value_named(state, "top"),
            last_trick=on_table(*state.last),
        )
    phase = phase_of(state)
    hands = state.hands if isinstance(state, Playing) else (0, 0)
    return TwoTable(
        to_act=seat,
        phase=declared.phase,
        tricks=state.tricks,
        calls=calls,
        stock=26 if declared.phase == 1 else 0,
        hands=hands_for(viewer, hands, known),
        seen=tuple(cards_in(state.seen)),
        trumps=phase.trumps,
        tops=phase.tops,
        legal=shown,
        phase_tricks=phase_tricks,
        trick=on_table(state.seats, state.cards) if isinstance(state, Playing) else (),
        last_trick=on_table(*state.last),
    )


def value_named(state: Declaring, dim: str) -> str | None:
    """The value that was named in a dimension of this phase, if it was."""
    return next((call.value for call in state.named if call.dim == dim), None)
