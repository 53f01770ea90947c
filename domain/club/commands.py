"""Commands on a club: one Struct each, in the imperative. Ids are made by the service."""

from typing import Any, TypeAlias

import msgspec

from domain.club.events import Reason
from domain.log.actor import Role
from domain.log.event import JsonObject

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


class ErasePerson(msgspec.Struct, frozen=True):
    """Take what the log holds of a person out: `rows` are stream, version and inner hash (hex) of each private row that
    goes, `kept` what stays of some of them; in the streams of `disputed` a dispute of the person is open. Of a person
    who is erased already it takes what has come since."""

    person: str
    reason: Reason
    rows: tuple[tuple[str, int, str], ...] = ()
    kept: tuple[tuple[str, int, JsonObject], ...] = ()
    disputed: tuple[str, ...] = ()


ClubCommand: TypeAlias = FoundClub | RegisterMember | RegisterVisitors | GrantRole | RevokeRole | ErasePerson
