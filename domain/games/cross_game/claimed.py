"""Cross Game: the end of a deal whose rest was claimed and given."""

from typing import Final

import msgspec

from domain.game.rest import Rest, Won, faced_cards
from domain.games.cross_game.options import VALUE, pair_of
from domain.games.cross_game.state import Playing, Scored, State

ALL_POINTS: Final = sum(VALUE)
SUITS: Final = range(4)


def given(state: State, won: Won, claim: Rest) -> State | None:
    """One player takes all the card points that are left, with the trick on the table (CG.8), and shows the pairs that
    he holds, for he leads every card (CG.7). None while there is a stock, where the tricks are shared, and where the
    other leads first while, as far as everybody has seen, a pair may still be shown or broken: then the score does not
    follow from the claim, and nobody learns from that who holds one."""
    assert isinstance(state, Playing)
    if state.left > 16 or state.order is None or min(won):
        return None
    seat = won.index(max(won))
    leader = state.seats[0] if state.cards else state.turn
    if seat != leader and _may_be_shown(state):
        return None
    points = list(state.points)
    points[seat] += ALL_POINTS - sum(points)
    tricks = tuple(had + more for had, more in zip(state.tricks, won, strict=True))
    shown = (*state.shown, *((seat, suit) for suit in _open_pairs(state, seat, claim)))
    last = (state.seats, state.cards) if state.cards else state.last
    return Scored(
        msgspec.structs.replace(
            state,
            hands=(0, 0),
            seats=(),
            cards=(),
            worth=0,
            tricks=tricks,
            points=tuple(points),
            shown=shown,
            pending=None,
            drawing=(),
            seen=state.seen | faced_cards(claim),
            left=0,
            last=last,
            claim=None,
        )
    )


def _may_be_shown(state: Playing) -> bool:
    """Tells whether there is a suit whose pair was not shown, and of which neither card has fallen."""
    before = {suit for _, suit in state.shown}
    return any(suit not in before and not state.seen & pair_of(suit) for suit in SUITS)


def _open_pairs(state: Playing, seat: int, claim: Rest) -> list[int]:
    """The suits whose pair a seat will show: those in its hand, or where pairs are announced those that it faced, for
    to face both is to show them, and the one just announced."""
    faced = claim.faced[seat] if seat < len(claim.faced) else 0
    cards = faced if state.base.manual else state.hands[seat]
    before = {suit for _, suit in state.shown}
    announced = state.pending if seat == state.turn else None
    return [s for s in SUITS if s not in before and (s == announced or cards & pair_of(s) == pair_of(s))]
