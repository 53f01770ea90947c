"""Trick play: one table of cards, shared by every game whose players follow suit.

The theory. Inside, a card is an int (0-51, jokers 52 and 53) and a hand a bit set. Two tables say everything about a
pack under one trump suit, and are built once (`order_of`, kept for ever):

- `follow[led]` is the set of cards that follow a led card. Jokers are trumps and follow them (PA.2, PA.g1).
- `power[led][card]` is the strength of a card in the trick of a led one: 0 wins nothing, a trump counts above 100. The
  highest power takes the trick, and the first of equals, so that no game asks which suit was led (CP.5, PA.6, CG.4).

A table (`Playing`) is frozen. `play_card` makes the next one and never judges: a trick is complete when it holds as
many cards as there are seats, whoever played them, and its winner leads. `may_play` is the judgement in one line, asked
for every card; `card_breaches` lists the reasons and is asked only where that line says no. A game gives the numbers
of its rules.

Hands unknown (physical cards). Every seat "may hold" every card not yet seen, and `duty` is `FREE`: then nothing can be
held against a card, since a follow table whose every row is the whole pack is obeyed by every card. A card that one
seat plays is taken out of all hands.

Odd cards. A card that was played before, or that another seat held, lies on the table all the same: it counts for the
trick, and nobody holds it from then on. Turns go on with the first seat clockwise that has no card in the trick.

Runs. `play_run` folds whole tricks of two hands without a table in between, for replays; it stops before anything that
is not the usual, and `play_card` goes on from there.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import msgspec

from domain.cards.card import ALL_CARDS, CARDS, RED_JOKER, SUIT_MASK, Card
from domain.cards.facts import CardPlayed, Fact, plays_in
from domain.game.judgement import Breach, Duty, misfit
from domain.game.rest import Rest

JOKERS: Final = 0b11 << RED_JOKER
FREE: Final = (ALL_CARDS,) * 54  # with hands unknown nothing can be held against a card yet


class CardOrder(msgspec.Struct, frozen=True, gc=False):
    """The ranks of cards: `follow[led]` is the bit set that follows a led card, `power[led][card]` a
    card's strength in that trick (0 wins nothing)."""

    trump: int
    follow: tuple[int, ...]
    power: tuple[tuple[int, ...], ...]


@cache
def order_of(trump: int, ranks: tuple[int, ...], jokers: bool = False) -> CardOrder:
    """The order under a trump suit, with ranks from high to low; jokers beat every other trump, the
    one of the trump suit's colour also its twin (PA.2)."""
    masks = list(SUIT_MASK)
    if jokers:
        masks[trump] |= JOKERS
    strength = {rank: len(ranks) - place for place, rank in enumerate(ranks)}
    red_trumps = trump in (1, 2)

    def suit(card: int) -> int:
        return trump if card >= RED_JOKER else card // 13

    def height(card: int) -> int:
        if card >= RED_JOKER:
            return 21 if (card == RED_JOKER) == red_trumps else 20
        return strength.get(card % 13, 0)

    def row(led: int) -> tuple[int, ...]:
        return tuple(
            100 + height(card) if suit(card) == trump else height(card) * (suit(card) == led) for card in range(54)
        )

    rows = [row(led) for led in range(4)]  # one for each suit led, shared by its cards
    return CardOrder(
        trump=trump,
        follow=tuple(masks[suit(card)] for card in range(54)),
        power=tuple(rows[suit(card)] for card in range(54)),
    )


class Playing(msgspec.Struct, frozen=True, gc=False):
    """Tricks under way. `base` is what the game knows besides, `duty` the follow table that binds
    (`FREE` with hands unknown), `left` the cards still to be played in this phase; a card that falls ends a `claim`."""

    base: Any
    order: CardOrder
    duty: tuple[int, ...]
    hands: tuple[int, ...]
    turn: int
    seats: tuple[int, ...]
    cards: tuple[int, ...]
    tricks: tuple[int, ...]
    seen: int
    left: int
    last: tuple[tuple[int, ...], tuple[int, ...]]
    claim: Rest | None = None


