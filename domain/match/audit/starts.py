"""Other starts of a deal: two typed cards exchanged, or the other side with the red cards."""

import itertools
from collections.abc import Iterator
from typing import Any, TypeAlias

import msgspec

from domain.cards.card import Card
from domain.game.protocol import AnyDeal
from domain.game.script import DealCards
from domain.match.audit.finding import Course

Spot: TypeAlias = tuple[str, int, int]  # the part of a deal, its number among these, the place in it


def other_starts(course: Course) -> Iterator[tuple[tuple[Any, ...], AnyDeal]]:
    """Yields what was otherwise, and the deal as it was then. Nothing where no card was typed."""
    if course.cards is None:
        return
    script = course.game.script
    dealt = script.cards_of(course.cards)
    if dealt.red is not None:
        red = 1 - dealt.red
        yield ("red", red), script.deal_of(course.options, msgspec.structs.replace(dealt, red=red))
    spots = list(_spots(dealt))
    for (one, mine), (other, theirs) in itertools.combinations(spots, 2):
        if one[:2] != other[:2] or one[0] != "hands":  # a hand has no order
            cards = _exchanged(dealt, {one: theirs, other: mine})
            yield ("cards", mine, theirs), script.deal_of(course.options, cards)


def _spots(dealt: DealCards) -> Iterator[tuple[Spot, Card | None]]:
    for name, parts in (("hands", dealt.hands), ("stock", (dealt.stock,)), ("rows", dealt.rows)):
        for number, part in enumerate(parts):
            for place, card in enumerate(part):
                yield (name, number, place), card


def _exchanged(dealt: DealCards, now: dict[Spot, Card | None]) -> DealCards:
    def part(name: str, number: int, cards: tuple[Any, ...]) -> tuple[Any, ...]:
        if all(spot[:2] != (name, number) for spot in now):
            return cards
        return tuple(now.get((name, number, place), card) for place, card in enumerate(cards))

    hands = tuple(part("hands", number, cards) for number, cards in enumerate(dealt.hands))
    rows = tuple(part("rows", number, cards) for number, cards in enumerate(dealt.rows))
    return DealCards(hands, part("stock", 0, dealt.stock), rows, dealt.red)
