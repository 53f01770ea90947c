"""Commands on a club: one Struct each, in the imperative. Ids are made by the service."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from domain.club.events import ErasureReason
from domain.log.actor import Role, Strength
from domain.log.event import JsonObject
from domain.match.event import Delay, Signals
from domain.match.house import Opens

People: TypeAlias = tuple[tuple[Any, ...], ...]


class FoundClub(msgspec.Struct, frozen=True):
    """Found a club; everybody may read a `public` one."""

    name: str
    public: bool


class RegisterMember(msgspec.Struct, frozen=True):
    """Register a member, or a visitor, under a fresh id; `another` person where somebody is called so already."""

    player: str
    name: str
    visitor: bool = False
    another: bool = False


class RegisterVisitors(msgspec.Struct, frozen=True):
    """Register whom the club does not know of these people by side, under fresh ids."""

    people: People
    ids: tuple[str, ...]


class RenamePlayer(msgspec.Struct, frozen=True):
    """Call a person something else from here on; `another` person may be called so already. `expected` is the version
    of the club at which the person last changed, as far as whoever asks knows."""

    player: str
    name: str
    another: bool = False
    expected: int | None = None


class ChangeMembership(msgspec.Struct, frozen=True):
    """Make a visitor a member, or a member a visitor; `expected` as of a new name."""

    player: str
    visitor: bool
    expected: int | None = None


class DescribePlayer(msgspec.Struct, frozen=True):
    """Keep this of a person beside the name, in the place of what was kept: a note for the secretary, the ids that
    other bodies gave, the rating brought along; `expected` as of a new name."""

    player: str
    note: str = ""
    ids: Mapping[str, str] = {}
    rating: int | None = None
    expected: int | None = None


class ListedPerson(msgspec.Struct, frozen=True):
    """A person of a table that is taken, with its line there; what the table leaves open is None, or empty. `own` is
    the id in this club."""

    line: int
    name: str
    own: str = ""
    visitor: bool | None = None
    ids: Mapping[str, str] = {}
    rating: int | None = None


class TakePeople(msgspec.Struct, frozen=True):
    """Take a table of people, all or none: who is known is brought up to date, who is new gets one of the fresh ids."""

    people: tuple[ListedPerson, ...]
    ids: tuple[str, ...]


class GrantRole(msgspec.Struct, frozen=True):
    """Give a person a role: in the whole club, for one tournament, or at one table."""

    person: str
    role: Role
    tournament: str | None = None
    match: str | None = None


class RevokeRole(msgspec.Struct, frozen=True):
    """End a role of a person."""

    person: str
    role: Role
    tournament: str | None = None
    match: str | None = None


class ChangeSettings(msgspec.Struct, frozen=True):
    """Change settings: those that are given, and no other. `seen` is the version of the club's stream that they were
    looked at in."""

    name: str | None = None
    public: bool | None = None
    zone: str | None = None
    games: tuple[str, ...] | None = None
    opens: Opens | None = None
    confirms: Strength | None = None
    statement_minutes: int | None = None
    signals: Signals | None = None
    delay: Delay | None = None
    seen: int | None = None


class AdoptHouseRules(msgspec.Struct, frozen=True):
    """Adopt house rules for a game, in the place of the earlier ones: none are the game's own. `seen` as above."""

    game: str
    options: JsonObject
    race: JsonObject
    seen: int | None = None


class MergePlayers(msgspec.Struct, frozen=True):
    """Make two ids one person: what `other` did counts for `player`. `matches` are those in which both sat and
    `tournaments` those that are not over in which both stand, found out by the service; `knowingly`: roles that end
    were shown."""

    player: str
    other: str
    knowingly: bool = False
    matches: tuple[str, ...] = ()
    tournaments: tuple[str, ...] = ()


class PartPlayers(msgspec.Struct, frozen=True):
    """Take a merge back: `other` is a person of its own again."""

    player: str
    other: str


class GrantToken(msgspec.Struct, frozen=True):
    """Give a token, which acts for a `person` or for nobody, the one role that it is made for."""

    token: str
    role: Role
    person: str | None = None
    tournament: str | None = None
    match: str | None = None


class RevokeTokens(msgspec.Struct, frozen=True):
    """End what tokens were given: one, and those that were made with it."""

    tokens: tuple[str, ...]


class DeclareFriends(msgspec.Struct, frozen=True):
    """Say that two people are close: neither rules on a match of the other."""

    one: str
    other: str


class EndFriends(msgspec.Struct, frozen=True):
    """Take back what was declared at a version."""

    version: int


class ErasePerson(msgspec.Struct, frozen=True):
    """Take what the log holds of a person out: `rows` are stream, version and inner hash (hex) of each private row that
    goes, `kept` what stays of some of them; in the streams of `disputed` a dispute of the person is open, `cases` that
    concern the person are heard. Of a person who is erased already it takes what has come since."""

    person: str
    reason: ErasureReason
    rows: tuple[tuple[str, int, str], ...] = ()
    kept: tuple[tuple[str, int, JsonObject], ...] = ()
    disputed: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()


class StreamHead(msgspec.Struct, frozen=True):
    """The head of a stream of elsewhere: its last version, and the hash (hex) of that event."""

    stream: str
    version: int
    hash: str


class ComingPerson(msgspec.Struct, frozen=True):
    """A person of a pushed stream, by the id there; without a name where it was taken out."""

    id: str
    name: str | None = None


class PushStreams(msgspec.Struct, frozen=True):
    """Say that these streams of a `source` come; of their people, those are registered whom the club does not know."""

    source: str
    heads: tuple[StreamHead, ...]
    people: tuple[ComingPerson, ...] = ()


PeopleCommand: TypeAlias = (
    RegisterMember
    | RegisterVisitors
    | RenamePlayer
    | ChangeMembership
    | DescribePlayer
    | TakePeople
    | MergePlayers
    | PartPlayers
    | ErasePerson
)
RightsCommand: TypeAlias = GrantRole | RevokeRole | GrantToken | RevokeTokens | DeclareFriends | EndFriends
ClubCommand: TypeAlias = FoundClub | ChangeSettings | AdoptHouseRules | PushStreams | PeopleCommand | RightsCommand
