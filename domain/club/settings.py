"""Decisions about how a club does things: its settings, and the house rules of its games."""

from typing import Final

import msgspec

from domain import codec
from domain.club.commands import AdoptHouseRules, ChangeSettings
from domain.club.events import HouseRulesAdopted, SettingsChanged
from domain.club.state import Club
from domain.game.protocol import AnyGame
from domain.log.actor import Actor, Strength
from domain.log.decider import New, Refusal, forbidden
from domain.log.event import Json, JsonObject
from domain.match.opening import find_game, read_options, read_race

LONGEST: Final = 80
MOST_MINUTES: Final = 60  # that a statement stays sealed
SIGNATURES: Final[tuple[Strength, ...]] = ("own device", "pin", "table", "scorer")  # with which a side can confirm


def settings_of(club: Club) -> JsonObject:
    """Every setting by name, as it stands."""
    return {"name": club.name, "public": club.public, **msgspec.structs.asdict(club.settings)}


def settings_changed(club: Club, command: ChangeSettings, actor: Actor) -> list[New]:
    """A change of what differs; what was not given stays. Nothing where nothing differs. Raises Refusal, also where
    one of them was changed since it was looked at."""
    if not actor.administers:
        raise forbidden(actor)
    now = settings_of(club)
    given = {name: value for name in now if (value := getattr(command, name)) is not None}
    if command.name is not None:
        given["name"] = _checked_name(command.name)
    if command.games is not None:
        _check_games(command.games)
    if command.confirms is not None and command.confirms not in SIGNATURES:
        raise Refusal("malformed", f"`confirms`: a side signs with {', '.join(SIGNATURES)}")
    if command.statement_minutes is not None and not 0 <= command.statement_minutes <= MOST_MINUTES:
        raise Refusal("malformed", f"`statement_minutes` is 0 to {MOST_MINUTES}")
    wanted = {name: value for name, value in given.items() if value != now[name]}
    later = [name for name in wanted if command.seen is not None and club.set_at.get(name, 1) > command.seen]
    if later:
        raise _overtaken(club, {name: (now[name], wanted[name]) for name in later})
    return [New(SettingsChanged(**wanted))] if wanted else []


def rules_adopted(club: Club, command: AdoptHouseRules, actor: Actor) -> list[New]:
    """House rules of a game, in the place of the earlier ones; none where they are the same. Raises Refusal."""
    if not actor.administers:
        raise forbidden(actor)
    game = find_game(command.game)
    options = read_options(game, command.options)
    _check_table(game, command.options)
    read_race(game, options, command.race)  # it can be played; what the game says itself is not repeated
    plain: JsonObject = codec.plain(options)
    usual: JsonObject = codec.plain(game.options())
    kept = {name: plain[name] for name in command.options if plain[name] != usual[name]}
    own: JsonObject = codec.plain(game.race_for(options))
    race = {name: value for name, value in command.race.items() if (value, own[name]) != (None, None)}
    known = club.rules.get(game.key)
    before = ({}, {}) if known is None else (known.options, known.race)
    if before == (kept, race):
        return []
    if known is not None and command.seen is not None and known.version > command.seen:
        both = {"options": (before[0], kept), "race": (before[1], race)}
        raise _overtaken(club, {name: pair for name, pair in both.items() if pair[0] != pair[1]})
    return [New(HouseRulesAdopted(game.key, kept, race))]


def decides_the_table(game: AnyGame, option: str, value: Json) -> bool:
    """Tells whether a value of an option changes who sits where: that is chosen with each match."""
    options = codec.convert({option: value}, game.options)
    return bool(game.sides(options) != game.sides(game.options()))


def _check_table(game: AnyGame, options: JsonObject) -> None:
    for name, value in options.items():
        if decides_the_table(game, name, value):
            raise Refusal("unknown-option", f"{name!r} says who plays with whom: choose it with each match")


def _checked_name(name: str) -> str:
    """A club's name on one line. Raises Refusal."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST:
        raise Refusal("malformed", f"the name of a club has 1 to {LONGEST} letters")
    return name


def _check_games(games: tuple[str, ...]) -> None:
    for game in games:
        find_game(game)
    if len(set(games)) < len(games):
        raise Refusal("malformed", "name each game once")


def _overtaken(club: Club, both: dict[str, tuple[Json, Json]]) -> Refusal:
    """The refusal of a change of what another one has changed meanwhile, with both."""
    return Refusal(
        "lost-race",
        "somebody else was faster and has changed this: look at what stands now, then send yours again",
        current_version=club.version,
        changed={name: {"now": now, "yours": yours} for name, (now, yours) in both.items()},
    )
