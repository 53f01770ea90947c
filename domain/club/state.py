"""The state of a club: its settings, the people it knows, who is whom, and what each of them may do."""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from domain.club import events as e
from domain.club.events import ClubEvent
from domain.log.actor import Role, Strength
from domain.log.event import JsonObject
from domain.match.event import Delay, Signals
from domain.match.house import HouseRules, Opens


class Player(msgspec.Struct, frozen=True):
    """A person the club knows; an erased one has no name. `earlier` are names that the person had before, `note`, `ids`
    and `rating` what the club keeps beside the name; `changed` is the version of the club at which that last did."""

    id: str
    name: str | None
    visitor: bool
    earlier: tuple[str, ...] = ()
    note: str = ""
    ids: Mapping[str, str] = {}
    rating: int | None = None
    erased: bool = False
    changed: int = 0


class Grant(msgspec.Struct, frozen=True):
    """A role that somebody holds, and what it is for."""

    role: Role
    tournament: str | None = None
    match: str | None = None


class Settings(msgspec.Struct, frozen=True):
    """The settings of a club: see SettingsChanged."""

    zone: str = "UTC"
    games: tuple[str, ...] = ()
    opens: Opens = "scorer"
    confirms: Strength = "scorer"
    statement_minutes: int = 5
    signals: Signals = "quiet"
    delay: Delay = "none"


class Friends(msgspec.Struct, frozen=True):
    """Two people who are close, and the version at which that was declared."""

    version: int
    people: tuple[str, str]


class PushedHead(msgspec.Struct, frozen=True):
    """The head with which a stream was brought from elsewhere (hash in hex), the source, and the version of the club at
    which that was said."""

    version: int
    hash: str
    source: str
    said: int


class Club(msgspec.Struct, frozen=True):
    """A club. `players` by id, in the order of registration; `merged` leads from an id to the one that it counts for;
    `grants` are the roles by person, `tokens` those by token; `rules` the newest house rules by game; `set_at` says at
    which version a setting was changed last; `parts` counts the events that say what was taken out of the log, by
    person; `pushed` are the heads with which streams were brought from elsewhere, by stream."""

    version: int = 0
    name: str = ""
    public: bool = False
    players: dict[str, Player] = {}
    settings: Settings = Settings()
    merged: dict[str, str] = {}
    grants: dict[str, tuple[Grant, ...]] = {}
    tokens: dict[str, tuple[Grant, ...]] = {}
    rules: dict[str, HouseRules] = {}
    friends: tuple[Friends, ...] = ()
    erased: frozenset[str] = frozenset()
    set_at: dict[str, int] = {}
    parts: dict[str, int] = {}
    pushed: dict[str, tuple[PushedHead, ...]] = {}

    def whom(self, player: str) -> str:
        """The id that an id counts for: itself, or that of the person it was merged with."""
        while player in self.merged:
            player = self.merged[player]
        return player

    def names(self) -> dict[str, str | None]:
        """Every id with the name of the person; people who were merged have that of the one who counts."""
        return {player: self.players[self.whom(player)].name for player in self.players}

    def ids_of(self, player: str) -> tuple[str, ...]:
        """All ids of a person, the one that counts first."""
        first = self.whom(player)
        return (first, *sorted(each for each in self.merged if self.whom(each) == first))

    def firsts(self) -> dict[str, str]:
        """The id that counts for each id that was merged with another."""
        return {each: self.whom(each) for each in self.merged}

    def bearers(self) -> dict[str, tuple[str, ...]]:
        """The people who bear each name (as `same_name` compares it), each by the id that counts."""
        found: dict[str, dict[str, None]] = {}
        for player in self.players.values():
            if player.name is not None:
                found.setdefault(same_name(player.name), {})[self.whom(player.id)] = None
        return {name: tuple(people) for name, people in found.items()}

    def held(self, player: str) -> tuple[Grant, ...]:
        """The roles that a person was granted."""
        return self.grants.get(self.whom(player), ())

    def close_to(self, player: str) -> tuple[str, ...]:
        """All ids of the people who are close to a person."""
        own = set(self.ids_of(player))
        near = {other for pair in self.friends if own & set(pair.people) for other in pair.people} - own
        return tuple(sorted(id for each in near for id in self.ids_of(each)))


class EventWithPrivate(NamedTuple):
    """An event with the private words that stand beside it; erased ones are gone."""

    event: ClubEvent
    private: JsonObject | None


def fold(club: Club, recorded: Iterable[tuple[int, EventWithPrivate]]) -> Club:
    """The club after these events, each with its version."""
    players = dict(club.players)
    for version, (event, private) in recorded:
        club = msgspec.structs.replace(_after(club, version, event, private, players), version=version)
    return msgspec.structs.replace(club, players=players)


