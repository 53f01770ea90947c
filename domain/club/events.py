"""Events of a club. Names of people, and every word about them, are private and stand beside the event."""

from typing import Literal, TypeAlias

import msgspec

from domain.log.actor import Role, Strength
from domain.log.event import JsonObject
from domain.match.event import Delay, Signals
from domain.match.house import Opens

ErasureReason: TypeAlias = Literal["asked", "law", "mistake"]


class ClubEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a club."""


class ClubFounded(ClubEvent, frozen=True):
    """A club began. A `public` club can be read by everybody."""

    name: str
    public: bool


class PlayerRegistered(ClubEvent, frozen=True):
    """A person was registered; the name is private. A visitor came in with a match."""

    player: str
    visitor: bool


class PlayerRenamed(ClubEvent, frozen=True):
    """A person is called something else from here on; the name is private, the earlier one stays findable."""

    player: str


class MembershipChanged(ClubEvent, frozen=True):
    """A visitor became a member, or a member a visitor."""

    player: str
    visitor: bool


class PlayerDescribed(ClubEvent, frozen=True):
    """The club keeps this of a person beside the name, all of it private: `note` for the secretary, `ids` given by
    other bodies, `rating` brought along. It replaces what was kept before."""

    player: str


class PlayersMerged(ClubEvent, frozen=True):
    """Two ids are one person: what `other` did counts for `player`. No event is rewritten."""

    player: str
    other: str


class PlayersParted(ClubEvent, frozen=True):
    """Two ids that were merged are two people after all."""

    player: str
    other: str


class RoleGranted(ClubEvent, frozen=True):
    """A person, or a token, holds a role: in the whole club, for one tournament, or at the table of one match."""

    role: Role
    person: str | None = None
    token: str | None = None
    tournament: str | None = None
    match: str | None = None


class RoleRevoked(ClubEvent, frozen=True):
    """A role of a person or a token has ended."""

    role: Role
    person: str | None = None
    token: str | None = None
    tournament: str | None = None
    match: str | None = None


class SettingsChanged(ClubEvent, frozen=True):
    """The settings of the club from here on; a null one stays as it was. `zone` is a name of the time zone database,
    `games` are those that the club plays, the usual one first, `opens` is the least role that opens matches, `confirms`
    the least strength with which a side confirms a friendly match. `statement_minutes` is how long a statement in a
    case stays sealed while the other side has not stated, `signals` when who is told of a finding in a match of the
    club's own (both of schema 2), `delay` how far behind its table onlookers are (schema 3)."""

    name: str | None = None
    public: bool | None = None
    zone: str | None = None
    games: tuple[str, ...] | None = None
    opens: Opens | None = None
    confirms: Strength | None = None
    statement_minutes: int | None = None
    signals: Signals | None = None
    delay: Delay | None = None


class HouseRulesAdopted(ClubEvent, frozen=True):
    """A new match of a game takes this where nothing else is said, from here on: options, and the race."""

    game: str
    options: JsonObject
    race: JsonObject


class FriendDeclared(ClubEvent, frozen=True):
    """Two people are close (their ids are private): neither rules on a match of the other. `ended` names the version
    at which that was declared, and takes it back."""

    ended: int | None = None


class PersonErased(ClubEvent, frozen=True):
    """All that the log held of a person was taken out: `rows` are stream, version and the inner hash (hex) of each
    private row that is gone; a long list goes on in the next `part`. The random id stays."""

    person: str
    reason: ErasureReason
    part: int
    rows: tuple[tuple[str, int, str], ...]


class StreamsPushed(ClubEvent, frozen=True):
    """Streams that were recorded elsewhere come here: `source` says from which copy of the club, or which other club;
    `heads` are version and hash (hex) of the last event of each, as it was there; `by` is whoever brings them. A stream
    of which no such event stands here was not taken."""

    source: str
    streams: tuple[str, ...]
    heads: tuple[tuple[int, str], ...]
    by: str | None


OWN_EVENTS: tuple[type[ClubEvent], ...] = (
    ClubFounded,
    PlayerRegistered,
    PlayerRenamed,
    MembershipChanged,
    PlayerDescribed,
    PlayersMerged,
    PlayersParted,
    RoleGranted,
    RoleRevoked,
    SettingsChanged,
    HouseRulesAdopted,
    FriendDeclared,
    PersonErased,
    StreamsPushed,
)
