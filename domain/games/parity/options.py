"""Parity: its options, the fact of its own and its deal."""

from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import msgspec

from domain.cards.card import Card, pack_of, rank_index
from domain.cards.facts import Fact
from domain.game.options import option
from domain.game.tricks import JOKERS
from domain.log.message import Message

Parities: TypeAlias = Literal["odd", "even"]
Tricks: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=15)]
PACK: Final = pack_of("AKQJT52") | JOKERS
RANK_ORDER: Final = tuple(rank_index(rank) for rank in "AKQJT52")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule options of Parity."""

    open_hands: Annotated[
        bool,
        option("May everybody see both hands? (All thirty cards are dealt: nothing is secret.)", "PA.g6"),
    ] = True


class ParityDeclared(Fact, frozen=True, tag="parity"):
    """The dealer named the parity of tricks that scores."""

    phrases: ClassVar = {
        "parity.odd": "says odd",
        "parity.odd.offered": "odd",
        "parity.even": "says even",
        "parity.even.offered": "even",
        "parity.asks": "odd or even?",
        "parity.awaited": "odd or even",
    }
    asks: ClassVar = "parity.asks"

    parity: Parities

    def as_call(self) -> str | None:
        return self.parity

    @classmethod
    def of_call(cls, seat: int, call: str) -> Fact | None:
        if call == "odd":
            return cls(seat, "odd")
        return cls(seat, "even") if call == "even" else None

    def said(self) -> Message:
        """A sentence for each of the two."""
        return Message(f"parity.{self.parity}")


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two hands of 15."""

    hands: tuple[tuple[Card, ...], ...]
