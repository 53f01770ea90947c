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


ClubCommand: TypeAlias = (
    FoundClub
    | RegisterMember
    | RegisterVisitors
    | GrantRole
    | RevokeRole
    | GrantToken
    | RevokeTokens
    | DeclareFriends
    | EndFriends
)
