"""Deal histories, one JSON object a line: read, replay strictly, score, write."""

import functools
import json
from collections.abc import Sequence

import msgspec

from domain import codec
from domain.cards.card import mask_of
from domain.cards.facts import Fact, Passed
from domain.game.protocol import ALL, AnyDeal, AnyGame, AnyOptions, AnyTable
from domain.games import all_games, find
from domain.log.event import Json, JsonObject
from domain.match.audit.findings import first_breach


class MalformedError(Exception):
    """A line that is no history. `rule` is `malformed`, `unknown-game` or `unknown-option`."""

    def __init__(self, detail: str, column: int = 1, rule: str = "malformed", action: int | None = None):
        super().__init__(detail)
        self.detail = detail
        self.column = column
        self.rule = rule
        self.action = action


class HistoryLine(msgspec.Struct, forbid_unknown_fields=True):
    """The members of a line before the game has checked them."""

    game: str
    deal: msgspec.Raw
    actions: list[list[Json]]
    options: JsonObject = {}
    dealer: int = 0


class History(msgspec.Struct, frozen=True):
    """One complete or unfinished deal, read and checked; `deal` holds everything that chance decided."""

    game: AnyGame
    options: AnyOptions
    given: JsonObject
    dealer: int
    deal: AnyDeal
    facts: list[Fact]


_RAW = msgspec.json.Decoder(HistoryLine)
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])


def read(line: str) -> History:
    """Read a line as a history. Raises MalformedError, with the column if it is known."""
    try:
        raw = _RAW.decode(line)
    except msgspec.ValidationError as error:
        raise MalformedError(str(error), _column(line, str(error))) from None
    except msgspec.DecodeError as error:
        raise MalformedError(str(error), _byte(line, str(error))) from None
    except RecursionError:
        raise MalformedError("nested too deeply") from None
    except UnicodeEncodeError:
        raise MalformedError("the line holds half a character (a lone surrogate)") from None
    _each_once(line, raw)
    game, options = _game(line, raw), None
    options = _options(line, game, raw.options)
    seats = game.seats(options)
    if not 0 <= raw.dealer < seats:
        raise MalformedError(f"`dealer` is a seat from 0 to {seats - 1}", _find(line, '"dealer"'))
    deal = _deal(line, game, options, raw.deal)
    return History(game, options, raw.options, raw.dealer, deal, _facts(line, raw.actions))


class _TwiceError(ValueError):
    """A member that stands twice in its object."""


def _each_once(line: str, raw: HistoryLine) -> None:
    """Refuse a member that stands twice. A line in the form that Lurch writes needs no second reading for it."""
    try:
        members = len(HistoryLine.__struct_fields__) + len(raw.options) + len(_MEMBERS.decode(raw.deal))
        if line.count('":') == members and "\\" not in line:
            return
        json.loads(line, object_pairs_hook=_different)
    except _TwiceError as twice:
        name = str(twice)
        at = line.find(f'"{name}"', line.find(f'"{name}"') + 1)
        raise MalformedError(f"{name!r} stands twice in its object", max(at, 0) + 1) from None
    except msgspec.ValidationError:
        return  # a deal that is no object: the game says so
    except RecursionError:
        raise MalformedError("nested too deeply") from None


def _different(pairs: list[tuple[str, Json]]) -> JsonObject:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return found


def _game(line: str, raw: HistoryLine) -> AnyGame:
    if raw.game not in all_games():
        known = ", ".join(all_games())
        raise MalformedError(f"there is no game {raw.game!r}; there are {known}", _find(line, '"game"'), "unknown-game")
    return find(raw.game)


def option_level(game: AnyGame, name: str) -> str | None:
    """`deal` or `match`, or None for an option that the game does not have."""
    return _levels(game.options).get(name)


@functools.cache
def _levels(options: type[msgspec.Struct]) -> dict[str, str]:
    """The level of each option by name."""
    return {field.name: meta_of(field.type)["level"] for field in msgspec.structs.fields(options)}


def meta_of(kind: type[msgspec.Struct]) -> JsonObject:
    """Ledger number and level of an option, from the annotation of its type."""
    for meta in getattr(kind, "__metadata__", ()):
        if isinstance(meta, msgspec.Meta) and meta.extra:
            return dict(meta.extra)
    return {}


