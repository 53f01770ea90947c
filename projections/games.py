"""Games as a form or a page is built from them: options, entry, facts, rules, worked scores."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, TypeAlias, get_args, get_origin

import msgspec

from domain import codec
from domain.cards.facts import Fact
from domain.game.protocol import AnyGame
from domain.game.race import pinned
from domain.games import all_games
from domain.log.event import JsonObject
from domain.notation.history import meta_of

OptionValue: TypeAlias = Any  # a word, a number, true or false, as the option's own type says
OptionType: TypeAlias = Any  # the annotation of an option


class OptionView(msgspec.Struct, frozen=True):
    """One option: its question, its values (the default first) with their words, its place in the ledger."""

    name: str
    description: str
    values: tuple[OptionValue, ...]
    default: OptionValue
    level: str
    ledger: str
    said: tuple[str, ...] = ()


class WorkedView(msgspec.Struct, frozen=True):
    """A worked score, computed by the game itself."""

    entry: JsonObject
    options: JsonObject
    scores: tuple[int, ...]
    text: str


class RuleView(msgspec.Struct, frozen=True):
    """A rule in our words, with its ledger number."""

    number: str
    text: str


class GameView(msgspec.Struct, frozen=True):
    """A game with all that a client needs."""

    key: str
    title: str
    version: int
    seats: int
    target: int | None
    win_by: int
    deals: int | None
    lurch: Any
    options: tuple[OptionView, ...]
    facts: JsonObject
    entry: JsonObject
    rules: tuple[RuleView, ...]
    worked: tuple[WorkedView, ...]


def goal(target: int | None, win_by: int, deals: int | None) -> str:
    """The goal of a match, in words."""
    if target is None:
        return f"{deals} {'deal' if deals == 1 else 'deals'}, the higher total wins" if deals else "no end of its own"
    return f"to {target}, won by {win_by}"


def option_views(game: AnyGame) -> tuple[OptionView, ...]:
    """The options of a game, from their own declarations."""
    return tuple(
        OptionView(
            field.name,
            _described(field.type),
            _values(field.type, field.default),
            field.default,
            meta_of(field.type)["level"],
            meta_of(field.type)["ledger"],
            tuple(said_of(field.type, value) for value in _values(field.type, field.default)),
        )
        for field in msgspec.structs.fields(game.options)
    )


def _described(kind: OptionType) -> str:
    return next((m.description or "" for m in getattr(kind, "__metadata__", ()) if isinstance(m, msgspec.Meta)), "")


def said_of(kind: OptionType, value: OptionValue) -> str:
    """A value of an option in words: those of its game, else yes and no, else the value itself."""
    plain = str(value).lower() if isinstance(value, bool) else str(value)
    said: dict[str, str] = meta_of(kind).get("said", {})
    return said.get(plain) or {"true": "yes", "false": "no"}.get(plain) or plain.replace("_", " ")


def _values(kind: OptionType, default: OptionValue) -> tuple[OptionValue, ...]:
    inner = kind.__origin__
    values = get_args(inner) if get_origin(inner) is Literal else (True, False)
    return (default, *(value for value in values if value != default))


def variants(game: AnyGame) -> tuple[JsonObject, ...]:
    """The option sets that change the number of seats, so the shape of the entry."""
    found: dict[int, JsonObject] = {}
    for option in option_views(game):
        for value in option.values:
            given = {option.name: value} if value != option.default else {}
            options = codec.convert(given, game.options)
            found.setdefault(hash((game.seats(options), game.sheet.entry(options), game.sheet.form(options))), given)
    return tuple(found.values()) or ({},)


@cache  # JSON Schemas take two milliseconds a game, and each of its forms asks for them
def game_view(game: AnyGame) -> GameView:
    """One game."""
    options = game.options()
    race = pinned(game.race)
    kinds = (*game.facts, *game.remarks)
    components = fact_schemas(kinds, "#/{name}")
    facts = {str(kind.__struct_config__.tag): components[kind.__name__] for kind in kinds}
    forms = {}
    for given in variants(game):
        chosen = codec.convert(given, game.options)
        name = ", ".join(f"{key}={value}" for key, value in given.items()) or "default"
        forms[name] = {
            "options": given,
            "schema": msgspec.json.schema(game.sheet.entry(chosen), schema_hook=card_schema),
            "fields": codec.plain(game.sheet.form(chosen)),
        }
    return GameView(
        key=game.key,
        title=game.title,
        version=game.version,
        seats=game.seats(options),
        target=race.target,
        win_by=race.win_by,
        deals=race.deals,
        lurch=codec.plain(race.lurch),
        options=option_views(game),
        facts=facts,
        entry=forms,
        rules=tuple(RuleView(number, text) for number, text in game.rules),
        worked=tuple(worked(game)),
    )


def worked(game: AnyGame) -> list[WorkedView]:
    """The worked scores of a game."""
    found = []
    for example in game.worked:
        options = codec.convert(dict(example.options), game.options)
        entry = codec.convert(dict(example.entry), game.sheet.entry(options))
        result = game.sheet.score(options, entry)
        found.append(WorkedView(dict(example.entry), dict(example.options), result.scores, example.text))
    return found


def card_schema(kind: type) -> JsonObject:
    """A card in JSON Schema."""
    return {
        "type": "string",
        "title": "Card",
        "pattern": "^([CDHS][2-9TJQKA]|[2-9TJQKA][CDHS]|X[RB]|[RB]J)(?![\\s\\S])",
        "examples": ["SA", "HT", "XR"],
    }


def fact_schemas(kinds: Sequence[type[Fact]], ref_template: str) -> JsonObject:
    """The schemas of facts by the name of each kind, and which members may stand together where a fact says it."""
    found = msgspec.json.schema_components(kinds, schema_hook=card_schema, ref_template=ref_template)[1]
    for kind in kinds:
        if kind.together:
            whole = found[kind.__name__]
            found[kind.__name__] = {**whole, "anyOf": [_narrowed(whole, each) for each in kind.together]}
    return found


def _narrowed(whole: JsonObject, together: Mapping[str, Sequence[str]]) -> JsonObject:
    """A schema whose members have these values only."""
    narrow = {name: {"enum": list(values)} for name, values in together.items()}
    kept = {name: whole[name] for name in ("type", "required", "additionalProperties")}
    return {**kept, "properties": {**whole["properties"], **narrow}}


def game_views() -> tuple[GameView, ...]:
    """Every game."""
    return tuple(game_view(game) for game in all_games().values())
