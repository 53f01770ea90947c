"""Over the Top: the course of a deal, whatever is done in it; nothing is judged here."""

from typing import Final

import msgspec

from domain.cards.card import SUIT_MASK, mask_of
from domain.cards.facts import CardDrawn, CardPlayed, Fact, Passed
from domain.game.rest import REST, Rest, Won, rest_after
from domain.games.over_the_top.counting import NOTHING_LED, TOP, total_of, trick_points, winner_of
from domain.games.over_the_top.options import HAND, PACK, STOCK
from domain.games.over_the_top.state import Course, Playing, Scored, State, due, rest, seen

OTHER_SUITS: Final = tuple(PACK & ~SUIT_MASK[card // 13] for card in range(52))
WHOLE: Final = 4  # cards of a trick
BOTH: Final = 0b11


def evolve(state: State, fact: Fact) -> State:
    """The table after the fact."""
    if type(fact) in REST:
        return rest_after(state, rest(state), fact, _given)
    if type(state) is not Playing or fact.seat > 1:
        return state
    if type(fact) is CardPlayed:
        return _play(state, fact.seat, fact.card) if PACK >> fact.card & 1 else state
    if type(fact) is Passed:
        return _passed(state, fact.seat)
    if type(fact) is CardDrawn and not state.course.base.known:
        return _drew(state, fact)
    return state


def _given(state: State, won: Won, claim: Rest) -> None:
    """The points of a trick hang on which four cards fall together and in which order (OT.3, OT.5, OT.6): no number of
    tricks gives the score, and the result is entered."""


def _play(state: Playing, seat: int, card: int) -> State:
    course = state.course
    hands = state.hands
    bit = 1 << card
    if not course.base.known:
        hands = _may_hold(state, seat, bit)
    elif seat and hands[1] & bit:
        hands = (hands[0], hands[1] ^ bit)
    else:
        # a card that was in the other hand, or in the stock, lies on the table now
        hands = (hands[0] & ~bit, hands[1] & ~bit)
    seats = (*state.seats, seat)
    cards = (*state.cards, card)
    count = course.base.counts.after[state.count][card]
    if len(cards) == WHOLE:
        return _taken(course, hands, seats, cards, count)
    other = 1 - seat
    turn = seat if state.passed >> other & 1 else other
    return Playing(course, hands, turn, seats, cards, state.free & OTHER_SUITS[card], count, state.passed)


def _may_hold(state: Playing, seat: int, bit: int) -> tuple[int, int]:
    """The cards that the seats may hold after a card, with hands unknown: a seat that has played all its cards holds none."""
    first, second = state.hands[0] & ~bit, state.hands[1] & ~bit
    if state.course.held[seat] - state.seats.count(seat) <= 1:
        first, second = (first, 0) if seat else (0, second)
    return first, second


def _passed(state: Playing, seat: int) -> State:
    """A pass lasts for the trick; when both have passed it ends short (OT.g7, OT.g8)."""
    passed = state.passed | 1 << seat
    course, hands, cards = state.course, state.hands, state.cards
    if passed == BOTH and cards:
        return _taken(course, hands, state.seats, cards, state.count)
    if passed == BOTH:  # nobody has led: there is no trick to end
        return _lead(course, hands, 1 - seat)
    return Playing(course, hands, 1 - seat, state.seats, cards, state.free, state.count, passed)


def _taken(course: Course, hands: tuple[int, int], seats: tuple[int, ...], cards: tuple[int, ...], count: int) -> State:
    """The trick is over: won, scored, cards drawn, and the winner leads if he has a card (OT.5 to OT.7, OT.g9)."""
    base, mask = course.base, mask_of(cards)
    total = total_of(count)
    winner = seats[-1] if total <= TOP else winner_of(seats, cards, base.counts)
    fresh = cards if mask.bit_count() == len(cards) and not mask & course.gone else _fresh(course.gone, cards)
    taken = (*course.taken, (winner, trick_points(total, fresh)))
    gone = course.gone | mask
    drawn = course.drawn
    drawing: tuple[int, ...] = ()
    if base.known:
        if drawn < STOCK:
            hands, drawn = _dealt(base.stock, hands, winner, drawn, gone)
        held = (hands[0].bit_count(), hands[1].bit_count())
    else:
        held, drawing = _due_draws(course, seats, winner)
        drawn += len(drawing)
    after = Course(base, held, gone, drawn, taken, drawing, (seats, cards))
    if gone == PACK or held == (0, 0):
        return Scored(after)
    return _lead(after, hands, winner if held[winner] else 1 - winner)


def _fresh(gone: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The cards of a trick that score: one that was played before counts in its total, not in its points."""
    return tuple(card for card in dict.fromkeys(cards) if not gone >> card & 1)


def _dealt(
    stock: tuple[int, ...], hands: tuple[int, int], winner: int, drawn: int, gone: int
) -> tuple[tuple[int, int], int]:
    """Both draw in turns up to 13 while the known stock lasts, the winner first (OT.7)."""
    both = [hands[0], hands[1]]
    needs = [HAND - hands[0].bit_count(), HAND - hands[1].bit_count()]
    seat = winner
    while drawn < STOCK and (needs[0] > 0 or needs[1] > 0):
        if needs[seat] > 0:
            bit = 1 << stock[drawn]
            drawn += 1
            if not gone & bit:
                both[seat] |= bit
                needs[seat] -= 1
        seat = 1 - seat
    return (both[0], both[1]), drawn


def _due_draws(course: Course, seats: tuple[int, ...], winner: int) -> tuple[tuple[int, int], tuple[int, ...]]:
    """With physical cards: how many each seat holds after a trick and its draws, and whose draws those are."""
    held = [max(0, had - seats.count(seat)) for seat, had in enumerate(course.held)]
    drawing: list[int] = []
    seat = winner
    while len(drawing) < STOCK - course.drawn and min(held) < HAND:
        if held[seat] < HAND:
            held[seat] += 1
            drawing.append(seat)
        seat = 1 - seat
    return (held[0], held[1]), tuple(drawing)


def _lead(course: Course, hands: tuple[int, int], leader: int) -> Playing:
    """The next trick. With hands unknown, a leader to whom the record leaves no card may hold any unseen."""
    if not course.base.known and not hands[leader]:
        unseen = PACK & ~course.gone
        hands = (hands[0], unseen) if leader else (unseen, hands[1])
    return Playing(course, hands, leader, (), (), PACK, NOTHING_LED, 0)


def _drew(state: Playing, fact: CardDrawn) -> State:
    """A recorded draw: the card is in that hand, so the other cannot hold it; earlier draws are over."""
    course, hands = state.course, state.hands
    if fact.card is not None and PACK & ~seen(state) & 1 << fact.card:
        bit = 1 << fact.card
        hands = (hands[0] & ~bit, hands[1] | bit) if fact.seat else (hands[0] | bit, hands[1] & ~bit)
    if fact.seat in due(state):
        rest = course.drawing[course.drawing.index(fact.seat) + 1 :]
        course = msgspec.structs.replace(course, drawing=rest)
    if state.cards or state.passed:
        return msgspec.structs.replace(state, course=course, hands=hands)
    return _lead(course, hands, state.turn)
