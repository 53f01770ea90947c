"""Cross Game: the facts that may be recorded at a table, and the rules that any other breaks."""

from domain.cards.card import CARDS, SUIT_MASK, SUITS, cards_in, suit_index
from domain.cards.facts import CardDrawn, CardPlayed, Fact, Passed, TotalCalled, plays_in
from domain.game.judgement import Breach, misfit
from domain.game.rest import REST, rest_breaches
from domain.game.tricks import CardOrder, draw_breaches, place_breaches, turn_breaches
from domain.games.cross_game.options import PACK, AnnouncementMade, BidMade, pair_of
from domain.games.cross_game.scoring import total_of
from domain.games.cross_game.state import Auction, PassedOut, Playing, Scored, State, highest, rest, to_act


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
    if isinstance(fact, TotalCalled) and fact.seat < 2:
        return _total(state, fact)
    if type(fact) in REST:
        return rest_breaches(rest(state), fact)
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


def _strict(order: CardOrder, hand: int, bit: int, led: int) -> tuple[Breach, ...]:
    """With the stock empty: the suit led (REV), else a trump (FTT)."""
    suit, trumps = order.follow[led], SUIT_MASK[order.trump]
    if hand & suit:
        if bit & suit:
            return ()
        return (Breach("CG.6", "REV", f"the seat can follow {CARDS[led]}"),)
    if hand & trumps and not bit & trumps:
        return (Breach("CG.6", "FTT", "the seat cannot follow and must trump"),)
    return ()


def _false_pair(state: Playing, fact: CardPlayed | CardDrawn) -> list[Breach]:
    """With physical cards: a card of an announced pair comes from the other hand, or from the stock."""
    card = fact.card
    if card is None or state.base.known or state.seen >> card & 1 or not 1 << card & pair_of(card // 13):
        return []
    drawn = isinstance(fact, CardDrawn)
    if any(shown == card // 13 and (drawn or seat != fact.seat) for seat, shown in state.shown):
        return [Breach("CG.7", "KQF", f"{card} shows that the announced pair was not held")]
    return []


def _total(state: State, fact: TotalCalled) -> tuple[Breach, ...]:
    """The fault of a total that was called: the cards and the pairs decide (CG.8)."""
    if isinstance(state, Auction | PassedOut):
        return misfit("nothing has been played yet")
    right = total_of(state.play if isinstance(state, Scored) else state)[fact.seat]
    if fact.total == right:
        return ()
    return (Breach("CG.8", "WTA", f"{fact.total} was called, cards and pairs make {right}"),)


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
        found += _false_pair(state, fact) or draw_breaches(fact.card, state.hands, state.seen, PACK, "CG.g2")
    return tuple(found)
