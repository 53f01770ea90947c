"""Commands on a club: one Struct each, in the imperative. Ids are made by the service."""

from typing import Any, TypeAlias

import msgspec

from domain.log.actor import Role

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


ClubCommand: TypeAlias = (
    FoundClub | RegisterMember | RegisterVisitors | GrantRole | RevokeRole | MergePlayers | PartPlayers
)
