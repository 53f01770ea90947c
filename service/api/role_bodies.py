"""The bodies and answers of the API of roles, people who are close, and tokens; a secret is in the answer to making one
and nowhere else."""

from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

import msgspec

from domain.log.actor import Role
from domain.log.event import instant
from service.desk.bodies import Body, Name, Version
from service.desk.roles import FriendsRow, RoleRow, Scope
from service.desk.tokens import WantedToken
from service.store.tokens import TokenRow

Given: TypeAlias = Literal["secretary", "director", "deputy", "scorer"]


class RoleBody(Body, frozen=True, kw_only=True):
    """A role of a person: for the whole club, for one `tournament` (a deputy), or at the table of one `match` (a
    scorer). With `expected_version` only on top of that version of the club."""

    person: UUID
    role: Given
    tournament: UUID | None = None
    match: UUID | None = None
    expected_version: Version | None = None

    @property
    def scope(self) -> Scope:
        """The tournament, or the match, that it is for."""
        return _scope(self.tournament, self.match)


class RolesAnswer(msgspec.Struct, frozen=True):
    """The version of the club, and the roles that the person holds by then."""

    version: int
    items: tuple[RoleRow, ...]


class FriendsBody(Body, frozen=True, kw_only=True):
    """Two people who are close."""

    one: UUID
    other: UUID
    expected_version: Version | None = None


class FriendsEndBody(Body, frozen=True, kw_only=True):
    """The end of what was declared at `version` of the club."""

    version: Version


class FriendsAnswer(msgspec.Struct, frozen=True):
    """The version of the club, and all who are close by then."""

    version: int
    items: tuple[FriendsRow, ...]


class TokenBody(Body, frozen=True, kw_only=True):
    """A token to be made: what it may, its name, the person that it acts for, what it is for."""

    role: Role
    name: Name
    person: UUID | None = None
    tournament: UUID | None = None
    match: UUID | None = None

    @property
    def wanted(self) -> WantedToken:
        """The same, as the desk takes it."""
        person = None if self.person is None else str(self.person)
        return WantedToken(self.role, self.name, person, _scope(self.tournament, self.match))


class TokenEndBody(Body, frozen=True, kw_only=True):
    """To end a token needs nothing said."""


class TokenView(msgspec.Struct, frozen=True):
    """A token without itself: `maker` is the person who made it, `made_with` the token that did. It is good while
    `revoked_at` is null, its maker holds what it gives, and its person the role."""

    id: str
    name: str
    role: Role
    person: str | None
    tournament: str | None
    match: str | None
    maker: str | None
    made_with: str | None
    created_at: str
    last_used: str | None
    revoked_at: str | None


class CreatedToken(TokenView, frozen=True):
    """A new token, with itself, this once."""

    token: str


def _scope(tournament: UUID | None, match: UUID | None) -> Scope:
    return Scope(None if tournament is None else str(tournament), None if match is None else str(match))


def _at(moment: datetime | None) -> str | None:
    return None if moment is None else instant(moment)


def token_view(row: TokenRow) -> TokenView:
    """A token as its secretary sees it."""
    return TokenView(
        row.id,
        row.name,
        row.role,
        row.player,
        row.tournament,
        row.match,
        row.maker,
        row.made_with,
        instant(row.created_at),
        _at(row.last_used),
        _at(row.revoked_at),
    )


def created_view(row: TokenRow, secret: str) -> CreatedToken:
    """A new token."""
    return CreatedToken(**msgspec.structs.asdict(token_view(row)), token=secret)
