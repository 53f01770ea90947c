"""Remedies: what a game makes of a deal in which one side broke a rule, through the same scoring functions as play.

A game knows some remedies by their keys (`Game.remedy`); those that need no game (the score stands, the deal is void)
are told by the audit.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from domain.cards.facts import Fact
from domain.game.sheet import Result
from domain.log.message import Message


class Wrong(msgspec.Struct, frozen=True):
    """A deal in which a side broke a rule: its facts in force, the table before each of them and that after the last,
    its result by its facts or as it was entered; the seat that did it, and the *places* (from 0, among the facts) at
    which it did, in order. Several breaches of one kind by one side have one remedy."""

    options: Any
    facts: tuple[Fact, ...]
    tables: tuple[Any, ...]
    result: Result
    seat: int
    places: tuple[int, ...]


class Remedied(msgspec.Struct, frozen=True):
    """A deal after a remedy: its result, what was done as a sentence of the game, whether the contract turns on it, so
    that equity is looked at first, and the innocent seats where a deal has other sides than its match."""

    result: Result
    says: Message
    turns_on_it: bool = False
    innocent: tuple[int, ...] = ()


class Lacking(msgspec.Struct, frozen=True):
    """No remedy, for want of something in the record: what is missing."""

    missing: str


Remedy: TypeAlias = Remedied | Lacking
NO_WINNER: Final = Lacking("who won that trick: the record stops before its end")


def best_for(innocent: Sequence[int], offending: Sequence[int], ways: Iterable[Remedied]) -> Remedied | None:
    """Of several ways the one after which the innocent seats lead by most; the first of equals."""
    return max(ways, key=lambda each: margin(each.result.scores, innocent, offending), default=None)


def margin(scores: Sequence[int], innocent: Sequence[int], offending: Sequence[int]) -> int:
    """The innocent score less the offending one; allies score alike."""
    return scores[innocent[0]] - scores[offending[0]]


def either(found: Sequence[Remedy], innocent: Sequence[int], offending: Sequence[int]) -> Remedy:
    """The one remedy for several breaches: the one that is best for the innocent side; what is missing, where none can
    be told."""
    ways = [each for each in found if isinstance(each, Remedied)]
    best = best_for(innocent, offending, ways)
    return best if best is not None else next(each for each in found if isinstance(each, Lacking))
