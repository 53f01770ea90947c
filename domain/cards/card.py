"""Cards: what they are called, how they are read and printed, and bit sets of them.

A card is an int so that a hand can be a bit set: 0-51 by suit (clubs, diamonds, hearts, spades) and
within a suit from Two to Ace; 52 is the red joker and 53 the black one.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

Suit: TypeAlias = Literal["C", "D", "H", "S"]
Rank: TypeAlias = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]

SUITS: Final[tuple[Suit, ...]] = get_args(Suit)
RANKS: Final[tuple[Rank, ...]] = get_args(Rank)
SUIT_NAMES: Final[dict[str, str]] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SUIT_SIGNS: Final[dict[str, str]] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RANK_NAMES: Final[dict[str, str]] = dict(
    zip(
        RANKS,
        [
            "Two",
            "Three",
            "Four",
            "Five",
            "Six",
            "Seven",
            "Eight",
            "Nine",
            "Ten",
            "Jack",
            "Queen",
            "King",
            "Ace",
        ],
        strict=True,
    )
)

RED_JOKER: Final = 52
BLACK_JOKER: Final = 53
ALL_CARDS: Final = (1 << 54) - 1

_CODES: Final = (*(suit + rank for suit in SUITS for rank in RANKS), "XR", "XB")


class Card(int):
    """One card; prints suit first (`SA`, `HT`, `XR`)."""

    __slots__ = ()

    def __str__(self) -> str:
        return _CODES[self]

    def __repr__(self) -> str:
        return f"Card({_CODES[self]})"

    @property
    def suit(self) -> str:
        """`C D H S`, or `X` for a joker."""
        return _CODES[self][0]

    @property
    def rank(self) -> str:
        """`2` to `A`; `R` or `B` for a joker."""
        return _CODES[self][1]

    @property
    def spoken(self) -> str:
        """The card's name as a person says it: "Queen of hearts"."""
        if self >= RED_JOKER:
            return "red joker" if self == RED_JOKER else "black joker"
        return f"{RANK_NAMES[self.rank]} of {SUIT_NAMES[self.suit]}"


CARDS: Final = tuple(Card(number) for number in range(54))

# Suit letters and rank letters never collide, so both orders are read.
CARD_OF: Final[dict[str, Card]] = {
    **{str(card): card for card in CARDS},
    **{str(card)[::-1]: card for card in CARDS[:52]},
    "RJ": CARDS[RED_JOKER],
    "BJ": CARDS[BLACK_JOKER],
}

SUIT_MASK: Final = tuple(0x1FFF << (13 * suit) for suit in range(4))
STANDARD_PACK: Final = (1 << 52) - 1


def parse_card(text: str) -> Card:
    """The card that `text` names, in either order of suit and rank.

    Raises ValueError for anything else.
    """
    try:
        return CARD_OF[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is not a card: write suit and rank, like SA, HT or D7, or XR XB for the jokers"
        ) from None


def suit_index(suit: str) -> int:
    """Place of a suit letter in `SUITS`."""
    return "CDHS".index(suit)


def rank_index(rank: str) -> int:
    """Place of a rank letter in `RANKS`: Two is 0, Ace 12."""
    return "23456789TJQKA".index(rank)


def pack_of(ranks: str) -> int:
    """The bit set of all cards of these ranks, in four suits."""
    return mask_of(CARD_OF[suit + rank] for suit in SUITS for rank in ranks)


def mask_of(cards: Iterable[int]) -> int:
    """The bit set that holds these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: int) -> Iterator[Card]:
    """The cards of a bit set, lowest first."""
    while mask:
        low = mask & -mask
        yield CARDS[low.bit_length() - 1]
        mask ^= low


_AS_SORTED: Final = (*reversed(CARDS[:RED_JOKER]), CARDS[BLACK_JOKER], CARDS[RED_JOKER])


@lru_cache(maxsize=4096)
def sorted_hand(mask: int) -> tuple[Card, ...]:
    """A hand as a player sorts it: spades, hearts, diamonds, clubs, high cards first, jokers last. Who looks at a
    table asks for the same hands again and again."""
    return tuple([card for card in _AS_SORTED if mask >> card & 1])
