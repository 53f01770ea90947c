"""Positions of a deal: the hands before each fact, dealt, rebuilt from what fell later, or unknown; and what was legal
there beside what was played."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec

from domain import codec
from domain.cards.facts import CardPlayed, Fact
from domain.game.protocol import ALL, AnyTable, Table, Viewer
from domain.log.event import Json
from domain.match.sight import hands_open, seen
from domain.match.state import Deal, Match
from projections.rebuilt import Held, in_order, rebuilt

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
    walk = walked(match, deal, viewer)
    return tuple(walk.position(place) for place in range(len(walk.tables)))


class Walk(msgspec.Struct, frozen=True):
    """A deal as a viewer may know it: its facts by version, the table before each and behind the last, and the hands
    that the play shows there; `tricks` are the places at which one begins."""

    match: Match
    sight: Viewer
    facts: tuple[tuple[int, Fact], ...]
    tables: tuple[AnyTable, ...]
    held: tuple[Held, ...]
    tricks: tuple[int, ...]

    def position(self, place: int) -> Position:
        """The position before the fact at a place."""
        table: Table = self.match.setup.game.view(self.tables[place], self.sight)
        version, fact = self.facts[place] if place < len(self.facts) else (None, None)
        done = None if fact is None else codec.to_list(fact)
        return _position(place, table, in_order(self.held[place]), version, done)


def walked(match: Match, deal: Deal, viewer: Viewer) -> Walk:
    """The walk through a deal as a viewer may know it."""
    game = match.setup.game
    sight = ALL if viewer == ALL or hands_open(match, deal) else viewer
    facts = tuple((version, seen(fact, sight)) for version, fact in deal.facts)
    tables = _tables(match, deal, [fact for _, fact in facts])
    views: list[Table] = [game.view(each, None) for each in tables]
    held = rebuilt([fact for _, fact in facts], [each.stock for each in views])
    begun = (place for place, (_, fact) in enumerate(facts) if isinstance(fact, CardPlayed) and not views[place].trick)
    return Walk(match, sight, facts, tuple(tables), held, tuple(begun))


def _tables(match: Match, deal: Deal, facts: Sequence[Fact]) -> list[AnyTable]:
    """The tables before each fact, and after the last."""
    game = match.setup.game
    found = [game.start(match.setup.options, deal.dealer, deal.cards)]
    for fact in facts:
        found.append(found[-1] if type(fact) in game.remarks else game.evolve(found[-1], fact))
    return found


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
