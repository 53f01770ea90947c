"""English: the one catalogue of phrases, gathered from the facts and games that bring them, and its sentences.

A phrase marks where a value stands and what kind of value it is: `plays {card:card}`. Two forms are told apart by a
bar, for one and for any other number `n`. A seat is written as `seat 1`, in whose place a page puts a name.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from domain.cards.card import CARD_OF, RANK_NAMES, SUIT_NAMES, SUIT_SIGNS
from domain.cards.facts import Fact
from domain.game.shown import PHRASES
from domain.games import TwoMeaningsError, all_games, fact_types
from domain.log.message import Message, Value

_MARK: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")


@cache
def phrases(key: str) -> Mapping[str, str]:
    """The phrases at the tables of a game: its own before those of facts and of tables in general."""
    return {**shared(), **all_games()[key].phrases}


@cache
def shared() -> Mapping[str, str]:
    """The phrases of every fact and of tables in general. Raises TwoMeaningsError for an id with two sentences."""
    found = dict(PHRASES)
    for kind in fact_types():
        for id_, text in kind.phrases.items():
            if found.setdefault(id_, text) != text:
                raise TwoMeaningsError(f"the phrase `{id_}` of {kind.__name__} says something else elsewhere")
    return found


def sentence(key: str, message: Message) -> str:
    """The sentence of a message at a table of this game."""
    phrase = phrases(key).get(message.id)
    if phrase is None:
        return " ".join((message.id, *map(str, message.values.values())))
    return filled(phrase, message.values)


def offered(key: str, fact: Fact) -> str:
    """The words of the button that records a fact: the shorter sentence where there is one."""
    message = fact.said()
    short = f"{message.id}.offered"
    return sentence(key, Message(short, message.values) if short in phrases(key) else message)


def counted(key: str, label: str, number: int) -> str:
    """A figure with its number: `3 tricks`."""
    return sentence(key, Message(label, {"n": number}))


def named(key: str, kind: type[Fact]) -> str:
    """The name of the control that records facts of a kind."""
    word = str(kind.__struct_config__.tag)
    return phrases(key).get(f"{word}.named", word)


def awaited(word: str) -> str | None:
    """The kind of thing that a table waits for, by the word of its fact."""
    return shared().get(f"{word}.awaited")


def filled(phrase: str, values: Mapping[str, Value]) -> str:
    """A phrase with its values in their places."""
    forms = phrase.split("|")
    form = forms[0] if values.get("n") == 1 else forms[-1]
    return _MARK.sub(lambda mark: _KINDS.get(mark[2], _plain)(values[mark[1]]), form)


def call_text(call: str) -> str:
    """A call as people read it back: suits and ranks by name, a dash as a pass."""
    if call in SUIT_SIGNS:
        return _suit(call)
    if call in RANK_NAMES and call not in "23456789":
        return RANK_NAMES[call]
    return {"-": "pass"}.get(call, call)


def rank_text(rank: str) -> str:
    """A rank as it is printed: T is 10."""
    return {"T": "10", "R": "★", "B": "★"}.get(rank, rank)


def _plain(value: Value) -> str:
    return str(value)


def _card(value: Value) -> str:
    spoken = CARD_OF[str(value)].spoken
    return f"the {spoken[0].lower()}{spoken[1:]}"


def _short(value: Value) -> str:
    """A card as it is printed: `10♠`."""
    card = CARD_OF[str(value)]
    return card.spoken if card.suit == "X" else f"{rank_text(card.rank)}{SUIT_SIGNS[card.suit]}"


def _suit(value: Value) -> str:
    return f"{SUIT_SIGNS[str(value)]} {SUIT_NAMES[str(value)]}"


def _rank(value: Value) -> str:
    return RANK_NAMES[str(value)]


def _ranks(value: Value) -> str:
    return " ".join(map(rank_text, map(str, value if isinstance(value, tuple) else str(value))))


def square_text(name: str) -> str:
    """A square by its name, as one says it: `f5` is column f, row 5."""
    return f"column {name[:1]}, row {name[1:]}"


def _square(value: Value) -> str:
    return square_text(str(value))


def _cards(value: Value) -> str:
    return ", ".join(map(_card, value if isinstance(value, tuple) else (value,)))


def _seat(value: Value) -> str:
    return f"seat {value}"


_KINDS: Final[Mapping[str, Callable[[Value], str]]] = {
    "card": _card,
    "cards": _cards,
    "short": _short,
    "suit": _suit,
    "rank": _rank,
    "ranks": _ranks,
    "seat": _seat,
    "square": _square,
}
