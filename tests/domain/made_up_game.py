"""High card, an eighth game for tests: the aces, two seats, two cards each, two tricks, high suit wins."""

from typing import Any, ClassVar, TypeAlias

import msgspec

from domain.cards import Card, cards_in, mask_of, pack_of
from domain.facts import CardPlayed, Fact
from domain.game import (
    Breach,
    DealCards,
    Duty,
    EntryError,
    EntryField,
    Result,
    Table,
    Viewer,
    Worked,
    card_word,
    misfit,
)
from domain.match.race import Race
from domain.seats import left_of
from domain.sight import hands_for, legal_for, on_table

PACK = pack_of("A")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hands: tuple[tuple[Card, ...], ...]


class HandShaken(Fact, frozen=True, tag="shake"):
    """A fact of its own: the non-dealer shakes hands before the first lead."""


class Greeting(msgspec.Struct, frozen=True):
    dealer: int
    deal: Deal | None


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


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tricks: tuple[int, int]


def scored(won: tuple[int, ...]) -> Result:
    return Result(scores=won)


class HighCard(msgspec.Struct, frozen=True):
    key: ClassVar = "high_card"
    version: ClassVar = 1
    title: ClassVar = "High Card"
    rules: ClassVar = (("HC.1", "Four aces, two each; the higher suit takes the trick."),)
    worked: ClassVar = (Worked({"tricks": [2, 0]}, "Both tricks are two points."),)
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (HandShaken, CardPlayed)
    remarks: ClassVar = ()
    race: ClassVar = Race(target=3)

    def sections(self, options: Options) -> tuple[str, ...]:
        return ("PLAY",)

    def seats(self, options: Options) -> int:
        return 2

    def sides(self, options: Options) -> tuple[tuple[int, ...], ...]:
        return ((0,), (1,))

    def pack(self, options: Options) -> int:
        return PACK

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Deal:
        return Deal(hands=(cards[:2], cards[2:]))

    def check_deal(self, options: Options, deal: Deal) -> str | None:
        whole = mask_of(card for hand in deal.hands for card in hand) == PACK
        return None if whole and [len(hand) for hand in deal.hands] == [2, 2] else "two hands of two"

    def next_dealer(self, options: Options, dealer: int, passed_out: bool) -> int:
        return left_of(dealer, 2)

    def start(self, options: Options, dealer: int, deal: Deal | None) -> State:
        return Greeting(dealer, deal)

    def to_act(self, state: State) -> int | None:
        if isinstance(state, Greeting):
            return 1 - state.dealer
        return state.turn if isinstance(state, Tricks) else None

    def legal(self, state: State) -> tuple[Fact, ...]:
        if isinstance(state, Greeting):
            return (HandShaken(1 - state.dealer),)
        if isinstance(state, Over):
            return ()
        return tuple(CardPlayed(state.turn, card) for card in cards_in(state.hands[state.turn]))

    def breaches(self, state: State, fact: Fact) -> tuple[Breach, ...]:
        wanted = {Greeting: HandShaken, Tricks: CardPlayed, Over: None}[type(state)]
        if type(fact) is not wanted or fact.seat > 1:
            return misfit("not now")
        found = []
        if fact.seat != self.to_act(state):
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
        if isinstance(state, Tricks) and isinstance(fact, CardPlayed):
            return _played(state, fact)
        return state

    def score(self, state: State) -> Result | None:
        return scored(state.won) if isinstance(state, Over) else None

    def duty(self, state: State) -> Duty | None:
        return None

    def entry(self, options: Options) -> type[msgspec.Struct]:
        return Entry

    def entry_form(self, options: Options) -> tuple[EntryField, ...]:
        return tuple(EntryField(f"tricks.{seat}", "tricks", "number", high=2, seat=seat) for seat in (0, 1))

    def score_entry(self, options: Options, entry: Entry) -> Result:
        if sum(entry.tricks) != 2:
            raise EntryError("HC.1", "there are two tricks")
        return scored(entry.tricks)

    def to_spread(self, deal: Deal) -> DealCards:
        return DealCards(deal.hands)

    def from_spread(self, options: Options, spread: DealCards) -> Deal:
        return Deal(hands=spread.hands)

    def word(self, before: State, fact: Fact) -> str | None:
        return card_word(fact)

    def sums(self, state: State) -> tuple[tuple[int, ...], ...]:
        return (state.won,) if isinstance(state, Over) else ()

    def announced_points(self, before: State, after: State) -> int | None:
        return None

    def entry_noted(self, options: Options, dealer: int, entry: Entry) -> Any:
        return (((), entry.tricks),)

    def entry_read(self, options: Options, calls: Any, sums: Any) -> dict[str, Any] | None:
        return {"tricks": list(sums[0])} if sums else None

    def view(self, state: State, viewer: Viewer) -> Table:
        known, hands, seen = False, (0, 0), getattr(state, "seen", 0)
        if not isinstance(state, Over):
            greeting = state if isinstance(state, Greeting) else state.greeting
            known = greeting.deal is not None
            dealt = tuple(mask_of(hand) for hand in greeting.deal.hands) if known else (PACK, PACK)
            hands = state.hands if isinstance(state, Tricks) else dealt
        trick = state.trick if isinstance(state, Tricks) else ()
        return Table(
            to_act=self.to_act(state),
            phase=1,
            trick=on_table(tuple(each.seat for each in trick), tuple(each.card for each in trick)),
            tricks=getattr(state, "won", (0, 0)),
            hands=hands_for(viewer, hands, known),
            seen=tuple(cards_in(seen)),
            legal=legal_for(viewer, self.to_act(state), known, self.legal(state)),
        )


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
