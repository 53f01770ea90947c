"""Cross Purposes for two players: the situations of a deal, and whose turn it is in each."""

from typing import TypeAlias

import msgspec

from domain.cards.card import STANDARD_PACK, mask_of, rank_index, suit_index
from domain.game.ending import TWO
from domain.game.judgement import Duty
from domain.game.tricks import CardOrder, Playing, follow_duty, order_of
from domain.games.cross_purposes.options import Deal, Options, ValueDeclared
from domain.games.cross_purposes.scoring import TwoResult, score_two

DIMENSIONS = ("trump", "top")


class Declaring(msgspec.Struct, frozen=True, gc=False):
    """Waiting for trumps or tops of a phase; `calls` are all of the deal, effective or not."""

    options: Options
    dealer: int
    deal: Deal | None
    phase: int
    calls: tuple[ValueDeclared, ...]
    named: tuple[ValueDeclared, ...]  # those in force in this phase
    earlier: tuple[ValueDeclared, ...]  # those in force in phase 1
    first: tuple[int, ...]
    seen: int
    last: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


class Phase(msgspec.Struct, frozen=True, gc=False):
    """The declarations and orders of a phase under way."""

    declared: Declaring
    trumps: str
    tops: str


class Scored(msgspec.Struct, frozen=True, gc=False):
    """A complete deal."""

    phase: Phase
    tricks: tuple[int, ...]
    last: tuple[tuple[int, ...], tuple[int, ...]]
    seen: int = STANDARD_PACK


State: TypeAlias = Declaring | Playing | Scored


def tops_order(top: str) -> tuple[int, ...]:
    """Ranks from high to low: the top rank, down to Two, on to Ace and down again (CP.2)."""
    return tuple((rank_index(top) - step) % 13 for step in range(13))


def cross_order(trumps: str, tops: str) -> CardOrder:
    """The trick order under trumps and tops (CP.1, CP.2)."""
    return order_of(suit_index(trumps), tops_order(tops))


def start(options: Options, dealer: int, deal: Deal | None) -> State:
    """Thirteen each; the non-dealer declares first (CP.3, CP.4)."""
    return Declaring(options, dealer, deal, 1, (), (), (), (), 0)


def opener(state: Declaring) -> int:
    """The non-dealer of the phase: phase 2 is dealt by the other player (CP.6, CP.g11)."""
    return 1 - state.dealer if state.phase == 1 else state.dealer


def to_act(state: State) -> int | None:
    """The seat whose turn it is."""
    match state:
        case Playing():
            return state.turn
        case Declaring():
            return 1 - state.named[0].seat if state.named else opener(state)
        case Scored():
            return None


def open_dimensions(state: Declaring) -> tuple[str, ...]:
    """The dimensions that may be named now: the other dimension after one is; in phase 2 the opener names the one
    that it did not name in phase 1 (CP.4, CP.6)."""
    if state.named:
        return tuple(dim for dim in DIMENSIONS if dim != state.named[0].dim)
    own = {call.dim for call in state.earlier if call.seat == opener(state)}
    return tuple(dim for dim in DIMENSIONS if dim not in own) or DIMENSIONS


def hands_of(state: Declaring) -> tuple[tuple[int, ...], bool]:
    """The hands of the phase; unknown ones hold whatever has not been seen (phase 2: the other 26)."""
    if state.deal is None:
        return (STANDARD_PACK & ~state.seen,) * 2, False
    dealt = state.deal.phase1 if state.phase == 1 else state.deal.phase2
    return tuple(mask_of(hand) & ~state.seen for hand in dealt), True


def score(state: State) -> TwoResult | None:
    """The score of a complete deal."""
    if type(state) is not Scored:
        return None
    before = state.phase.declared
    return score_two(before.options, (before.first, state.tricks))


def duty(state: State) -> Duty | None:
    """The led suit; each phase is a stretch without draws."""
    if type(state) is not Playing:
        return None
    phase: Phase = state.base
    return follow_duty(state, "CP.5", phase.declared.phase)


def phase_of(state: Playing | Scored) -> Phase:
    """The phase that is on, or was the last."""
    if isinstance(state, Scored):
        return state.phase
    phase: Phase = state.base
    return phase


def sums(state: State) -> tuple[tuple[int, ...], ...]:
    """The tricks of each complete phase."""
    if isinstance(state, Scored):
        return (state.phase.declared.first, state.tricks)
    declared = state if isinstance(state, Declaring) else phase_of(state).declared
    return (declared.first,) if declared.first else ()


def against(state: Playing) -> tuple[tuple[int, ...], ...]:
    """Each for himself."""
    return TWO
