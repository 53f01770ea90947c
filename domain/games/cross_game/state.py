"""Cross Game: the situations of a deal, and whose turn it is in each."""

from typing import TypeAlias

import msgspec

from domain.cards.card import SUIT_MASK
from domain.cards.facts import Passed
from domain.cards.seats import left_of
from domain.game.ending import TWO
from domain.game.judgement import Duty
from domain.game.rest import Rest, Tricks
from domain.game.tricks import CardOrder
from domain.games.cross_game.options import PACK, BidMade, Deal, Options


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
    """The fixed part of the play. `manual`: announcements are facts of their own."""

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
    order: CardOrder | None
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
    claim: Rest | None = None


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


def due_draws(state: State) -> tuple[int, ...]:
    """The seats whose draws may be recorded (CG.g3)."""
    return state.drawing if isinstance(state, Playing) else ()


def stock_left(state: Playing) -> int:
    """Cards still face down: two go after each of the first four tricks (CG.g2)."""
    return max(0, 8 - 2 * sum(state.tricks))


def highest(state: Auction) -> int:
    """The highest estimate so far, 0 for none."""
    return max((call.bid for call in state.calls if isinstance(call, BidMade)), default=0)


def duty(state: State) -> Duty | None:
    """With the stock empty: the suit led, else a trump (CG.6); nothing before."""
    if not isinstance(state, Playing):
        return None
    if not state.cards or state.left > 16 or state.order is None:
        return Duty(segment=1 if state.left > 16 else 2, masks=())
    suit = state.order.follow[state.cards[0]]
    trumps = SUIT_MASK[state.order.trump]
    return Duty(segment=2, masks=((suit, "CG.6", "REV"), (trumps, "CG.6", "FTT")))


def lying(state: State) -> tuple[int, ...]:
    """The seats whose cards lie in the trick."""
    return () if isinstance(state, Auction | PassedOut) else (state.play if isinstance(state, Scored) else state).seats


def points_taken(state: State) -> tuple[int, ...]:
    """The card points of the tricks so far, without announcements."""
    if isinstance(state, Auction | PassedOut):
        return (0, 0)
    return state.play.points if isinstance(state, Scored) else state.points


def rest(state: State) -> Tricks | None:
    """The tricks under way."""
    if not isinstance(state, Playing):
        return None
    hands = state.hands if state.base.known else tuple(hand or PACK & ~state.seen for hand in state.hands)
    return Tricks(hands, state.seen, PACK, (state.left + len(state.cards)) // 2, TWO, state.claim)
