"""Commands on a club become events, or are refused."""

from collections.abc import Iterable
from typing import Any

from domain.club import erasure, roles
from domain.club.commands import (
    ClubCommand,
    ErasePerson,
    FoundClub,
    GrantRole,
    RegisterMember,
    RegisterVisitors,
    RevokeRole,
)
from domain.club.events import ClubFounded, PlayerRegistered
from domain.club.state import Club, same_name
from domain.log.actor import Actor
from domain.log.decider import New, Refusal, forbidden


def decide(club: Club, command: ClubCommand, actor: Actor) -> list[New]:
    """The events of a command. Raises Refusal."""
    match command:
        case FoundClub():
            if club.version:
                raise Refusal("misfit", "this club was founded before")
            return [New(ClubFounded(command.name, command.public))]
        case RegisterMember():
            if not (actor.administers or actor.directs):
                raise forbidden(actor)
            return [New(PlayerRegistered(command.player, False), {"name": command.name})]
        case RegisterVisitors():
            return seat_players(club, command.people, command.ids)[1]
        case GrantRole():
            return roles.granted(club, command, actor)
        case RevokeRole():
            return roles.revoked(club, command, actor)
        case ErasePerson():
            return erasure.erased(club, command, actor)


def seat_players(
    club: Club, sides: tuple[tuple[Any, ...], ...], fresh: Iterable[str]
) -> tuple[tuple[tuple[str, ...], ...], list[New]]:
    """Player ids by side for names or ids, and the registrations of names that the club does not know
    (visitors, with ids from `fresh`). Raises Refusal for an unknown id or a name that two people bear."""
    ids = iter(fresh)
    known: dict[str, list[str]] = {}
    for player in club.players.values():
        if player.name is not None:
            known.setdefault(same_name(player.name), []).append(player.id)
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
                own.append(who.id)
            else:
                raise Refusal("malformed", f"the club knows no player with the id {who.id!r}")
        seated.append(tuple(own))
    return tuple(seated), registrations
