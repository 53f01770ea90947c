"""The bodies and answers of the API: plain Structs, their bounds in their types."""

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias
from uuid import UUID

import msgspec

from domain.cards.facts import Fact
from domain.game.race import GoalPoints, LurchLine
from domain.games import fact_union
from domain.log.event import JsonObject
from domain.match.event import Delay, Signals
from domain.match.events import Depth, Recording, Settlement
from projections.event_view import EventView
from projections.match_view import MatchView
from service.desk.requests import KnownPerson

if TYPE_CHECKING:
    AnyFact: TypeAlias = Fact
else:
    AnyFact = fact_union()

# one line with something on it: no control characters, no line separators; `$` would let a last newline pass
_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
ONE_LINE = rf"^[^\S{_CONTROLS}]*[^\s{_CONTROLS}][^{_CONTROLS}]*(?![\s\S])"  # blanks, a mark, the rest
Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=80, pattern=ONE_LINE)]
Reason: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=ONE_LINE)]
Version: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Number: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
Side: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=3)]
Pin: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4,6}(?![\s\S])")]
PersonId: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=36)]
Scalar: TypeAlias = str | int | bool


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request's body; a member that is not known is refused."""


class Write(Body, frozen=True, kw_only=True):
    """A write to a match, or about a person; with `expected_version` only on top of that version."""

    expected_version: Version | None = None


class LurchBody(Body, frozen=True):
    """Lurch lines, highest first, and win points, one more."""

    lines: Annotated[list[LurchLine], msgspec.Meta(max_length=6)]
    win_points: Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=1000)]], msgspec.Meta(max_length=7)]


def race_given(body: Body) -> JsonObject:
    """The members of a race that a body has."""
    names = ("target", "win_by", "cap", "deals", "lurch", "best_of")
    given = {name: getattr(body, name) for name in names}
    plain: JsonObject = msgspec.to_builtins({n: v for n, v in given.items() if v is not msgspec.UNSET})
    return plain


