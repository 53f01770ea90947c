"""Alternatives to what was typed: every entry of one kind, and every other setting of one option."""

import itertools
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any

import msgspec
from msgspec import inspect

from domain.cards.card import CARDS, Card
from domain.cards.facts import Fact, RestClaimed
from domain.game.members import values
from domain.game.protocol import AnyOptions


def like(fact: Fact, seats: int, seen: frozenset[Card]) -> Iterator[Fact]:
    """The entries of the same kind, by every seat, with a card that is not seen elsewhere. A member whose values cannot
    be listed stays as it was."""
    kind = type(fact)
    kept = tuple(
        None if values != (...,) else getattr(fact, name)
        for name, values in zip(kind.__struct_fields__[1:], _members(kind), strict=True)
    )
    for cards, one in _all_like(kind, seats, kept):
        if seen.isdisjoint(cards):
            yield one
    if isinstance(fact, RestClaimed):
        yield from _faced(fact, seen)


@lru_cache(maxsize=256)
def _all_like(kind: type[Fact], seats: int, kept: tuple[Any, ...]) -> tuple[tuple[tuple[Card, ...], Fact], ...]:
    """Every entry of a kind beside the cards that it names, with what is `kept` of a member whose values cannot be
    listed. The same few kinds are asked for at every place of every deal."""
    found = []
    rows = [values if values != (...,) else (stays,) for values, stays in zip(_members(kind), kept, strict=True)]
    for seat, members in itertools.product(range(seats), itertools.product(*rows)):
        with suppress(ValueError):  # members that do not go together
            found.append((tuple(each for each in members if isinstance(each, Card)), kind(seat, *members)))
    return tuple(found)


def _faced(fact: RestClaimed, seen: frozenset[Card]) -> Iterator[Fact]:
    """The same claim with one other card faced."""
    own = {card for _, card in fact.shown}
    for seat, cards in enumerate(fact.hands):
        for at, now in itertools.product(range(len(cards)), CARDS):
            if now not in own and now not in seen:
                hand = (*cards[:at], now, *cards[at + 1 :])
                yield RestClaimed(fact.seat, fact.tricks, (*fact.hands[:seat], hand, *fact.hands[seat + 1 :]))


@cache
def _members(kind: type[Fact]) -> tuple[tuple[Any, ...], ...]:
    """The values of each member beside the seat; an ellipsis where they cannot be listed."""
    fields = [field for field in msgspec.structs.fields(kind) if field.name != "seat"]
    return tuple(tuple(_values(inspect.type_info(field.type))) or (...,) for field in fields)


def _values(found: Any) -> Iterator[Any]:
    """The values of a member, of cards and pairs too."""
    return values(found, also=_others)


def _others(found: Any) -> Iterator[Any]:
    """The values of a card, and of a pair."""
    match found:
        case inspect.TupleType(item_types=types):
            yield from itertools.product(*(tuple(_values(each)) for each in types))
        case inspect.CustomType(cls=cls) if cls is Card:
            yield from CARDS


def settings(options: AnyOptions) -> Iterator[tuple[str, Any, AnyOptions]]:
    """The options with one of them set otherwise, as far as they go together."""
    kind, given = type(options), msgspec.structs.asdict(options)
    for name, choices in _choices(kind):
        for value in choices:
            if value != given[name]:
                with suppress(ValueError):
                    yield name, value, kind(**{**given, name: value})


@cache
def _choices(kind: type[AnyOptions]) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    fields = msgspec.structs.fields(kind)
    return tuple((field.name, tuple(_values(inspect.type_info(field.type)))) for field in fields)
