"""Cross Game: the auction, four open tricks while the stock lasts, eight strict ones after it."""

from typing import TypeAlias

import msgspec

from domain.cards import CARDS, SUIT_MASK, SUITS, cards_in, mask_of, suit_index
from domain.facts import CardDrawn, CardPlayed, Fact, Passed, plays_in
from domain.game import Breach, Duty, misfit
from domain.games.cross_game.options import (
    PACK,
    PAIRED,
    VALUE,
    AnnouncementMade,
    BidMade,
    Deal,
    Options,
    cross_game_order,
    pair_of,
)
from domain.games.cross_game.scoring import (
    CrossGameResult,
    announcement,
    contract_scores,
    cross_points,
    passed_out,
)
from domain.seats import left_of
from domain.tricks import Order, draw_breaches, place_breaches, turn_breaches


class Auction(msgspec.Struct, frozen=True, gc=False):
    """Each seat estimates or passes once, the non-dealer first (CG.3, CG.g4)."""

    options: Options
    dealer: int
    deal: Deal | None
    calls: tuple[BidMade | Passed, ...]


class PassedOut(msgspec.Struct, frozen=True, gc=False):
    """Both passed: the deal is void (CG.g6)."""

    auction: Auction


class Base(msgspec.Struct, frozen=True, gc=False):
    """What does not change in the play. `manual`: announcements are facts of their own."""

    auction: Auction
    bidder: int
    bid: int
    known: bool
    manual: bool
    stock: tuple[int, ...]


class Playing(msgspec.Struct, frozen=True, gc=False):
    """Tricks under way. `order` is None before the first lead makes its suit trumps; `shown` are the
    pairs announced (seat, suit), `pending` one announced and not yet led, `drawing` the seats whose
    draw after the last trick may still be recorded (physical cards)."""

    base: Base
    order: Order | None
    hands: tuple[int, ...]
    turn: int
    seats: tuple[int, ...]
    cards: tuple[int, ...]
    worth: int  # card points of the trick under way
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    shown: tuple[tuple[int, int], ...]
    pending: int | None
    drawing: tuple[int, ...]
    seen: int
    left: int
    last: tuple[tuple[int, ...], tuple[int, ...]]


class Scored(msgspec.Struct, frozen=True, gc=False):
    """A complete deal."""

    play: Playing


State: TypeAlias = Auction | PassedOut | Playing | Scored


def start(options: Options, dealer: int, deal: Deal | None) -> State:
    """Eight each, eight face down (CG.2)."""
    return Auction(options, dealer, deal, ())


def to_act(state: State) -> int | None:
    """The seat whose turn it is."""
    if isinstance(state, Playing):
        return state.turn
    if isinstance(state, Auction):
        return 1 - state.calls[0].seat if state.calls else left_of(state.dealer, 2)
    return None


def stock_left(state: Playing) -> int:
    """Cards still face down: two go after each of the first four tricks (CG.g2)."""
    return max(0, 8 - 2 * sum(state.tricks))


def highest(state: Auction) -> int:
    """The highest estimate so far, 0 for none."""
    return max((call.bid for call in state.calls if isinstance(call, BidMade)), default=0)


def legal(state: State) -> tuple[Fact, ...]:
    """Bids low to high, then pass; announcements, then cards, then draws of physical cards."""
    if isinstance(state, Auction):
        seat = to_act(state)
        assert seat is not None
        return (*(BidMade(seat, bid) for bid in range(highest(state) + 1, 7)), Passed(seat))
    if not isinstance(state, Playing):
        return ()
    plays = plays_in(state.turn, bound_cards(state))
    if not state.base.manual:
        return plays
    announcing = tuple(AnnouncementMade(state.turn, SUITS[suit]) for suit in _pairs(state))
    return (*announcing, *plays, *_draws(state))