def _options(line: str, game: AnyGame, given: JsonObject) -> AnyOptions:
    levels = _levels(game.options)
    deal_level = [name for name, level in levels.items() if level == "deal"]
    for name in given:
        if name not in deal_level:
            what = "is an option of the match, not of a deal" if name in levels else "is unknown"
            raise MalformedError(
                f"option {name!r} {what}; {game.title} has {', '.join(deal_level) or 'none'} in a deal",
                _find(line, f'"{name}"'),
                "unknown-option",
            )
    try:
        options: AnyOptions = codec.convert(given, game.options)
        return options
    except msgspec.ValidationError as error:
        raise MalformedError(f"options: {error}", _find(line, '"options"'), "unknown-option") from None


def _deal(line: str, game: AnyGame, options: AnyOptions, raw: msgspec.Raw) -> AnyDeal:
    try:
        deal = codec.decode(raw, game.deal)
    except msgspec.ValidationError as error:
        raise MalformedError(f"deal: {error}", _find(line, '"deal"')) from None
    wrong = game.check_deal(options, deal)
    if wrong is not None:
        raise MalformedError(f"deal: {wrong}", _find(line, '"deal"'))
    return deal


def _facts(line: str, actions: list[list[Json]]) -> list[Fact]:
    facts = []
    for place, action in enumerate(actions):
        try:
            facts.append(codec.from_list(action))
        except ValueError as error:
            column = _nth_action(line, place)
            raise MalformedError(f"action {place}: {error}", column, action=place) from None
    return facts


def _find(line: str, text: str) -> int:
    return max(line.find(text), 0) + 1


def _nth_action(line: str, place: int) -> int:
    at = line.find("[", line.find('"actions"'))
    for _ in range(place + 1):
        at = line.find("[", at + 1)
    return max(at, 0) + 1


def _byte(line: str, message: str) -> int:
    _, found, tail = message.rpartition("byte ")
    if not found:
        return len(line) + 1
    byte = int("".join(char for char in tail if char.isdigit()) or 0)
    return len(line.encode("utf-8", "replace")[:byte].decode("utf-8", "replace")) + 1


def _column(line: str, message: str) -> int:
    """The column of the member that a validation message names (`$.dealer`)."""
    path = message.rpartition("`$.")[2] if "`$." in message else ""
    name = path.split(".")[0].split("[")[0].rstrip("`")
    return _find(line, f'"{name}"') if name else 1


def score_line(number: int, line: str) -> tuple[str, JsonObject]:
    """The key of a line's game ("" for a line that cannot be read) and the answer of `lurch score`."""
    try:
        history = read(line)
    except MalformedError as error:
        found = {"rule": error.rule, "line": number, "column": error.column, "detail": error.detail}
        if error.action is not None:
            found["action"] = error.action
        return "", {"error": found}
    return history.game.key, score(history)


def score(history: History) -> JsonObject:
    """Replay a history strictly; the first action against the rules ends it with an error."""
    game = history.game
    table = game.start(history.options, history.dealer, history.deal)
    table, place, reasons = first_breach(game, table, history.facts)
    if reasons:
        first = reasons[0]
        code = {"code": first.code} if first.code else {}
        return {"error": {"rule": first.rule, **code, "action": place, "detail": first.detail}}
    silent = last_pass(game, history.options, table)
    result = game.score(table if silent is None else game.evolve(table, silent))
    if result is None:
        return {"complete": False, "scores": None, "actions": place}
    return {"complete": True, **codec.plain(result)}


def last_pass(game: AnyGame, options: AnyOptions, table: AnyTable) -> Passed | None:
    """The pass that ends a deal after its last card, which a history leaves out (GA.g6). None for any other table."""
    seat = game.to_act(table)
    if seat is None or not game.script.histories_omit_pass or mask_of(game.view(table, ALL).seen) != game.pack(options):
        return None
    passed = Passed(seat)
    return None if game.breaches(table, passed) else passed


def write(game: AnyGame, given: JsonObject, dealer: int, deal: AnyDeal, facts: Sequence[Fact]) -> str:
    """A deal as a history line."""
    if facts and isinstance(facts[-1], Passed):
        options = codec.convert(given, game.options)
        table = functools.reduce(game.evolve, facts[:-1], game.start(options, dealer, deal))
        facts = facts[:-1] if last_pass(game, options, table) == facts[-1] else facts
    record = {
        "game": game.key,
        "options": given,
        "dealer": dealer,
        "deal": codec.plain(deal),
        "actions": [codec.to_list(fact) for fact in facts],
    }
    return msgspec.json.encode(record).decode()
