"""Parity: the table after each fact."""

from domain.cards.card import suit_index
from domain.cards.facts import CardPlayed, Fact, TrumpsDeclared
from domain.cards.seats import left_of
from domain.game.protocol import Call
from domain.game.rest import REST, Rest, Won, rest_after
from domain.game.rest_tricks import rest_taken
from domain.game.tricks import CardOrder, Playing, begin, order_of, play_card
from domain.games.parity.options import PACK, RANK_ORDER, ParityDeclared
from domain.games.parity.state import Aiming, Contract, Naming, Scored, State, hands_of, rest


def trick_order(trumps: str) -> CardOrder:
    """A K Q J 10 5 2, and above the trumps both jokers, that of the trump colour first (PA.2)."""
    return order_of(suit_index(trumps), RANK_ORDER, jokers=True)


def scored(after: Playing) -> Scored:
    """The deal after its last card."""
    return Scored(after.base, after.tricks, after.last, after.seen)


def declared(state: State, fact: Fact) -> State:
    """Naming trumps, then the parity, whoever does it."""
    if isinstance(state, Naming) and isinstance(fact, TrumpsDeclared):
        return Aiming(state.setup, fact.suit, fact.seat)
    if isinstance(state, Aiming) and isinstance(fact, ParityDeclared):
        setup = state.setup
        calls = (Call(state.by, state.trumps), Call(fact.seat, fact.parity))
        contract = Contract(setup, state.trumps, fact.parity, calls)
        order = trick_order(state.trumps)
        known = setup.deal is not None
        return begin(contract, order, hands_of(setup), known, left_of(setup.dealer, 2), 0, 30)
    return state


def evolve(state: State, fact: Fact) -> State:
    """The table after the fact."""
    if type(fact) is CardPlayed and type(state) is Playing:
        if fact.seat > 1 or not PACK >> fact.card & 1:
            return state
        after = play_card(state, fact.seat, fact.card)
        return after if after.left else scored(after)
    if type(fact) in REST:
        return rest_after(state, rest(state), fact, _given)
    return declared(state, fact) if fact.seat < 2 else state


def _given(state: State, won: Won, claim: Rest) -> State:
    """The score counts tricks alone (PA.7), so any share of the rest gives it."""
    assert isinstance(state, Playing)
    return scored(rest_taken(state, won, claim))
