"""House rules, and the club that a match is opened in: what the opening takes from it where nothing else is said."""

from typing import Literal, TypeAlias

import msgspec

from domain.log.actor import Actor
from domain.log.event import JsonObject
from domain.match.event import Delay, Signals

Opens: TypeAlias = Literal["director", "scorer", "member", "anybody"]


class HouseRules(msgspec.Struct, frozen=True):
    """The options and the race that a new match of a game takes where nothing else is said, and the version of the
    club's stream at which they were adopted."""

    version: int
    options: JsonObject = {}
    race: JsonObject = {}


class Host(msgspec.Struct, frozen=True):
    """A club as a match is opened in it: the least role that opens matches, which ids of whoever asks are of members,
    the house rules of the game, and when findings are told where nothing else is said."""

    opens: Opens = "scorer"
    members: frozenset[str] = frozenset()
    rules: HouseRules | None = None
    signals: Signals = "quiet"
    delay: Delay = "none"


def may_open(host: Host, actor: Actor, tournament: str | None = None) -> bool:
    """Tells whether an actor opens matches in a club; a right for one table or one tournament reaches no further,
    unless anybody may."""
    if actor.match is None and actor.tournament in (None, tournament):
        if actor.directs or (actor.records and host.opens != "director"):
            return True
        if host.opens == "member" and not actor.by_code:
            return actor.administers or bool(host.members & set(actor.people))
    return host.opens == "anybody" and actor.role != "spectator"
