"""Garbo: its options, the facts of its own, its deal, and what suits and ranks are worth."""

from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import msgspec

from domain.cards.card import CARD_OF, RANKS, SUITS, Card, pack_of
from domain.cards.facts import Fact
from domain.game.options import option
from domain.log.message import Message

PACK: Final = pack_of("789TJQKA")
SUIT_VALUES: Final[dict[str, int]] = {"S": 1, "H": 2, "C": 3, "D": 4}  # GA.g1
RANK_VALUES: Final[dict[str, int]] = {"J": 5, "K": 6, "7": 7, "8": 8, "9": 9, "T": 10, "A": 11, "Q": 12}
PACKETS: Final[dict[str, tuple[int, ...]]] = {"book": (4, 8, 4), "web": (4, 4, 8)}

# One ring of the sixteen that a row of all the cards would need, either way from the first card.
Step: TypeAlias = Annotated[int, msgspec.Meta(ge=-15, le=15)]
Cell: TypeAlias = tuple[Step, Step]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule options of Garbo."""

    draw_schedule: Annotated[
        Literal["book", "web"],
        option("How many cards are dealt at a time?", "GA.g2", book="4, then 8, then 4", web="4, then 4, then 8"),
    ] = "book"
    suit_scope: Annotated[
        Literal["adjacent", "line"],
        option(
            "Where do suits match?",
            "GA.g3",
            adjacent="on the eight squares round a card",
            line="all along row, column and diagonals",
        ),
    ] = "adjacent"
    claims: Annotated[
        Literal["automatic", "manual"],
        option(
            "Do matches have to be claimed?",
            "GA.g6",
            automatic="no, they count by themselves",
            manual="yes, before the claimant's next card",
        ),
    ] = "automatic"


def square_name(cell: tuple[int, int]) -> str:
    """A square as people write it, the first card being d4 of a seven by seven frame (CTN)."""
    return f"{'abcdefg'[cell[1] + 3]}{4 - cell[0]}"


def _called(card: Card, cell: tuple[int, int]) -> str | None:
    return f"{card}@{square_name(cell)}" if max(map(abs, cell)) <= 3 else None


def _of_call(call: str) -> tuple[Card, tuple[int, int]] | None:
    card, column, row = CARD_OF.get(call[:2]), "abcdefg".find(call[3:4]), call[4:]
    if card is None or call[2:3] != "@" or column < 0 or len(row) != 1 or row not in "1234567":
        return None
    return card, (4 - int(row), column - 3)


class LaidCard(Fact, frozen=True):
    """A card that a seat laid on a square, counted from the first card."""

    card: Card
    cell: Cell

    def as_call(self) -> str | None:
        return _called(self.card, self.cell)

    @classmethod
    def of_call(cls, seat: int, call: str) -> Fact | None:
        """The fact that a call like `SQ@d4` tells."""
        read = _of_call(call)
        return cls(seat, *read) if read else None

    @classmethod
    def of_word(cls, seat: int, word: str) -> tuple[Fact, ...]:
        """The fact that a word of notation like `SQ@d4` tells."""
        fact = cls.of_call(seat, word)
        return (fact,) if fact else ()

    def said(self) -> Message:
        """With the square by its name."""
        word = str(self.__struct_config__.tag)
        if max(map(abs, self.cell)) > 3:
            return Message(f"{word}.off", {"card": str(self.card)})
        return Message(word, {"card": str(self.card), "square": square_name(self.cell)})


class CardPlaced(LaidCard, frozen=True, tag="place"):
    """A seat laid a card beside those on the table; squares are counted from the first card."""

    phrases: ClassVar = {
        "place": "plays {card:card} to {square:square}",
        "place.off": "plays {card:card} outside the frame",
        "place.named": "place",
        "place.awaited": "a card in the square",
    }
    control: ClassVar = "square"


class CardCovered(LaidCard, frozen=True, tag="cover"):
    """A seat laid a card on one of the first level."""

    phrases: ClassVar = {
        "cover": "covers {square:square} with {card:card}",
        "cover.off": "covers nothing with {card:card}",
        "cover.named": "cover",
        "cover.awaited": "a card that covers another",
    }
    control: ClassVar = "square"


class ClaimMade(Fact, frozen=True, tag="claim"):
    """A seat claimed points for matches that the other one made."""

    phrases: ClassVar = {"claim": "claims {claim}", "claim.named": "claim", "claim.awaited": "a claim"}
    control: ClassVar = "number"

    claim: Annotated[int, msgspec.Meta(ge=1, le=999)]

    def as_call(self) -> str | None:
        return f"!{self.claim}"

    @classmethod
    def of_call(cls, seat: int, call: str) -> Fact | None:
        points = call[1:]
        claims = call[:1] == "!" and points.isdecimal() and points.isascii() and 1 <= int(points) <= 999
        return cls(seat, int(points)) if claims else None

    @classmethod
    def of_word(cls, seat: int, word: str) -> tuple[Fact, ...]:
        """Said behind the card that gave the points: the other seat claims them."""
        fact = cls.of_call(seat, word)
        return (fact,) if fact else ()


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Three packets for each seat, dealt before plays 1, 9 and 17."""

    packets: tuple[tuple[tuple[Card, ...], ...], ...]


def _by_card(value_of: dict[str, int], part: int) -> tuple[int, ...]:
    return tuple(value_of.get((suit + rank)[part], 0) for suit in SUITS for rank in RANKS)


SUIT_WORTH: Final = _by_card(SUIT_VALUES, 0)
RANK_WORTH: Final = _by_card(RANK_VALUES, 1)
