"""Cross Purposes for two: declare and play, twice, the second time with the other 26 cards."""

from functools import cache
from typing import TypeAlias

import msgspec

from domain.cards import RANKS, STANDARD_PACK, SUITS, cards_in, mask_of, rank_index, suit_index
from domain.facts import CardPlayed, Fact
from domain.game import Breach, Call, Duty, Table, Viewer, misfit
from domain.games.cross_purposes.options import Deal, Options, ValueDeclared
from domain.games.cross_purposes.scoring import TwoResult, score_two
from domain.sight import hands_for, legal_for, on_table
from domain.tricks import (
    Order,
    Playing,
    begin,
    card_breaches,
    follow_duty,
    legal_plays,
    order_of,
)

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
    """What a phase under way rests on."""

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


class TwoTable(Table, frozen=True, kw_only=True):
    """The table; `phase_tricks` holds the tricks of phase 1 once phase 2 has begun."""

    phase_tricks: tuple[int, ...] | None = None


def tops_order(top: str) -> tuple[int, ...]:
    """Ranks from high to low: the top rank, down to Two, on to Ace and down again (CP.2)."""
    return tuple((rank_index(top) - step) % 13 for step in range(13))


def cross_order(trumps: str, tops: str) -> Order:
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
    """What may be named now: the other dimension after one is; in phase 2 the opener names the one
    that it did not name in phase 1 (CP.4, CP.6)."""
    if state.named:
        return tuple(dim for dim in DIMENSIONS if dim != state.named[0].dim)
    own = {call.dim for call in state.earlier if call.seat == opener(state)}
    return tuple(dim for dim in DIMENSIONS if dim not in own) or DIMENSIONS


def legal(state: State) -> tuple[Fact, ...]:
    """Suits before ranks, low before high; cards in the order of the pack."""
    match state:
        case Playing():
            return legal_plays(state)
        case Scored():
            return ()
        case Declaring():
            seat = to_act(state)
            assert seat is not None
            return _declarations(seat, open_dimensions(state))


@cache
def _declarations(seat: int, dims: tuple[str, ...]) -> tuple[ValueDeclared, ...]:
    """What a seat may name in these dimensions: facts never change, so they are made once."""
    suits = [ValueDeclared(seat, "trump", suit) for suit in SUITS if "trump" in dims]
    return (*suits, *(ValueDeclared(seat, "top", rank) for rank in RANKS if "top" in dims))


def breaches(state: State, fact: Fact) -> tuple[Breach, ...]:
    """Reasons against a fact."""
    if type(fact) is CardPlayed and type(state) is Playing:
        return _card(state, fact)
    if type(fact) is ValueDeclared and type(state) is Declaring:
        return _declaration(state, fact)
    if type(state) is Scored:
        return misfit("the deal is complete")
    wanted = "a declaration of trumps or tops" if type(state) is Declaring else "a card"
    return misfit(f"the table waits for {wanted}")


def _card(state: Playing, fact: CardPlayed) -> tuple[Breach, ...]:
    if fact.seat > 1:
        return misfit("two play: seats 0 and 1")
    return card_breaches(state, fact, "CP.5", STANDARD_PACK)


def _declaration(state: Declaring, fact: ValueDeclared) -> tuple[Breach, ...]:
    if fact.seat > 1:
        return misfit("two play: seats 0 and 1")
    found = []
    rule = "CP.4" if state.phase == 1 else "CP.6"
    if fact.seat != to_act(state):
        found.append(Breach(rule, "OOB", f"it is seat {to_act(state)}'s turn to declare"))
    dims = open_dimensions(state)
    if fact.dim not in dims:
        found.append(Breach(rule, "DIM", f"{fact.dim} cannot be named here: name the {dims[0]}"))
    return tuple(found)


def evolve(state: State, fact: Fact) -> State:
    """The table after a declaration."""
    if type(fact) is ValueDeclared and type(state) is Declaring and fact.seat < 2:
        return _declared(state, fact)
    return state


