"""Stated figures: the public, hashed part of an event takes figures, cards and results, never words."""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from domain.game.sheet import Result
from domain.log.event import Json, JsonObject
from domain.match import events as e

LINE: Final = "line"  # a line that no reader of CTN knows: its words stand beside the event
WHATS: Final = frozenset({LINE, "R", "!", ">"})
_SEATS: Final = r"[ABNESW](?:\+?[ABNESW]){0,3}"
_FIGURES: Final = r"-?\d{1,100}(?:[-,]-?\d{1,100}){0,15}"
_WORD: Final = re.compile(rf"{_SEATS}|{_SEATS}-?\d{{1,100}}|{_FIGURES}|\({_FIGURES}\)|[SHDC][2-9TJQKA]|X[RB]", re.ASCII)
_NAMED: Final = re.compile(rf"([a-z_]+)=({_SEATS}|{_FIGURES})", re.ASCII)
_MOST: Final = 200


def is_figure(word: str) -> bool:
    """Tells whether a word is a figure, a card, seats, or a member of a result with one of them (`stuck=A`)."""
    named = _NAMED.fullmatch(word)
    return bool(_WORD.fullmatch(word)) if named is None else named[1] in _members()


def are_figures(stated: Json) -> bool:
    """Tells whether what was stated may stand in the public part."""
    return isinstance(stated, str) and len(stated) <= _MOST and all(map(is_figure, stated.split(" ")))


def has_words(event: e.ScoreStated) -> bool:
    """Tells whether an event holds words in its public part, as schema 1 could."""
    stated = msgspec.json.decode(event.stated)
    return stated is not None and not are_figures(stated)


def words_apart(event: e.ScoreStated, private: JsonObject | None) -> tuple[e.ScoreStated, JsonObject | None]:
    """The event as it is written today, its words beside it."""
    if not has_words(event):
        return event, private
    line = msgspec.json.decode(event.stated)
    bare = msgspec.structs.replace(event, stated=e.UNKNOWN)
    return bare, {"line": line if isinstance(line, str) else msgspec.json.encode(line).decode(), **(private or {})}


def _members() -> frozenset[str]:
    """The members of the results of all games."""
    return frozenset(name for kind in _kinds(Result) for name in kind.__struct_fields__)


def _kinds(kind: type[Result]) -> Iterator[type[Result]]:
    yield kind
    for own in kind.__subclasses__():
        yield from _kinds(own)
