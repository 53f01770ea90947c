"""Opening a match: the game, its options and the race, each checked with an answer that helps."""

import difflib
from typing import TypeAlias

import msgspec

from domain import codec
from domain.game.protocol import AnyDeal, AnyGame, AnyOptions
from domain.game.race import Race, pinned
from domain.games import all_games
from domain.log.decider import New, Refusal
from domain.log.event import Json, JsonObject
from domain.match import commands as c
from domain.match import events as e
from domain.match.house import HouseRules
from domain.match.state import NoMatch, State


def open_match(state: State, command: c.OpenMatch) -> list[New]:
    """A match's first event. Raises Refusal: unknown game or option, wrong sides, a race that cannot be."""
    if not isinstance(state, NoMatch):
        raise Refusal("misfit", "this match has been opened already")
    game = find_game(command.game)
    house = command.host.rules if command.tournament is None else None
    chosen = options_in(game, command.options, house)
    options = read_options(game, chosen)
    sides = game.sides(options)
    wanted = tuple(len(seats) for seats in sides)
    if tuple(len(side) for side in command.sides) != wanted:
        shape = " and ".join(str(number) for number in wanted)
        raise Refusal("malformed", f"`sides`: {game.title} has {len(sides)} sides, of {shape} players")
    names = [player for side in command.sides for player in side]
    if len(set(names)) != len(names):
        raise Refusal("malformed", "one player sits on two chairs: change one")
    race = race_in(game, options, command.race, house)
    given = {name: value for name, value in codec.plain(options).items() if name in chosen}
    depth = command.depth or "plays"
    raw = msgspec.Raw(codec.encode(given))
    if command.dealer is not None and not 0 <= command.dealer < game.seats(options):
        raise Refusal("malformed", f"`dealer` is a seat from 0 to {game.seats(options) - 1}")
    event = e.MatchOpened(
        game.key,
        game.version,
        raw,
        race,
        command.sides,
        command.recording,
        depth,
        command.tournament,
        command.dealer,
        command.house if house is None else house.version,
        command.signals or command.host.signals,
        command.delay or command.host.delay,
    )
    private = command.private or ({"note": command.note} if command.note else None)
    return [New(event, private)]


def find_game(key: str) -> AnyGame:
    """The game of that key. Raises Refusal, naming the nearest."""
    games = all_games()
    if key in games:
        return games[key]
    near = difflib.get_close_matches(key, games, n=1)
    hint = f": did you mean {near[0]}?" if near else ""
    raise Refusal("unknown-option", f"there is no game {key!r}; there are {', '.join(games)}{hint}")


OptionValue: TypeAlias = bool | int | str


def option_value(text: str) -> OptionValue:
    """An option's value as people write it: true, false, a number, else a word."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdecimal() and len(text) < 7 else text


def read_options(game: AnyGame, given: JsonObject) -> AnyOptions:
    """The game's options from what was given. Raises Refusal that lists the options there are."""
    known = [field.name for field in msgspec.structs.fields(game.options)]
    for name in given:
        if name not in known:
            raise Refusal("unknown-option", f"{game.title} has no option {name!r}; it has {', '.join(known) or 'none'}")
    try:
        options: AnyOptions = codec.convert(given, game.options)
        return options
    except msgspec.ValidationError as error:
        raise Refusal("unknown-option", f"options: {error}") from None


def options_in(game: AnyGame, given: JsonObject, house: HouseRules | None) -> JsonObject:
    """The options that were said, and for all others the house rules, as far as they go together."""
    if house is None:
        return given
    both = {**house.options, **given}
    if _fits(game, both):
        return both
    both = dict(given)
    for name, value in house.options.items():
        if name not in given and _fits(game, {**both, name: value}):
            both[name] = value
    return both


def _fits(game: AnyGame, options: JsonObject) -> bool:
    """Tells whether a game can be played with these options."""
    try:
        read_options(game, options)
    except Refusal:
        return False
    return True


def race_in(game: AnyGame, options: AnyOptions, given: JsonObject, house: HouseRules | None) -> Race:
    """The race: what was said, over the house rules, over the game's own. A cap and lurch lines of the house that do
    not go with what was said are left out. Raises Refusal."""
    if house is None:
        return read_race(game, options, given)
    try:
        return read_race(game, options, given, house.race)
    except Refusal:
        rest = {name: value for name, value in house.race.items() if name not in ("cap", "lurch")}
        return read_race(game, options, given, rest)


def read_race(game: AnyGame, options: AnyOptions, given: JsonObject, house: JsonObject | None = None) -> Race:
    """The race: what was given over the `house` over the defaults, lurch lines pinned in points. Raises Refusal; a
    fraction line needs a target."""
    default: JsonObject = codec.plain(game.race_for(options))
    try:
        return pinned(codec.convert(_over(_over(default, house or {}), given), Race))
    except msgspec.ValidationError as error:
        raise Refusal("unknown-option", str(error)) from None
    except ValueError as error:
        raise Refusal("unknown-option", str(error)) from None


def _over(default: JsonObject, given: JsonObject) -> JsonObject:
    """A race with what was given: a fixed number of `deals` without a target stands for itself, and so does a target in
    a game that has a number of deals (ALL.3)."""
    default = dict(default)
    if given.get("deals") is not None and given.get("target") is None:
        default["target"] = None
        default["lurch"] = None
    if given.get("target") is not None and "deals" not in given:
        default["deals"] = None
    return {**default, **given}


def read_deal(game: AnyGame, options: AnyOptions, deal: Json) -> AnyDeal | None:
    """The cards of a deal, every card of the pack once. Raises Refusal."""
    if deal is None:
        return None
    try:
        read = deal if isinstance(deal, game.deal) else codec.convert(deal, game.deal)
    except msgspec.ValidationError as error:
        raise Refusal("malformed", f"deal: {error}") from None
    wrong = game.check_deal(options, read)
    if wrong is not None:
        raise Refusal("malformed", f"deal: {wrong}")
    return read
