"""Parity: its options, the facts and situations of a deal, and what its tricks score."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from domain.cards import Card, Suit, mask_of, pack_of, rank_index, suit_index
from domain.facts import Fact, TrumpsDeclared
from domain.game import (
    Call,
    Result,
    Table,
)
from domain.seats import left_of
from domain.tricks import (
    JOKERS,
    Order,
    Playing,
    begin,
    order_of,
)

Parities: TypeAlias = Literal["odd", "even"]
Tricks: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=15)]
PACK: Final = pack_of("AKQJT52") | JOKERS
RANK_ORDER: Final = tuple(rank_index(rank) for rank in "AKQJT52")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule options of Parity."""

    open_hands: Annotated[
        bool,
        msgspec.Meta(
            description="May everybody see both hands? (All thirty cards are dealt: nothing is secret.)",
            extra={"ledger": "PA.g6", "level": "deal", "said": {}},
        ),
    ] = True


class ParityDeclared(Fact, frozen=True, tag="parity"):
    """The dealer named the parity of tricks that scores."""

    parity: Parities

    def as_call(self) -> str | None:
        """`odd` or `even`."""
        return self.parity

    @classmethod
    def of_call(cls, seat: int, call: str) -> Fact | None:
        """`odd` or `even`."""
        if call == "odd":
            return cls(seat, "odd")
        return cls(seat, "even") if call == "even" else None


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two hands of 15."""

    hands: tuple[tuple[Card, ...], ...]


class Setup(msgspec.Struct, frozen=True, gc=False):
    """What does not change in a deal."""

    options: Options
    dealer: int
    deal: Deal | None


class Naming(msgspec.Struct, frozen=True, gc=False):
    """Waiting for trumps."""

    setup: Setup


class Aiming(msgspec.Struct, frozen=True, gc=False):
    """Trumps are named; waiting for odd or even. `by` named the trumps."""

    setup: Setup
    trumps: Suit
    by: int


class Contract(msgspec.Struct, frozen=True, gc=False):
    """What the play rests on."""

    setup: Setup
    trumps: Suit
    parity: Parities
    calls: tuple[Call, ...]


class Scored(msgspec.Struct, frozen=True, gc=False):
    """A complete deal."""

    contract: Contract
    tricks: tuple[int, ...]
    last: tuple[tuple[int, ...], tuple[int, ...]]
    seen: int = PACK


State: TypeAlias = Naming | Aiming | Playing | Scored


class ParityResult(Result, frozen=True, omit_defaults=True):
    """Scores, with the tricks and the parity that scored."""

    tricks: tuple[int, ...] = ()
    parity: str = ""


class ParityTable(Table, frozen=True, kw_only=True):
    """The table, with the parity once it is named."""

    parity: str | None = None


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parity and the tricks by seat; the second number may be left out (15 less the first)."""

    parity: Parities
    tricks: Annotated[tuple[Tricks, ...], msgspec.Meta(min_length=1, max_length=2)]

    @property
    def both(self) -> tuple[int, ...]:
        """The tricks of both."""
        return self.tricks if len(self.tricks) == 2 else (self.tricks[0], 15 - self.tricks[0])


def trick_order(trumps: str) -> Order:
    """A K Q J 10 5 2, and above the trumps both jokers, that of the trump colour first (PA.2)."""
    return order_of(suit_index(trumps), RANK_ORDER, jokers=True)


def score_tricks(parity: str, tricks: tuple[int, ...]) -> ParityResult:
    """10 and the tricks, to the one player whose tricks have the parity (PA.7, PA.g2)."""
    wanted = 1 if parity == "odd" else 0
    scores = tuple(10 + won if won % 2 == wanted else 0 for won in tricks)
    return ParityResult(scores=scores, tricks=tricks, parity=parity)


def hands_of(setup: Setup) -> tuple[int, ...]:
    """The hands as bit sets; with physical cards each may hold any card."""
    if setup.deal is None:
        return (PACK, PACK)
    return tuple(mask_of(hand) for hand in setup.deal.hands)


def scored(after: Playing) -> Scored:
    """The deal after its last card."""
    return Scored(after.base, after.tricks, after.last, after.seen)


def declared(state: State, fact: Fact) -> State:
    """Naming trumps, then the parity, whoever does it."""
    if isinstance(state, Naming) and isinstance(fact, TrumpsDeclared):
        return Aiming(state.setup, fact.suit, fact.seat)
    if isinstance(state, Aiming) and isinstance(fact, ParityDeclared):
        setup = state.setup
        calls = (Call(state.by, state.trumps), Call(fact.seat, fact.parity))
        contract = Contract(setup, state.trumps, fact.parity, calls)
        order = trick_order(state.trumps)
        known = setup.deal is not None
        return begin(contract, order, hands_of(setup), known, left_of(setup.dealer, 2), 0, 30)
    return state


def setup_of(state: State) -> Setup:
    """What a deal began with, whatever its situation."""
    match state:
        case Naming() | Aiming():
            return state.setup
        case Scored():
            return state.contract.setup
        case Playing():
            contract: Contract = state.base
            return contract.setup
