"""Cross Purposes for four players: the situations of a deal, and whose turn it is in each."""

from functools import cache
from typing import TypeAlias

import msgspec

from domain.cards.card import STANDARD_PACK, mask_of
from domain.cards.facts import Passed
from domain.cards.seats import eldest
from domain.game.judgement import Duty
from domain.game.tricks import Playing, follow_duty
from domain.games.cross_purposes.options import Deal, Options, ValueProposed
from domain.games.cross_purposes.scoring import FourResult, score_four, sides_of

DIMENSIONS = ("trump", "top")
FOUR = (0, 1, 2, 3)


class Agreement(msgspec.Struct, frozen=True, gc=False):
    """Two seats that named the same value: who, and what."""

    pair: tuple[int, int]
    dim: str
    value: str


class Proposing(msgspec.Struct, frozen=True, gc=False):
    """The bidding. `calls` are all proposals and passes, in order; `agreed` is the first agreement."""

    options: Options
    dealer: int
    deal: Deal | None
    calls: tuple[ValueProposed | Passed, ...]
    turn: int
    agreed: Agreement | None


class Contract(msgspec.Struct, frozen=True, gc=False):
    """The contract of the play: the bidding, the first pair, trumps and tops."""

    bidding: Proposing
    allies: tuple[int, int]
    trumps: str
    tops: str


class Scored(msgspec.Struct, frozen=True, gc=False):
    """A complete deal."""

    contract: Contract
    tricks: tuple[int, ...]
    last: tuple[tuple[int, ...], tuple[int, ...]]


State: TypeAlias = Proposing | Playing | Scored


def start(options: Options, dealer: int, deal: Deal | None) -> State:
    """Thirteen each; eldest proposes first (CP.8, CP.9)."""
    return Proposing(options, dealer, deal, (), eldest(dealer, 4), None)


def to_act(state: State) -> int | None:
    """The seat whose turn it is."""
    return None if isinstance(state, Scored) else state.turn


def bidders(state: Proposing) -> tuple[int, ...]:
    """The seats that still propose: all four, then the pair that has not agreed (CP.11, CP.12)."""
    return _bidders(None if state.agreed is None else state.agreed.pair)


@cache
def _bidders(agreed: tuple[int, int] | None) -> tuple[int, ...]:
    return FOUR if agreed is None else tuple(seat for seat in FOUR if seat not in agreed)


def partners(state: Proposing, seat: int) -> tuple[int, ...]:
    """The seats whose proposals `seat` may accept: the partner in the fixed game (CP.12), any other
    player in the alliance game (CP.10)."""
    return _partners(state.options.variant == "fixed", bidders(state), seat)


@cache
def _partners(fixed: bool, bidding: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in bidding if other != seat and (not fixed or other == (seat + 2) % 4))


def open_dimensions(state: Proposing) -> tuple[str, ...]:
    """The dimensions not settled yet (CP.g6)."""
    return tuple(dim for dim in DIMENSIONS if state.agreed is None or dim != state.agreed.dim)


def accepted(state: Proposing, seat: int, dim: str, value: str) -> int | None:
    """The possible ally whose open proposal `seat` accepts by naming this value (CP.g2, CP.g3)."""
    allies = partners(state, seat)
    if state.options.open_proposals == "latest":
        return _accepted_latest(state, allies, dim, value)
    for call in reversed(state.calls):
        if type(call) is ValueProposed and call.value == value and call.dim == dim and call.seat in allies:
            return call.seat
    return None


def _accepted_latest(state: Proposing, allies: tuple[int, ...], dim: str, value: str) -> int | None:
    """The same where only the last proposal of each possible ally is open."""
    silent = set(allies)  # those of whom no open call has been met yet, going back
    for call in reversed(state.calls):
        if type(call) is not ValueProposed or call.seat not in silent:
            continue
        if state.agreed is not None and call.dim == state.agreed.dim:
            continue
        if call.value == value and call.dim == dim:
            return call.seat
        silent.discard(call.seat)
    return None


def hands_of(state: Proposing) -> tuple[tuple[int, ...], bool]:
    """The dealt hands, and whether they are known; unknown ones may hold anything."""
    if state.deal is None:
        return (STANDARD_PACK,) * 4, False
    return tuple(mask_of(hand) for hand in state.deal.hands), True


def score(state: State) -> FourResult | None:
    """The score of a complete deal."""
    if type(state) is not Scored:
        return None
    return score_four(state.contract.bidding.options, state.tricks, state.contract.allies)


def duty(state: State) -> Duty | None:
    """The led suit; no card is ever drawn."""
    return follow_duty(state, "CP.13", 1) if type(state) is Playing else None


def contract_of(state: Playing) -> Contract:
    """The contract that the tricks under way rest on."""
    contract: Contract = state.base
    return contract


def sums(state: State) -> tuple[tuple[int, ...], ...]:
    """The tricks of a complete deal."""
    return (state.tricks,) if isinstance(state, Scored) else ()


def against(state: Playing) -> tuple[tuple[int, ...], ...]:
    """The pair that agreed first, and the other one."""
    return sides_of(contract_of(state).allies)
