"""Cross Game: its options, the facts of its own and its deal."""

from typing import Annotated, ClassVar, Final, Literal

import msgspec

from domain.cards.card import SUITS, Card, Suit, pack_of, rank_index
from domain.cards.facts import Fact
from domain.game.options import option
from domain.game.tricks import CardOrder, order_of

PACK: Final = pack_of("ATKQJ9")
RANK_ORDER: Final = tuple(rank_index(rank) for rank in "ATKQJ9")
VALUE: Final = tuple({12: 11, 8: 10, 11: 4, 10: 3, 9: 2}.get(card % 13, 0) if card < 52 else 0 for card in range(54))
KING: Final = rank_index("K")
QUEEN: Final = rank_index("Q")
_NUMBERS: Final = tuple(str(number) for number in range(100))
PAIRED: Final = (QUEEN, KING)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule options of Cross Game."""

    announce: Annotated[
        Literal["automatic", "declared"],
        option(
            "When does a king-queen pair count?",
            "CG.g7",
            automatic="when one of them is led",
            declared="only if it is announced before the lead",
        ),
    ] = "automatic"
    passed_out: Annotated[
        Literal["same_dealer", "next_dealer"],
        option(
            "Who deals again after both have passed?",
            "CG.g6",
            "match",
            same_dealer="the same player",
            next_dealer="the other player",
        ),
    ] = "same_dealer"


class BidMade(Fact, frozen=True, tag="bid"):
    """A seat estimated its cross points."""

    phrases: ClassVar = {
        "bid": "bids {bid}",
        "bid.offered": "bid {bid}",
        "bid.asks": "what bid?",
        "bid.awaited": "a bid",
    }
    asks: ClassVar = "bid.asks"

    bid: Annotated[int, msgspec.Meta(ge=0, le=99)]

    def as_call(self) -> str | None:
        return str(self.bid)

    @classmethod
    def of_call(cls, seat: int, call: str) -> Fact | None:
        """A number of one or two digits."""
        return cls(seat, int(call)) if call in _NUMBERS else None


class AnnouncementMade(Fact, frozen=True, tag="announce"):
    """A seat on lead showed king and queen of a suit."""

    phrases: ClassVar = {
        "announce": "shows king and queen of {suit:suit}",
        "announce.offered": "K-Q {suit:suit}",
        "announce.asks": "an announcement?",
        "announce.awaited": "an announcement",
    }
    asks: ClassVar = "announce.asks"

    suit: Suit

    def as_call(self) -> str | None:
        """`!` and the suit; beside a lead that shows the pair, CTN writes `!20` or `!40` instead."""
        return f"!{self.suit}"

    @classmethod
    def of_call(cls, seat: int, call: str) -> Fact | None:
        return next((cls(seat, suit) for suit in SUITS if call == f"!{suit}"), None)


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two hands of 8, and a stock of 8, top card first."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]


def cross_game_order(trump: int) -> CardOrder:
    """A 10 K Q J 9, trumps above the other suits (CG.2, CG.4)."""
    return order_of(trump, RANK_ORDER)


def pair_of(suit: int) -> int:
    """King and queen of a suit as a bit set."""
    return (1 << (13 * suit + KING)) | (1 << (13 * suit + QUEEN))
