"""What every game must answer: the protocol, and the small types it speaks in."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal, Protocol, TypeAlias, TypeVar

import msgspec

from domain.cards import Card
from domain.facts import CardPlayed, Fact
from domain.match.race import Race


class Breach(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a fact is against the rules: ledger number, irregularity code, one sentence.

    A `misfit` is the wrong kind of fact for the situation and is refused in every mode.
    """

    rule: str
    code: str | None
    detail: str
    misfit: bool = False


def misfit(detail: str) -> tuple[Breach, ...]:
    """The one answer for a fact of the wrong kind."""
    return (Breach("misfit", None, detail, misfit=True),)


class Duty(msgspec.Struct, frozen=True):
    """What a seat owes the trick, in order of precedence: (cards that satisfy, rule, code). `segment`
    numbers the stretch in which no card is drawn, so that a later card proves what was held. `passing`
    says in the same way which cards forbid a pass."""

    segment: int
    masks: tuple[tuple[int, str, str], ...]
    passing: tuple[tuple[int, str, str], ...] = ()


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """The score of a complete deal by seat, or by side where a game scores so; games add the figures that
    people argue about. `drops` are the sides whose total begins again at nothing before it is added."""

    scores: tuple[int, ...]
    void: bool = False
    drops: tuple[int, ...] = ()

    @property
    def sheet(self) -> tuple[int, ...]:
        """What a score sheet writes (`R` in notation), by seat or by side: the scores, unless a game says otherwise."""
        return self.scores


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
    `legal` is what the viewer's seat may do now; null for who may not know it because hands are hidden."""

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


Everyone: TypeAlias = Literal["all"]
ALL: Final[Everyone] = "all"
Viewer: TypeAlias = int | Everyone | None  # a seat, the public, or one who may see every hand

Level: TypeAlias = Literal["deal", "match"]


class EntryError(ValueError):
    """A result that breaks an invariant of the game; `rule` is the invariant's ledger number."""

    def __init__(self, rule: str, detail: str) -> None:
        super().__init__(detail)
        self.rule = rule
        self.detail = detail


class EntryField(msgspec.Struct, frozen=True):
    """One control of the form in which a result is entered without cards.

    `path` names the place in the entry (`phases.0.0`); `kind` is `choice` (of `values`), `seat`
    (of `values`, which people see as names) or `number` (from `low` to `high`); `seat` or `side` says whose
    figure it is.
    """

    path: str
    label: str
    kind: Literal["choice", "seat", "number"]
    values: tuple[str | int, ...] = ()
    low: int = 0
    high: int = 0
    seat: int | None = None
    required: bool = True
    side: int | None = None


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


def card_word(fact: Fact) -> str | None:
    """A card as a word in the course of play; None for anything else. What `word` is where cards are all there is."""
    return str(fact.card) if isinstance(fact, CardPlayed) else None


def race_for(game: "Game[Any, Any]", options: Any) -> Race:
    """The race that the options call for by their `race`, else the game's own."""
    called_for: Race | None = getattr(options, "race", None)
    return called_for or game.race


class Worked(msgspec.Struct, frozen=True):
    """A worked score for the rules page: an entry, and what is said about it."""

    entry: Mapping[str, Any]
    text: str
    options: Mapping[str, Any] = {}


Options = TypeVar("Options", bound=msgspec.Struct, contravariant=True)
State = TypeVar("State")


