"""Roles and people who are close, as every door gives, ends and lists them; what a role is for is looked up here."""

from typing import Final
from uuid import UUID

import msgspec

from domain.club.commands import ClubCommand, DeclareFriends, EndFriends, GrantRole, RevokeRole
from domain.club.decide import decide
from domain.club.rights import GRANTS
from domain.club.state import Club, Grant
from domain.log.actor import Role
from domain.log.decider import Refusal, decided
from domain.match.state import Match
from service.desk.access import check_known, club_for, require
from service.desk.on_stream import actor_on
from service.desk.requests import Done, Request
from service.desk.services import Services
from service.store.callers import Caller, of_club
from service.store.kinds import CLUB
from service.store.loaded import LoadedClub
from service.store.streams import Streams

ORDER: Final[tuple[Role, ...]] = ("secretary", "director", "deputy", "scorer")
FRIENDS: Final = frozenset({"owner", "director"})


class RoleRow(msgspec.Struct, frozen=True):
    """A role of a person: in the whole club, for one tournament, or at the table of one match."""

    person: str
    name: str | None
    role: Role
    tournament: str | None
    match: str | None


class FriendsRow(msgspec.Struct, frozen=True):
    """Two people who are close; `version` names the declaration where it is taken back."""

    version: int
    people: tuple[str, str]
    names: tuple[str | None, str | None]


class Scope(msgspec.Struct, frozen=True):
    """The tournament, or the match, that a role is for."""

    tournament: str | None = None
    match: str | None = None


async def roles_seen(services: Services, caller: Caller, club: UUID) -> tuple[LoadedClub, tuple[RoleRow, ...]]:
    """The roles of a club for who gives them; everybody else of the club reads the own ones. Raises Refusal."""
    loaded = await club_for(services, caller, club)
    _check_here(caller, loaded.club)
    rows = roles_of(loaded)
    if sees_all(caller, loaded.club):
        return loaded, rows
    return loaded, tuple(row for row in rows if row.person in _ids_of(caller, loaded))


def sees_all(caller: Caller, club: str) -> bool:
    """Tells who reads all roles of a club: its directors and secretaries, and the owner."""
    return caller.directs(club) or caller.administers(club)


def roles_of(club: LoadedClub) -> tuple[RoleRow, ...]:
    """Every role that a person holds, the widest first, then by name."""
    players = club.state.players
    rows = [
        RoleRow(person, players[person].name, each.role, each.tournament, each.match)
        for person, held in club.state.grants.items()
        for each in held
        if person in players
    ]
    return tuple(sorted(rows, key=lambda row: (ORDER.index(row.role), (row.name or "").casefold(), row.person)))


async def grant(
    services: Services, caller: Caller, club: UUID, person: str, role: Role, scope: Scope, request: Request
) -> Done[Club]:
    """Gives a role. Raises Refusal."""
    loaded = await _written(services, caller, club)
    known = await scope_in(services.streams, loaded.club, scope)
    command = GrantRole(person, role, known.tournament, known.match)
    return await services.recorder.on_stream(loaded.club, CLUB, command, request)


async def revoke(
    services: Services, caller: Caller, club: UUID, person: str, role: Role, scope: Scope, request: Request
) -> Done[Club]:
    """Ends a role; what it is for is named as the list names it. Raises Refusal."""
    loaded = await _written(services, caller, club)
    held = loaded.state.held(person)
    if Grant(role, scope.tournament, scope.match) not in held and scope.match is not None:
        scope = next((Scope(each.tournament, each.match) for each in held if _is(each, role, scope.match)), scope)
    command = RevokeRole(person, role, scope.tournament, scope.match)
    return await services.recorder.on_stream(loaded.club, CLUB, command, request)


def would_take(caller: Caller, club: LoadedClub, command: ClubCommand) -> bool:
    """Tells whether a command would be taken from this caller: pages offer no other."""
    try:
        decided(decide, club.state, command, actor_on(club, caller.actor(), command))
    except Refusal:
        return False
    return True


def ends(caller: Caller, club: LoadedClub, row: RoleRow) -> bool:
    """Tells who may end this role."""
    return would_take(caller, club, RevokeRole(row.person, row.role, row.tournament, row.match))


def given_by(caller: Caller, club: str) -> tuple[Role, ...]:
    """The roles that a caller gives in the whole club."""
    here = (each for each in caller.rights if each.club in (None, club) and not each.tournament and not each.match)
    given = {role for each in here for role in GRANTS.get(each.role, ())}
    return tuple(role for role in ORDER if role in given)


async def scope_in(streams: Streams, club: str, scope: Scope) -> Scope:
    """The scope of a role, checked to be the club's; a match of a tournament names it too, so that its deputy may give
    roles at its tables. Raises Refusal."""
    if scope.match is not None:
        match = await streams.match(scope.match)
        if match is None or match.club != club or not isinstance(match.state, Match):
            raise Refusal("malformed", f"the club has no match with the id {scope.match!r}")
        belongs = match.match.setup.tournament
        if scope.tournament not in (None, belongs):
            raise Refusal("malformed", "this match is not one of that tournament: leave `tournament` out")
        return Scope(belongs, scope.match)
    if scope.tournament is not None:
        tournament = await streams.tournament(scope.tournament)
        if tournament is None or tournament.club != club:
            raise Refusal("malformed", f"the club has no tournament with the id {scope.tournament!r}")
    return scope


async def friends_seen(services: Services, caller: Caller, club: UUID) -> tuple[LoadedClub, tuple[FriendsRow, ...]]:
    """The pairs of people who are close to each other, for those who direct the club. Raises Refusal."""
    loaded = await club_for(services, caller, club)
    require(caller, loaded.club, FRIENDS)
    players = loaded.state.players
    found = []
    for each in loaded.state.friends:
        one, other = (loaded.state.whom(person) for person in each.people)
        if {one, other} <= players.keys() and not {one, other} & loaded.state.erased and one != other:
            found.append(FriendsRow(each.version, (one, other), (players[one].name, players[other].name)))
    return loaded, tuple(found)


async def declare(services: Services, caller: Caller, club: UUID, one: str, other: str, request: Request) -> Done[Club]:
    """Declares two people close. Raises Refusal."""
    loaded = await _written(services, caller, club)
    return await services.recorder.on_stream(loaded.club, CLUB, DeclareFriends(one, other), request)


async def end_friends(services: Services, caller: Caller, club: UUID, version: int, request: Request) -> Done[Club]:
    """Takes a declaration back. Raises Refusal."""
    loaded = await _written(services, caller, club)
    return await services.recorder.on_stream(loaded.club, CLUB, EndFriends(version), request)


async def _written(services: Services, caller: Caller, club: UUID) -> LoadedClub:
    """A club that somebody we know writes to; whether it may be written is decided with it. Raises Refusal: 404 unseen,
    401 for who is not known, 403 for a stranger."""
    loaded = await club_for(services, caller, club)
    _check_here(caller, loaded.club)
    return loaded


def _check_here(caller: Caller, club: str) -> None:
    check_known(caller)
    if not of_club(caller, club):
        raise Refusal("forbidden", "this is for people of the club: ask its secretary")


def _ids_of(caller: Caller, club: LoadedClub) -> set[str]:
    person = caller.person_in(club.club)
    return set() if person is None else set(club.state.ids_of(person))


def _is(grant: Grant, role: Role, match: str) -> bool:
    return (grant.role, grant.match) == (role, match)
