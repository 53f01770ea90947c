"""Commands on a club: one Struct each, in the imperative. Ids are made by the service."""

from typing import Any, TypeAlias

import msgspec

from domain.log.actor import Role, Strength
from domain.log.event import JsonObject
from domain.match.house import Opens

People: TypeAlias = tuple[tuple[Any, ...], ...]


class FoundClub(msgspec.Struct, frozen=True):
    """Found a club; everybody may read a `public` one."""

    name: str
    public: bool


class RegisterMember(msgspec.Struct, frozen=True):
    """Register a member under a fresh id."""

    player: str
    name: str


class RegisterVisitors(msgspec.Struct, frozen=True):
    """Register whom the club does not know of these people by side, under fresh ids."""

    people: People
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
    seen: int | None = None


class AdoptHouseRules(msgspec.Struct, frozen=True):
    """Adopt house rules for a game, in the place of the earlier ones: none are the game's own. `seen` as above."""

    game: str
    options: JsonObject
    race: JsonObject
    seen: int | None = None


ClubCommand: TypeAlias = (
    FoundClub | RegisterMember | RegisterVisitors | GrantRole | RevokeRole | ChangeSettings | AdoptHouseRules
)
