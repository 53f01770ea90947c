"""Over the Top: the facts that may be recorded at a table, and the rules that any other breaks."""

from domain.cards.card import CARDS, SUIT_NAMES, cards_in
from domain.cards.facts import CardDrawn, CardPlayed, Fact, Passed, TotalCalled, plays_in
from domain.game.judgement import Breach, misfit
from domain.game.rest import REST, rest_breaches
from domain.game.tricks import draw_breaches, place_breaches, turn_breaches
from domain.games.over_the_top.options import PACK
from domain.games.over_the_top.state import Playing, Scored, State, called, due, rest, seen


def may_pass(state: Playing) -> bool:
    """True when the seat to act has no card to play (OT.4, OT.g7); with its hand unknown it may have none,
    unless it leads."""
    return not state.hands[state.turn] & state.free or (not state.course.base.known and bool(state.cards))


def legal(state: State) -> tuple[Fact, ...]:
    """Cards in the order of the pack, then a pass, then draws of physical cards."""
    if not isinstance(state, Playing):
        return ()
    turn = state.turn
    playable = state.hands[turn] & state.free
    plays = plays_in(turn, playable)
    if playable and state.course.base.known:
        return plays
    return (*plays, *((Passed(turn),) if may_pass(state) else ()), *_draws(state))


def _draws(state: Playing) -> tuple[CardDrawn, ...]:
    seats = dict.fromkeys(due(state))
    return tuple(CardDrawn(seat, card) for seat in seats for card in (None, *cards_in(state.hands[0] & state.hands[1])))


def breaches(state: State, fact: Fact) -> tuple[Breach, ...]:
    """Reasons against a fact; a legal card takes the first line."""
    if type(fact) is CardPlayed and type(state) is Playing:
        if fact.seat == state.turn and state.hands[fact.seat] & state.free & 1 << fact.card:
            return ()
        if not PACK >> fact.card & 1:
            return misfit("not in the pack")
        return _card(state, fact) if fact.seat < 2 else misfit("two play: seats 0 and 1")
    if type(fact) in REST:
        return rest_breaches(rest(state), fact)
    if fact.seat > 1:
        return misfit("two play: seats 0 and 1")
    if isinstance(fact, TotalCalled):
        return _total(state, fact)
    if isinstance(state, Scored):
        return misfit("the deal is complete")
    if isinstance(fact, Passed):
        return _pass(state, fact.seat)
    if isinstance(fact, CardDrawn) and not state.course.base.known:
        return _draw(state, fact)
    return misfit(f"the table waits for a card from seat {state.turn}")


def _card(state: Playing, fact: CardPlayed) -> tuple[Breach, ...]:
    found = [*_turn(state, fact.seat)]
    found += _more_than_drawn(state, fact) or place_breaches(
        fact.card, state.hands[fact.seat], seen(state), PACK, "OT.1"
    )
    if not state.free >> fact.card & 1:
        suit = SUIT_NAMES[CARDS[fact.card].suit]
        found.append(Breach("OT.4", "OSU", f"{fact.card} repeats a suit: {suit} is in the trick already"))
    return tuple(found)


def _more_than_drawn(state: Playing, fact: CardPlayed) -> list[Breach]:
    """With hands unknown: a card of a seat that has played all that it was dealt and drew (OT.7)."""
    had = state.course.held[fact.seat] - state.seats.count(fact.seat)
    if state.course.base.known or had > 0 or seen(state) >> fact.card & 1:
        return []
    return [Breach("OT.7", "DRW", f"seat {fact.seat} has played every card that it was dealt and could draw")]


def _turn(state: Playing, seat: int) -> tuple[Breach, ...]:
    """Out of turn: who has passed is out of the trick (OT.g7), the non-dealer begins and turns alternate (OT.2), the
    winner leads (OT.7)."""
    if state.passed >> seat & 1:
        return (Breach("OT.g7", "POT", f"seat {seat} has passed: its turns in this trick are skipped"),)
    first = not state.course.taken
    return turn_breaches(seat, state.turn, bool(state.cards), "OT.2" if state.cards or first else "OT.7")


def _pass(state: Playing, seat: int) -> tuple[Breach, ...]:
    """A pass is never by choice (OT.g7)."""
    found = [*_turn(state, seat)]
    if state.hands[seat] & state.free and (state.course.base.known or not state.cards):
        found.append(Breach("OT.g7", "FPS", f"seat {seat} can play and may not pass"))
    return tuple(found)


def _draw(state: Playing, fact: CardDrawn) -> tuple[Breach, ...]:
    found = []
    if fact.seat not in due(state):
        found.append(Breach("OT.7", "DRW", "no draw is due: up to 13 cards after a trick, in turns, winner first"))
    if fact.card is not None:
        found += draw_breaches(fact.card, state.hands, seen(state), PACK, "OT.7")
    return tuple(found)


def _total(state: State, fact: TotalCalled) -> tuple[Breach, ...]:
    """The fault of a total that was called: the cards decide (OT.2)."""
    right = called(state)
    if right is None:
        return misfit("nothing has been played yet")
    return () if fact.total == right else (Breach("OT.2", "WTA", f"{fact.total} was called, the cards make {right}"),)
