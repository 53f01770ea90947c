"""Cross Purposes for four: propose until two pairs have settled trumps and tops, then 13 tricks."""

from functools import cache
from typing import TypeAlias

import msgspec

from domain.cards import RANKS, STANDARD_PACK, SUITS, cards_in, mask_of
from domain.facts import CardPlayed, Fact, Passed
from domain.game import Breach, Call, Duty, Table, Viewer, misfit
from domain.games.cross_purposes.options import Deal, Options, ValueProposed
from domain.games.cross_purposes.scoring import FourResult, score_four, sides_of
from domain.games.cross_purposes.twohand import cross_order
from domain.seats import eldest
from domain.sight import hands_for, legal_for, on_table
from domain.tricks import Playing, begin, card_breaches, follow_duty, legal_plays

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
    """What the play rests on: the bidding, the first pair, trumps and tops."""

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


class FourTable(Table, frozen=True, kw_only=True):
    """The table; `sides` are the pairs once they are known."""

    sides: tuple[tuple[int, ...], ...] | None = None


def start(options: Options, dealer: int, deal: Deal | None) -> State:
    """Thirteen each; eldest proposes first (CP.8, CP.9)."""
    return Proposing(options, dealer, deal, (), eldest(dealer, 4), None)


def to_act(state: State) -> int | None:
    """The seat whose turn it is."""
    return None if isinstance(state, Scored) else state.turn


def bidders(state: Proposing) -> tuple[int, ...]:
    """Who still proposes: all four, then the pair that has not agreed (CP.11, CP.12)."""
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


def legal(state: State) -> tuple[Fact, ...]:
    """Suits before ranks; cards in the order of the pack."""
    match state:
        case Playing():
            return legal_plays(state)
        case Scored():
            return ()
        case Proposing():
            return _callable(state)


@cache
def _proposals(seat: int, dims: tuple[str, ...]) -> tuple[ValueProposed, ...]:
    """What a seat may name in these dimensions: facts never change, so they are made once."""
    suits = [ValueProposed(seat, "trump", suit) for suit in SUITS if "trump" in dims]
    return (*suits, *(ValueProposed(seat, "top", rank) for rank in RANKS if "top" in dims))


def _callable(state: Proposing) -> tuple[ValueProposed, ...]:
    """What the seat to act may name; if own repeats are barred and nothing else is left, they are
    allowed again, so that the bidding can end (CP.g4)."""
    every = _proposals(state.turn, open_dimensions(state))
    if state.options.own_repeat:
        return every
    own = _own(state, state.turn)
    free = tuple(
        fact
        for fact in every
        if (fact.dim, fact.value) not in own or accepted(state, state.turn, fact.dim, fact.value) is not None
    )
    return free or every


def _own(state: Proposing, seat: int) -> set[tuple[str, str]]:
    return {(call.dim, call.value) for call in state.calls if call.seat == seat and isinstance(call, ValueProposed)}


def breaches(state: State, fact: Fact) -> tuple[Breach, ...]:
    """Reasons against a fact."""
    if type(fact) is CardPlayed and type(state) is Playing:
        return card_breaches(state, fact, "CP.13", STANDARD_PACK)
    if type(state) is Proposing and isinstance(fact, ValueProposed):
        return _proposal(state, fact)
    if type(state) is Proposing and type(fact) is Passed:
        return (*_out_of_call(state, fact.seat), Breach("CP.9", "PAS", "nobody may pass: propose a value"))
    if type(state) is Scored:
        return misfit("the deal is complete")
    wanted = "a proposal of trumps or tops" if type(state) is Proposing else "a card"
    return misfit(f"the table waits for {wanted}")


def _out_of_call(state: Proposing, seat: int) -> tuple[Breach, ...]:
    if seat == state.turn:
        return ()
    rule = "CP.g5" if state.agreed else "CP.9"
    return (Breach(rule, "OOB", f"seat {seat} calls, but it is seat {state.turn}'s turn"),)


def _proposal(state: Proposing, fact: ValueProposed) -> tuple[Breach, ...]:
    in_turn = fact.seat == state.turn
    if state.agreed is None or fact.dim != state.agreed.dim:
        if in_turn and (state.options.own_repeat or _may_name(state, fact)):
            return ()
        if in_turn:
            return (Breach("CP.g4", None, "a seat may not repeat its own proposal"),)
        return _out_of_call(state, fact.seat)
    settled = Breach("CP.g6", "DIM", f"the {fact.dim} is settled: name the other dimension")
    return (*_out_of_call(state, fact.seat), settled)


def _may_name(state: Proposing, fact: ValueProposed) -> bool:
    """Whether the seat to act may name this value where own repeats are barred (CP.g4)."""
    if (fact.dim, fact.value) not in _own(state, fact.seat):
        return True
    return fact in _callable(state)


