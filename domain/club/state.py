"""The state of a club: its name, whether everybody may read it, and the people it knows."""

import unicodedata
from collections.abc import Iterable
from typing import Any

import msgspec

from domain.club.events import ClubFounded, PlayerRegistered
from domain.decider import New, Refusal


class Player(msgspec.Struct, frozen=True):
    """A person the club knows; an erased one has no name."""

    id: str
    name: str | None
    visitor: bool


class Club(msgspec.Struct, frozen=True):
    """A club. `players` by id, in the order of registration."""

    version: int = 0
    name: str = ""
    public: bool = False
    players: dict[str, Player] = {}


def fold(club: Club, recorded: Iterable[tuple[int, Any, dict[str, Any] | None]]) -> Club:
    """The club after these (version, event, private) triples."""
    players = dict(club.players)
    name, public, version = club.name, club.public, club.version
    for number, event, private in recorded:
        version = number
        match event:
            case ClubFounded():
                name, public = event.name, event.public
            case PlayerRegistered():
                shown = (private or {}).get("name")
                players[event.player] = Player(event.player, shown, event.visitor)
    return Club(version, name, public, players)


def same_name(name: str) -> str:
    """How names are compared: without case, width or spacing."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


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
            elif who.id in club.players:
                own.append(who.id)
            else:
                raise Refusal("malformed", f"the club knows no player with the id {who.id!r}")
        seated.append(tuple(own))
    return tuple(seated), registrations
