"""Garbo: the situations of a deal, whose turn it is in each, and what may be done."""

from typing import ClassVar, Final, TypeAlias

import msgspec

from domain.cards import cards_in, mask_of
from domain.facts import CardDrawn, Fact, Passed
from domain.games.garbo.layout import FRAME, IN_LINE, NOTHING, ORIGIN, ROUND, Tops, cells_in
from domain.games.garbo.options import PACK, PACKETS, CardCovered, CardPlaced, ClaimMade, Deal, Options
from domain.seats import left_of

NOBODY: Final = -1
NONE: Final = (0, 0)


class Base(msgspec.Struct, frozen=True, gc=False):
    """What does not change in a deal. `packets` are bit sets by round of dealing, None with physical
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
    """Who may still claim after the last card: the one who did not play it."""
    return 1 - state.play.last


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


def held(state: Level, seat: int) -> int:
    """What a seat may hold; with physical cards never nothing."""
    return state.hands[seat] or (0 if state.base.packets else PACK & ~state.seen)


def legal(state: State) -> tuple[Fact, ...]:
    """Claims low to high, then cards with their squares, then draws of physical cards."""
    if isinstance(state, Scored):
        return ()
    if isinstance(state, LastClaim):
        return (*_claims(state.play), Passed(claimant(state)))
    kind, turn, cells = state.takes, state.turn, tuple(cells_in(state.free))
    plays = (kind(turn, card, cell) for card in cards_in(held(state, turn)) for cell in cells)
    return (*_claims(state), *plays, *_draws(state))


def _claims(state: Level) -> tuple[ClaimMade, ...]:
    return tuple(ClaimMade(seat, points) for seat in (0, 1) for points in range(1, state.due[seat] + 1))


def _draws(state: Level) -> tuple[CardDrawn, ...]:
    seats = (seat for seat in (0, 1) if state.drawing[seat])
    return tuple(CardDrawn(seat, card) for seat in seats for card in (None, *cards_in(state.hands[0] & state.hands[1])))
