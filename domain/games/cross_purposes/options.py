"""Cross Purposes: its options and the facts of its own, calls of trumps and tops."""

from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec

from domain.cards.card import RANKS, SUITS, Card, Rank, Suit
from domain.cards.facts import Fact
from domain.game.options import option
from domain.log.message import Message

Dimension: TypeAlias = Literal["trump", "top"]
Value: TypeAlias = Suit | Rank


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule options of Cross Purposes."""

    variant: Annotated[
        Literal["two", "fixed", "alliance"],
        option(
            "Who plays?",
            "CP.8",
            two="two players",
            fixed="four, always the same partners",
            alliance="four, partners found in each deal",
        ),
    ] = "two"
    open_proposals: Annotated[
        Literal["any", "latest"],
        option(
            "Which proposals can be accepted?",
            "CP.g2",
            any="every earlier one",
            latest="only the latest of each player",
        ),
    ] = "any"
    own_repeat: Annotated[
        bool,
        option("May a player repeat a proposal?", "CP.g4"),
    ] = True
    scoring: Annotated[
        Literal["both", "winner_only"],
        option("Who scores?", "CP.15", both="both sides", winner_only="only the side with the higher score"),
    ] = "both"
    next_dealer: Annotated[
        Literal["alternate", "strict"],
        option(
            "Who deals when the next round begins?",
            "CP.g1",
            "match",
            alternate="the other player",
            strict="the same player, for the deal changes with every phase",
        ),
    ] = "alternate"


def fits(dim: str, value: str) -> bool:
    """Suits are trumps, ranks are tops."""
    return value in (SUITS if dim == "trump" else RANKS)


class _Value(Fact, frozen=True):
    """A value of one dimension, named by a seat."""

    dim: Dimension
    value: Value
    together: ClassVar = ({"dim": ("trump",), "value": SUITS}, {"dim": ("top",), "value": RANKS})

    def __post_init__(self) -> None:
        if not fits(self.dim, self.value):
            raise ValueError(f"{self.value!r} is not a {'suit' if self.dim == 'trump' else 'rank'}")

    def as_call(self) -> str | None:
        """The letter of the suit or rank."""
        return self.value

    @classmethod
    def of_call(cls, seat: int, call: str) -> Fact | None:
        """A suit names trumps, a rank tops (CTN 5)."""
        for suit in SUITS:
            if suit == call:
                return cls(seat, "trump", suit)
        return next((cls(seat, "top", rank) for rank in RANKS if rank == call), None)

    def said(self) -> Message:
        """A sentence for suits, and one for ranks."""
        return Message(f"{self.__struct_config__.tag}.{self.dim}", {"value": self.value})


class ValueDeclared(_Value, frozen=True, tag="declare"):
    """A player named a trump suit or a top rank (two-hand)."""

    phrases: ClassVar = {
        "declare.trump": "names {value:suit} as trumps",
        "declare.trump.offered": "{value:suit}",
        "declare.top": "puts {value:rank} on top",
        "declare.top.offered": "{value:rank}",
        "declare.asks": "trumps or tops?",
        "declare.awaited": "trumps or tops",
    }
    asks: ClassVar = "declare.asks"


class ValueProposed(_Value, frozen=True, tag="propose"):
    """A player proposed a trump suit or a top rank (four-hand); naming an ally's value accepts it."""

    phrases: ClassVar = {
        "propose.trump": "proposes {value:suit} as trumps",
        "propose.trump.offered": "{value:suit}",
        "propose.top": "proposes {value:rank} on top",
        "propose.top.offered": "{value:rank}",
        "propose.asks": "trumps or tops?",
        "propose.awaited": "trumps or tops",
    }
    asks: ClassVar = "propose.asks"


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The cards: `phase1` and `phase2`, two hands of 13 each (two-hand), or `hands`, four of 13."""

    phase1: tuple[tuple[Card, ...], ...] = ()
    phase2: tuple[tuple[Card, ...], ...] = ()
    hands: tuple[tuple[Card, ...], ...] = ()
