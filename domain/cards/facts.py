"""The facts that several games share: what was seen at the table, one Struct each.

One Struct serves the API, the log and `evolve`. `do` is its word; two Structs never share one, whatever the game.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import msgspec

from domain.cards.card import CARD_OF, CARDS, SUITS, Card, Suit
from domain.log.message import Message

# a button of its own, a card of the pack (member `card`), a square (member `cell`, and `card` where the fact names
# one), a number (the one member beside the seat)
Control: TypeAlias = Literal["button", "card", "square", "number"]
Seat: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=3, description="seat, from 0 clockwise")]


class Fact(msgspec.Struct, frozen=True, tag_field="do", tag="", forbid_unknown_fields=True, gc=False):
    """The seat that acted, in every fact.

    `hides` names the members that this seat alone has seen; each of them may be null. `phrases` are its sentences in
    English, by the id of their message; `X.offered` is the shorter one of a button, `X.named` the control, `X.awaited`
    the kind of thing that a table waits for. `asks` is the id of the question above its buttons, and `control` what a
    page offers for it. What `is_word` is said at the table, not done: it is never among the legal facts. Where the
    value of one member settles what another one may be, `together` lists what may stand together.
    """

    hides: ClassVar[tuple[str, ...]] = ()
    together: ClassVar[tuple[Mapping[str, tuple[str, ...]], ...]] = ()
    phrases: ClassVar[Mapping[str, str]] = {}
    asks: ClassVar[str] = "asks"
    control: ClassVar[Control] = "button"
    is_word: ClassVar[bool] = False

    seat: Seat

    @property
    def shown(self) -> tuple[tuple[int, Card], ...]:
        """The cards that it shows, each with the seat that held it until then."""
        return ()

    @property
    def holds_hidden(self) -> bool:
        """True while it holds a member that only the acting seat has seen."""
        return bool(self.hides) and any(getattr(self, name) is not None for name in self.hides)

    def said(self) -> Message:
        """The fact as a sentence without its seat: by its own word with the values of its members, as `word.unseen`
        where one of them is not told."""
        word, names = str(self.__struct_config__.tag), self.__struct_fields__[1:]
        told = {name: value for name in names if (value := getattr(self, name)) is not None}
        values = {name: str(value) if isinstance(value, Card) else value for name, value in told.items()}
        return Message(word if len(told) == len(names) else f"{word}.unseen", values)

    def as_call(self) -> str | None:
        """The fact as a call in CTN (`seat:call`), by its own word where nothing else is to be said; None for one
        that is no call. A call has at most six characters, none of `!=^~>@:` among them; a `!` may stand before it."""
        return str(self.__struct_config__.tag) if self.__struct_fields__ == ("seat",) else None

    @classmethod
    def of_call(cls, seat: int, call: str) -> "Fact | None":
        """The fact that a call in CTN states; None when it does not state this one."""
        return cls(seat) if cls.__struct_fields__ == ("seat",) and call == cls.__struct_config__.tag else None

    @classmethod
    def of_word(cls, seat: int, word: str) -> "tuple[Fact, ...]":
        """The facts that a word in the course of play may state (`SK`, `SQ@d4`, `D3g4`, `*S2`): as it stands, then
        without what the table may tell by itself."""
        return ()


class CardPlayed(Fact, frozen=True, tag="play"):
    """A seat played a card to the trick."""

    phrases: ClassVar = {"play": "plays {card:card}", "play.named": "the hand", "play.awaited": "a card"}
    control: ClassVar = "card"

    card: Card

    @property
    def shown(self) -> tuple[tuple[int, Card], ...]:
        """The card."""
        return ((self.seat, self.card),)

    @classmethod
    def of_word(cls, seat: int, word: str) -> tuple[Fact, ...]:
        """The card."""
        return (cls(seat, CARD_OF[word]),) if word in CARD_OF else ()


def _plays_of(seat: int, cards: tuple[Card, ...]) -> list[tuple[CardPlayed, ...]]:
    """The plays of each set of these cards, by its bits."""
    rows: list[tuple[CardPlayed, ...]] = [()]
    for card in cards:
        rows += [(*row, CardPlayed(seat, card)) for row in rows]
    return rows


_PLAYS: Final = tuple(tuple(_plays_of(seat, CARDS[low : low + 8]) for low in range(0, 54, 8)) for seat in range(4))


def plays_in(seat: int, mask: int) -> tuple[CardPlayed, ...]:
    """A seat's play of each card of a bit set, lowest first; facts never change, so all of them are made once."""
    a, b, c, d, e, f, g = _PLAYS[seat]
    return (
        a[mask & 255]
        + b[mask >> 8 & 255]
        + c[mask >> 16 & 255]
        + d[mask >> 24 & 255]
        + e[mask >> 32 & 255]
        + f[mask >> 40 & 255]
        + g[mask >> 48]
    )


