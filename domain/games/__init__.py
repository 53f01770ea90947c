"""Every game there is, discovered: each module of this folder with a `GAME`.

A game is a file, or a folder cut like all the others:

- `__init__` the game itself: names, rules in our words, worked scores, and the functions of the files below;
- `options` the rule options, the facts of its own, the deal;
- `state` the situations of a deal, the start, and the seat to act;
- `judging` the legal facts, and the rules that any other fact breaks;
- `play` the table after a fact (`evolve`);
- `scoring` results, from full play and from an entry alike;
- `view` the table as one viewer may see it;
- `sheet`, `script` and `ending` where a game has an entry form by options, a notation and a solver of its own;
- `codes` its own codes of irregularities, `remedies` what becomes of a deal after one, `audit` what a breach rests on;
- `claimed` the end of a deal whose rest was claimed and given, `shown` the words and notes that several tables share.

Besides these only matters of one game: `counting` (Over the Top), `board` (Get Stuck), `layout` (Garbo), and
`two/`, `four/` with `forms` (Cross Purposes, which is two games under one name).
"""

import importlib
import pkgutil
from functools import cache
from types import MappingProxyType
from typing import Any, Union

import msgspec

from domain.cards.facts import Fact
from domain.game.protocol import AnyGame


class TwoMeaningsError(Exception):
    """A word of a fact belongs to one Struct over all games; here two claim it."""


def discover(path: list[str], package: str) -> dict[str, AnyGame]:
    """The games in a folder by key, in the order of their names."""
    names = sorted(module.name for module in pkgutil.iter_modules(path))
    modules = [importlib.import_module(f"{package}.{name}") for name in names]
    found: dict[str, AnyGame] = {}
    for module in modules:
        if hasattr(module, "GAME") and found.setdefault(module.GAME.key, module.GAME) is not module.GAME:
            raise TwoMeaningsError(f"two games have the key {module.GAME.key!r}")
    words_of(found)
    return found


def words_of(games: dict[str, AnyGame]) -> dict[str, type[Fact]]:
    """Word -> Struct over all games. Raises TwoMeaningsError, naming both."""
    words: dict[str, type[Fact]] = {}
    for game in games.values():
        for fact in (*game.facts, *game.remarks):
            word = str(fact.__struct_config__.tag)
            other = words.setdefault(word, fact)
            if other is not fact:
                names = f"{other.__module__}.{other.__name__} and {fact.__module__}.{fact.__name__}"
                raise TwoMeaningsError(f"`{word}` means both {names}")
    return words


@cache
def _found() -> dict[str, AnyGame]:
    return discover(list(__path__), __name__)


def all_games() -> MappingProxyType[str, AnyGame]:
    """Every game by key."""
    return MappingProxyType(_found())


def find(key: str) -> AnyGame:
    """The game of that key. Raises KeyError, naming the games there are."""
    try:
        return _found()[key]
    except KeyError:
        raise KeyError(f"there is no game {key!r}; there are {', '.join(_found())}") from None


@cache
def fact_types() -> tuple[type[Fact], ...]:
    """Every fact of every game, each once."""
    return tuple(words_of(_found()).values())


def fact_union() -> Any:
    """The union of all facts, for decoders and OpenAPI."""
    return Union[fact_types()]


def defaults(game: AnyGame) -> msgspec.Struct:
    """The game's options, all at their defaults."""
    return game.options()


def stand_in(size: int) -> AnyGame:
    """The game that is taken for sides of so many players where nobody names one. Raises KeyError without one."""
    for game in _found().values():
        if game.stands_in and all(len(side) == size for side in game.sides(defaults(game))):
            return game
    raise KeyError(f"no game stands in for sides of {size}")
