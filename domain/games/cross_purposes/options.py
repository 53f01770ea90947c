"""Cross Purposes: its options and the facts of its own, calls of trumps and tops."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from domain.cards import RANKS, SUITS, Card, Rank, Suit
from domain.facts import Fact

Dimension: TypeAlias = Literal["trump", "top"]
Value: TypeAlias = Suit | Rank


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule options of Cross Purposes."""

    variant: Annotated[
        Literal["two", "fixed", "alliance"],
        msgspec.Meta(
            description="Who plays?",
            extra={
                "ledger": "CP.8",
                "level": "deal",
                "said": {
                    "two": "two players",
                    "fixed": "four, always the same partners",
                    "alliance": "four, partners found in each deal",
                },
            },
        ),
    ] = "two"
    open_proposals: Annotated[
        Literal["any", "latest"],
        msgspec.Meta(
            description="Which proposals can be accepted?",
            extra={
                "ledger": "CP.g2",
                "level": "deal",
                "said": {"any": "every earlier one", "latest": "only the latest of each player"},
            },
        ),
    ] = "any"
    own_repeat: Annotated[
        bool,
        msgspec.Meta(
            description="May a player repeat a proposal?",
            extra={"ledger": "CP.g4", "level": "deal", "said": {}},
        ),
    ] = True
    scoring: Annotated[
        Literal["both", "winner_only"],
        msgspec.Meta(
            description="Who scores?",
            extra={
                "ledger": "CP.15",
                "level": "deal",
                "said": {"both": "both sides", "winner_only": "only the side with the higher score"},
            },
        ),
    ] = "both"
    next_dealer: Annotated[
        Literal["alternate", "strict"],
        msgspec.Meta(
            description="Who deals when the next round begins?",
            extra={
                "ledger": "CP.g1",
                "level": "match",
                "said": {
                    "alternate": "the other player",
                    "strict": "the same player, for the deal changes with every phase",
                },
            },
        ),
    ] = "alternate"


def fits(dim: str, value: str) -> bool:
    """Suits are trumps, ranks are tops."""
    return value in (SUITS if dim == "trump" else RANKS)


class _Value(Fact, frozen=True):
    """A value of one dimension, named by a seat."""

    dim: Dimension
    value: Value

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


class ValueDeclared(_Value, frozen=True, tag="declare"):
    """A player named a trump suit or a top rank (two-hand)."""


class ValueProposed(_Value, frozen=True, tag="propose"):
    """A player proposed a trump suit or a top rank (four-hand); naming an ally's value accepts it."""


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The cards: `phase1` and `phase2`, two hands of 13 each (two-hand), or `hands`, four of 13."""

    phase1: tuple[tuple[Card, ...], ...] = ()
    phase2: tuple[tuple[Card, ...], ...] = ()
    hands: tuple[tuple[Card, ...], ...] = ()
