"""The phrases of games in the language that is spoken now: a message's id and values, in words.

What is translated is the English phrase with its marks and bars. A translation has a form for each form of number that
its language has, with bars between, where the English has two."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from domain import english
from domain.cards.card import CARD_OF, RANK_NAMES, SUIT_NAMES, SUIT_SIGNS
from domain.cards.facts import Fact
from domain.log.event import JsonObject
from domain.log.message import Message, Value
from service.languages.known import ENGLISH
from service.languages.spoken import current, form_of, ptranslate, translate

CARD: Final = "card"  # the context of words that are said of cards
SQUARE: Final = "column {column}, row {row}"
_MARK: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")


def sentence(key: str, message: Message) -> str:
    """The sentence of a message at a table of this game."""
    phrase = english.phrases(key).get(message.id)
    if phrase is None or current() == ENGLISH:
        return english.sentence(key, message)
    return filled(translate(phrase), message.values)


def offered(key: str, fact: Fact) -> str:
    """The words of the button that records a fact: the shorter sentence where there is one."""
    message = fact.said()
    short = f"{message.id}.offered"
    return sentence(key, Message(short, message.values) if short in english.phrases(key) else message)


def counted(key: str, label: str, number: int) -> str:
    """A figure with its number."""
    return sentence(key, Message(label, {"n": number}))


def named(key: str, kind: type[Fact]) -> str:
    """The name of the control that records facts of a kind."""
    return translate(english.named(key, kind))


def asks(key: str, id_: str) -> str:
    """The question over the buttons of a table."""
    return translate(english.phrases(key)[id_])


def awaited(word: str) -> str | None:
    """The kind of thing that a table waits for, by the word of its fact."""
    found = english.awaited(word)
    return None if found is None else translate(found)


def told_table(key: str, table: JsonObject) -> JsonObject:
    """The view of a table with what it says: figures, notes and the last fact."""
    if current() == ENGLISH:
        return table
    figures = [
        {**each, "said": [counted(key, each["label"], number) for number in each["values"]]}
        for each in table["figures"]
    ]
    notes, latest = [_told(key, each) for each in table["notes"]], table["latest"]
    return {**table, "figures": figures, "notes": notes, "latest": latest and _told(key, latest)}


def _told(key: str, said: JsonObject) -> JsonObject:
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in said["values"].items()}
    return {**said, "said": sentence(key, Message(said["id"], values))}


def filled(phrase: str, values: Mapping[str, Value]) -> str:
    """A translated phrase with its values in their places, in the form for the number `n`."""
    forms, number = phrase.split("|"), values.get("n")
    form = forms[min(form_of(number), len(forms) - 1)] if isinstance(number, int) else forms[-1]
    return _MARK.sub(lambda mark: _KINDS.get(mark[2], str)(values[mark[1]]), form)


def card_name(code: str) -> str:
    """A card as it is said: `Queen of hearts`."""
    return ptranslate(CARD, CARD_OF[code].spoken)


def the_card(code: str) -> str:
    """A card as it is said in a sentence: `the queen of hearts`."""
    return ptranslate(CARD, in_sentence(CARD_OF[code].spoken))


def in_sentence(spoken: str) -> str:
    """A card's English name in a sentence."""
    return f"the {spoken[0].lower()}{spoken[1:]}"


def suit_name(suit: str) -> str:
    """A suit by name."""
    return ptranslate(CARD, SUIT_NAMES[suit])


def rank_name(rank: str) -> str:
    """A rank by name."""
    return ptranslate(CARD, RANK_NAMES[rank])


def call_text(call: str) -> str:
    """A call as people read it back: suits and ranks by name, a dash as a pass."""
    if call in SUIT_SIGNS:
        return _suit(call)
    if call in RANK_NAMES and call not in "23456789":
        return rank_name(call)
    return ptranslate(CARD, "pass") if call == "-" else call


def square_text(name: str) -> str:
    """A square by its name, as one says it."""
    return ptranslate(CARD, SQUARE).replace("{column}", name[:1]).replace("{row}", name[1:])


def _suit(value: Value) -> str:
    return f"{SUIT_SIGNS[str(value)]} {suit_name(str(value))}"


def _short(value: Value) -> str:
    card = CARD_OF[str(value)]
    return card_name(str(value)) if card.suit == "X" else english.filled("{card:short}", {"card": value})


def _cards(value: Value) -> str:
    return ", ".join(the_card(str(each)) for each in (value if isinstance(value, tuple) else (value,)))


def _same(kind: str) -> Callable[[Value], str]:
    """Said alike in every language: ranks as they are printed, and a seat, in whose place a page puts a name."""
    return lambda value: english.filled(f"{{it:{kind}}}", {"it": value})


_KINDS: Final[Mapping[str | None, Callable[[Value], str]]] = {
    "card": lambda value: the_card(str(value)),
    "cards": _cards,
    "short": _short,
    "suit": _suit,
    "rank": lambda value: rank_name(str(value)),
    "ranks": _same("ranks"),
    "seat": _same("seat"),
    "square": lambda value: square_text(str(value)),
}