class Game(Protocol[Options, State]):
    """A game: pure, frozen, and answering all of this, never half of it."""

    key: ClassVar[str]
    version: ClassVar[int]
    title: ClassVar[str]
    rules: ClassVar[tuple[tuple[str, str], ...]]  # (ledger number, the rule in our words)
    worked: ClassVar[tuple[Worked, ...]]
    options: ClassVar[type[msgspec.Struct]]
    deal: ClassVar[type[msgspec.Struct]]
    facts: ClassVar[tuple[type[Fact], ...]]
    remarks: ClassVar[tuple[type[Fact], ...]]  # kept beside the game: never refused, the table stays as it is
    race: ClassVar[Race]

    def seats(self, options: Options) -> int:
        """How many sit at the table."""
        ...

    def sides(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """The seats of each side that scores for itself."""
        ...

    def pack(self, options: Options) -> int:
        """The bit set of all cards in play."""
        ...

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Any:
        """The deal that a shuffled pack gives, top card first."""
        ...

    def check_deal(self, options: Options, deal: Any) -> str | None:
        """What is wrong with a deal, or None: every card of the pack exactly once."""
        ...

    def next_dealer(self, options: Options, dealer: int, passed_out: bool) -> int:
        """Who deals after a deal by `dealer` was played, or passed out."""
        ...

    def start(self, options: Options, dealer: int, deal: Any | None) -> State:
        """The table before the first fact; `deal` None means physical cards, hands unknown."""
        ...

    def to_act(self, state: State) -> int | None:
        """The seat whose turn it is, or nobody when the deal is complete."""
        ...

    def legal(self, state: State) -> tuple[Fact, ...]:
        """What may be done now, always listed in the same order; nothing once the deal is over."""
        ...

    def breaches(self, state: State, fact: Fact) -> tuple[Breach, ...]:
        """Every rule that this fact breaks; none if and only if it is legal."""
        ...

    def evolve(self, state: State, fact: Fact) -> State:
        """The table after the fact. Never judges; a misfit leaves the state as it is."""
        ...

    def score(self, state: State) -> Result | None:
        """The score of a complete deal, else None."""
        ...

    def duty(self, state: State) -> Duty | None:
        """What the seat to act owes, for proofs from the play alone."""
        ...

    def entry(self, options: Options) -> type[msgspec.Struct]:
        """The shape of a result entered without cards."""
        ...

    def entry_form(self, options: Options) -> tuple[EntryField, ...]:
        """The controls of the entry form, in the order of the taps."""
        ...

    def score_entry(self, options: Options, entry: Any) -> Result:
        """The score of an entered result, through the same functions as full play.

        Raises EntryError with the number of the invariant that is broken.
        """
        ...

    def sections(self, options: Options) -> tuple[str, ...]:
        """The marks of notation, one for each stretch that is summed: ("P1", "P2"), ("BID",)."""
        ...

    def to_spread(self, deal: Any) -> DealCards:
        """A deal as notation writes it."""
        ...

    def from_spread(self, options: Options, spread: DealCards) -> Any:
        """The deal that notation wrote; `check_deal` says whether it is one."""
        ...

    def word(self, before: State, fact: Fact) -> str | None:
        """A fact as a word in the course of play, with what the table tells of it (`SK`, `SQ@d4`, `D3g4`, `*S2`,
        `-`); None for a call, which names its seat."""
        ...

    def sums(self, state: State) -> tuple[tuple[int, ...], ...]:
        """The figures that a score sheet sums by seat, one tuple for each section that is complete."""
        ...

    def announced_points(self, before: State, after: State) -> int | None:
        """The points that a fact announced by itself (`!n` in notation), if any."""
        ...

    def entry_noted(
        self, options: Options, dealer: int, entry: Any
    ) -> tuple[tuple[tuple[tuple[int, str], ...], tuple[int, ...]], ...] | None:
        """An entry as notation writes it: calls (seat, call) and sums, section by section; None where
        calls and sums cannot tell it."""
        ...

    def entry_read(
        self,
        options: Options,
        calls: tuple[tuple[int, str], ...],
        sums: tuple[tuple[int, ...], ...],
    ) -> dict[str, Any] | None:
        """The entry that calls and sums of a summary tell; None where they do not suffice."""
        ...

    def view(self, state: State, viewer: Viewer) -> Table:
        """The table built from what the viewer has seen."""
        ...
