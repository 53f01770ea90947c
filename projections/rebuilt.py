"""Hands rebuilt from the play: which cards each seat must have held before each fact, by the cards that fell later.

A card that falls was in the hand since that seat last drew. Where a draw lies between, nobody can say, unless the draws
were recorded with their cards: then what was drawn goes out of the hand again.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from domain.cards.card import Card
from domain.cards.facts import CardDrawn, CardPlayed, Fact
from domain.game.protocol import ALL, Viewer
from domain.match.sight import hands_open, seen
from domain.match.state import Deal, Match

Held: TypeAlias = Mapping[int, frozenset[Card]]


def rebuilt(facts: Sequence[Fact], stocks: Sequence[int]) -> tuple[Held, ...]:
    """For each place, and behind the last fact, the cards that each seat must hold there; `stocks` are the cards left
    to draw before each fact and at the end."""
    found: list[Held] = [{}]
    held: dict[int, frozenset[Card]] = {}
    named = 0  # draws of this pause between two drawings that tell their card
    for place in range(len(facts) - 1, -1, -1):
        drawn = stocks[place] - stocks[place + 1]
        fact = facts[place]
        if isinstance(fact, CardDrawn):
            named += fact.card is not None
            held = _without(held, fact)
        elif drawn > named:
            held = {}
        if drawn:
            named = max(0, named - drawn)
        if isinstance(fact, CardPlayed):
            held = {**held, fact.seat: held.get(fact.seat, frozenset()) | {fact.card}}
        found.append(held)
    return tuple(found[::-1])


def _without(held: dict[int, frozenset[Card]], drawn: CardDrawn) -> dict[int, frozenset[Card]]:
    """The hands before a draw: without the card that came; without anything of that seat where nobody said which."""
    left = frozenset[Card]() if drawn.card is None else held.get(drawn.seat, frozenset()) - {drawn.card}
    return {**held, drawn.seat: left}


def rebuilt_in(match: Match, deal: Deal, viewer: Viewer) -> tuple[Held, ...]:
    """The hands of a deal before each of its facts and behind the last, by what this viewer has seen fall."""
    game = match.setup.game
    sight = ALL if hands_open(match, deal) else viewer
    table = game.start(match.setup.options, deal.dealer, deal.cards)
    facts, stocks = [seen(fact, sight) for _, fact in deal.facts], [game.view(table, None).stock]
    for fact in facts:
        table = table if type(fact) in game.remarks else game.evolve(table, fact)
        stocks.append(game.view(table, None).stock)
    return rebuilt(facts, stocks)


def rebuilt_at(match: Match, past: Match, viewer: Viewer) -> dict[int, tuple[str, ...]]:
    """The hands of the deal that was on in the `past` of a match, by all that fell since: empty where hands are known,
    and where the entries of then are no longer the first ones of the deal."""
    deal = past.deals[-1] if past.deals else None
    now = match.deals[deal.number - 1] if deal is not None and deal.number <= len(match.deals) else None
    if deal is None or now is None or now.cards is not None or now.depth == "summary":
        return {}
    then, own = tuple(each for each, _ in deal.facts), tuple(each for each, _ in now.facts)
    if then != own[: len(then)]:
        return {}
    return in_order(rebuilt_in(match, now, viewer)[len(then)])


def in_order(held: Held) -> dict[int, tuple[str, ...]]:
    """Hands as they lie on a page: suit by suit, the highest first; a seat of which nothing is known has none."""
    return {seat: tuple(map(str, sorted(cards, reverse=True))) for seat, cards in sorted(held.items()) if cards}
