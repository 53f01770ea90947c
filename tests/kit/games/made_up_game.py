"""High card, an eighth game for tests: the aces, two seats, two cards each, two tricks, high suit wins."""

from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias
from unittest.mock import patch

import msgspec

from domain import codec, english, games, registry
from domain.cards.card import Card, cards_in, mask_of, pack_of
from domain.cards.facts import CardPlayed, Fact
from domain.game.codes import Code
from domain.game.judgement import Breach, misfit
from domain.game.protocol import ALL, Table, TwoHands, Viewer, Worked
from domain.game.race import Race
from domain.game.remedy import Remedied, Remedy, Wrong
from domain.game.script import PlainScript
from domain.game.sheet import EntryError, EntryField, PlainSheet, Result
from domain.game.shown import Figure, Layout, Square
from domain.game.sight import hands_for, legal_for, on_table
from domain.log.message import Message

PACK = pack_of("A")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hands: tuple[tuple[Card, ...], ...]


class HandShaken(Fact, frozen=True, tag="hchand"):
    """A fact of its own: the non-dealer shakes hands before the first lead."""

    phrases: ClassVar = {
        "hchand": "shakes hands",
        "hchand.offered": "shake hands",
        "hchand.asks": "a hand?",
        "hchand.awaited": "a handshake",
    }
    asks: ClassVar = "hchand.asks"


class CardPeeked(Fact, frozen=True, tag="hcpeek"):
    """A secret fact of its own: before the hands are shaken the non-dealer looks at one card of the dealer."""

    hides: ClassVar = ("card",)
    phrases: ClassVar = {
        "hcpeek": "peeks at {card:card}",
        "hcpeek.unseen": "peeks at a card",
        "hcpeek.awaited": "a peek",
    }

    card: Card | None = None


class Greeting(msgspec.Struct, frozen=True):
    dealer: int
    deal: Deal | None
    peek: CardPeeked | None = None


class Tricks(msgspec.Struct, frozen=True):
    greeting: Greeting
    hands: tuple[int, ...]
    turn: int
    trick: tuple[CardPlayed, ...] = ()
    won: tuple[int, ...] = (0, 0)
    seen: int = 0


class Over(msgspec.Struct, frozen=True):
    won: tuple[int, ...]
    seen: int


State: TypeAlias = Greeting | Tricks | Over


class HighTable(Table, frozen=True, kw_only=True):
    """A figure, notes and a layout of its own: who has peeked, and at which card where the viewer knows."""

    aces: tuple[int, ...] = (0, 0)
    peeked: int | None = None
    peeked_at: Card | None = None

    @property
    def figures(self) -> tuple[Figure, ...]:
        return (*super().figures, Figure("aces", self.aces))

    @property
    def notes(self) -> tuple[Message, ...]:
        if self.peeked is None:
            return (Message("high"),)
        if self.peeked_at is None:
            return (Message("high"), Message("peeked", {"seat": self.peeked}))
        return (Message("high"), Message("peeked_at", {"seat": self.peeked, "card": str(self.peeked_at)}))

    @property
    def layout(self) -> Layout | None:
        squares = tuple(Square(f"{'ab'[place]}1", (0, place), card) for place, card in enumerate(self.seen[:2]))
        return Layout(("a", "b"), ("1",), (squares,)) if len(squares) == 2 else None


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tricks: tuple[int, int]


def scored(won: tuple[int, ...]) -> Result:
    return Result(scores=won)


class HighCardScript(PlainScript):
    deal: ClassVar = Deal

    def section_sums(self, state: State) -> tuple[tuple[int, ...], ...]:
        return (state.won,) if isinstance(state, Over) else ()

    def entry_read(self, options: Options, calls: Any, sums: Any) -> dict[str, Any] | None:
        return {"tricks": list(sums[0])} if sums else None


FIELDS = tuple(EntryField(f"tricks.{seat}", "tricks", "number", high=2, seat=seat) for seat in (0, 1))


def score_entry(entry: Entry) -> Result:
    if sum(entry.tricks) != 2:
        raise EntryError("HC.1", "there are two tricks")
    return scored(entry.tricks)


