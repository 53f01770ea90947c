"""Lookout (ledger LO): eleven tricks with spades as trumps; the non-dealer alone has looked at a card that is not in play."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, TypeAlias

import msgspec

from domain.cards.card import Card, cards_in, mask_of, pack_of, rank_index, suit_index
from domain.cards.facts import CardPlayed, Fact
from domain.cards.seats import left_of
from domain.game.judgement import Breach, Duty, misfit
from domain.game.paper import Stretch
from domain.game.protocol import ALL, Table, TwoHands, Viewer, Worked
from domain.game.race import Race
from domain.game.script import Calls, PlainScript, Sums
from domain.game.sheet import EntryError, EntryField, PlainSheet, Result
from domain.game.shown import Figure, tricks_taken
from domain.game.sight import hands_for, legal_for, on_table
from domain.game.tricks import (
    Playing,
    begin,
    card_breaches,
    follow_duty,
    legal_plays,
    lying,
    may_play,
    order_of,
    play_card,
)
from domain.log.event import JsonObject
from domain.log.message import Message

PACK: Final = pack_of("AKQJT9")
ORDER: Final = order_of(suit_index("S"), tuple(rank_index(rank) for rank in "AKQJT9"))
TRICKS: Final = 11


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No options."""


class CardWatched(Fact, frozen=True, tag="lookout"):
    """The non-dealer looked at the top card of the stock; nobody else has seen it."""

    hides: ClassVar = ("card",)
    phrases: ClassVar = {
        "lookout": "looks at {card:card}",
        "lookout.offered": "looked at {card:short}",
        "lookout.unseen": "looks at the top card",
        "lookout.unseen.offered": "look at the top card",
        "lookout.asks": "looked?",
        "lookout.awaited": "a look at the top card",
    }
    asks: ClassVar = "lookout.asks"

    card: Card | None = None

    def as_call(self) -> str | None:
        return "look" if self.card is None else f"look{self.card}"

    @classmethod
    def of_call(cls, seat: int, call: str) -> "Fact | None":
        found = (card for card in cards_in(PACK) if call == f"look{card}")
        return cls(seat) if call == "look" else next((cls(seat, card) for card in found), None)


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two hands of eleven, and a stock of two."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]


class Watching(msgspec.Struct, frozen=True, gc=False):
    """Waiting for the look."""

    dealer: int
    deal: Deal | None


class Watched(msgspec.Struct, frozen=True, gc=False):
    """A look that was taken, and at which card, where that is known."""

    dealer: int
    deal: Deal | None
    seat: int
    card: Card | None


class Over(msgspec.Struct, frozen=True, gc=False):
    """A complete deal."""

    base: Watched
    tricks: tuple[int, ...]
    last: tuple[tuple[int, ...], tuple[int, ...]]
    seen: int


State: TypeAlias = Watching | Playing | Over


class LookoutTable(Table, frozen=True, kw_only=True):
    """The table, with who has looked, and at which card where the viewer knows it."""

    looked: int | None = None
    looked_at: Card | None = None

    @property
    def notes(self) -> tuple[Message, ...]:
        """The look."""
        if self.looked is None:
            return ()
        if self.looked_at is None:
            return (Message("looked", {"seat": self.looked}),)
        return (Message("looked_at", {"seat": self.looked, "card": str(self.looked_at)}),)


class LookoutResult(Result, frozen=True, omit_defaults=True):
    """A point a trick."""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Tricks."""
        return tricks_taken(self.scores)


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tricks of each seat."""

    tricks: tuple[Annotated[int, msgspec.Meta(ge=0, le=TRICKS)], Annotated[int, msgspec.Meta(ge=0, le=TRICKS)]]


FORM: Final = tuple(
    EntryField(f"tricks.{seat}", "tricks", "number", high=TRICKS, seat=seat, adds_up=TRICKS) for seat in (0, 1)
)


def score_entry(entry: Entry) -> LookoutResult:
    """The score of entered tricks. Raises EntryError when they are not eleven (LO.i1)."""
    if sum(entry.tricks) != TRICKS:
        raise EntryError("LO.i1", f"all tricks together make {TRICKS}, not {sum(entry.tricks)}")
    return LookoutResult(scores=entry.tricks)


class LookoutScript(PlainScript):
    """Cards, and the tricks of both at the end."""

    deal: ClassVar = Deal

    def section_sums(self, state: State) -> tuple[Sums, ...]:
        return (state.tricks,) if isinstance(state, Over) else ()

    def entry_read(self, options: Options, calls: Calls, sums: Sequence[Sums]) -> JsonObject | None:
        return {"tricks": list(sums[0])} if len(sums) == 1 else None


