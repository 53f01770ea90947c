"""The script of a game: how its deals, its play and its results are written in notation, and read again."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, Protocol, TypeAlias

import msgspec

from domain.cards.card import Card
from domain.cards.facts import CardPlayed, Fact, Passed

WHOLE: Final = "PLAY"  # the section of a game that has no other

Calls: TypeAlias = tuple[tuple[int, str], ...]  # (seat, call), in order
Sums: TypeAlias = tuple[int, ...]  # by seat


class DealCards(msgspec.Struct, frozen=True):
    """A deal as notation writes it: the hands in order, the stock, top card first, or cards laid out in rows from
    the top (null is the gap), and the seat that plays red."""

    hands: tuple[tuple[Card, ...], ...] = ()
    stock: tuple[Card, ...] = ()
    rows: tuple[tuple[Card | None, ...], ...] = ()
    red: int | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card in it, in the order in which it is written."""
        parts = (*self.hands, self.stock, *self.rows)
        return tuple(card for part in parts for card in part if card is not None)


class NotedSection(msgspec.Struct, frozen=True):
    """One section of an entered result as notation writes it: the calls, then the sums by seat."""

    calls: Calls
    sums: Sums


class Script(Protocol):
    """The notation of one game. What is not overridden holds for a game of one section in which no figure is summed
    and no entered result can be told by calls and sums."""

    histories_omit_pass: ClassVar[bool] = False  # a history does not write the pass that ends a deal

    def sections(self, options: Any) -> tuple[str, ...]:
        """The marks of notation, one for each stretch that is summed: ("P1", "P2"), ("BID",)."""
        return (WHOLE,)

    def cards_of(self, deal: Any) -> DealCards:
        """A deal as notation writes it."""
        ...

    def deal_of(self, options: Any, cards: DealCards) -> Any:
        """The deal that notation wrote; `check_deal` of the game says what is wrong with it."""
        ...

    def move_text(self, before: Any, fact: Fact) -> str | None:
        """A fact in the course of play, with what the table tells of it (`SK`, `SQ@d4`, `D3g4`, `*S2`,
        `-`); None for a call, which names its seat."""
        return card_text(fact)

    def section_sums(self, state: Any) -> tuple[Sums, ...]:
        """The figures that a score sheet sums by seat, for each section that is complete."""
        return ()

    def announced_points(self, before: Any, after: Any) -> int | None:
        """The points that a fact announced by itself (`!n` in notation), if any."""
        return None

    def entry_noted(self, options: Any, dealer: int, entry: Any) -> tuple[NotedSection, ...] | None:
        """An entered result, section by section; None where calls and sums cannot tell it."""
        return None

    def entry_read(self, options: Any, calls: Calls, sums: Sequence[Sums]) -> dict[str, Any] | None:
        """The entry that calls and sums of a summary tell; None where they do not suffice."""
        return None


class PlainScript(Script):
    """The script of a game of cards and passes: hands (and a stock) are dealt, a card is its name, a pass a dash."""

    deal: ClassVar[type[msgspec.Struct]]

    def cards_of(self, deal: Any) -> DealCards:
        """The hands, and the stock of a deal that has one."""
        return DealCards(**msgspec.structs.asdict(deal))

    def deal_of(self, options: Any, cards: DealCards) -> Any:
        """The hands, and the stock of a deal that has one."""
        parts = msgspec.structs.asdict(cards)
        return self.deal(**{name: parts[name] for name in self.deal.__struct_fields__})

    def move_text(self, before: Any, fact: Fact) -> str | None:
        """A card, or a dash for a pass."""
        return "-" if isinstance(fact, Passed) else card_text(fact)


def mark_of(section: str) -> str:
    """The mark that opens a section; empty for a game with a single one."""
    return "" if section == WHOLE else section


def card_text(fact: Fact) -> str | None:
    """A played card by its name; None for anything else."""
    return str(fact.card) if isinstance(fact, CardPlayed) else None
