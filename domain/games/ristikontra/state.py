"""Ristikontra: the situations of a deal, and what a seat holds or may play in them.

Hands are bit sets. With physical cards the stock's order is unknown: every seat may hold every card not
yet seen, but for those that another seat is known to hold.
"""

from typing import Final, TypeAlias

import msgspec

from domain.cards.card import CARDS, Card, mask_of
from domain.cards.seats import eldest
from domain.game.rest import Rest, Tricks
from domain.games.ristikontra.options import KINGS, OF_RANK, PACK, SIDES, VALUES, DarkPlayed, Deal, Options

TRICKS: Final = 13
NO_RUN: Final = (-1, -1, 0)


class Base(msgspec.Struct, frozen=True, gc=False):
    """The fixed part of the play: `stock` from the top (unknown: empty), how many cards it has, the
    tricks it lasts, the options as the play asks for them, and whether any of them binds a hand."""

    options: Options
    dealer: int
    known: bool
    stock: tuple[int, ...]
    size: int
    first: int
    values: tuple[int, ...]
    full: int
    eager: bool
    fourth: bool
    spice: bool
    cleaning: bool
    free: bool
    simple: bool


class Taken(msgspec.Struct, frozen=True, gc=False):
    """The figures that change with a trick: tricks by seat, card points by side, the cards in finished tricks, the
    sides that took a queen in phase 1 and that cleaned, cards in hand that everybody has seen, and the
    last trick."""

    done: int
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    gone: int
    queens: tuple[bool, ...]
    cleaned: tuple[bool, ...]
    open: int
    last: tuple[tuple[int, ...], tuple[int, ...]]


class Playing(msgspec.Struct, frozen=True, gc=False):
    """A trick under way. `turned`: the seat to act has turned up the last king and plays from the hand
    (RK.g8); `dark` are the seats that do not draw after this trick, as bits; `seen` the cards that lie in
    tricks, this one included; `top` the next card of the stock; `run` one rank led by one seat (seat,
    rank, how often); `drawing` the seats whose draw may still be recorded (physical cards)."""

    base: Base
    taken: Taken
    hands: tuple[int, ...]
    turn: int
    turned: bool
    seats: tuple[int, ...]
    cards: tuple[int, ...]
    dark: int
    seen: int
    top: int
    run: tuple[int, int, int]
    drawing: tuple[int, ...]
    claim: Rest | None = None


class Spicing(msgspec.Struct, frozen=True, gc=False):
    """A complete trick whose winner, at `place` in it, may swap the winning card for the one drawn; with
    physical cards `drawn` is None until it is recorded (RK.10)."""

    play: Playing
    place: int
    drawn: int | None


class Scored(msgspec.Struct, frozen=True, gc=False):
    """A complete deal."""

    play: Playing


State: TypeAlias = Playing | Spicing | Scored


def start(options: Options, dealer: int, deal: Deal | None) -> State:
    """Six or five cards each, the rest is stock; eldest leads (RK.3, RK.4, RK.11)."""
    size, known = 52 - 4 * options.hand_size, deal is not None
    eager, bound = options.refill == "after_card", options.cleaning or options.no_fourth_lead
    base = Base(
        options,
        dealer,
        known,
        tuple(map(int, deal.stock)) if deal else (),
        size,
        size // 4,
        VALUES[options.values],
        options.hand_size,
        eager,
        options.no_fourth_lead,
        options.spice,
        options.cleaning,
        free=known and not bound,
        simple=known and not eager,
    )
    none = (False, False) if options.cleaning else ()
    taken = Taken(0, (0, 0, 0, 0), (0, 0), 0, none, none, 0, ((), ()))
    hands = tuple(mask_of(hand) for hand in deal.hands) if deal else (PACK,) * 4
    return Playing(base, taken, hands, eldest(dealer, 4), False, (), (), 0, 0, 0, NO_RUN, ())


def to_act(state: State) -> int | None:
    """The seat whose turn it is."""
    if isinstance(state, Playing):
        return state.turn
    return state.play.turn if isinstance(state, Spicing) else None


def lying(state: State) -> tuple[int, ...]:
    """The seats whose cards lie in the trick."""
    return (state if isinstance(state, Playing) else state.play).seats


def due_draws(state: State) -> tuple[int, ...]:
    """The seats whose draws may be recorded (RK.5)."""
    return state.drawing if isinstance(state, Playing) else ()


def held(state: Playing, seat: int) -> int:
    """The cards that the seat holds, or with physical cards may hold."""
    hand = state.hands[seat]
    return hand if hand or state.base.known else PACK & ~state.seen


def in_stock(state: Playing) -> int:
    """With physical cards: what may lie in the stock, which is what no seat is known to hold."""
    one, two, three, four = state.hands
    return one & two & three & four


def last_king(state: Playing) -> int:
    """The king that may not be played in phase 1: the one left when three lie in tricks (RK.13, RK.g9)."""
    base = state.base
    if not base.cleaning or state.taken.done >= base.first or (state.seen & KINGS).bit_count() != 3:
        return 0
    return KINGS & ~state.seen


def not_for_spice(state: Spicing) -> int:
    """The king that may not be put into the trick: the last one, unless the card that goes back to the hand is a
    king, which is then the one still kept (RK.g8). One that was played before stays where it first was."""
    play = state.play
    back = 1 << play.cards[state.place] & ~play.taken.gone
    return 0 if back & KINGS else last_king(play)


def fourth_lead(state: Playing, seat: int) -> int:
    """The rank that the seat may not lead a fourth time running, while it has another (RK.9, RK.g6). With
    physical cards it surely has one when its hand is larger than what is left of the rank."""
    who, rank, length = state.run
    if length < 3 or who != seat or state.cards:
        return 0
    same, barred = OF_RANK[rank], last_king(state)
    if not held(state, seat) & ~same & ~barred:
        return 0
    size = min(state.base.full, TRICKS - state.taken.done)
    sure = state.base.known or size > ((same | barred) & ~state.seen).bit_count()
    return same if sure else 0


def playable(state: Playing, seat: int) -> int:
    """The bit set that a seat may play from the hand: all of it, but for two options (RK.4)."""
    base = state.base
    hand = state.hands[seat] if base.known else held(state, seat)
    if base.cleaning and state.taken.done < base.first and (state.seen & KINGS).bit_count() == 3:
        hand &= ~KINGS
    if state.run[2] >= 3:
        hand &= ~fourth_lead(state, seat)
    return hand


def may_dark(state: Playing) -> bool:
    """True when the seat to act may play the top of the stock (RK.6), not twice running (RK.g8)."""
    return state.top < state.base.size and not state.turned


def turned_up(state: State, fact: DarkPlayed) -> Card | None:
    """The card that was played in the dark, where the fact or the stock tells it."""
    if fact.card is not None or not isinstance(state, Playing):
        return fact.card
    base = state.base
    return CARDS[base.stock[state.top]] if base.known and state.top < base.size else None


def rest(state: State) -> Tricks | None:
    """The tricks under way."""
    if not isinstance(state, Playing):
        return None
    hands = tuple(held(state, seat) for seat in range(4))
    return Tricks(hands, state.seen, PACK, TRICKS - state.taken.done, SIDES, state.claim)