def _pairs(state: Playing) -> tuple[int, ...]:
    """The suits whose pair the leader could announce (CG.7, CG.g7)."""
    if not state.base.manual or state.cards or state.pending is not None:
        return ()
    hand = state.hands[state.turn]
    shown = {suit for _, suit in state.shown}
    return tuple(s for s in range(4) if hand & pair_of(s) == pair_of(s) and s not in shown)


def _draws(state: Playing) -> tuple[CardDrawn, ...]:
    return tuple(
        CardDrawn(seat, card) for seat in state.drawing for card in (None, *cards_in(state.hands[0] & state.hands[1]))
    )


def bound_cards(state: Playing) -> int:
    """The bit set that the seat to act may play: all of its hand on lead (king or queen after an
    announcement) and while the stock lasts; then the suit led, else a trump, else all (CG.5, CG.6)."""
    hand = state.hands[state.turn]
    if not state.base.known and not hand:
        hand = PACK & ~state.seen
    if not state.cards:
        return hand if state.pending is None else hand & pair_of(state.pending)
    order = state.order
    if state.left > 16 or order is None or not state.base.known:
        return hand
    return hand & order.follow[state.cards[0]] or hand & SUIT_MASK[order.trump] or hand


def breaches(state: State, fact: Fact) -> tuple[Breach, ...]:
    """Reasons against a fact; a legal card takes the first line."""
    if type(fact) is CardPlayed and type(state) is Playing:
        if fact.seat == state.turn and bound_cards(state) >> fact.card & 1:
            return ()
        if not PACK >> fact.card & 1:
            return misfit("not in the pack")
        return _card(state, fact) if fact.seat < 2 else misfit("two play: seats 0 and 1")
    if isinstance(state, PassedOut | Scored):
        return misfit("the deal is complete")
    if fact.seat > 1:
        return misfit("two play: seats 0 and 1")
    if isinstance(state, Auction):
        return _call(state, fact)
    if isinstance(fact, AnnouncementMade) and state.base.manual:
        return _announcement(state, fact)
    if isinstance(fact, CardDrawn) and not state.base.known:
        return _draw(state, fact)
    return misfit(f"the table waits for a card from seat {state.turn}")


def _call(state: Auction, fact: Fact) -> tuple[Breach, ...]:
    if not isinstance(fact, BidMade | Passed):
        return misfit("the table waits for a bid or a pass")
    found = []
    if fact.seat != to_act(state):
        found.append(Breach("CG.3", "OOB", f"it is seat {to_act(state)}'s turn to bid"))
    if isinstance(fact, BidMade) and not highest(state) < fact.bid <= 6:
        low = highest(state) + 1
        hint = f"bid {low} to 6, or pass" if low <= 6 else "only a pass is left"
        found.append(Breach("CG.g5", "INS", f"a bid of {fact.bid} is insufficient: {hint}"))
    return tuple(found)


def _card(state: Playing, fact: CardPlayed) -> tuple[Breach, ...]:
    found = [*turn_breaches(fact.seat, state.turn, bool(state.cards), "CG.8")]
    hand = state.hands[fact.seat]
    pair = _false_pair(state, fact)
    found += pair or place_breaches(fact.card, hand, state.seen, PACK, "CG.5")
    bit = 1 << fact.card
    if not state.cards:
        if state.pending is not None and not bit & pair_of(state.pending):
            suit = SUITS[state.pending]
            found.append(Breach("CG.g7", "KQF", f"the pair in {suit} was announced: lead its king or queen"))
    elif state.base.known and state.left <= 16 and state.order and fact.seat not in state.seats:
        found += _strict(state.order, hand, bit, state.cards[0])
    return tuple(found)


def _strict(order: Order, hand: int, bit: int, led: int) -> tuple[Breach, ...]:
    """With the stock empty: the suit led (REV), else a trump (FTT)."""
    suit, trumps = order.follow[led], SUIT_MASK[order.trump]
    if hand & suit:
        if bit & suit:
            return ()
        return (Breach("CG.6", "REV", f"the seat can follow {CARDS[led]}"),)
    if hand & trumps and not bit & trumps:
        return (Breach("CG.6", "FTT", "the seat cannot follow and must trump"),)
    return ()


