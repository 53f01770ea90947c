"""Cross Game: what the solver is told. Card points, pairs that can still be shown and the contract decide."""

from domain.game.ending import TWO, UNEVEN, UNRECORDED, Ending, Points, Search
from domain.game.tricks import CardOrder
from domain.games.cross_game.options import PACK, VALUE, pair_of
from domain.games.cross_game.scoring import announcement, bonuses, contract_scores, cross_points
from domain.games.cross_game.state import Auction, Playing, State

SUITS = range(4)
ALL_POINTS = sum(VALUE)


def ending_of(state: State) -> Ending:
    """A table of the play by what is in it; the auction by its calls."""
    if isinstance(state, Auction):
        return UNRECORDED if state.deal is None else Search(TWO, state.calls, (-12, 12))
    assert isinstance(state, Playing)
    if not state.base.known:
        return UNRECORDED
    if not _even(state):
        return UNEVEN
    bonus = bonuses(state)
    if state.left <= 16 and state.order is not None:
        return _strict(state, state.order, bonus)
    key = (
        state.hands,
        state.left,
        state.turn,
        state.cards,
        state.points,
        bonus,
        state.shown,
        state.pending,
        state.order and state.order.trump,
        state.base.bidder,
        state.base.bid,
    )
    return Search(TWO, key, _reach(state, bonus), state.tricks, (state.left + len(state.cards)) // 2)


def _strict(state: Playing, order: CardOrder, bonus: tuple[int, ...]) -> Ending:
    """The stock is gone: follow, else trump (CG.6). Where pairs are announced, to announce one before it is led costs
    nothing, so it counts by itself all the same."""
    bidder, bid = state.base.bidder, state.base.bid

    def margin(mine: int, theirs: int) -> int:
        scores = contract_scores(bidder, bid, (cross_points(mine), cross_points(theirs)))
        return scores[0] - scores[1]

    pairs = tuple((pair_of(suit), announcement(suit, order.trump)) for suit in SUITS)
    led = state.cards[0] if state.cards else None
    bound = 0 if state.pending is None else pair_of(state.pending)
    totals = state.points[0] + bonus[0], state.points[1] + bonus[1]
    hands = state.hands[0], state.hands[1]
    setting = order.trump, bidder, bid
    return Points(order, hands, state.turn, led, bound, totals, VALUE, pairs, setting, margin)


def _even(state: Playing) -> bool:
    one, other = (hand.bit_count() for hand in state.hands)
    return one == other if not state.cards else (one - other == (1 if state.turn == 0 else -1))


def _reach(state: Playing, bonus: tuple[int, ...]) -> tuple[int, int]:
    """All the card points left to one seat, with all the pairs that it may still show."""
    left = ALL_POINTS - sum(state.points)
    totals = [points + shown for points, shown in zip(state.points, bonus, strict=True)]
    pairs = _pairs(state)
    ends = (
        (totals[0], totals[1] + left + pairs[1]),
        (totals[0] + left + pairs[0], totals[1]),
    )
    low, high = (
        contract_scores(state.base.bidder, state.base.bid, tuple(cross_points(total) for total in end)) for end in ends
    )
    return low[0] - low[1], high[0] - high[1]


def _pairs(state: Playing) -> list[int]:
    """The points of the pairs that each seat may still show: those in hand, or with a stock those not yet broken."""
    shown = {suit for _, suit in state.shown}
    trump = state.order.trump if state.order else None
    found = []
    for hand in state.hands:
        may_hold = hand | PACK & ~(state.seen | state.hands[0] | state.hands[1])
        open_suits = [suit for suit in SUITS if suit not in shown and may_hold & pair_of(suit) == pair_of(suit)]
        found.append(sum(announcement(suit, suit if trump is None else trump) for suit in open_suits))
    return found
