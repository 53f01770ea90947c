"""Parity: the situations of a deal, and whose turn it is in each."""

from typing import TypeAlias

import msgspec

from domain.cards.card import Suit, mask_of
from domain.cards.seats import left_of
from domain.game.ending import TWO
from domain.game.judgement import Duty
from domain.game.protocol import Call
from domain.game.rest import Tricks
from domain.game.rest_tricks import rest_on
from domain.game.tricks import Playing, follow_duty
from domain.games.parity.options import PACK, Deal, Options, Parities


class Setup(msgspec.Struct, frozen=True, gc=False):
    """The fixed part of a deal."""

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
    """The contract of the play."""

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


def hands_of(setup: Setup) -> tuple[int, ...]:
    """The hands as bit sets; with physical cards each may hold any card."""
    if setup.deal is None:
        return (PACK, PACK)
    return tuple(mask_of(hand) for hand in setup.deal.hands)


def setup_of(state: State) -> Setup:
    """The beginning of a deal, in any situation."""
    match state:
        case Naming() | Aiming():
            return state.setup
        case Scored():
            return state.contract.setup
        case Playing():
            contract: Contract = state.base
            return contract.setup


def start(options: Options, dealer: int, deal: Deal | None) -> State:
    """The non-dealer is to name trumps."""
    return Naming(Setup(options, dealer, deal))


def to_act(state: State) -> int | None:
    """The seat whose turn it is."""
    match state:
        case Playing():
            return state.turn
        case Naming():
            return left_of(state.setup.dealer, 2)
        case Aiming():
            return state.setup.dealer
        case Scored():
            return None


def duty(state: State) -> Duty | None:
    """The led suit, jokers being trumps (PA.g1)."""
    return follow_duty(state, "PA.6", 1) if isinstance(state, Playing) else None


def rest(state: State) -> Tricks | None:
    """The tricks under way."""
    return rest_on(state, PACK, TWO) if isinstance(state, Playing) else None
