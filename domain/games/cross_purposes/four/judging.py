"""Cross Purposes for four players: the facts that may be recorded, and the rules that any other breaks."""

from functools import cache

from domain.cards.card import RANKS, STANDARD_PACK, SUITS
from domain.cards.facts import CardPlayed, Fact, Passed
from domain.game.judgement import Breach, misfit
from domain.game.tricks import Playing, card_breaches, legal_plays
from domain.games.cross_purposes.four.state import Proposing, Scored, State, accepted, open_dimensions
from domain.games.cross_purposes.options import ValueProposed


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
    """The values that a seat may name in these dimensions: facts never change, so they are made once."""
    suits = [ValueProposed(seat, "trump", suit) for suit in SUITS if "trump" in dims]
    return (*suits, *(ValueProposed(seat, "top", rank) for rank in RANKS if "top" in dims))


def _callable(state: Proposing) -> tuple[ValueProposed, ...]:
    """The values that the seat to act may name; if own repeats are barred and nothing else is left, they are
    allowed again, so that the bidding can end (CP.g4)."""
    every = _proposals(state.turn, open_dimensions(state))
    if state.options.own_repeat:
        return every
    own = _proposed_by(state, state.turn)
    free = tuple(
        fact
        for fact in every
        if (fact.dim, fact.value) not in own or accepted(state, state.turn, fact.dim, fact.value) is not None
    )
    return free or every


def _proposed_by(state: Proposing, seat: int) -> set[tuple[str, str]]:
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
    """True when the seat to act may name this value where own repeats are barred (CP.g4)."""
    if (fact.dim, fact.value) not in _proposed_by(state, fact.seat):
        return True
    return fact in _callable(state)
