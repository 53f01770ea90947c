"""A table in parts that every page can show without knowing the game: figures, notes and a layout of squares."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from domain.cards.card import Card
from domain.log.message import Message

# in English, singular before plural
PHRASES: Final[Mapping[str, str]] = {
    "asks": "what next?",
    "tricks": "{n} trick|{n} tricks",
    "points": "{n} point|{n} points",
    "card_points": "{n} card point|{n} card points",
    "trumps": "trumps {suit:suit}",
}


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """A count that everybody may follow, one value by seat or by side; `label` is the id of its phrase."""

    label: str
    values: tuple[int, ...]
    by: Literal["seat", "side"] = "seat"


class Square(msgspec.Struct, frozen=True):
    """A square of a layout that has something to show: its name, its place as a fact names it, the card that lies
    uppermost and face up; else its `state` says what is there instead."""

    name: str
    cell: tuple[int, int]
    card: Card | None = None
    state: Literal["up", "covering", "face_down", "empty"] = "up"


class Layout(msgspec.Struct, frozen=True):
    """Cards in squares: rows from the top, each square null where nothing lies. `framed` tells red cards from black
    ones by a frame, in games where the colours are the players'."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[Square | None, ...], ...]
    framed: bool = False


class Frame(msgspec.Struct, frozen=True):
    """The squares of a game, whatever lies there by now: their columns, their rows from the top, and the cell at the
    top left. `first` is the square of the first card, where the others are counted from it. `filled` says that the deal
    lays the pack there face up in reading order, a joker leaving the gap; `framed` that the colours are the players'.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    corner: tuple[int, int] = (0, 0)
    first: tuple[int, int] | None = None
    filled: bool = False
    framed: bool = False


def figure(figures: tuple[Figure, ...], label: str) -> tuple[int, ...] | None:
    """The values of the figure with this label, if there is one."""
    return next((each.values for each in figures if each.label == label), None)


def tricks_taken(tricks: tuple[int, ...]) -> tuple[Figure, ...]:
    """The figure of tricks, by seat, where tricks are taken."""
    return (Figure("tricks", tricks),) if tricks else ()


def trumps_named(trumps: str | None) -> tuple[Message, ...]:
    """The note of trumps, once they are named."""
    return () if trumps is None else (Message("trumps", {"suit": trumps}),)
