"""Commands on a club become events, or are refused."""

from collections.abc import Iterable
from typing import Any

from domain.club import erasure, friends, merging, people, pushing, roles, settings, taking, tokens
from domain.club.commands import (
    AdoptHouseRules,
    ChangeMembership,
    ChangeSettings,
    ClubCommand,
    DeclareFriends,
    DescribePlayer,
    EndFriends,
    ErasePerson,
    FoundClub,
    GrantRole,
    GrantToken,
    MergePlayers,
    PartPlayers,
    PeopleCommand,
    PushStreams,
    RegisterMember,
    RegisterVisitors,
    RenamePlayer,
    RevokeRole,
    RevokeTokens,
    RightsCommand,
    TakePeople,
)
from domain.club.events import ClubFounded, PlayerRegistered
from domain.club.rights import check_still_held
from domain.club.state import Club, same_name
from domain.log.actor import Actor
from domain.log.decider import New, Refusal


def decide(club: Club, command: ClubCommand, actor: Actor) -> list[New]:
    """The events of a command. Raises Refusal."""
    check_still_held(club, actor)
    match command:
        case FoundClub():
            if club.version:
                raise Refusal("misfit", "this club was founded before")
            return [New(ClubFounded(command.name, command.public))]
        case ChangeSettings():
            return settings.settings_changed(club, command, actor)
        case AdoptHouseRules():
            return settings.rules_adopted(club, command, actor)
        case PushStreams():
            return pushing.pushed(club, command, actor)
        case GrantRole() | RevokeRole() | GrantToken() | RevokeTokens() | DeclareFriends() | EndFriends():
            return _of_rights(club, command, actor)
        case _:
            return _of_people(club, command, actor)


def _of_rights(club: Club, command: RightsCommand, actor: Actor) -> list[New]:
    """The events of a command about who may do what, and who is recused."""
    match command:
        case GrantRole():
            return roles.granted(club, command, actor)
        case RevokeRole():
            return roles.revoked(club, command, actor)
        case GrantToken():
            return tokens.granted(club, command, actor)
        case RevokeTokens():
            return tokens.revoked(club, command, actor)
        case DeclareFriends():
            return friends.declared(club, command, actor)
        case EndFriends():
            return friends.ended(club, command, actor)


def _of_people(club: Club, command: PeopleCommand, actor: Actor) -> list[New]:
    """The events of a command about the people that the club knows."""
    match command:
        case RegisterMember():
            return people.registered(club, command, actor)
        case RegisterVisitors():
            return seat_players(club, command.people, command.ids)[1]
        case RenamePlayer():
            return people.renamed(club, command, actor)
        case ChangeMembership():
            return people.membership(club, command, actor)
        case DescribePlayer():
            return people.described(club, command, actor)
        case TakePeople():
            return taking.taken(club, command, actor)
        case MergePlayers():
            return merging.merged(club, command, actor)
        case PartPlayers():
            return merging.parted(club, command, actor)
        case ErasePerson():
            return erasure.erased(club, command, actor)


def seat_players(
    club: Club, sides: tuple[tuple[Any, ...], ...], fresh: Iterable[str]
) -> tuple[tuple[tuple[str, ...], ...], list[New]]:
    """Player ids by side for names or ids, and the registrations of names that the club does not know
    (visitors, with ids from `fresh`). Every name and id of a person leads to the one id that counts. Raises Refusal for
    an unknown id or a name that two people bear."""
    ids = iter(fresh)
    known = {name: list(people) for name, people in club.bearers().items()}
    registrations: list[New] = []
    seated = []
    for side in sides:
        own = []
        for who in side:
            if isinstance(who, str):
                found = known.setdefault(same_name(who), [])
                if len(found) > 1:
                    raise Refusal("malformed", f'two people are called {who!r}: say which with {{"id": "…"}}')
                if not found:
                    visitor = next(ids)
                    found.append(visitor)
                    registrations.append(New(PlayerRegistered(visitor, True), {"name": who.strip()}))
                own.append(found[0])
            elif who.id in club.players and who.id not in club.erased:
                own.append(club.whom(who.id))
            else:
                raise Refusal("malformed", f"the club knows no player with the id {who.id!r}")
        seated.append(tuple(own))
    return tuple(seated), registrations
