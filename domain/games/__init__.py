"""Every game there is, discovered: each module of this folder with a `GAME`."""

import importlib
import pkgutil
from functools import cache
from types import MappingProxyType
from typing import Any, Union

import msgspec

from domain.facts import Fact
from domain.game import Game


class TwoMeaningsError(Exception):
    """A word of a fact belongs to one Struct over all games; here two claim it."""


def discover(path: list[str], package: str) -> dict[str, Game[Any, Any]]:
    """The games in a folder by key, in the order of their names."""
    names = sorted(module.name for module in pkgutil.iter_modules(path))
    modules = [importlib.import_module(f"{package}.{name}") for name in names]
    found: dict[str, Game[Any, Any]] = {}
    for module in modules:
        if hasattr(module, "GAME") and found.setdefault(module.GAME.key, module.GAME) is not module.GAME:
            raise TwoMeaningsError(f"two games have the key {module.GAME.key!r}")
    words_of(found)
    return found


def words_of(games: dict[str, Game[Any, Any]]) -> dict[str, type[Fact]]:
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
def _found() -> dict[str, Game[Any, Any]]:
    return discover(list(__path__), __name__)


def all_games() -> MappingProxyType[str, Game[Any, Any]]:
    """Every game by key."""
    return MappingProxyType(_found())


def find(key: str) -> Game[Any, Any]:
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


def defaults(game: Game[Any, Any]) -> msgspec.Struct:
    """The game's options, all at their defaults."""
    return game.options()