@dataclass(frozen=True, eq=False)
class Lookout(TwoHands[Options, State]):
    """The game through the protocol of `domain.game.protocol`."""

    key: ClassVar = "lookout"
    title: ClassVar = "Lookout"
    phrases: ClassVar = {
        "looked": "{seat:seat} has looked at the top card",
        "looked_at": "{seat:seat} has looked at {card:card}",
    }
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (CardWatched, CardPlayed)
    race: ClassVar = Race(target=50)
    hand_size: ClassVar = TRICKS
    sheet: ClassVar = PlainSheet(Entry, FORM, score_entry)
    script: ClassVar = LookoutScript()
    rules: ClassVar = (
        ("LO.1", "A pack of twenty-four: Ace, King, Queen, Jack, Ten and Nine of each suit."),
        ("LO.2", "Eleven cards each; two are left face down as the stock. The deal alternates."),
        ("LO.3", "The non-dealer looks at the top card of the stock, shows it to nobody and puts it back."),
        (
            "LO.4",
            "The non-dealer leads. A player who holds the suit that was led plays it; one who does not plays any card. The highest spade wins; where none lies, the highest card of the suit that was led. The winner leads next.",
        ),
        ("LO.5", "A trick is a point. Game is 50."),
        ("LO.g1", "The stock stays face down to the end."),
        ("LO.i1", "The tricks of both make eleven."),
    )
    worked: ClassVar = (Worked({"tricks": [7, 4]}, "Seven tricks and four are seven points and four."),)

    def pack(self, options: Options) -> int:
        """Twenty-four cards (LO.1)."""
        return PACK

    def paper(self, options: Options) -> tuple[Stretch, ...]:
        """The look, eleven tricks, and their number."""
        return (Stretch("", 1, TRICKS, 2, 2),)

    def start(self, options: Options, dealer: int, deal: Deal | None) -> State:
        """The non-dealer is to look (LO.3)."""
        return Watching(dealer, deal)

    def to_act(self, state: State) -> int | None:
        """The seat whose turn it is."""
        if isinstance(state, Watching):
            return left_of(state.dealer, 2)
        return state.turn if isinstance(state, Playing) else None

    def legal(self, state: State) -> tuple[Fact, ...]:
        """The look, then the cards that may be played."""
        if isinstance(state, Watching):
            seat = left_of(state.dealer, 2)
            cards = cards_in(PACK) if state.deal is None else ()
            return (CardWatched(seat), *(CardWatched(seat, card) for card in cards))
        return legal_plays(state) if isinstance(state, Playing) else ()

    def breaches(self, state: State, fact: Fact) -> tuple[Breach, ...]:
        """Reasons against a fact; a legal card takes the first line."""
        if type(fact) is CardPlayed and type(state) is Playing and may_play(state, fact):
            return ()
        if isinstance(state, Playing) and isinstance(fact, CardPlayed) and fact.seat < 2:
            return card_breaches(state, fact, "LO.4", PACK)
        if not isinstance(state, Watching) or not isinstance(fact, CardWatched) or fact.seat > 1:
            return misfit("this has no place here")
        if fact.card is not None and (state.deal is not None or not PACK >> fact.card & 1):
            return misfit("the deal tells which card it is, or it is not in the pack")
        seat = left_of(state.dealer, 2)
        return () if fact.seat == seat else (Breach("LO.3", "OOB", f"seat {fact.seat} looks, but seat {seat} may"),)

    def evolve(self, state: State, fact: Fact) -> State:
        """The table after the fact."""
        if fact.seat > 1:
            return state
        if isinstance(state, Watching) and isinstance(fact, CardWatched):
            if fact.card is not None and (state.deal is not None or not PACK >> fact.card & 1):
                return state
            dealt = None if state.deal is None else state.deal.stock[0]
            base = Watched(state.dealer, state.deal, fact.seat, fact.card if dealt is None else dealt)
            return begin(base, ORDER, _hands(base), state.deal is not None, left_of(state.dealer, 2), 0, 2 * TRICKS)
        if isinstance(state, Playing) and isinstance(fact, CardPlayed) and PACK >> fact.card & 1:
            after = play_card(state, fact.seat, fact.card)
            return after if after.left else Over(after.base, after.tricks, after.last, after.seen)
        return state

    def score(self, state: State) -> LookoutResult | None:
        """A point a trick (LO.5)."""
        return LookoutResult(scores=state.tricks) if isinstance(state, Over) else None

    def duty(self, state: State) -> Duty | None:
        """The led suit (LO.4)."""
        return follow_duty(state, "LO.4", 1) if isinstance(state, Playing) else None

    lying: ClassVar = staticmethod(lying)

    def view(self, state: State, viewer: Viewer) -> Table:
        """The table as the viewer may see it."""
        seat, legal = self.to_act(state), self.legal(state)
        if isinstance(state, Watching):
            known = state.deal is not None
            shown = hands_for(viewer, _hands(state), known)
            told = legal_for(viewer, seat, known, legal)
            return LookoutTable(to_act=seat, phase=1, tricks=(0, 0), stock=2, trumps="S", hands=shown, legal=told)
        base: Watched = state.base
        known = base.deal is not None
        return LookoutTable(
            to_act=seat,
            phase=1,
            tricks=state.tricks,
            stock=2,
            trumps="S",
            legal=legal_for(viewer, seat, known, legal),
            trick=on_table(state.seats, state.cards) if isinstance(state, Playing) else (),
            last_trick=on_table(*state.last),
            seen=tuple(cards_in(state.seen)),
            hands=hands_for(viewer, state.hands if isinstance(state, Playing) else (0, 0), known),
            looked=base.seat,
            looked_at=base.card if viewer in (ALL, base.seat) else None,
        )


def _hands(base: Watching | Watched) -> tuple[int, ...]:
    """The hands as bit sets; with physical cards each may hold any card."""
    return (PACK, PACK) if base.deal is None else tuple(mask_of(hand) for hand in base.deal.hands)


GAME = Lookout()
