"""Ristikontra: its options, the facts of its own and its deal."""

from typing import Annotated, ClassVar, Final, Literal

import msgspec

from domain.cards.card import CARD_OF, RANKS, STANDARD_PACK, Card, pack_of, rank_index
from domain.cards.facts import Fact
from domain.game.options import option
from domain.log.message import Message

PACK: Final = STANDARD_PACK
KINGS: Final = pack_of("K")
QUEENS: Final = pack_of("Q")
QUEEN: Final = rank_index("Q")
OF_RANK: Final = tuple(pack_of(rank) for rank in RANKS)
SIDES: Final = ((0, 2), (1, 3))
_WORTH: Final = {
    "ace-ten": {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2},
    "five": {"A": 5, "K": 4, "Q": 3, "J": 2, "T": 1},
}
VALUES: Final = {name: tuple(worth.get(RANKS[card % 13], 0) for card in range(52)) for name, worth in _WORTH.items()}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule options of Ristikontra."""

    values: Annotated[
        Literal["ace-ten", "five"],
        option(
            "What do the cards count?",
            "RK.7",
            **{"ace-ten": "ace 11, ten 10, king 4, queen 3, jack 2", "five": "ace 5, king 4, queen 3, jack 2, ten 1"},
        ),
    ] = "ace-ten"
    tie_break_tricks: Annotated[
        bool, option("Does the side with more tricks win when the card points are equal?", "RK.8")
    ] = False
    no_fourth_lead: Annotated[
        bool, option("May a player lead the same rank four times in a row?", "RK.9", true="no", false="yes")
    ] = False
    spice: Annotated[
        bool, option("May the winner of a trick spice it: put the card drawn in the place of the winning one?", "RK.10")
    ] = False
    hand_size: Annotated[Literal[6, 5], option("How many cards are in a hand while the stock lasts?", "RK.11")] = 6
    cleaning: Annotated[
        bool,
        option(
            "Must a side that took a queen while the stock lasted take a king after it? The last king is then kept "
            "until the stock is empty.",
            "RK.12",
        ),
    ] = False
    dishonour_points: Annotated[
        Literal[1, 2], option("How many game points does a side get when the other fails to clean?", "RK.g11")
    ] = 1
    refill: Annotated[
        Literal["after_trick", "after_card"],
        option(
            "When are hands filled up?",
            "RK.g3",
            after_trick="after each trick",
            after_card="after each card (not with spice)",
        ),
    ] = "after_trick"
    scoring_unit: Annotated[
        Literal["deal_wins", "card_points"],
        option(
            "What does a match count?",
            "RK.g13",
            "match",
            deal_wins="game points, to 7",
            card_points="card points, to all of a deal; a side without any in a deal drops to nothing",
        ),
    ] = "deal_wins"

    def __post_init__(self) -> None:
        if self.spice and self.refill == "after_card":
            raise ValueError("`spice` needs the card drawn after the trick: it does not go with `refill` after_card")

    @property
    def total(self) -> int:
        """All the card points of the pack (RK.2, RK.7)."""
        return 120 if self.values == "ace-ten" else 60


def named(call: str) -> Card | None:
    """The card that a call ends with."""
    return CARD_OF.get(call[-2:])


class DarkPlayed(Fact, frozen=True, tag="dark"):
    """A seat played the top card of the stock unseen; `card` is named with physical cards, as it was turned up."""

    phrases: ClassVar = {
        "dark": "plays {card:card} in the dark",
        "dark.unseen": "plays in the dark",
        "dark.named": "the stock, in the dark",
        "dark.awaited": "a card in the dark",
    }
    control: ClassVar = "card"

    card: Card | None = None

    def as_call(self) -> str | None:
        """`*`, and the card where it is named."""
        return "*" if self.card is None else f"*{self.card}"

    @classmethod
    def of_call(cls, seat: int, call: str) -> Fact | None:
        """`*`, and the card where it is named."""
        made = cls(seat, named(call))
        return made if made.as_call() == call else None

    @classmethod
    def of_word(cls, seat: int, word: str) -> tuple[Fact, ...]:
        """`*S2` with the card, then without it, where the stock tells it; or a star alone."""
        fact = cls.of_call(seat, word)
        return () if not isinstance(fact, DarkPlayed) else (fact, cls(seat))[fact.card is None :]


class SpiceDecided(Fact, frozen=True, tag="spice"):
    """The winner of a trick put the card drawn in the place of the winning one, or left it; `card` is
    named with physical cards when the draw was not recorded."""

    phrases: ClassVar = {
        "spice": "spices the trick with {card:card}",
        "spice.offered": "spice with {card:short}",
        "spice.drawn": "spices the trick with the card drawn",
        "spice.drawn.offered": "spice with the card drawn",
        "spice.no": "does not spice the trick",
        "spice.no.offered": "do not spice",
        "spice.asks": "spice the trick?",
        "spice.awaited": "spicing or not",
    }
    asks: ClassVar = "spice.asks"

    spice: bool
    card: Card | None = None

    def as_call(self) -> str | None:
        """`swap` or `keep`, and the card where it is named."""
        return ("swap" if self.spice else "keep") + ("" if self.card is None else str(self.card))

    @classmethod
    def of_call(cls, seat: int, call: str) -> Fact | None:
        """`swap` or `keep`, and the card where it is named."""
        made = cls(seat, call[:4] == "swap", named(call))
        return made if made.as_call() == call else None

    def said(self) -> Message:
        """With the card where it is named."""
        if not self.spice:
            return Message("spice.no")
        return Message("spice.drawn") if self.card is None else Message("spice", {"card": str(self.card)})


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Four hands of 6 (5) and a stock of 28 (32), top card first."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
