"""Bytes and lists into Structs and back: cards as text, facts as the lists of `history-format`."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec

from domain.cards.card import CARD_OF, Card, parse_card
from domain.cards.facts import Fact
from domain.games import fact_types, fact_union

Struct = TypeVar("Struct")


def dec_hook(kind: type, value: Any) -> Any:
    """Cards from text, in either order of suit and rank."""
    if kind is Card:
        if isinstance(value, str):
            return parse_card(value)
        raise ValueError(f"{value!r} is not a card: a card is text, like SA")
    raise NotImplementedError(f"no way to read {kind}")


def enc_hook(value: Any) -> Any:
    """Cards as text, suit first."""
    if isinstance(value, Card):
        return str(value)
    raise NotImplementedError(f"no way to write {type(value)}")


ENCODER = msgspec.json.Encoder(enc_hook=enc_hook, order="deterministic")
_PLAIN = msgspec.json.Encoder(enc_hook=enc_hook)


def encode(value: Any) -> bytes:
    """Canonical JSON: members in a fixed order, no spaces."""
    return ENCODER.encode(value)


def encode_plain(value: Any) -> bytes:
    """JSON with the members in the order in which the Struct declares them."""
    return _PLAIN.encode(value)


@cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """The decoder of a type, made once."""
    return msgspec.json.Decoder(kind, dec_hook=dec_hook)


def decode(data: bytes | str | msgspec.Raw, kind: type[Struct]) -> Struct:
    """JSON into a Struct. Raises msgspec.ValidationError or DecodeError."""
    value: Struct = decoder(kind).decode(data)  # type: ignore[arg-type]  # a type is hashable
    return value


@cache
def fact_decoder() -> msgspec.json.Decoder[Fact]:
    """The decoder of any fact of any game."""
    return decoder(fact_union())


def convert(value: Any, kind: Any) -> Any:
    """Plain values into a Struct. Raises msgspec.ValidationError."""
    return msgspec.convert(value, kind, dec_hook=dec_hook)


def plain(value: Any) -> Any:
    """A Struct as plain values: dicts, lists, text."""
    return msgspec.to_builtins(value, enc_hook=enc_hook)


@cache
def _members(kind: type[Fact]) -> tuple[tuple[str, Callable[[Any], Any], bool], ...]:
    """Name, reader and whether it may be left out, of each member behind the seat."""
    members = []
    for field in msgspec.structs.fields(kind)[1:]:
        members.append((field.name, _reader(field.type), not field.required))
    return tuple(members)


def _no_card(value: Any) -> Card:
    if isinstance(value, str):
        return parse_card(value)
    raise ValueError(f"{value!r} is not a card: a card is text, like SA")


def _reader(kind: Any) -> Callable[[Any], Any]:
    if kind is Card:
        return lambda text: CARD_OF[text] if type(text) is str and text in CARD_OF else _no_card(text)
    return lambda value: convert(value, kind)


@cache
def _words() -> dict[str, type[Fact]]:
    return {str(kind.__struct_config__.tag): kind for kind in fact_types()}


def from_list(action: Sequence[Any]) -> Fact:
    """`[seat, do, *members]` as a fact. Raises ValueError, saying what is wrong."""
    if len(action) < 2 or not isinstance(action[1], str):
        raise ValueError("an action is [seat, word, ...]")
    seat, word = action[0], action[1]
    kind = _words().get(word)
    if kind is None:
        raise ValueError(f"{word!r} is not a fact; there are {', '.join(_words())}")
    if type(seat) is not int or not 0 <= seat <= 3:
        raise ValueError(f"{seat!r} is not a seat: 0 to 3")
    members = _members(kind)
    given = action[2:]
    if len(given) > len(members):
        raise ValueError(f"`{word}` takes {len(members)} values, not {len(given)}")
    values = [read(value) for (_, read, _), value in zip(members, given, strict=False)]
    for name, _, optional in members[len(given) :]:
        if not optional:
            raise ValueError(f"`{word}` needs its {name}")
    return kind(seat, *values)


def to_list(fact: Fact) -> list[Any]:
    """`[seat, do, *members]`, trailing nulls left out."""
    values = [plain(getattr(fact, name)) for name, _, _ in _members(type(fact))]
    while values and values[-1] is None:
        values.pop()
    return [fact.seat, type(fact).__struct_config__.tag, *values]