def begin(
    base: Any, order: CardOrder, hands: tuple[int, ...], known: bool, leader: int, seen: int, left: int
) -> Playing:
    """The first lead of a phase."""
    nothing = (0,) * len(hands)
    duty = order.follow if known else FREE
    return Playing(base, order, duty, hands, leader, (), (), nothing, seen, left, ((), ()))


def next_in_trick(seats: tuple[int, ...], count: int) -> int:
    """The first seat clockwise from the leader that has no card in the trick."""
    for step in range(1, count):
        seat = (seats[0] + step) % count
        if seat not in seats:
            return seat
    return (seats[-1] + 1) % count


def play_card(state: Playing, seat: int, card: int) -> Playing:
    """The table after a card, whoever's turn it was: a trick ends with its fourth (second) card,
    whoever played it, and its winner leads. A card that another seat held, or that nobody can
    place, is gone for everyone: it lies on the table now."""
    bit = 1 << card
    hands = state.hands
    held = hands[seat]
    count = len(hands)
    if held & bit and state.duty is not FREE:
        held ^= bit
        if count == 2:
            hands = (hands[0], held) if seat else (held, hands[1])
        else:
            changed = list(hands)
            changed[seat] = held
            hands = tuple(changed)
    elif count == 2:
        hands = (hands[0] & ~bit, hands[1] & ~bit)
    else:
        hands = tuple([hand & ~bit for hand in hands])
    order = state.order
    if not state.cards:
        turn = seat + 1 if seat + 1 < count else 0
        return Playing(
            state.base,
            order,
            state.duty,
            hands,
            turn,
            (seat,),
            (card,),
            state.tricks,
            state.seen | bit,
            state.left - 1,
            state.last,
        )
    seats = (*state.seats, seat)
    cards = (*state.cards, card)
    if len(cards) < count:
        turn = seat + 1 if seat + 1 < count else 0
        if seat != state.turn or turn in seats:
            turn = next_in_trick(seats, count)
        return Playing(
            state.base,
            order,
            state.duty,
            hands,
            turn,
            seats,
            cards,
            state.tricks,
            state.seen | bit,
            state.left - 1,
            state.last,
        )
    power = order.power[cards[0]]
    if count == 2:
        winner = seats[power[card] > power[cards[0]]]
    else:
        strengths = [power[each] for each in cards]
        winner = seats[strengths.index(max(strengths))]
    won = list(state.tricks)
    won[winner] += 1
    return Playing(
        state.base,
        order,
        state.duty,
        hands,
        winner,
        (),
        (),
        tuple(won),
        state.seen | bit,
        state.left - 1,
        (seats, cards),
    )


def play_run(state: Playing, run: Sequence[tuple[int, Fact]], start: int, pack: int) -> tuple[Playing, int]:
    """The table after whole tricks of two hands from a run of facts, and where in the run it stopped: the same
    as `play_card` one by one, without a table in between. It leaves alone what is not the usual: another fact, a
    card of another pack, a seat out of turn, the last trick of a phase."""
    if len(state.hands) != 2 or state.cards:
        return state, start
    (one, other), (won, lost), power = state.hands, state.tricks, state.order.power
    known, turn, seen, left, place, last = state.duty is not FREE, state.turn, state.seen, state.left, start, state.last
    while left > 2 and place + 1 < len(run):
        led, answer = run[place][1], run[place + 1][1]
        if type(led) is not CardPlayed or type(answer) is not CardPlayed or led.seat != turn or answer.seat != 1 - turn:
            break
        first, second = led.card, answer.card
        bits = 1 << first | 1 << second
        mine, theirs = (one, other) if turn == 0 else (other, one)
        if pack & bits != bits or (known and not (mine >> first & 1 and theirs >> second & 1)):
            break
        one, other = one & ~bits, other & ~bits
        last = ((turn, 1 - turn), (first, second))
        if power[first][second] > power[first][first]:
            turn = 1 - turn
        won, lost = (won + 1, lost) if turn == 0 else (won, lost + 1)
        seen, left, place = seen | bits, left - 2, place + 2
    if place == start:
        return state, start
    return (
        Playing(state.base, state.order, state.duty, (one, other), turn, (), (), (won, lost), seen, left, last),
        place,
    )


