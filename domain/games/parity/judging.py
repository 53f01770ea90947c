"""Parity: the facts that may be recorded at a table, and the rules that any other breaks."""

from domain.cards.card import SUITS
from domain.cards.facts import CardPlayed, Fact, TrumpsDeclared
from domain.game.judgement import Breach, misfit
from domain.game.rest import REST, rest_breaches
from domain.game.tricks import Playing, card_breaches, legal_plays, may_play
from domain.games.parity.options import PACK, ParityDeclared
from domain.games.parity.state import Aiming, Naming, Scored, State, rest, to_act


def legal(state: State) -> tuple[Fact, ...]:
    """Four suits, two parities, or the cards that may be played."""
    seat = to_act(state)
    if seat is None:
        return ()
    if isinstance(state, Naming):
        return tuple(TrumpsDeclared(seat, suit) for suit in SUITS)
    if isinstance(state, Aiming):
        return (ParityDeclared(seat, "odd"), ParityDeclared(seat, "even"))
    assert isinstance(state, Playing)
    return legal_plays(state)


def breaches(state: State, fact: Fact) -> tuple[Breach, ...]:
    """Reasons against a fact; a legal card takes the first line."""
    if type(fact) is CardPlayed and type(state) is Playing and may_play(state, fact):
        return ()
    if type(fact) in REST:
        return rest_breaches(rest(state), fact)
    if isinstance(state, Scored):
        return misfit("the deal is complete")
    kinds: dict[type, type[Fact]] = {Naming: TrumpsDeclared, Aiming: ParityDeclared, Playing: CardPlayed}
    wanted = kinds[type(state)]
    if type(fact) is not wanted or fact.seat > 1:
        return misfit(f"the table waits for `{wanted.__struct_config__.tag}` from seat {to_act(state)}")
    if isinstance(state, Playing) and isinstance(fact, CardPlayed):
        return card_breaches(state, fact, "PA.6", PACK)
    seat = to_act(state)
    if fact.seat == seat:
        return ()
    rule = "PA.4" if isinstance(state, Naming) else "PA.5"
    return (Breach(rule, "OOB", f"seat {fact.seat} calls, but it is seat {seat}'s turn"),)