def evolve(state: State, fact: Fact) -> State:
    """The table after a call."""
    if type(state) is Proposing and isinstance(fact, ValueProposed):
        return _proposed(state, fact)
    if type(state) is Proposing and type(fact) is Passed:
        return _next(state, (*state.calls, fact), state.agreed)
    return state


def _proposed(state: Proposing, fact: ValueProposed) -> State:
    """Naming a possible ally's open value agrees on it (CP.10, CP.12); two agreements start the play."""
    calls = (*state.calls, fact)
    settled = state.agreed is not None and fact.dim == state.agreed.dim
    if settled or fact.seat not in bidders(state):
        return _next(state, calls, state.agreed)
    ally = accepted(state, fact.seat, fact.dim, fact.value)
    if ally is None:
        return _next(state, calls, state.agreed)
    agreement = Agreement((ally, fact.seat), fact.dim, fact.value)
    if state.agreed is None:
        return _next(msgspec.structs.replace(state, agreed=agreement), calls, agreement, fact.seat)
    return _opened(msgspec.structs.replace(state, calls=calls), state.agreed, agreement)


def _next(
    state: Proposing,
    calls: tuple[ValueProposed | Passed, ...],
    agreed: Agreement | None,
    seat: int | None = None,
) -> Proposing:
    """The next caller: clockwise from the last one, among those who still propose (CP.g5)."""
    last = calls[-1].seat if seat is None else seat
    turn = (last + 1) % 4
    if agreed is not None:
        left = bidders(state)
        turn = next((last + step) % 4 for step in (1, 2, 3, 4) if (last + step) % 4 in left)
    return Proposing(state.options, state.dealer, state.deal, calls, turn, agreed)


def _opened(state: Proposing, first: Agreement, second: Agreement) -> Playing:
    """Trumps and tops are known: eldest leads (CP.13)."""
    values = {first.dim: first.value, second.dim: second.value}
    contract = Contract(state, first.pair, values["trump"], values["top"])
    order = cross_order(contract.trumps, contract.tops)
    hands, known = _hands(state)
    return begin(contract, order, hands, known, eldest(state.dealer, 4), 0, 52)


def _hands(state: Proposing) -> tuple[tuple[int, ...], bool]:
    if state.deal is None:
        return (STANDARD_PACK,) * 4, False
    return tuple(mask_of(hand) for hand in state.deal.hands), True


def phase_over(state: Playing) -> State:
    """After 13 tricks the deal is scored (CP.14)."""
    return Scored(state.base, state.tricks, state.last)


def score(state: State) -> FourResult | None:
    """The score of a complete deal."""
    if type(state) is not Scored:
        return None
    return score_four(state.contract.bidding.options, state.tricks, state.contract.allies)


def duty(state: State) -> Duty | None:
    """The led suit; no card is ever drawn."""
    return follow_duty(state, "CP.13", 1) if type(state) is Playing else None


def view(state: State, viewer: Viewer) -> FourTable:
    """The table as the viewer may see it."""
    if isinstance(state, Proposing):
        return _bidding_view(state, viewer)
    contract = state.contract if isinstance(state, Scored) else _contract(state)
    known = contract.bidding.deal is not None
    seat = to_act(state)
    hands, seen = (state.hands, state.seen) if isinstance(state, Playing) else ((0,) * 4, STANDARD_PACK)
    return FourTable(
        to_act=seat, phase=1, tricks=state.tricks, calls=_calls(contract.bidding),
        trumps=contract.trumps, tops=contract.tops, sides=sides_of(contract.allies),
        hands=hands_for(viewer, hands, known),
        seen=tuple(cards_in(seen)),
        legal=legal_for(viewer, seat, known, legal(state)),
        trick=on_table(state.seats, state.cards) if isinstance(state, Playing) else (),
        last_trick=on_table(*state.last),
    )  # fmt: skip


def _bidding_view(state: Proposing, viewer: Viewer) -> FourTable:
    hands, known = _hands(state)
    settled = {state.agreed.dim: state.agreed.value} if state.agreed else {}
    return FourTable(
        to_act=state.turn, phase=1, tricks=(0,) * 4, calls=_calls(state),
        trumps=settled.get("trump"), tops=settled.get("top"),
        sides=sides_of(state.agreed.pair) if state.agreed else None,
        hands=hands_for(viewer, hands, known), legal=legal_for(viewer, state.turn, known, legal(state)),
    )  # fmt: skip


def _contract(state: Playing) -> Contract:
    contract: Contract = state.base
    return contract


def _calls(state: Proposing) -> tuple[Call, ...]:
    return tuple(Call(call.seat, call.value if isinstance(call, ValueProposed) else "-") for call in state.calls)


def sums(state: State) -> tuple[tuple[int, ...], ...]:
    """The tricks of a complete deal."""
    return (state.tricks,) if isinstance(state, Scored) else ()