def may_play(state: Playing, fact: CardPlayed) -> bool:
    """The fast path: is this card in turn, in hand and following suit?"""
    card = fact.card
    if fact.seat != state.turn:
        return False
    hand = state.hands[fact.seat]
    if not hand >> card & 1:
        return False
    if not state.cards:
        return True
    bound = hand & state.duty[state.cards[0]]
    return not bound or bool(bound >> card & 1)


def legal_cards(state: Playing) -> int:
    """The bit set that the seat to act may play."""
    hand = state.hands[state.turn]
    if not state.cards:
        return hand
    return hand & state.duty[state.cards[0]] or hand


def legal_plays(state: Playing) -> tuple[CardPlayed, ...]:
    """Every card that the seat to act may play, in the order of the pack."""
    return plays_in(state.turn, legal_cards(state))


def card_breaches(state: Playing, fact: CardPlayed, rule: str, pack: int) -> tuple[Breach, ...]:
    """Every reason why this card is against the rules, empty for a legal one; `rule` is the game's
    number for following suit and turns."""
    if may_play(state, fact):
        return ()
    if not pack >> fact.card & 1:
        return misfit(f"{fact.card} is not in the pack of this game")
    found = [*turn_breaches(fact.seat, state.turn, bool(state.cards), rule)]
    bit = 1 << fact.card
    hand = state.hands[fact.seat]
    found += place_breaches(fact.card, hand, state.seen, pack, rule)
    if state.cards and fact.seat not in state.seats:
        follow = state.duty[state.cards[0]]
        if hand & follow and not follow & bit:
            led = CARDS[state.cards[0]]
            found.append(Breach(rule, "REV", f"{fact.card} does not follow {led}: the seat can follow"))
    return tuple(found)


def turn_breaches(seat: int, turn: int, mid_trick: bool, rule: str) -> tuple[Breach, ...]:
    """Out of turn: a lead (LOT) or a play (POT)."""
    if seat == turn:
        return ()
    code, what = ("POT", "play") if mid_trick else ("LOT", "lead")
    return (Breach(rule, code, f"seat {seat} acts, but it is seat {turn}'s turn to {what}"),)


def place_breaches(card: Card, hand: int, seen: int, pack: int, rule: str) -> tuple[Breach, ...]:
    """A card that is not where it should be: played before (DUP), of another pack or not in hand (NIH)."""
    bit = 1 << card
    if seen & bit:
        return (Breach(rule, "DUP", f"{card} has been played already"),)
    if not pack & bit:
        return (Breach(rule, "NIH", f"{card} is not in the pack of this game"),)
    if not hand & bit:
        return (Breach(rule, "NIH", f"{card} is not in the hand of the seat that played it"),)
    return ()


def draw_breaches(card: Card, hands: tuple[int, ...], seen: int, pack: int, rule: str) -> tuple[Breach, ...]:
    """A drawn card that was not in the stock: played before or in a hand already (DUP), of another pack (NIH). With
    hands unknown every hand may hold what is still in the stock."""
    bit = 1 << card
    if seen & bit:
        return (Breach(rule, "DUP", f"{card} has been played already: it cannot be drawn"),)
    if not pack & bit:
        return (Breach(rule, "NIH", f"{card} is not in the pack of this game"),)
    if any(not hand & bit for hand in hands):
        return (Breach(rule, "DUP", f"{card} is in a hand already: it cannot be drawn"),)
    return ()


def lying(state: Any) -> tuple[int, ...]:
    """The seats whose cards lie in the trick; none before the play and behind it."""
    return state.seats if isinstance(state, Playing) else ()


def follow_duty(state: Playing, rule: str, segment: int) -> Duty:
    """The duty of the seat to act: the led suit, if it holds any; nothing on lead."""
    if not state.cards:
        return Duty(segment=segment, masks=())
    led = state.cards[0]
    return Duty(segment=segment, masks=((state.order.follow[led], rule, "REV"),))
