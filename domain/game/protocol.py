"""The protocol of a game: rules, sheet and script, and the table that a viewer sees."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal, Protocol, TypeAlias, TypeVar

import msgspec

from domain.cards.card import Card, mask_of
from domain.cards.facts import Fact
from domain.cards.seats import left_of
from domain.game.codes import Code
from domain.game.ending import TWO, Ending
from domain.game.judgement import Breach, Duty, Late
from domain.game.paper import PaperStretch
from domain.game.race import Race
from domain.game.remedy import Remedy, Wrong
from domain.game.replay import Replay, grounds
from domain.game.rest import Tricks
from domain.game.script import WHOLE, DealCards, Script, mark_of
from domain.game.sheet import Result, Sheet
from domain.game.shown import Figure, Frame, Layout, tricks_taken, trumps_named
from domain.log.message import Message


class Call(msgspec.Struct, frozen=True):
    """One call of the bidding as people read it back: `S`, `8`, `3`, `odd`, `-`."""

    seat: int
    call: str


class Played(msgspec.Struct, frozen=True):
    """A card on the table and whose it is."""

    seat: int
    card: Card


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The table as one viewer may see it. `hands[n]` is null where the viewer may not see it;
    `legal` is what the viewer's seat may do now; null for who may not know it because hands are hidden.

    `figures`, `notes` and `layout` are all that pages show of what only some games have. They are made of the other
    members, so that they tell nothing which the viewer has not seen."""

    to_act: int | None
    phase: int
    trick: tuple[Played, ...] = ()
    last_trick: tuple[Played, ...] = ()
    tricks: tuple[int, ...] = ()
    trumps: str | None = None
    tops: str | None = None
    calls: tuple[Call, ...] = ()
    stock: int = 0
    hands: tuple[tuple[Card, ...] | None, ...] = ()
    seen: tuple[Card, ...] = ()
    legal: tuple[Any, ...] | None = None

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The counts that everybody follows: tricks, where there are some."""
        return tricks_taken(self.tricks)

    @property
    def notes(self) -> tuple[Message, ...]:
        """All else that is known by now: trumps, where they are named."""
        return trumps_named(self.trumps)

    @property
    def layout(self) -> Layout | None:
        """The cards in squares, where they lie so."""
        return None

    @property
    def numbers(self) -> tuple[str, ...]:
        """The words of facts that any seat may state a number with."""
        return ()


Everyone: TypeAlias = Literal["all"]
ALL: Final[Everyone] = "all"
Viewer: TypeAlias = int | Everyone | None  # a seat, the public, or one who may see every hand


class Worked(msgspec.Struct, frozen=True):
    """A worked score for the rules page: an entry, and what is said about it."""

    entry: Mapping[str, Any]
    text: str
    options: Mapping[str, Any] = {}


Options = TypeVar("Options", bound=msgspec.Struct, contravariant=True)
State = TypeVar("State")


class Game(Protocol[Options, State]):
    """A game: pure, frozen, and answering all of this, never half of it. Its rules are here; `sheet` has the results
    that are entered without cards, `script` the notation. Members with a default are overridden where a game differs.
    """

    key: ClassVar[str]
    version: ClassVar[int] = 1
    title: ClassVar[str]
    rules: ClassVar[tuple[tuple[str, str], ...]]  # (ledger number, the rule in our words)
    phrases: ClassVar[Mapping[str, str]] = {}  # the English of its figures, its notes, and of facts it says otherwise
    worked: ClassVar[tuple[Worked, ...]]
    options: ClassVar[type[msgspec.Struct]]
    deal: ClassVar[type[msgspec.Struct]]
    facts: ClassVar[tuple[type[Fact], ...]]
    frame: ClassVar[Frame | None] = None  # the squares in which its cards lie
    stands_in: ClassVar[bool] = False  # taken where a report file or a simulation has no word of the game
    drawing_rule: ClassVar[str] = ""  # the ledger number of drawing, where physical cards are drawn
    remarks: ClassVar[tuple[type[Fact], ...]] = ()  # kept beside the game: never refused, the table stays as it is
    codes: ClassVar[tuple[Code, ...]] = ()  # of irregularities: its own, and what it says otherwise of a shared one
    race: ClassVar[Race]
    sheet: ClassVar[Sheet]
    script: ClassVar[Script]

    def __hash__(self) -> int:
        """A game is itself: what is drawn of it is kept by it."""
        return id(self)

    @abstractmethod
    def seats(self, options: Options) -> int:
        """The number of players at the table."""

    @abstractmethod
    def sides(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """The seats of each side that scores for itself."""

    @abstractmethod
    def pack(self, options: Options) -> int:
        """The bit set of all cards in play."""

    @abstractmethod
    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Any:
        """The deal that a shuffled pack gives, top card first."""

    @abstractmethod
    def check_deal(self, options: Options, deal: Any) -> str | None:
        """The fault of a deal, or None: every card of the pack exactly once."""

    @abstractmethod
    def start(self, options: Options, dealer: int, deal: Any | None) -> State:
        """The table before the first fact; `deal` None means physical cards, hands unknown."""

    @abstractmethod
    def to_act(self, state: State) -> int | None:
        """The seat whose turn it is, or nobody when the deal is complete."""

    @abstractmethod
    def legal(self, state: State) -> tuple[Fact, ...]:
        """The facts that may be recorded now, always in the same order; nothing once the deal is over."""

    @abstractmethod
    def breaches(self, state: State, fact: Fact) -> tuple[Breach, ...]:
        """Every rule that this fact breaks; none if and only if it is legal."""

    @abstractmethod
    def evolve(self, state: State, fact: Fact) -> State:
        """The table after the fact. Never judges; a misfit leaves the state as it is."""

    @abstractmethod
    def score(self, state: State) -> Result | None:
        """The score of a complete deal, else None."""

    @abstractmethod
    def view(self, state: State, viewer: Viewer) -> Table:
        """The table built from what the viewer has seen."""

    def next_dealer(self, options: Options, dealer: int, passed_out: bool) -> int:
        """The dealer after a deal by `dealer` was played, or passed out: the next on the left (ALL.1)."""
        return left_of(dealer, self.seats(options))

    def race_for(self, options: Options) -> Race:
        """The race that a match is played to unless it is opened with another."""
        return self.race

    def fixed_for_match(self, deal: Any) -> tuple[str, str] | None:
        """The part of a deal that holds for the whole match, as (ledger number, sentence)."""
        return None

    def told_by(self, deal: Any, fact: Fact) -> Fact:
        """A fact with what a deal that lies open tells of it: which card it was."""
        return fact

    def duty(self, state: State) -> Duty | None:
        """The duty of the seat to act, for proofs from the play alone; None where any card will do."""
        return None

    def lying(self, state: State) -> tuple[int, ...]:
        """The seats whose cards lie in the trick on a table, as they came: those of the view. Asked of every table of a
        deal: quick where a game answers it without one."""
        return tuple(each.seat for each in self.view(state, None).trick)

    def holding(self, state: State, seat: int) -> int:
        """The cards that a seat holds; all that it may hold with hands unknown."""
        hands = self.view(state, ALL).hands
        hand = hands[seat] if seat < len(hands) else None
        return 0 if hand is None else mask_of(hand)

    def orders(self, replay: Replay, place: int) -> tuple[int, ...]:
        """The places of the facts that order the cards of a trick, or say who leads to the first one: by themselves the
        calls before it."""
        first = place
        while first and (replay.lying(replay.tables[first]) or replay.lying(replay.tables[first - 1])):
            first -= 1
        return replay.calls_to(first)

    def rests_on(self, replay: Replay, place: int, breach: Breach) -> tuple[int, ...]:
        """The places on which a breach of the fact at a place rests: first the offence, then what proves it."""
        duty = self.duty(replay.tables[place])
        held = 0
        for cards, _, code in (*duty.masks, *duty.passing) if duty else ():
            held |= cards if code == breach.code else 0
        held &= self.holding(replay.tables[place], replay.facts[place].seat) if held else 0
        return grounds(replay, place, breach, self.orders(replay, place) if breach.code == "LOT" else (), held)

    def due_draws(self, state: State) -> tuple[int, ...]:
        """With physical cards: the seats whose draws may be recorded on a table."""
        return ()

    def hindsight(self, replay: Replay) -> tuple[Late, ...]:
        """The breaches that only what came later shows, beyond broken duties. Asked of every deal: quick where there is
        nothing to find."""
        return ()

    def rest(self, state: State) -> Tricks | None:
        """The tricks under way, the rest of which can be claimed; None where there are none, and in games without
        tricks. A game that answers has `REST` among its facts."""
        return None

    def ending(self, state: State) -> Ending | None:
        """The kind of ending a table is, for the solver; None has it searched by this protocol alone."""
        return None

    def remedy(self, key: str, wrong: Wrong) -> Remedy | None:
        """The deal after a remedy of this game, by its key, through the same scoring functions; None for a key that is
        none of its remedies, or none for this deal."""
        return None

    def paper(self, options: Options) -> tuple[PaperStretch, ...]:
        """The stretches of a deal as a score sheet has room for them: where a game does not say it, every card of the
        pack in turns of one card a seat."""
        seats = self.seats(options)
        turns = self.pack(options).bit_count() // seats
        return tuple(
            PaperStretch(mark_of(section), 0, turns, seats, seats if section != WHOLE else 0)
            for section in self.script.sections(options)
        )

    def points_taken(self, state: State) -> tuple[int, ...]:
        """The points by seat of the cards taken so far, where a table counts them."""
        return ()

    def cross_points(self, state: State, result: Result | None) -> tuple[int, ...] | None:
        """Cross points by seat before the contract, of a deal with this result (None while it is on); None in games
        that have none."""
        return None


AnyGame: TypeAlias = Game[Any, Any]

# parts of a game that are opaque outside of it: handed back to it as they came
AnyOptions: TypeAlias = msgspec.Struct
AnyDeal: TypeAlias = msgspec.Struct
AnyTable: TypeAlias = msgspec.Struct
AnyEntry: TypeAlias = msgspec.Struct


class TwoPlayers(Game[Options, State]):
    """A game for two, each playing for himself."""

    def seats(self, options: Options) -> int:
        """Two."""
        return 2

    def sides(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Each for himself."""
        return TWO


class TwoHands(TwoPlayers[Options, State]):
    """A game for two in which each is dealt `hand_size` cards, and the rest of the pack is the stock."""

    hand_size: ClassVar[int]

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Any:
        """One hand after the other, then the stock."""
        size = self.hand_size
        return self.script.deal_of(options, DealCards((cards[:size], cards[size : 2 * size]), cards[2 * size :]))

    def check_deal(self, options: Options, deal: Any) -> str | None:
        """Two hands and the stock, every card once."""
        return fault_of(self.script.cards_of(deal), 2, self.hand_size, self.pack(options))


NUMBERS: Final = {2: "two", 4: "four"}


def fault_of(dealt: DealCards, seats: int, size: int, pack: int) -> str | None:
    """The fault of a deal of hands of one size and a stock, or None."""
    left = pack.bit_count() - seats * size
    if [len(hand) for hand in dealt.hands] != [size] * seats or len(dealt.stock) != left:
        hands = f"`hands` are {NUMBERS[seats]} hands of {size} cards"
        return f"{hands}, `stock` the {left} left" if left else hands
    if mask_of(dealt.cards) != pack:
        return "every card of the pack is there exactly once"
    return None
