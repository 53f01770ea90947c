"""Over the Top: a table in the middle of a deal, and what can be read off it."""

from typing import TypeAlias

import msgspec

from domain.cards.card import mask_of
from domain.cards.seats import left_of
from domain.game.ending import TWO
from domain.game.judgement import Duty
from domain.game.rest import Rest, Tricks
from domain.games.over_the_top.counting import NOTHING_LED, Counting, counting, counts_of, points_by_seat, total_of
from domain.games.over_the_top.options import HAND, PACK, Deal, Options


class Base(msgspec.Struct, frozen=True, gc=False):
    """The fixed part of a deal."""

    counts: Counting
    known: bool
    stock: tuple[int, ...]


class Course(msgspec.Struct, frozen=True, gc=False):
    """The fixed part of a trick. `held` are the cards in each hand before it, `gone` those of the
    tricks before it, `drawn` how many have left the stock, `taken` (winner, points) of each trick;
    `drawing` the seats whose draw after the last trick may still be recorded (physical cards)."""

    base: Base
    held: tuple[int, int]
    gone: int
    drawn: int
    taken: tuple[tuple[int, int], ...]
    drawing: tuple[int, ...]
    last: tuple[tuple[int, ...], tuple[int, ...]]


class Playing(msgspec.Struct, frozen=True, gc=False):
    """A trick under way. `free` are the cards of the suits that it lacks, `passed` the seats that have
    passed in it, as bits. With hands unknown a hand is what its seat may hold."""

    course: Course
    hands: tuple[int, int]
    turn: int
    seats: tuple[int, ...]
    cards: tuple[int, ...]
    free: int
    count: int
    passed: int
    claim: Rest | None = None


class Scored(msgspec.Struct, frozen=True, gc=False):
    """A complete deal."""

    course: Course


State: TypeAlias = Playing | Scored


def start(options: Options, dealer: int, deal: Deal | None) -> Playing:
    """Thirteen each, twenty-six face down; the non-dealer leads (OT.1, OT.2)."""
    stock: tuple[int, ...] = ()
    hands = (PACK, PACK)
    if deal is not None:
        stock, hands = deal.stock, (mask_of(deal.hands[0]), mask_of(deal.hands[1]))
    base = Base(counting(options), deal is not None, stock)
    course = Course(base, (HAND, HAND), 0, 0, (), (), ((), ()))
    return Playing(course, hands, left_of(dealer, 2), (), (), PACK, NOTHING_LED, 0)


def to_act(state: State) -> int | None:
    """The seat whose turn it is."""
    return state.turn if isinstance(state, Playing) else None


def seen(state: State) -> int:
    """Every card that has been played."""
    return state.course.gone | mask_of(state.cards) if isinstance(state, Playing) else state.course.gone


def called(state: State) -> int | None:
    """The total that the last card made: of the trick under way, else of the one before it."""
    cards = state.cards if isinstance(state, Playing) and state.cards else state.course.last[1]
    return total_of(counts_of(cards, state.course.base.counts)[-1]) if cards else None


def due(state: Playing) -> tuple[int, ...]:
    """The seats whose draws may be recorded: those after the last trick, before the next lead."""
    return () if state.cards else state.course.drawing


def due_draws(state: State) -> tuple[int, ...]:
    """The same of any table."""
    return due(state) if isinstance(state, Playing) else ()


def unseen_by(state: Playing) -> Playing:
    """The table to one who has seen the cards that fell and no draw: a hand may hold any other card."""
    unseen = PACK & ~seen(state)
    first, second = (unseen if had > state.seats.count(seat) else 0 for seat, had in enumerate(state.course.held))
    return msgspec.structs.replace(state, hands=(first, second))


def duty(state: State) -> Duty | None:
    """The duty of a seat with a card of a missing suit: not to pass (OT.g7); each draw begins another stretch."""
    if not isinstance(state, Playing):
        return None
    passing = ((state.free, "OT.g7", "FPS"),) if state.cards else ()
    return Duty(segment=state.course.drawn, masks=(), passing=passing)


def lying(state: State) -> tuple[int, ...]:
    """The seats whose cards lie in the trick."""
    return state.seats if isinstance(state, Playing) else ()


def points_taken(state: State) -> tuple[int, ...]:
    """The points of the tricks so far, each to its winner."""
    return points_by_seat(state.course.taken)


def rest(state: State) -> Tricks | None:
    """The tricks under way. How many are left nobody can say, for a trick may end short (OT.g8): only all are claimed."""
    if not isinstance(state, Playing):
        return None
    return Tricks(state.hands, seen(state), PACK, 1, TWO, state.claim)
