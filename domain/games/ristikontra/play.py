"""Ristikontra: what happens at the table, fact by fact, legal or not.

A trick is complete with four cards, whoever played them, and the last of the rank led wins it. Draws are
derived where the stock is known; with physical cards they may follow as facts.
"""

from typing import Final

import msgspec

from domain.cards.card import cards_in
from domain.cards.facts import CardDrawn, CardPlayed, Fact
from domain.game.rest import REST, rest_after
from domain.game.tricks import next_in_trick
from domain.games.ristikontra.claimed import given
from domain.games.ristikontra.judging import no_dark, no_decision
from domain.games.ristikontra.options import KINGS, QUEEN, QUEENS, DarkPlayed, SpiceDecided
from domain.games.ristikontra.scoring import RistikontraResult, score_deal
from domain.games.ristikontra.state import (
    TRICKS,
    Base,
    Playing,
    Scored,
    Spicing,
    State,
    Taken,
    in_stock,
    last_king,
    rest,
)

COURT: Final = KINGS | QUEENS
ROUND: Final = tuple(tuple((first + step) % 4 for step in range(4)) for first in range(4))


def evolve(state: State, fact: Fact) -> State:
    """The table after the fact."""
    if type(fact) in REST:
        return rest_after(state, rest(state), fact, given)
    if fact.seat > 3:
        return state
    if type(state) is Playing:
        if type(fact) is CardPlayed:
            return _from_hand(state, fact.seat, fact.card) if fact.card < 52 else state
        if type(fact) is DarkPlayed:
            return state if no_dark(state, fact) else _from_stock(state, fact)
        if type(fact) is CardDrawn and not state.base.known:
            return _drew(state, fact)
    elif type(state) is Spicing:
        if type(fact) is SpiceDecided:
            return state if no_decision(state, fact) else _decided(state, fact)
        if type(fact) is CardDrawn and not state.play.base.known:
            return _drew_first(state, fact)
    return state


def _from_hand(state: Playing, seat: int, card: int) -> State:
    bit = 1 << card
    if state.base.simple and state.hands[seat] & bit:
        changed = list(state.hands)
        changed[seat] ^= bit
        return _on_table(state, state.base, tuple(changed), seat, card, state.dark, state.top, ())
    if not state.base.known:
        eager = state.base.eager and state.top < state.base.size and not state.turned
        hands = tuple(hand & ~bit for hand in state.hands)
        drawing = (seat,) if eager else ()
        return _on_table(state, state.base, hands, seat, card, state.dark, state.top + eager, drawing)
    if not state.hands[seat] & bit:
        base, hands = _elsewhere(state, bit)
        return _on_table(state, base, hands, seat, card, state.dark, state.top, ())
    hands, top = _drawn_at_once(state, seat, bit)
    return _on_table(state, state.base, hands, seat, card, state.dark, top, ())


def _drawn_at_once(state: Playing, seat: int, bit: int) -> tuple[tuple[int, ...], int]:
    """With `refill` after_card a seat draws right behind its own card (RK.g3)."""
    base, top = state.base, state.top
    hands = list(state.hands)
    hands[seat] ^= bit
    if top < base.size and hands[seat].bit_count() < base.full:
        hands[seat] |= 1 << base.stock[top]
        top += 1
    return tuple(hands), top


def _elsewhere(state: Playing, bit: int) -> tuple[Base, tuple[int, ...]]:
    """A card that another seat held, that lay in the stock or was played before: wherever it was, it lies
    on the table now."""
    base = state.base
    stock = (*base.stock[: state.top], *(card for card in base.stock[state.top :] if 1 << card != bit))
    if len(stock) < len(base.stock):
        base = msgspec.structs.replace(base, stock=stock, size=len(stock))
    return base, tuple(hand & ~bit for hand in state.hands)


def _from_stock(state: Playing, fact: DarkPlayed) -> State:
    """The top card goes to the trick, but the last king to the hand (RK.6, RK.g8)."""
    base, seat, top = state.base, fact.seat, state.top
    card = base.stock[top] if fact.card is None else int(fact.card)
    dark = state.dark | 1 << seat
    if base.cleaning and last_king(state) >> card & 1:
        return _king_turned(state, seat, 1 << card, dark)
    hands = state.hands if base.known else tuple(hand & ~(1 << card) for hand in state.hands)
    return _on_table(state, base, hands, seat, card, dark, top + 1, ())