class OpenMatchBody(Body, frozen=True, kw_only=True):
    """A new match. What is left out takes the club's house rules, else the game's default; `lurch: null` means none."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    options: dict[str, Scalar] = {}
    sides: Annotated[
        list[Annotated[list[Name | KnownPerson], msgspec.Meta(min_length=1, max_length=2)]],
        msgspec.Meta(min_length=2, max_length=4),
    ]
    target: GoalPoints | None | msgspec.UnsetType = msgspec.UNSET
    win_by: Annotated[int, msgspec.Meta(ge=1, le=1000)] | msgspec.UnsetType = msgspec.UNSET
    cap: GoalPoints | None | msgspec.UnsetType = msgspec.UNSET
    deals: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None | msgspec.UnsetType = msgspec.UNSET
    lurch: LurchBody | None | msgspec.UnsetType = msgspec.UNSET
    best_of: Annotated[int, msgspec.Meta(ge=1, le=99)] | msgspec.UnsetType = msgspec.UNSET
    recording: Recording = "record"
    depth: Depth | None = None
    signals: Signals | None = None
    delay: Delay | None = None

    def race(self) -> JsonObject:
        """The members of the race that were given."""
        return race_given(self)


class DealBody(Write, frozen=True, kw_only=True):
    """A new deal; both may be left out: the dealer follows from the rules, the hands are unknown."""

    dealer: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    deal: JsonObject | None = None
    depth: Depth | None = None


class FactsBody(Write, frozen=True, kw_only=True):
    """Facts in order, all or none; `it_happened` answers `confirm-needed`."""

    facts: Annotated[list[AnyFact], msgspec.Meta(min_length=1, max_length=1000)]
    it_happened: bool = False


class ResultBody(Write, frozen=True, kw_only=True):
    """A result without cards, in the game's own shape (GET /games), and the number of its `deal`; `it_happened` answers
    `confirm-needed`."""

    entry: JsonObject
    deal: Number | None = None
    dealer: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    it_happened: bool = False


class UndoBody(Write, frozen=True, kw_only=True):
    """Take the last fact or result back; `withdrawn` by the table, not only by the scorer."""

    reason: Reason | None = None
    withdrawn: bool = False


class VoidBody(Write, frozen=True, kw_only=True):
    """The last deal is void, or is brought back; its recording is paused; or the match was opened by mistake."""

    reason: Reason | None = None


class HandsBody(Write, frozen=True, kw_only=True):
    """Open the hands of a deal that is over, the last one where none is named."""

    deal: Number | None = None
    reason: Reason


class ConfirmationBody(Write, frozen=True, kw_only=True):
    """A side agrees to a deal's result: to these `scores` by side, or to the totals of the match with its last deal. On
    a device of somebody else with the `pin` of a player of that side: `person`, where it has two."""

    deal: Number
    side: Side
    pin: Pin | None = None
    person: PersonId | None = None
    scores: Annotated[list[Annotated[int, msgspec.Meta(ge=-(10**6), le=10**6)]], msgspec.Meta(max_length=4)] | None = (
        None
    )


class ConsentBody(Write, frozen=True, kw_only=True):
    """A side agrees that `ruler`, who belongs to the table, directs there once: on a `deal`, or without one of the
    match. On the own phone, or with the `pin` of a player of that `side`: `person`, where it has two."""

    ruler: PersonId
    deal: Number | None = None
    side: Side | None = None
    pin: Pin | None = None
    person: PersonId | None = None


class DisputeBody(Write, frozen=True, kw_only=True):
    """A dispute of a deal, or without one of the match; its side, and the reason."""

    deal: Number | None = None
    side: Side | None = None
    reason: Reason


class SettlementBody(Write, frozen=True, kw_only=True):
    """The end of the dispute that began at `version`; its own side may say `withdrawn`."""

    how: Settlement
    version: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)] | None = None
    reason: Reason | None = None


class PlayerBody(Body, frozen=True, kw_only=True):
    """A member, or a visitor, to register; `another` answers `confirm-needed` where somebody is called so already."""

    name: Name
    visitor: bool = False
    another: bool = False


class NameBody(Write, frozen=True, kw_only=True):
    """What a person is called from here on; `another` answers `confirm-needed` where somebody else is called so."""

    name: Name
    another: bool = False


class MembershipBody(Write, frozen=True, kw_only=True):
    """Whether a person is a visitor, or a member."""

    visitor: bool


class DescriptionBody(Write, frozen=True, kw_only=True):
    """What the club keeps of a person beside the name, in the place of what it kept before: a note for the secretary,
    the ids that other bodies gave (`{"FIDE": "1503014"}`), a rating brought along."""

    note: Annotated[str, msgspec.Meta(max_length=1000)] = ""
    ids: dict[str, str] = {}
    rating: Annotated[int, msgspec.Meta(ge=0, le=5000)] | None = None


class MergeBody(Body, frozen=True, kw_only=True):
    """Another id of the same person; `knowingly` where roles of it end for good."""

    other: UUID
    knowingly: bool = False


class PartBody(Body, frozen=True, kw_only=True):
    """An id that was merged, and is somebody else after all."""

    other: UUID


class PersonAnswer(msgspec.Struct, frozen=True):
    """A person of the club by all ids, that which counts first, and the version of the club's own events."""

    id: str
    name: str | None
    ids: tuple[str, ...]
    version: int


class RecordedAnswer(msgspec.Struct, frozen=True):
    """The answer to a write: the new version, the events it made, the table and the match as the caller may
    see them."""

    version: int
    events: tuple[EventView, ...]
    table: JsonObject | None
    match: MatchView


class RecordedShortly(msgspec.Struct, frozen=True):
    """The short answer to a write, for who asks with `Prefer: return=minimal`: the new version, the events, the
    position of the last of them in the club's log (null where there is none), and the seat whose turn it is."""

    version: int
    position: int | None
    events: tuple[EventView, ...]
    to_act: int | None


class Page(msgspec.Struct, frozen=True):
    """A page of a list; `next` is the cursor of the page behind it. A list of what a club's log says is as of
    `position`; `behind` is how many events were in the log when it was asked for and are not in the list yet."""

    items: tuple[Any, ...]
    next: str | None
    position: int | None = None
    behind: int = 0


class ClubView(msgspec.Struct, frozen=True):
    """A club that the caller may see."""

    id: str
    name: str
    public: bool
    players: int


class HeldRole(msgspec.Struct, frozen=True):
    """A role: in a club (null: every club), for one tournament, or at the table of one match; the person whose it is,
    and the strength of a signature."""

    role: str
    club: str | None
    tournament: str | None
    match: str | None
    person: str | None
    strength: str


class Me(msgspec.Struct, frozen=True):
    """The caller: what a token was made with, and all `roles` that are held, each with what it is for, whose it is and
    how strong a signature with it is."""

    role: str
    known: bool
    name: str | None
    club: str | None
    player: str | None
    match: str | None
    roles: tuple[HeldRole, ...] = ()