@dataclass(frozen=True, eq=False)
class HighCard(TwoHands[Options, State]):
    key: ClassVar = "high_card"
    title: ClassVar = "High Card"
    phrases: ClassVar = {
        "aces": "{n} ace won|{n} aces won",
        "high": "the high suit wins",
        "remedy.unseen": "{n} trick passes to {other:seat}|{n} tricks pass to {other:seat}",
        "peeked": "{seat:seat} has peeked",
        "peeked_at": "{seat:seat} has peeked at {card:card}",
    }
    codes: ClassVar = (
        Code(
            "PEK",
            "Second look",
            "More than one look, or one at a card of one's own.",
            ("P",),
            (1, 1),
            ("table",),
            ("unseen",),
        ),
    )
    rules: ClassVar = (("HC.1", "Four aces, two each; the higher suit takes the trick."),)
    worked: ClassVar = (Worked({"tricks": [2, 0]}, "Both tricks are two points."),)
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (HandShaken, CardPeeked, CardPlayed)
    race: ClassVar = Race(target=3)
    hand_size: ClassVar = 2
    sheet: ClassVar = PlainSheet(Entry, FIELDS, score_entry)
    script: ClassVar = HighCardScript()

    def pack(self, options: Options) -> int:
        return PACK

    def start(self, options: Options, dealer: int, deal: Deal | None) -> State:
        return Greeting(dealer, deal)

    def to_act(self, state: State) -> int | None:
        if isinstance(state, Greeting):
            return 1 - state.dealer
        return state.turn if isinstance(state, Tricks) else None

    def legal(self, state: State) -> tuple[Fact, ...]:
        if isinstance(state, Greeting):
            return (*_peeks(state), HandShaken(1 - state.dealer))
        if isinstance(state, Over):
            return ()
        return tuple(CardPlayed(state.turn, card) for card in cards_in(state.hands[state.turn]))

    def breaches(self, state: State, fact: Fact) -> tuple[Breach, ...]:
        wanted = {Greeting: (HandShaken, CardPeeked), Tricks: (CardPlayed,), Over: ()}[type(state)]
        if type(fact) not in wanted or fact.seat > 1:
            return misfit("not now")
        found = []
        if isinstance(fact, CardPeeked) and (state.peek or fact not in _peeks(state)):
            found.append(Breach("HC.1", "PEK", "one look at one of the dealer's cards"))
        elif fact.seat != self.to_act(state):
            found.append(Breach("HC.1", "POT", "it is the other seat's turn"))
        if isinstance(state, Tricks) and not state.hands[fact.seat] >> fact.card & 1:
            code = "DUP" if state.seen >> fact.card & 1 else "NIH"
            found.append(Breach("HC.1", code, f"{fact.card} is not in the hand"))
        return tuple(found)

    def evolve(self, state: State, fact: Fact) -> State:
        if fact.seat > 1:
            return state
        if isinstance(state, Greeting) and isinstance(fact, HandShaken):
            known = state.deal is not None
            hands = tuple(mask_of(hand) for hand in state.deal.hands) if known else (PACK, PACK)
            return Tricks(state, hands, 1 - state.dealer)
        if isinstance(state, Greeting) and isinstance(fact, CardPeeked):
            return Greeting(state.dealer, state.deal, fact)
        if isinstance(state, Tricks) and isinstance(fact, CardPlayed):
            return _played(state, fact)
        return state

    def score(self, state: State) -> Result | None:
        return scored(state.won) if isinstance(state, Over) else None

    def remedy(self, key: str, wrong: Wrong) -> Remedy | None:
        if key != "unseen":
            return None
        n = min(1, wrong.result.scores[wrong.seat])
        scores = tuple(had - n if seat == wrong.seat else had + n for seat, had in enumerate(wrong.result.scores))
        return Remedied(scored(scores), Message("remedy.unseen", {"n": n, "other": 1 - wrong.seat}))

    def view(self, state: State, viewer: Viewer) -> Table:
        known, hands, seen, peek = False, (0, 0), getattr(state, "seen", 0), None
        if not isinstance(state, Over):
            greeting = state if isinstance(state, Greeting) else state.greeting
            known, peek = greeting.deal is not None, greeting.peek
            dealt = tuple(mask_of(hand) for hand in greeting.deal.hands) if known else (PACK, PACK)
            hands = state.hands if isinstance(state, Tricks) else dealt
        trick = state.trick if isinstance(state, Tricks) else ()
        return HighTable(
            peeked=peek and peek.seat,
            peeked_at=peek.card if peek and viewer in (ALL, peek.seat) else None,
            to_act=self.to_act(state),
            phase=1,
            trick=on_table(tuple(each.seat for each in trick), tuple(each.card for each in trick)),
            tricks=getattr(state, "won", (0, 0)),
            aces=tuple(2 * tricks for tricks in getattr(state, "won", (0, 0))),
            hands=hands_for(viewer, hands, known),
            seen=tuple(cards_in(seen)),
            legal=legal_for(viewer, self.to_act(state), known, self.legal(state)),
        )


def _peeks(state: Greeting) -> tuple[CardPeeked, ...]:
    if state.peek:
        return ()
    cards = tuple(cards_in(PACK)) if state.deal is None else tuple(sorted(state.deal.hands[state.dealer]))
    return tuple(CardPeeked(1 - state.dealer, card) for card in (None, *cards))


def _played(state: Tricks, fact: CardPlayed) -> State:
    left = tuple(hand & ~(1 << fact.card) for hand in state.hands)
    seen, trick = state.seen | 1 << fact.card, (*state.trick, fact)
    if len(trick) < 2:
        return Tricks(state.greeting, left, 1 - fact.seat, trick, state.won, seen)
    winner = max(trick, key=lambda each: each.card).seat
    won = tuple(count + (seat == winner) for seat, count in enumerate(state.won))
    if sum(won) == 2:
        return Over(won, seen)
    return Tricks(state.greeting, left, winner, (), won, seen)


GAME = HighCard()


@contextmanager
def among_the_games(found: Any = None):
    """Register High card as one of the games, and restore the games afterwards."""
    before = games.all_games()
    together = found or {**before, GAME.key: GAME}
    with patch.object(games, "_found", lambda: together):
        _forget()
        yield before
    _forget()


def _forget() -> None:
    """Clear the caches that depend on the set of games."""
    for made in (
        games.fact_types,
        codec.fact_decoder,
        codec.decoder,
        codec._words,
        codec._members,
        english.shared,
        english.phrases,
        registry.event_types,
        registry.decoder_of,
        registry.reader,
    ):
        made.cache_clear()