def _false_pair(state: Playing, fact: CardPlayed) -> list[Breach]:
    """With physical cards: the other seat shows a card of a pair that was announced against it."""
    suit = fact.card // 13
    bit = 1 << fact.card
    against = any(seat != fact.seat and shown == suit for seat, shown in state.shown)
    if state.base.known or not against or not bit & pair_of(suit) or state.seen & bit:
        return []
    return [Breach("CG.7", "KQF", f"{fact.card} proves that the announced pair was not held")]


def _announcement(state: Playing, fact: AnnouncementMade) -> tuple[Breach, ...]:
    found = []
    if fact.seat != state.turn or state.cards:
        found.append(Breach("CG.7", "KQF", "only the seat on lead may announce, before it leads"))
    suit = suit_index(fact.suit)
    if any(suit == shown for _, shown in state.shown) or state.pending is not None:
        found.append(Breach("CG.g7", "KQF", "a pair is announced once, and one at a time"))
    elif state.hands[fact.seat] & pair_of(suit) != pair_of(suit):
        found.append(Breach("CG.7", "KQF", f"king and queen of {fact.suit} are not both in the hand"))
    return tuple(found)


def _draw(state: Playing, fact: CardDrawn) -> tuple[Breach, ...]:
    found = []
    if fact.seat not in state.drawing:
        found.append(Breach("CG.g3", "DRW", "no draw is due: one each after a trick, winner first"))
    if fact.card is not None:
        found += draw_breaches(fact.card, state.hands, state.seen, PACK, "CG.g2")
    return tuple(found)


def evolve(state: State, fact: Fact) -> State:
    """The table after the fact."""
    if type(fact) is CardPlayed and type(state) is Playing:
        return _play(state, fact.seat, fact.card) if fact.seat < 2 and PACK >> fact.card & 1 else state
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
            state.base, order or cross_game_order(card // 13), hands, 1 - seat, (seat,), (card,), worth,
            state.tricks, state.points, shown, None, (), state.seen | bit, state.left - 1, state.last,
        )  # fmt: skip
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
        state.base, order, hands, winner, (), (), 0, tricks, points, state.shown, None, drawing,
        state.seen | bit, state.left - 1, (seats, (led, card)),
    )  # fmt: skip
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


def bonuses(state: Playing) -> tuple[int, ...]:
    """Announcement points by seat (CG.7)."""
    trump = state.order.trump if state.order else -1
    totals = [0, 0]
    for seat, suit in state.shown:
        totals[seat] += announcement(suit, trump)
    return tuple(totals)


def made(state: Playing) -> tuple[int, ...]:
    """Cross points by seat so far, before the contract."""
    pairs = zip(state.points, bonuses(state), strict=True)
    return tuple(cross_points(card + bonus) for card, bonus in pairs)


def score(state: State) -> CrossGameResult | None:
    """The score of a complete deal, a void one included."""
    if isinstance(state, PassedOut):
        return passed_out()
    if not isinstance(state, Scored):
        return None
    play = state.play
    points = made(play)
    return CrossGameResult(
        scores=contract_scores(play.base.bidder, play.base.bid, points), cross_points=points,
        card_points=play.points, announcements=bonuses(play), tricks=play.tricks,
        bidder=play.base.bidder, bid=play.base.bid,
    )  # fmt: skip


def duty(state: State) -> Duty | None:
    """With the stock empty: the suit led, else a trump (CG.6); nothing before."""
    if not isinstance(state, Playing):
        return None
    if not state.cards or state.left > 16 or state.order is None:
        return Duty(segment=1 if state.left > 16 else 2, masks=())
    suit = state.order.follow[state.cards[0]]
    trumps = SUIT_MASK[state.order.trump]
    return Duty(segment=2, masks=((suit, "CG.6", "REV"), (trumps, "CG.6", "FTT")))
