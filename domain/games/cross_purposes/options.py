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
            description="two players, four in fixed partnerships, or four in ad-hoc alliances",
            extra={"ledger": "CP.8", "level": "deal"},
        ),
    ] = "two"
    open_proposals: Annotated[
        Literal["any", "latest"],
        msgspec.Meta(
            description="which proposals of a possible ally can be accepted: any earlier one, or only "
            "the latest of each seat",
            extra={"ledger": "CP.g2", "level": "deal"},
        ),
    ] = "any"
    own_repeat: Annotated[
        bool,
        msgspec.Meta(
            description="whether a seat may repeat its own proposal",
            extra={"ledger": "CP.g4", "level": "deal"},
        ),
    ] = True
    scoring: Annotated[
        Literal["both", "winner_only"],
        msgspec.Meta(
            description="whether both sides score, or only the side that beats the other",
            extra={"ledger": "CP.15", "level": "deal"},
        ),
    ] = "both"
    next_dealer: Annotated[
        Literal["alternate", "strict"],
        msgspec.Meta(
            description="who deals when the next round begins: the other player, or (the deal changing "
            "with every phase) the same one",
            extra={"ledger": "CP.g1", "level": "match"},
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
