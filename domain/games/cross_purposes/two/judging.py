"""Cross Purposes for two players: the facts that may be recorded, and the rules that any other breaks."""

from functools import cache

from domain.cards.card import RANKS, STANDARD_PACK, SUITS
from domain.cards.facts import CardPlayed, Fact
from domain.game.judgement import Breach, misfit
from domain.game.tricks import Playing, card_breaches, legal_plays
from domain.games.cross_purposes.options import ValueDeclared
from domain.games.cross_purposes.two.state import Declaring, Scored, State, open_dimensions, to_act


def legal(state: State) -> tuple[Fact, ...]:
    """Suits before ranks, low before high; cards in the order of the pack."""
    match state:
        case Playing():
            return legal_plays(state)
        case Scored():
            return ()
        case Declaring():
            seat = to_act(state)
            assert seat is not None
            return _declarations(seat, open_dimensions(state))


@cache
def _declarations(seat: int, dims: tuple[str, ...]) -> tuple[ValueDeclared, ...]:
    """The values that a seat may name in these dimensions: facts never change, so they are made once."""
    suits = [ValueDeclared(seat, "trump", suit) for suit in SUITS if "trump" in dims]
    return (*suits, *(ValueDeclared(seat, "top", rank) for rank in RANKS if "top" in dims))


def breaches(state: State, fact: Fact) -> tuple[Breach, ...]:
    """Reasons against a fact."""
    if type(fact) is CardPlayed and type(state) is Playing:
        return _card(state, fact)
    if type(fact) is ValueDeclared and type(state) is Declaring:
        return _declaration(state, fact)
    if type(state) is Scored:
        return misfit("the deal is complete")
    wanted = "a declaration of trumps or tops" if type(state) is Declaring else "a card"
    return misfit(f"the table waits for {wanted}")


def _card(state: Playing, fact: CardPlayed) -> tuple[Breach, ...]:
    if fact.seat > 1:
        return misfit("two play: seats 0 and 1")
    return card_breaches(state, fact, "CP.5", STANDARD_PACK)


def _declaration(state: Declaring, fact: ValueDeclared) -> tuple[Breach, ...]:
    if fact.seat > 1:
        return misfit("two play: seats 0 and 1")
    found = []
    rule = "CP.4" if state.phase == 1 else "CP.6"
    if fact.seat != to_act(state):
        found.append(Breach(rule, "OOB", f"it is seat {to_act(state)}'s turn to declare"))
    dims = open_dimensions(state)
    if fact.dim not in dims:
        found.append(Breach(rule, "DIM", f"{fact.dim} cannot be named here: name the {dims[0]}"))
    return tuple(found)