def _declared(state: Declaring, fact: ValueDeclared) -> State:
    """A dimension named twice stays as it was first named; the second call is only on record."""
    calls = (*state.calls, fact)
    if state.named and state.named[0].dim == fact.dim:
        return msgspec.structs.replace(state, calls=calls)
    after = msgspec.structs.replace(state, calls=calls, named=(*state.named, fact))
    return _opened(after) if len(after.named) == 2 else after


def _opened(state: Declaring) -> Playing:
    """Trumps and tops are known: the opener leads to 13 tricks (CP.5)."""
    values = {call.dim: call.value for call in state.named}
    phase = Phase(state, values["trump"], values["top"])
    order = cross_order(phase.trumps, phase.tops)
    hands, known = _hands(state)
    return begin(phase, order, hands, known, opener(state), state.seen, 26)


def _hands(state: Declaring) -> tuple[tuple[int, ...], bool]:
    """The hands of the phase; unknown ones hold whatever has not been seen (phase 2: the other 26)."""
    if state.deal is None:
        return (STANDARD_PACK & ~state.seen,) * 2, False
    dealt = state.deal.phase1 if state.phase == 1 else state.deal.phase2
    return tuple(mask_of(hand) & ~state.seen for hand in dealt), True


def phase_over(state: Playing) -> State:
    """After 13 tricks: the other player deals the rest, or the deal is scored (CP.6, CP.7)."""
    phase: Phase = state.base
    before = phase.declared
    if before.phase == 2:
        return Scored(phase, state.tricks, state.last, state.seen)
    return Declaring(
        before.options, before.dealer, before.deal, 2, before.calls, (), before.named,
        state.tricks, state.seen, state.last,
    )  # fmt: skip


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


def view(state: State, viewer: Viewer) -> TwoTable:
    """The table as the viewer may see it; the 26 of phase 2 stay unseen until they are dealt."""
    declared = state if isinstance(state, Declaring) else _phase_of(state).declared
    known = declared.deal is not None
    seat = to_act(state)
    phase_tricks = declared.first or None
    calls = tuple(Call(call.seat, call.value) for call in declared.calls)
    shown = legal_for(viewer, seat, known, legal(state))
    if isinstance(state, Declaring):
        hands, _ = _hands(state)
        return TwoTable(
            to_act=seat, phase=state.phase, tricks=(0, 0), calls=calls,
            stock=26 if state.phase == 1 else 0, hands=hands_for(viewer, hands, known),
            seen=tuple(cards_in(state.seen)), legal=shown, phase_tricks=phase_tricks,
            trumps=_named(state, "trump"), tops=_named(state, "top"), last_trick=on_table(*state.last),
        )  # fmt: skip
    phase = _phase_of(state)
    hands = state.hands if isinstance(state, Playing) else (0, 0)
    return TwoTable(
        to_act=seat, phase=declared.phase, tricks=state.tricks, calls=calls,
        stock=26 if declared.phase == 1 else 0, hands=hands_for(viewer, hands, known),
        seen=tuple(cards_in(state.seen)),
        trumps=phase.trumps, tops=phase.tops, legal=shown, phase_tricks=phase_tricks,
        trick=on_table(state.seats, state.cards) if isinstance(state, Playing) else (),
        last_trick=on_table(*state.last),
    )  # fmt: skip


def _phase_of(state: Playing | Scored) -> Phase:
    if isinstance(state, Scored):
        return state.phase
    phase: Phase = state.base
    return phase


def _named(state: Declaring, dim: str) -> str | None:
    return next((call.value for call in state.named if call.dim == dim), None)


def sums(state: State) -> tuple[tuple[int, ...], ...]:
    """The tricks of each complete phase."""
    if isinstance(state, Scored):
        return (state.phase.declared.first, state.tricks)
    declared = state if isinstance(state, Declaring) else _phase_of(state).declared
    return (declared.first,) if declared.first else ()
