"""The state of a club: its name, whether everybody may read it, and the people it knows."""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from domain.club.events import ClubEvent, ClubFounded, PlayerRegistered


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


class Entered(NamedTuple):
    """An event with the private words that stand beside it; erased ones are gone."""

    event: ClubEvent
    private: Mapping[str, Any] | None


def fold(club: Club, recorded: Iterable[tuple[int, Entered]]) -> Club:
    """The club after these events, each with its version."""
    players = dict(club.players)
    name, public, version = club.name, club.public, club.version
    for number, (event, private) in recorded:
        version = number
        match event:
            case ClubFounded():
                name, public = event.name, event.public
            case PlayerRegistered():
                shown = (private or {}).get("name")
                players[event.player] = Player(event.player, shown, event.visitor)
            case _:
                pass
    return Club(version, name, public, players)


def same_name(name: str) -> str:
    """A name as it is compared: without case, width or spacing."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
