"""Positions of a deal: the hands before each fact, dealt, rebuilt from what fell later, or unknown; and what was legal
there beside what was played."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec

from domain import codec
from domain.cards.facts import CardPlayed, Fact
from domain.game.protocol import ALL, AnyGame, AnyTable, Table, Viewer
from domain.log.event import Json
from domain.match.sight import hands_open, seen
from domain.match.state import Deal, Match

How: TypeAlias = Literal["dealt", "reconstructed", "unknown"]


class Hand(msgspec.Struct, frozen=True):
    """A hand: how it is known, and its cards. Of a reconstructed one all that fell later without a draw between."""

    how: How
    cards: tuple[str, ...] = ()


class Position(msgspec.Struct, frozen=True):
    """A position before a fact, by its place in the deal: whose turn it is, the hands by seat, the cards on the table
    with their seats, tricks taken, cards in stock; what was legal (null where the viewer may not know), and the version
    and the fact that came. Of the last one, after all facts, there is none."""

    place: int
    to_act: int | None
    hands: tuple[Hand, ...]
    trick: tuple[tuple[int, str], ...]
    tricks: tuple[int, ...]
    stock: int
    phase: int
    legal: tuple[Json, ...] | None
    version: int | None = None
    fact: Json = None


def positions(match: Match, deal: Deal, viewer: Viewer) -> tuple[Position, ...]:
    """Every position of a deal as a viewer may know it, in order."""
    game = match.setup.game
    sight = ALL if viewer == ALL or hands_open(match, deal) else viewer
    facts = [seen(fact, sight) for _, fact in deal.facts]
    tables = _tables(match, deal, facts)
    stretches = [_stretch(game, each) for each in tables]
    fallen = _fallen(facts, stretches)
    versions: list[int | None] = [*(version for version, _ in deal.facts), None]
    done: list[Json] = [*(codec.to_list(each) for each in facts), None]
    return tuple(
        _position(place, game.view(table, sight), fallen[place], versions[place], done[place])
        for place, table in enumerate(tables)
    )


def _tables(match: Match, deal: Deal, facts: Sequence[Fact]) -> list[AnyTable]:
    """The tables before each fact, and after the last."""
    game = match.setup.game
    found = [game.start(match.setup.options, deal.dealer, deal.cards)]
    for fact in facts:
        found.append(found[-1] if type(fact) in game.remarks else game.evolve(found[-1], fact))
    return found


def _stretch(game: AnyGame, table: AnyTable) -> int | None:
    """The stretch of a deal in which nobody draws; None where any card will do."""
    duty = game.duty(table)
    return None if duty is None else duty.segment


def _fallen(facts: Sequence[Fact], stretches: Sequence[int | None]) -> list[dict[int, tuple[str, ...]]]:
    """For each position the cards that each seat plays from there on, in the same stretch."""
    found: list[dict[int, tuple[str, ...]]] = [{}]
    now = stretches[-1]
    for place in range(len(facts) - 1, -1, -1):
        fact, here, later = facts[place], stretches[place], found[-1]
        if here is not None and now is not None and here != now:
            later = {}  # somebody drew in between
        now = now if here is None else here
        if isinstance(fact, CardPlayed) and fact.card is not None:
            later = {**later, fact.seat: tuple(sorted({str(fact.card), *later.get(fact.seat, ())}))}
        found.append(later)
    return found[::-1]


def _position(
    place: int, table: Table, fallen: dict[int, tuple[str, ...]], version: int | None, fact: Json
) -> Position:
    hands = tuple(
        Hand("dealt", tuple(str(card) for card in hand)) if hand is not None else _rebuilt(fallen.get(seat, ()))
        for seat, hand in enumerate(table.hands)
    )
    legal = None if table.legal is None else tuple(_listed(each) for each in table.legal)
    trick = tuple((each.seat, str(each.card)) for each in table.trick)
    return Position(place, table.to_act, hands, trick, table.tricks, table.stock, table.phase, legal, version, fact)


@lru_cache(4096)
def _listed(fact: Fact) -> Json:
    """A legal fact as a list: the same few are legal at place after place."""
    return codec.to_list(fact)


def _rebuilt(cards: tuple[str, ...]) -> Hand:
    return Hand("reconstructed", cards) if cards else Hand("unknown")
