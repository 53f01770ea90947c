"""The settings of a club as they are asked for, shown and changed; the house rules of its games with their dates."""

from collections.abc import Mapping
from typing import Annotated, TypeAlias
from uuid import UUID

import msgspec

from domain.club.commands import AdoptHouseRules, ChangeSettings
from domain.club.events import HouseRulesAdopted
from domain.club.settings import MOST_MINUTES, settings_of
from domain.club.state import Club, same_name
from domain.game.race import GoalPoints
from domain.log.actor import Strength
from domain.log.decider import Refusal
from domain.log.event import Json, JsonObject, instant
from domain.match.event import Delay, Signals
from domain.match.house import Opens
from service.desk.access import check_known, club_for
from service.desk.bodies import Body, LurchBody, Name, Version, race_given
from service.desk.requests import Done, Request
from service.desk.services import Services
from service.desk.zones import is_zone
from service.store import log
from service.store.callers import Caller, may_read
from service.store.kinds import CLUB
from service.store.loaded import LoadedClub

GameKey = Annotated[str, msgspec.Meta(max_length=40)]
Zone = Annotated[str, msgspec.Meta(max_length=40)]
OptionValue: TypeAlias = str | Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | bool


class SettingsBody(Body, frozen=True, kw_only=True):
    """Settings to change: those that are given, and no other. With `expected_version` only where none of them was
    changed since that version of the club's stream."""

    name: Name | None = None
    public: bool | None = None
    zone: Zone | None = None
    games: Annotated[list[GameKey], msgspec.Meta(max_length=50)] | None = None
    opens: Opens | None = None
    confirms: Strength | None = None
    statement_minutes: Annotated[int, msgspec.Meta(ge=0, le=MOST_MINUTES)] | None = None
    signals: Signals | None = None
    delay: Delay | None = None
    expected_version: Version | None = None


class HouseRulesBody(Body, frozen=True, kw_only=True):
    """House rules of a game: all that is left out is as in the game's own rules; `lurch: null` means none."""

    game: GameKey
    options: dict[str, OptionValue] = {}
    target: GoalPoints | None | msgspec.UnsetType = msgspec.UNSET
    win_by: Annotated[int, msgspec.Meta(ge=1, le=1000)] | msgspec.UnsetType = msgspec.UNSET
    cap: GoalPoints | None | msgspec.UnsetType = msgspec.UNSET
    deals: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None | msgspec.UnsetType = msgspec.UNSET
    lurch: LurchBody | None | msgspec.UnsetType = msgspec.UNSET
    best_of: Annotated[int, msgspec.Meta(ge=1, le=99)] | msgspec.UnsetType = msgspec.UNSET
    expected_version: Version | None = None

    def race(self) -> JsonObject:
        """The members of the race that were given."""
        return race_given(self)


class RulesView(msgspec.Struct, frozen=True):
    """House rules of a game: the version of the club's stream at which they were adopted and the time, in UTC, the
    options and the members of the race that differ from the game's own, and whether they are in force."""

    game: str
    version: int
    adopted_at: str
    options: JsonObject
    race: JsonObject
    in_force: bool


class SettingsView(msgspec.Struct, frozen=True):
    """The settings of a club at a version of its stream, with the games that have house rules. `games` are those that
    the club plays, the usual one first; none: every game."""

    version: int
    name: str
    public: bool
    zone: str
    games: tuple[str, ...]
    opens: str
    confirms: str
    statement_minutes: int
    signals: str
    delay: str
    house_rules: tuple[str, ...]


class Change(msgspec.Struct, frozen=True):
    """A setting that was changed: what it was, and what it is."""

    was: Json
    now: Json


class SettingsAnswer(msgspec.Struct, frozen=True):
    """The answer to a change: the new version, what was changed by name, and all settings."""

    version: int
    changed: dict[str, Change]
    settings: SettingsView


class RulesAnswer(msgspec.Struct, frozen=True):
    """The answer to house rules: the new version, and the rules that are in force."""

    version: int
    rules: RulesView | None


def settings_view(club: LoadedClub) -> SettingsView:
    """The settings of a club."""
    own, state = club.state.settings, club.state
    return SettingsView(
        club.head.version,
        state.name,
        state.public,
        own.zone,
        own.games,
        own.opens,
        own.confirms,
        own.statement_minutes,
        own.signals,
        own.delay,
        tuple(state.rules),
    )


async def change_settings(
    services: Services, caller: Caller, club_id: UUID, body: SettingsBody, request: Request
) -> tuple[Done[Club], dict[str, Change]]:
    """Change settings; the stream as it is then, and what was changed. Raises Refusal."""
    club = await club_for(services, caller, club_id)
    check_known(caller)
    if body.zone is not None and not is_zone(body.zone):
        raise Refusal("malformed", f"there is no time zone {body.zone!r}: choose one such as Europe/Vienna")
    if body.name is not None and caller.administers(club.club):
        await _check_name(services, caller, club.club, body.name)
    command = ChangeSettings(
        body.name,
        body.public,
        body.zone,
        None if body.games is None else tuple(body.games),
        body.opens,
        body.confirms,
        body.statement_minutes,
        body.signals,
        body.delay,
        body.expected_version,
    )
    done = await services.recorder.on_stream(club.club, CLUB, command, request)
    return done, await changes_at(services, done.loaded, done.first) if done.last >= done.first else {}


async def _check_name(services: Services, caller: Caller, club: str, name: str) -> None:
    """Raises Refusal for the name of another club that the caller may see: of a private one nobody is told."""
    others = (each for each in await services.streams.clubs() if each.club != club)
    seen = (each.state for each in others if may_read(caller, each.club, each.state.public))
    if any(same_name(each.name) == same_name(name) for each in seen):
        raise Refusal("malformed", f"there is a club called {name!r} already: choose another name")


async def changes_at(services: Services, club: LoadedClub, version: int) -> dict[str, Change]:
    """The settings that a version of a club's stream changed."""
    before, after = [settings_of(await services.streams.state_at(club, each)) for each in (version - 1, version)]
    return {name: Change(before[name], now) for name, now in after.items() if now != before[name]}


async def adopt_rules(
    services: Services, caller: Caller, club_id: UUID, body: HouseRulesBody, request: Request
) -> Done[Club]:
    """Adopt house rules. Raises Refusal."""
    club = await club_for(services, caller, club_id)
    check_known(caller)
    command = AdoptHouseRules(body.game, dict(body.options), body.race(), body.expected_version)
    return await services.recorder.on_stream(club.club, CLUB, command, request)


async def rules_of(services: Services, club: LoadedClub, game: str | None = None) -> list[RulesView]:
    """All house rules that the club has had, the newest first, of one game or of all."""
    stored = await log.read_kind(services.pool, club.club, club.club, HouseRulesAdopted.__name__, club.head.version)
    versions: Mapping[str, int] = {key: rules.version for key, rules in club.state.rules.items()}
    found = []
    for each in stored:
        event = each.event.data
        if isinstance(event, HouseRulesAdopted) and game in (None, event.game):
            current = versions.get(event.game) == each.event.version
            at = instant(each.event.recorded_at)
            found.append(RulesView(event.game, each.event.version, at, event.options, event.race, current))
    return found[::-1]