def _king_turned(state: Playing, seat: int, bit: int, dark: int) -> Playing:
    """Everybody has seen the last king; its seat plays from the hand and does not draw (RK.g8)."""
    hands = tuple(hand | bit if at == seat else hand & ~bit for at, hand in enumerate(state.hands))
    taken = msgspec.structs.replace(state.taken, open=state.taken.open | bit)
    return Playing(
        state.base,
        taken,
        hands,
        seat,
        True,
        state.seats,
        state.cards,
        dark,
        state.seen,
        state.top + 1,
        state.run,
        (),
    )


def _on_table(
    state: Playing,
    base: Base,
    hands: tuple[int, ...],
    seat: int,
    card: int,
    dark: int,
    top: int,
    drawing: tuple[int, ...],
) -> State:
    """A card lies in the trick, whoever's turn it was."""
    seen = state.seen | 1 << card
    if not state.cards:
        run = _led(state.run, seat, card % 13) if base.fourth else state.run
        return Playing(base, state.taken, hands, (seat + 1) & 3, False, (seat,), (card,), dark, seen, top, run, drawing)
    seats, cards = (*state.seats, seat), (*state.cards, card)
    turn = (seat + 1) & 3
    if len(cards) == 4:
        return _complete(
            Playing(base, state.taken, hands, turn, False, seats, cards, dark, seen, top, state.run, drawing)
        )
    if seat != state.turn or turn in seats:
        turn = next_in_trick(seats, 4)
    return Playing(base, state.taken, hands, turn, False, seats, cards, dark, seen, top, state.run, drawing)


def _led(run: tuple[int, int, int], seat: int, rank: int) -> tuple[int, int, int]:
    """One rank led by one seat, exempt leads included (RK.g6)."""
    return (seat, rank, run[2] + 1 if run[:2] == (seat, rank) else 1)


def _complete(table: Playing) -> State:
    """The last card of the rank led wins, the leader's own if no other is (RK.4, RK.g1)."""
    cards = table.cards
    rank = cards[0] % 13
    place = 3
    while cards[place] % 13 != rank:
        place -= 1
    winner = table.seats[place]
    base = table.base
    if base.spice and table.taken.done < base.first and not table.dark >> winner & 1:
        return _asked(table, winner, place) or _won(table, winner)
    return _won(table, winner)


def _asked(table: Playing, winner: int, place: int) -> Spicing | None:
    """The winner draws and sees what he drew before he decides (RK.10, RK.g5)."""
    base, top, hands, drawing = table.base, table.top, table.hands, table.drawing
    drawn: int | None = None
    if base.known:
        if top >= base.size or hands[winner].bit_count() >= base.full:
            return None
        drawn = base.stock[top]
        changed = list(hands)
        changed[winner] |= 1 << drawn
        hands, top = tuple(changed), top + 1
    else:
        drawing = _due(winner, table)
    play = Playing(
        base,
        table.taken,
        hands,
        winner,
        False,
        table.seats,
        table.cards,
        table.dark,
        table.seen,
        top,
        table.run,
        drawing,
    )
    return Spicing(play, place, drawn)


def _due(winner: int, table: Playing) -> tuple[int, ...]:
    """The seats that draw after a trick, the winner first: once for each card that came from the hand, so not after
    a dark card (RK.5, RK.6), nor who lost his turn to one who played twice."""
    seats, dark = table.seats, table.dark
    again = table.top - 4 * table.taken.done - dark.bit_count()  # dark cards of a seat after its first
    due: list[int] = []
    for seat in ROUND[winner]:
        number = seats.count(seat)
        if number and dark >> seat & 1:
            more = min(again, number - 1)
            number, again = number - 1 - more, again - more
        due += [seat] * number
    return tuple(due)


def _decided(state: Spicing, fact: SpiceDecided) -> State:
    """The winner leaves the trick as it is, or puts in the card that he drew."""
    play = state.play
    if not fact.spice:
        return _won(play, play.turn, play.drawing)
    card = state.drawn if fact.card is None else int(fact.card)
    assert card is not None
    drawing = tuple([seat for seat in play.drawing if seat != play.turn])
    return _won(_swapped(play, state.place, card), play.turn, drawing)


