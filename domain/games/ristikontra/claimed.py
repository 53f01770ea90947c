"""Ristikontra: the end of a deal whose rest was claimed and given."""

import msgspec

from domain.game.rest import Rest, Won, faced_cards
from domain.games.ristikontra.options import KINGS, PACK, QUEENS
from domain.games.ristikontra.state import TRICKS, Playing, Scored, State


def given(state: State, won: Won, claim: Rest) -> State | None:
    """One player takes all the card points that are left for his side, with the trick on the table (RK.2). None while
    there is a stock, and where the claim leaves open whether the side cleans (RK.12)."""
    assert isinstance(state, Playing)
    before, base = state.taken, state.base
    seat = won.index(max(won))
    cleaned = _cleaned(state, seat & 1)
    if before.done < base.first or cleaned is None:
        return None
    points = list(before.points)
    points[seat & 1] += base.options.total - sum(points)
    taken = msgspec.structs.replace(
        before,
        done=TRICKS,
        tricks=tuple(had + more for had, more in zip(before.tricks, won, strict=True)),
        points=tuple(points),
        cleaned=cleaned,
        last=(state.seats, state.cards) if state.cards else before.last,
    )
    end = {"hands": (0, 0, 0, 0), "seats": (), "cards": (), "drawing": (), "claim": None}
    return Scored(msgspec.structs.replace(state, taken=taken, seen=state.seen | faced_cards(claim), **end))


def _cleaned(state: Playing, side: int) -> tuple[bool, ...] | None:
    """The sides that have cleaned when one takes the rest. It cleans with any king that is left, for sure where no
    queen can be led any more; None where it owes that and a queen might be led to the king's trick (RK.g10)."""
    taken = state.taken
    if not state.base.cleaning or taken.cleaned[side] or not taken.queens[side]:
        return taken.cleaned
    left = PACK & ~taken.gone
    if not left & KINGS:
        return taken.cleaned
    if left & QUEENS:
        return None
    return tuple(did or each == side for each, did in enumerate(taken.cleaned))
