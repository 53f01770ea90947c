"""Garbo: the situations of a deal, and whose turn it is in each."""

from typing import ClassVar, Final, TypeAlias

import msgspec

from domain.cards.card import mask_of
from domain.cards.seats import left_of
from domain.games.garbo.layout import FRAME, IN_LINE, NOTHING, ORIGIN, ROUND, Tops
from domain.games.garbo.options import PACK, PACKETS, CardCovered, CardPlaced, Deal, Options

NOBODY: Final = -1
NONE: Final = (0, 0)


class Base(msgspec.Struct, frozen=True, gc=False):
    """The fixed part of a deal. `packets` are bit sets by round of dealing, None with physical
    cards; `scope` is where suits match."""

    options: Options
    packets: tuple[tuple[int, ...], ...] | None
    manual: bool
    scope: tuple[int, ...]


class Building(msgspec.Struct, frozen=True, gc=False):
    """The first level. `taken`, `free`, `beside` and `within` are squares: those with a card, those open
    to the next one, those side by side with a card, and those within four by four of every card. `due`
    is what each seat may still claim, `lapsed` what it did not, `drawing` how many of its draws may
    still be recorded (physical cards), `last` the seat that played last."""

    base: Base
    hands: tuple[int, ...]
    turn: int
    tops: Tops
    taken: int
    free: int
    beside: int
    within: int
    left: int
    points: tuple[int, ...]
    due: tuple[int, ...]
    lapsed: tuple[int, ...]
    seen: int
    drawing: tuple[int, ...]
    last: int

    takes: ClassVar = CardPlaced


class Covering(msgspec.Struct, frozen=True, gc=False):
    """The second level. `covered` are the squares that may not be covered again, `first` the totals
    at the end of the first level."""

    base: Base
    hands: tuple[int, ...]
    turn: int
    tops: Tops
    taken: int
    free: int
    covered: int
    first: tuple[int, ...]
    left: int
    points: tuple[int, ...]
    due: tuple[int, ...]
    lapsed: tuple[int, ...]
    seen: int
    drawing: tuple[int, ...]
    last: int

    takes: ClassVar = CardCovered


class LastClaim(msgspec.Struct, frozen=True, gc=False):
    """All cards lie. No next card makes the matches of the last one lapse: they are claimed until the claimant
    passes, also where there are none, or the table would tell that (LAP)."""

    play: Covering


class Scored(msgspec.Struct, frozen=True, gc=False):
    """A complete deal."""

    play: Covering


Level: TypeAlias = Building | Covering
State: TypeAlias = Building | Covering | LastClaim | Scored


def start(options: Options, dealer: int, deal: Deal | None) -> State:
    """Four each; the non-dealer places the first card (GA.1, GA.3)."""
    packets = None
    if deal is not None:
        packets = tuple(tuple(mask_of(packet) for packet in each) for each in zip(*deal.packets, strict=True))
    scope = ROUND if options.suit_scope == "adjacent" else IN_LINE
    base = Base(options, packets, options.claims == "manual", scope)
    hands = packets[0] if packets else (PACK, PACK)
    leader = left_of(dealer, 2)
    return Building(base, hands, leader, NOTHING, 0, ORIGIN, 0, FRAME, 16, NONE, NONE, NONE, 0, NONE, NOBODY)


def level_of(state: State) -> Level:
    """The level that is on, or was the last."""
    return state if isinstance(state, Building | Covering) else state.play


def claimant(state: LastClaim) -> int:
    """The seat that may still claim after the last card: the one who did not play it."""
    return 1 - state.play.last


def lying(state: State) -> tuple[int, ...]:
    """Nobody's: there are no tricks."""
    return ()


def to_act(state: State) -> int | None:
    """The seat whose turn it is."""
    if isinstance(state, Building | Covering):
        return state.turn
    return claimant(state) if isinstance(state, LastClaim) else None


def cards_left(state: Level) -> int:
    """The cards not dealt yet (GA.g2)."""
    sizes = PACKETS[state.base.options.draw_schedule]
    if isinstance(state, Covering):
        return 0
    return 2 * sizes[2] if state.left <= 8 else 2 * (sizes[1] + sizes[2])


def due_draws(state: State) -> tuple[int, ...]:
    """The seats whose draws may be recorded, a seat once for each card (GA.5)."""
    if not isinstance(state, Building | Covering):
        return ()
    return (0,) * state.drawing[0] + (1,) * state.drawing[1]


def held(state: Level, seat: int) -> int:
    """The cards that a seat may hold; with physical cards never none."""
    return state.hands[seat] or (0 if state.base.packets else PACK & ~state.seen)


def points_taken(state: State) -> tuple[int, ...]:
    """The points so far."""
    return level_of(state).points
