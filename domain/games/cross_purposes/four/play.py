"""Cross Purposes for four players: the table after each fact."""

import msgspec

from domain.cards.facts import Fact, Passed
from domain.cards.seats import eldest
from domain.game.tricks import Playing, begin
from domain.games.cross_purposes.four.state import (
    Agreement,
    Contract,
    Proposing,
    Scored,
    State,
    accepted,
    bidders,
    hands_of,
)
from domain.games.cross_purposes.options import ValueProposed
from domain.games.cross_purposes.two.state import cross_order


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
    hands, known = hands_of(state)
    return begin(contract, order, hands, known, eldest(state.dealer, 4), 0, 52)


def phase_over(state: Playing) -> State:
    """After 13 tricks the deal is scored (CP.14)."""
    return Scored(state.base, state.tricks, state.last)
