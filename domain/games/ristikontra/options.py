"""Ristikontra: its options, the facts of its own and its deal."""

from typing import Annotated, Any, Final, Literal

import msgspec

from domain.cards import CARD_OF, RANKS, STANDARD_PACK, Card, pack_of, rank_index
from domain.facts import Fact
from domain.match.race import Race

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


def option(description: str, ledger: str, level: str = "deal") -> Any:
    """What an option says of itself."""
    return msgspec.Meta(description=description, extra={"ledger": ledger, "level": level})


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule options of Ristikontra."""

    values: Annotated[
        Literal["ace-ten", "five"],
        option("what the cards count: ace 11 and ten 10, of 120; or ace 5 and ten 1, of 60", "RK.7"),
    ] = "ace-ten"
    tie_break_tricks: Annotated[
        bool, option("whether the side with more tricks wins when the card points are equal", "RK.8")
    ] = False
    no_fourth_lead: Annotated[
        bool, option("whether a player may not lead the same rank four times in a row", "RK.9")
    ] = False
    spice: Annotated[
        bool, option("whether a winner with a hand card may put the card he draws in its place", "RK.10")
    ] = False
    hand_size: Annotated[Literal[6, 5], option("how many cards a hand holds while the stock lasts", "RK.11")] = 6
    cleaning: Annotated[
        bool,
        option(
            "whether a side that took a queen while the stock lasted must take a king after it; "
            "the last king is then kept until the stock is empty",
            "RK.12",
        ),
    ] = False
    dishonour_points: Annotated[
        Literal[1, 2], option("game points for the other side when one fails to clean", "RK.g11")
    ] = 1
    refill: Annotated[
        Literal["after_trick", "after_card"],
        option("whether hands are filled up after each trick or after each card (not with spice)", "RK.g3"),
    ] = "after_trick"
    scoring_unit: Annotated[
        Literal["deal_wins", "card_points"],
        option(
            "whether a match counts game points, to 7, or card points, to all there are in a deal; "
            "then a side without any in a deal drops to nothing",
            "RK.g13",
            "match",
        ),
    ] = "deal_wins"

    def __post_init__(self) -> None:
        if self.spice and self.refill == "after_card":
            raise ValueError("`spice` needs the card drawn after the trick: it does not go with `refill` after_card")

    @property
    def total(self) -> int:
        """All the card points of the pack (RK.2, RK.7)."""
        return 120 if self.values == "ace-ten" else 60

    @property
    def race(self) -> Race | None:
        """Card points are added up to as many as the pack holds (RK.g13)."""
        return Race(target=self.total) if self.scoring_unit == "card_points" else None


def named(call: str) -> Card | None:
    """The card that a call ends with."""
    return CARD_OF.get(call[-2:])


class DarkPlayed(Fact, frozen=True, tag="dark"):
    """A seat played the top card of the stock unseen; `card` is named with physical cards, as it was turned up."""

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


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Four hands of 6 (5) and a stock of 28 (32), top card first."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
