"""Every call that could have been made at a table, legal or not: what a scorer chooses from when something odd was
said. Cards and squares are not calls: they have a place of their own."""

import itertools
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Final

import msgspec
from msgspec import inspect

from domain.cards.facts import Fact
from domain.game.members import values
from domain.game.protocol import AnyGame, AnyOptions, AnyTable
from domain.log.event import JsonObject

NUMBERS: Final = 13  # of a number that may be large as many are offered, from the lowest


@cache
def _choices(kind: type[Fact]) -> tuple[JsonObject, ...]:
    """The members of every fact of a type beside its seat; nothing where they cannot be listed."""
    fields = [field for field in msgspec.structs.fields(kind) if field.name != "seat"]
    listed = [tuple(values(inspect.type_info(field.type), NUMBERS)) for field in fields]
    names = [field.name for field in fields]
    return tuple(dict(zip(names, chosen, strict=True)) for chosen in itertools.product(*listed))


def calls_against_the_rules(game: AnyGame, options: AnyOptions, table: AnyTable) -> tuple[Fact, ...]:
    """The calls that this table would record as a breach, seat by seat; nothing while no call is waited for."""
    legal = game.legal(table)
    if not any(fact.as_call() is not None and game.script.move_text(table, fact) is None for fact in legal):
        return ()
    found = []
    for fact in _calls(game, range(game.seats(options))):
        breaches = game.breaches(table, fact) if game.script.move_text(table, fact) is None else ()
        if breaches and not any(breach.misfit for breach in breaches):
            found.append(fact)
    return tuple(found)


def _calls(game: AnyGame, seats: range) -> Iterator[Fact]:
    """Every call of a game's facts by every seat."""
    for seat, kind in itertools.product(seats, game.facts):
        for members in _choices(kind):
            with suppress(ValueError):  # members that do not go together
                fact = kind(seat=seat, **members)
                if fact.as_call() is not None and kind.of_call(seat, fact.as_call() or "") == fact:
                    yield fact
