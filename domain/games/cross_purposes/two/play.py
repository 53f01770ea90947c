"""Cross Purposes for two players: the table after each fact."""

import msgspec

from domain.cards.facts import Fact
from domain.game.tricks import Playing, begin
from domain.games.cross_purposes.options import ValueDeclared
from domain.games.cross_purposes.two.state import Declaring, Phase, Scored, State, cross_order, hands_of, opener


def evolve(state: State, fact: Fact) -> State:
    """The table after a declaration."""
    if type(fact) is ValueDeclared and type(state) is Declaring and fact.seat < 2:
        return _declared(state, fact)
    return state


def _declared(state: Declaring, fact: ValueDeclared) -> State:
    """A dimension named twice stays as it was first named; the second call is only on record."""
    calls = (*state.calls, fact)
    if state.named and state.named[0].dim == fact.dim:
        return msgspec.structs.replace(state, calls=calls)
    after = msgspec.structs.replace(state, calls=calls, named=(*state.named, fact))
    return _opened(after) if len(after.named) == 2 else after


def _opened(state: Declaring) -> Playing:
    """Trumps and tops are known: the opener leads to 13 tricks (CP.5)."""
    values = {call.dim: call.value for call in state.named}
    phase = Phase(state, values["trump"], values["top"])
    order = cross_order(phase.trumps, phase.tops)
    hands, known = hands_of(state)
    return begin(phase, order, hands, known, opener(state), state.seen, 26)


def phase_over(state: Playing) -> State:
    """After 13 tricks: the other player deals the rest, or the deal is scored (CP.6, CP.7)."""
    phase: Phase = state.base
    before = phase.declared
    if before.phase == 2:
        return Scored(phase, state.tricks, state.last, state.seen)
    return Declaring(
        before.options,
        before.dealer,
        before.deal,
        2,
        before.calls,
        (),
        before.named,
        state.tricks,
        state.seen,
        state.last,
    )