def _swapped(play: Playing, place: int, card: int) -> Playing:
    """The card drawn counts, the winning card goes back to the hand, both open to all (RK.g5)."""
    winner, before = play.turn, play.taken
    # a winning card that was played before stays where it first was
    put, back = 1 << card, 1 << play.cards[place] & ~before.gone
    cards = (*play.cards[:place], card, *play.cards[place + 1 :])
    hands = tuple([(hand | back if seat == winner else hand & ~back) & ~put for seat, hand in enumerate(play.hands)])
    taken = Taken(
        before.done,
        before.tricks,
        before.points,
        before.gone,
        before.queens,
        before.cleaned,
        before.open | back,
        before.last,
    )
    return Playing(
        play.base,
        taken,
        hands,
        winner,
        False,
        play.seats,
        cards,
        play.dark,
        play.seen & ~back | put,
        play.top,
        play.run,
        tuple([seat for seat in play.drawing if seat != winner]),
    )


def _won(table: Playing, winner: int, drawing: tuple[int, ...] | None = None) -> State:
    """The trick goes to its winner, who leads; hands are filled up (RK.5). `drawing` are the draws that may
    still be recorded, where some of this trick were settled before."""
    base, hands, top = table.base, table.hands, table.top
    taken = _counted(table, winner)
    if not base.known:
        top = min(4 * taken.done, base.size)
        if base.eager:
            drawing = table.drawing
        elif drawing is None and taken.done <= base.first:
            drawing = _due(winner, table)
    elif top < base.size:
        hands, top = _filled(base, hands, winner, top)
    after = Playing(base, taken, hands, winner, False, (), (), 0, table.seen, top, table.run, drawing or ())
    return after if taken.done < TRICKS else Scored(after)


def _filled(base: Base, hands: tuple[int, ...], winner: int, top: int) -> tuple[tuple[int, ...], int]:
    """All fill up their hands, the winner first; who played in the dark has a full one (RK.5, RK.6)."""
    filled = list(hands)
    size, stock, full = base.size, base.stock, base.full
    for seat in ROUND[winner]:
        while top < size and filled[seat].bit_count() < full:
            filled[seat] |= 1 << stock[top]
            top += 1
    return tuple(filled), top


def _counted(table: Playing, winner: int) -> Taken:
    """Tricks and card points; a card that was played before counts for the trick only."""
    base, before, seen = table.base, table.taken, table.seen
    fresh = seen ^ before.gone
    value = base.values
    if fresh.bit_count() == 4:
        one, two, three, four = table.cards
        worth = value[one] + value[two] + value[three] + value[four]
    else:
        worth = sum(value[card] for card in cards_in(fresh))
    tricks = list(before.tricks)
    tricks[winner] += 1
    zero, other = before.points
    points = (zero, other + worth) if winner & 1 else (zero + worth, other)
    queens, cleaned = before.queens, before.cleaned
    if base.cleaning and fresh & COURT:
        queens, cleaned = _cleaning(table, fresh, winner & 1)
    last = (table.seats, table.cards)
    return Taken(before.done + 1, tuple(tricks), points, seen, queens, cleaned, before.open, last)


def _cleaning(table: Playing, fresh: int, side: int) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """A queen taken in phase 1 obliges, a king taken after it, not with a queen, cleans (RK.12, RK.g10)."""
    queens, cleaned = list(table.taken.queens), list(table.taken.cleaned)
    if table.taken.done < table.base.first:
        queens[side] |= bool(fresh & QUEENS)
    elif fresh & KINGS and table.cards[0] % 13 != QUEEN:
        cleaned[side] = True
    return tuple(queens), tuple(cleaned)


def _drew(state: Playing, fact: CardDrawn) -> Playing:
    """A recorded draw: the card is in that hand and in no other; earlier draws are over."""
    hands = state.hands
    if fact.card is not None and in_stock(state) >> fact.card & 1:
        bit = 1 << fact.card
        hands = tuple(hand if seat == fact.seat else hand & ~bit for seat, hand in enumerate(hands))
    rest = state.drawing[state.drawing.index(fact.seat) + 1 :] if fact.seat in state.drawing else state.drawing
    return msgspec.structs.replace(state, hands=hands, drawing=rest)


def _drew_first(state: Spicing, fact: CardDrawn) -> Spicing:
    """A draw recorded before the winner has decided; his own tells what he may put in."""
    drawn = state.drawn
    if fact.seat == state.play.turn and fact.card is not None and in_stock(state.play) >> fact.card & 1:
        drawn = int(fact.card)
    return Spicing(_drew(state.play, fact), state.place, drawn)


def score(state: State) -> RistikontraResult | None:
    """The score of a complete deal, by side."""
    if not isinstance(state, Scored):
        return None
    taken = state.play.taken
    one, two, three, four = taken.tricks
    return score_deal(state.play.base.options, taken.points, (one + three, two + four), taken.queens, taken.cleaned)
