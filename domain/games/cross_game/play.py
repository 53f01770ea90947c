"""Cross Game: the auction, four open tricks while the stock lasts, eight strict ones after it."""

import msgspec

from domain.cards.card import mask_of, suit_index
from domain.cards.facts import CardDrawn, CardPlayed, Fact, Passed
from domain.game.rest import REST, rest_after
from domain.games.cross_game.claimed import given
from domain.games.cross_game.options import PACK, PAIRED, VALUE, AnnouncementMade, BidMade, cross_game_order, pair_of
from domain.games.cross_game.state import Auction, Base, PassedOut, Playing, Scored, State, rest


def evolve(state: State, fact: Fact) -> State:
    """The table after the fact."""
    if type(fact) is CardPlayed and type(state) is Playing:
        return _play(state, fact.seat, fact.card) if fact.seat < 2 and PACK >> fact.card & 1 else state
    if type(fact) in REST:
        return rest_after(state, rest(state), fact, given)
    if fact.seat > 1:
        return state
    if isinstance(state, Auction) and isinstance(fact, BidMade | Passed):
        return _called(msgspec.structs.replace(state, calls=(*state.calls, fact)))
    if not isinstance(state, Playing):
        return state
    if isinstance(fact, AnnouncementMade) and state.base.manual and not state.cards and fact.seat == state.turn:
        return msgspec.structs.replace(state, pending=suit_index(fact.suit))
    if isinstance(fact, CardDrawn) and not state.base.known:
        return _drew(state, fact)
    return state


def _called(state: Auction) -> State:
    """After two calls the highest bid holds, the earlier of equals; no bid at all is a void deal."""
    if len(state.calls) < 2:
        return state
    bids = [call for call in state.calls if isinstance(call, BidMade)]
    if not bids:
        return PassedOut(state)
    best = max(bids, key=lambda call: call.bid)
    deal = state.deal
    known = deal is not None
    hands = tuple(mask_of(hand) for hand in deal.hands) if deal else (PACK, PACK)
    manual = state.options.announce == "declared" or not known
    base = Base(state, best.seat, best.bid, known, manual, deal.stock if deal else ())
    none = (0, 0)
    return Playing(base, None, hands, best.seat, (), (), 0, none, none, (), None, (), 0, 24, ((), ()))


def _play(state: Playing, seat: int, card: int) -> State:
    bit = 1 << card
    # a card played before counts for the trick, not again for card points
    worth = state.worth if state.seen & bit else state.worth + VALUE[card]
    hands = state.hands
    if hands[seat] & bit and state.base.known:
        hands = (hands[0], hands[1] ^ bit) if seat else (hands[0] ^ bit, hands[1])
    else:
        hands = (hands[0] & ~bit, hands[1] & ~bit)
    order = state.order
    if not state.cards:
        shown = _led(state, seat, card) if card % 13 in PAIRED else state.shown
        if shown is not state.shown and not state.base.known:
            other = hands[1 - seat] & ~pair_of(card // 13)
            hands = (hands[0], other) if seat == 0 else (other, hands[1])
        return Playing(
            state.base,
            order or cross_game_order(card // 13),
            hands,
            1 - seat,
            (seat,),
            (card,),
            worth,
            state.tricks,
            state.points,
            shown,
            None,
            (),
            state.seen | bit,
            state.left - 1,
            state.last,
        )
    assert order is not None
    led = state.cards[0]
    power = order.power[led]
    seats = (state.seats[0], seat)
    winner = seats[power[card] > power[led]]
    tricks, points = state.tricks, state.points
    if winner:
        tricks, points = (tricks[0], tricks[1] + 1), (points[0], points[1] + worth)
    else:
        tricks, points = (tricks[0] + 1, tricks[1]), (points[0] + worth, points[1])
    drawing: tuple[int, ...] = ()
    if state.left > 16:
        hands, drawing = _drawn(state.base, hands, winner, 24 - state.left - 1)
        hands = (hands[0] & ~(state.seen | bit), hands[1] & ~(state.seen | bit)) if state.base.known else hands
    after = Playing(
        state.base,
        order,
        hands,
        winner,
        (),
        (),
        0,
        tricks,
        points,
        state.shown,
        None,
        drawing,
        state.seen | bit,
        state.left - 1,
        (seats, (led, card)),
    )
    return after if after.left else Scored(after)


def _drawn(base: Base, hands: tuple[int, ...], winner: int, top: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """After an open trick both draw, the winner first (CG.g2, CG.g3): from the known stock, or, with
    physical cards, as facts that may follow."""
    if not base.known:
        return hands, (winner, 1 - winner)
    first, second = 1 << base.stock[top], 1 << base.stock[top + 1]
    if winner:
        first, second = second, first
    return (hands[0] | first, hands[1] | second), ()


def _led(state: Playing, seat: int, card: int) -> tuple[tuple[int, int], ...]:
    """The pairs shown after a lead: by itself when both are in hand, or the one announced (CG.7)."""
    suit = card // 13
    pair = pair_of(suit)
    if state.base.manual and state.pending != suit:
        return state.shown
    if state.base.known and state.hands[seat] & pair != pair:
        return state.shown
    if any(suit == each for _, each in state.shown):
        return state.shown
    return (*state.shown, (seat, suit))


def _drew(state: Playing, fact: CardDrawn) -> State:
    """A recorded draw: the card is in that hand, so the other cannot hold it; earlier draws are over."""
    hands = state.hands
    if fact.card is not None and not state.seen >> fact.card & 1:
        other = 1 - fact.seat
        kept = hands[other] & ~(1 << fact.card)
        hands = (kept, hands[1]) if other == 0 else (hands[0], kept)
    rest = state.drawing[state.drawing.index(fact.seat) + 1 :] if fact.seat in state.drawing else state.drawing
    return msgspec.structs.replace(state, hands=hands, drawing=rest)
