"""From cards to rows and back: what two open hands are worth, and which cards keep it."""

from collections.abc import Iterator

import msgspec

from domain.cards.card import SUIT_MASK, cards_in
from domain.game.ending import Hands
from domain.game.tricks import CardOrder
from domain.solve.rows import row_of
from domain.solve.tricks import AFTER, ANY, EVEN, ODD, RIGHT, Rows, TrickEnding, in_order


def right_of(ending: Hands) -> int:
    """The number of further tricks that is right for seat 0."""
    if ending.even is None:
        return ANY
    return EVEN if ending.even == (ending.tricks[0] % 2 == 0) else ODD


def rows_of(order: CardOrder, hands: tuple[int, int]) -> Rows:
    """Two hands between tricks as rows."""
    suits = [order.follow[13 * order.trump], *(mask for suit, mask in enumerate(SUIT_MASK) if suit != order.trump)]
    one, two, three, four = (_row(order, suit & (hands[0] | hands[1]), hands[1]) for suit in suits)
    return in_order(one, two, three, four)


def _row(order: CardOrder, cards: int, theirs: int) -> int:
    ranked = sorted(cards_in(cards), key=lambda card: -order.power[card][card])
    return row_of(theirs >> card & 1 for card in ranked)


def left_in(ending: Hands) -> int:
    """Tricks still to be taken, the one on the table included."""
    return ending.hands[ending.turn].bit_count()


def forces(proven: TrickEnding, ending: Hands, worth: int) -> bool:
    """True when seat 0 can force this worth (as `Tricks` counts it) of the tricks left."""
    left, right = left_in(ending), right_of(ending)
    if ending.led is None:
        return proven.forces(rows_of(ending.order, ending.hands), ending.turn, left, right, worth)
    answers = (
        proven.forces(rows, winner, left - 1, right if winner else AFTER[right], worth - (winner == 0))
        for rows, winner in dict.fromkeys(_answers(ending))
    )
    return all(answers) if ending.turn else any(answers)


def _answers(ending: Hands) -> Iterator[tuple[Rows, int]]:
    """The rows that each card to the led one leaves, and the next leader."""
    led, order = ending.led, ending.order
    assert led is not None
    for card in open_cards(ending):
        beats = order.power[led][card] > order.power[led][led]
        yield rows_of(order, gone(ending.hands, card)), ending.turn if beats else 1 - ending.turn


def open_cards(ending: Hands) -> list[int]:
    """The cards that the seat to act may play."""
    hand = ending.hands[ending.turn]
    bound = 0 if ending.led is None else hand & ending.order.follow[ending.led]
    return list(cards_in(bound or hand))


def gone(hands: tuple[int, int], card: int) -> tuple[int, int]:
    """The hands without a card."""
    return hands[0] & ~(1 << card), hands[1] & ~(1 << card)


def worth_of(proven: TrickEnding, ending: Hands) -> int:
    """The most that seat 0 can force, found by halving."""
    left, right = left_in(ending), right_of(ending)
    every = range(left + 1)
    possible = sorted(number + RIGHT * (right != ANY and number % 2 == right) for number in every)
    low, high = 0, left
    while low < high:
        middle = (low + high + 1) // 2
        if forces(proven, ending, possible[middle]):
            low = middle
        else:
            high = middle - 1
    return possible[low]


def tricks_by(ending: Hands, worth: int) -> tuple[int, int]:
    """The tricks of both at the end when seat 0 takes this worth."""
    more = worth % RIGHT
    return ending.tricks[0] + more, ending.tricks[1] + left_in(ending) - more


def keeping(proven: TrickEnding, ending: Hands, worth: int) -> Iterator[int]:
    """The cards of the seat to act that give nothing of the worth away."""
    return (card for card in open_cards(ending) if _keeps(proven, ending, card, worth))


def _keeps(proven: TrickEnding, ending: Hands, card: int, worth: int) -> bool:
    seat, aim = ending.turn, worth + ending.turn
    hands = gone(ending.hands, card)
    if ending.led is None:
        after = msgspec.structs.replace(ending, hands=hands, led=card, turn=1 - seat)
        held = forces(proven, after, aim)
    else:
        right, power = right_of(ending), ending.order.power[ending.led]
        winner = seat if power[card] > power[ending.led] else 1 - seat
        rows = rows_of(ending.order, hands)
        right = right if winner else AFTER[right]
        held = proven.forces(rows, winner, left_in(ending) - 1, right, aim - (winner == 0))
    return held == (seat == 0)
