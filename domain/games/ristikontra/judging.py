"""Ristikontra: which facts are legal, and why the others are not.

Nobody has to follow, so little is against the rules: turns, cards that are not there, and two options.
"""

from typing import Final

from domain.cards.card import CARDS, cards_in
from domain.cards.facts import CardDrawn, CardPlayed, Fact, plays_in
from domain.game.judgement import Breach, misfit
from domain.game.rest import REST, rest_breaches
from domain.game.tricks import place_breaches, turn_breaches
from domain.games.ristikontra.options import PACK, DarkPlayed, SpiceDecided
from domain.games.ristikontra.state import (
    Playing,
    Scored,
    Spicing,
    State,
    fourth_lead,
    held,
    in_stock,
    last_king,
    may_dark,
    not_for_spice,
    playable,
    rest,
)

_DARK: Final = tuple((DarkPlayed(seat),) for seat in range(4))


def legal(state: State) -> tuple[Fact, ...]:
    """Cards of the hand, then the dark one, then draws of physical cards; or whether to spice."""
    if isinstance(state, Spicing):
        return (*_spices(state), *_draws(state.play, state.play.drawing[:1]))
    if not isinstance(state, Playing):
        return ()
    seat = state.turn
    plays: tuple[Fact, ...] = plays_in(seat, playable(state, seat)) + _darks(state)
    return plays if state.base.known else plays + _draws(state, state.drawing)


def _darks(state: Playing) -> tuple[DarkPlayed, ...]:
    if not may_dark(state):
        return ()
    if state.base.known:
        return _DARK[state.turn]
    return tuple(DarkPlayed(state.turn, card) for card in cards_in(in_stock(state)))


def _draws(state: Playing, seats: tuple[int, ...]) -> tuple[CardDrawn, ...]:
    if not seats:
        return ()
    cards = (None, *cards_in(in_stock(state)))
    return tuple(CardDrawn(seat, card) for seat in seats for card in cards)


def _spices(state: Spicing) -> tuple[SpiceDecided, ...]:
    seat, barred = state.play.turn, not_for_spice(state)
    no = SpiceDecided(seat, False)
    if state.drawn is None:
        return (no, *(SpiceDecided(seat, True, card) for card in cards_in(in_stock(state.play) & ~barred)))
    return (no,) if barred >> state.drawn & 1 else (no, SpiceDecided(seat, True))


def breaches(state: State, fact: Fact) -> tuple[Breach, ...]:
    """Reasons against a fact; a legal card takes the first lines."""
    if type(state) is Playing:
        if type(fact) is CardPlayed:
            seat = fact.seat
            if seat == state.turn:
                hand = state.hands[seat] if state.base.free else playable(state, seat)
                if hand >> fact.card & 1:
                    return ()
            return _card(state, fact)
        if type(fact) is DarkPlayed:
            if fact.seat == state.turn and fact.card is None and state.base.known and may_dark(state):
                return ()
            return _dark(state, fact)
    if type(fact) in REST:
        return rest_breaches(rest(state), fact)
    if isinstance(state, Scored):
        return misfit("the deal is complete")
    return _other(state, fact)


def _other(state: Playing | Spicing, fact: Fact) -> tuple[Breach, ...]:
    """Draws, and what the winner of a trick decides."""
    play = state.play if isinstance(state, Spicing) else state
    if isinstance(fact, CardDrawn) and not play.base.known and fact.seat < 4:
        return _draw(state, play, fact)
    if isinstance(state, Spicing):
        if isinstance(fact, SpiceDecided) and fact.seat < 4:
            return _decision(state, fact)
        return misfit(f"the table waits for `spice`, true or false, from seat {play.turn}")
    return misfit(f"the table waits for a card from seat {play.turn}")


def _card(state: Playing, fact: CardPlayed) -> tuple[Breach, ...]:
    if fact.seat > 3 or not PACK >> fact.card & 1:
        return misfit("four play with 52 cards, seats 0 to 3")
    found = [*turn_breaches(fact.seat, state.turn, bool(state.cards), "RK.4")]
    found += place_breaches(fact.card, held(state, fact.seat), state.seen, PACK, "RK.4")
    if last_king(state) >> fact.card & 1:
        found.append(Breach("RK.13", "LKG", f"{fact.card} is the last king: it is kept until the stock is empty"))
    if fourth_lead(state, fact.seat) >> fact.card & 1:
        found.append(Breach("RK.9", "RK4", f"seat {fact.seat} has led this rank to three tricks and has another"))
    return tuple(found)


def _dark(state: Playing, fact: DarkPlayed) -> tuple[Breach, ...]:
    wrong = no_dark(state, fact)
    if wrong:
        return misfit(wrong)
    found = [*turn_breaches(fact.seat, state.turn, bool(state.cards), "RK.4")]
    if state.turned and fact.seat == state.turn:
        found.append(
            Breach("RK.g8", "DRW", "the last king was turned up: a card of the hand follows, not of the stock")
        )
    if fact.card is not None:
        found += place_breaches(fact.card, in_stock(state), state.seen, PACK, "RK.6")
    return tuple(found)


def no_dark(state: Playing, fact: DarkPlayed) -> str | None:
    """The reasons against any card from the stock."""
    if fact.seat > 3 or (fact.card is not None and not PACK >> fact.card & 1):
        return "four play with 52 cards, seats 0 to 3"
    if state.top >= state.base.size:
        return "the stock is empty: nothing can be played in the dark"
    if state.base.known and fact.card is not None:
        return "the stock is known here: the card is not named"
    return None if state.base.known or fact.card is not None else "name the card that was turned up"


def _draw(state: Playing | Spicing, play: Playing, fact: CardDrawn) -> tuple[Breach, ...]:
    found = []
    due = play.drawing[:1] if isinstance(state, Spicing) else play.drawing
    if fact.seat not in due:
        found.append(Breach("RK.5", "DRW", "no draw is due: one each, the winner first, none after a dark card"))
    if fact.card is not None:
        found += place_breaches(fact.card, in_stock(play), play.seen, PACK, "RK.5")
    return tuple(found)


def no_decision(state: Spicing, fact: SpiceDecided) -> str | None:
    """The reasons against a decision: the card put in is named exactly where nothing else tells it."""
    if fact.card is not None and not PACK >> fact.card & 1:
        return "Ristikontra has 52 cards"
    if (fact.card is not None) == (fact.spice and state.drawn is None):
        return None
    return "name the card that was put in" if fact.card is None else "no card is named here"


def _decision(state: Spicing, fact: SpiceDecided) -> tuple[Breach, ...]:
    play = state.play
    wrong = no_decision(state, fact)
    if wrong:
        return misfit(wrong)
    found = []
    if fact.seat != play.turn:
        found.append(Breach("RK.10", "OOB", f"seat {fact.seat} decides, but seat {play.turn} won the trick"))
    if fact.card is not None:
        found += place_breaches(fact.card, in_stock(play), play.seen, PACK, "RK.10")
    card = state.drawn if fact.card is None else int(fact.card)
    if fact.spice and card is not None and not_for_spice(state) >> card & 1:
        found.append(Breach("RK.g8", "LKG", f"{CARDS[card]} is the last king: it is kept until the stock is empty"))
    return tuple(found)