class Passed(Fact, frozen=True, tag="pass"):
    """A seat passed, in a bidding or in play."""

    phrases: ClassVar = {"pass": "passes", "pass.offered": "pass", "pass.awaited": "a pass"}

    def as_call(self) -> str | None:
        """A dash."""
        return "-"

    @classmethod
    def of_call(cls, seat: int, call: str) -> "Fact | None":
        """A dash."""
        return cls(seat) if call == "-" else None

    @classmethod
    def of_word(cls, seat: int, word: str) -> tuple[Fact, ...]:
        """A dash."""
        return (cls(seat),) if word == "-" else ()


class TrumpsDeclared(Fact, frozen=True, tag="trump"):
    """A seat named the trump suit."""

    phrases: ClassVar = {
        "trump": "names {suit:suit} as trumps",
        "trump.offered": "{suit:suit}",
        "trump.asks": "which trumps?",
        "trump.awaited": "trumps",
    }
    asks: ClassVar = "trump.asks"

    suit: Suit

    def as_call(self) -> str | None:
        """The suit's letter."""
        return self.suit

    @classmethod
    def of_call(cls, seat: int, call: str) -> "Fact | None":
        """The suit's letter."""
        return next((cls(seat, suit) for suit in SUITS if suit == call), None)


class CardDrawn(Fact, frozen=True, tag="draw"):
    """A seat drew from the stock of physical cards; `card` is null when nobody else saw it."""

    hides: ClassVar = ("card",)
    phrases: ClassVar = {
        "draw": "draws {card:card}",
        "draw.offered": "draw {card:short}",
        "draw.unseen": "draws a card",
        "draw.unseen.offered": "draw unseen",
        "draw.awaited": "a draw",
    }

    card: Card | None = None


class TotalCalled(Fact, frozen=True, tag="total"):
    """A seat called its total aloud: a remark, kept beside the derived value (WTA)."""

    phrases: ClassVar = {"total": "calls a total of {total}", "total.awaited": "the total"}

    total: Annotated[int, msgspec.Meta(ge=-1000, le=1000)]


class RestClaimed(Fact, frozen=True, tag="rest"):
    """A seat claimed the tricks that are left: `tricks` of them, or all (null). `hands` are the cards that were faced,
    by seat from 0; they are evidence like played cards, and everybody has seen them."""

    phrases: ClassVar = {
        "rest": "claims the rest",
        "rest.faced": "claims the rest and faces {cards:cards}",
        "rest.some": "claims {n} trick of the rest|claims {n} tricks of the rest",
        "rest.some.faced": "claims {n} trick of the rest and faces {cards:cards}"
        "|claims {n} tricks of the rest and faces {cards:cards}",
        "rest.offered": "claim the rest",
        "rest.awaited": "a claim of the rest",
    }
    is_word: ClassVar = True

    tricks: Annotated[int, msgspec.Meta(ge=0, le=26, description="null: all that are left")] | None = None
    hands: Annotated[
        tuple[Annotated[tuple[Card, ...], msgspec.Meta(max_length=26)], ...],
        msgspec.Meta(max_length=4, description="the cards faced, by seat from 0"),
    ] = ()

    def __post_init__(self) -> None:
        """One form for one claim: no seats without cards at the end of `hands`."""
        hands = self.hands
        while hands and not hands[-1]:
            hands = hands[:-1]
        if hands != self.hands:
            msgspec.structs.force_setattr(self, "hands", hands)

    @property
    def shown(self) -> tuple[tuple[int, Card], ...]:
        """The cards that were faced."""
        return tuple((seat, card) for seat, cards in enumerate(self.hands) for card in cards)

    def said(self) -> Message:
        """The claim, with its number and its cards where there are some."""
        word = "rest" if self.tricks is None else "rest.some"
        values: dict[str, int | tuple[int | str, ...]] = {} if self.tricks is None else {"n": self.tricks}
        if not self.shown:
            return Message(word, values)
        return Message(f"{word}.faced", {**values, "cards": tuple(str(card) for _, card in self.shown)})

    def as_call(self) -> str | None:
        """`rest` for all the tricks, `rest3` for three of them; None where cards were faced, which no call holds."""
        if self.hands:
            return None
        return "rest" if self.tricks is None else f"rest{self.tricks}"

    @classmethod
    def of_call(cls, seat: int, call: str) -> "Fact | None":
        """`rest`, or `rest` with a number."""
        number = call.removeprefix("rest")
        if call == "rest":
            return cls(seat)
        plain = call.startswith("rest") and number.isascii() and number.isdecimal()
        return cls(seat, int(number)) if plain and number == str(int(number)) else None


class RestAnswered(Fact, frozen=True, tag="agree"):
    """A player of the other side answered a claim of the rest: it is so, or it is contested (CLM)."""

    phrases: ClassVar = {
        "agree": "agrees to the claim",
        "agree.no": "contests the claim",
        "agree.awaited": "an answer to the claim",
    }
    is_word: ClassVar = True

    yes: bool

    def said(self) -> Message:
        """The answer."""
        return Message("agree" if self.yes else "agree.no")

    def as_call(self) -> str | None:
        """`agree`, or `deny`."""
        return "agree" if self.yes else "deny"

    @classmethod
    def of_call(cls, seat: int, call: str) -> "Fact | None":
        """`agree`, or `deny`."""
        return cls(seat, call == "agree") if call in ("agree", "deny") else None