def _after(club: Club, version: int, event: ClubEvent, private: JsonObject | None, players: dict[str, Player]) -> Club:
    """The club after one event; `players` is the copy that is being written."""
    change = msgspec.structs.replace
    match event:
        case e.ClubFounded():
            return change(club, name=event.name, public=event.public)
        case e.RoleGranted() | e.RoleRevoked():
            return _granted(club, event)
        case e.PlayersMerged():
            if event.other in club.merged or club.whom(event.player) == event.other:
                return club  # a log that says so was not written by `decide`: a ring would lead to nobody
            grants = {person: held for person, held in club.grants.items() if person != event.other}
            return change(club, merged={**club.merged, event.other: event.player}, grants=grants)
        case e.PlayersParted():
            return change(club, merged={one: other for one, other in club.merged.items() if one != event.other})
        case e.SettingsChanged():
            return _set(club, version, event)
        case e.HouseRulesAdopted():
            adopted = HouseRules(version, event.options, event.race)
            return change(club, rules={**club.rules, event.game: adopted})
        case e.FriendDeclared():
            return _friends(club, version, event, private)
        case e.StreamsPushed():
            return change(club, pushed=_pushed(club.pushed, version, event))
        case e.PersonErased():
            _erased(players, event.person)
            gone = {person: held for person, held in club.grants.items() if person != event.person}
            parts = {**club.parts, event.person: event.part}
            return change(club, erased=club.erased | {event.person}, grants=gone, parts=parts)
        case _:
            _of_player(players, version, event, private or {})
            return club


def _of_player(players: dict[str, Player], version: int, event: ClubEvent, private: JsonObject) -> None:
    """Writes what an event says of one person."""
    change = msgspec.structs.replace
    match event:
        case e.PlayerRegistered():
            players[event.player] = Player(event.player, private.get("name"), event.visitor, changed=version)
        case e.PlayerRenamed() if event.player in players:
            known = players[event.player]
            earlier = known.earlier if known.name is None else (*known.earlier, known.name)
            players[event.player] = change(known, name=private.get("name"), earlier=earlier, changed=version)
        case e.MembershipChanged() if event.player in players:
            players[event.player] = change(players[event.player], visitor=event.visitor, changed=version)
        case e.PlayerDescribed() if event.player in players:
            kept: JsonObject = {"note": "", "ids": {}, "rating": None, **private}
            known = players[event.player]
            told = {name: kept[name] for name in ("note", "ids", "rating")}
            players[event.player] = change(known, **told, changed=version)


def _pushed(
    before: dict[str, tuple[PushedHead, ...]], version: int, event: e.StreamsPushed
) -> dict[str, tuple[PushedHead, ...]]:
    """The heads of pushed streams after some more of them."""
    found = dict(before)
    for stream, (upto, digest) in zip(event.streams, event.heads, strict=True):
        found[stream] = (*found.get(stream, ()), PushedHead(upto, digest, event.source, version))
    return found


def _erased(players: dict[str, Player], person: str) -> None:
    """Takes everything out of a person but the id."""
    if person in players:
        players[person] = Player(person, None, players[person].visitor, erased=True)


def _granted(club: Club, event: e.RoleGranted | e.RoleRevoked) -> Club:
    """The club after a role began or ended."""
    grant = Grant(event.role, event.tournament, event.match)
    name, holder = ("grants", event.person) if event.person is not None else ("tokens", event.token)
    table: dict[str, tuple[Grant, ...]] = dict(getattr(club, name))
    if holder is None:
        return club
    rest = tuple(each for each in table.pop(holder, ()) if each != grant)
    held = (*rest, grant) if isinstance(event, e.RoleGranted) else rest
    if held:
        table[holder] = held
    return msgspec.structs.replace(club, **{name: table})


def _set(club: Club, version: int, event: e.SettingsChanged) -> Club:
    """The club with changed settings; what is null stays."""
    given = {name: value for name, value in msgspec.structs.asdict(event).items() if value is not None}
    set_at = {**club.set_at, **dict.fromkeys(given, version)}
    own = {name: given.pop(name) for name in ("name", "public") if name in given}
    return msgspec.structs.replace(club, **own, settings=msgspec.structs.replace(club.settings, **given), set_at=set_at)


def _friends(club: Club, version: int, event: e.FriendDeclared, private: JsonObject | None) -> Club:
    """The club after two people were declared close, or no longer."""
    if event.ended is not None:
        left = tuple(each for each in club.friends if each.version != event.ended)
        return msgspec.structs.replace(club, friends=left)
    people = tuple((private or {}).get("people", ()))
    if len(people) != 2:
        return club
    return msgspec.structs.replace(club, friends=(*club.friends, Friends(version, (people[0], people[1]))))


def same_name(name: str) -> str:
    """A name as it is compared: without case, width or spacing."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
