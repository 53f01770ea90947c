"""Equity: what best play would have made of a deal before a breach, beside what it was worth after it.

Only where every card that was still out is known: dealt, or fallen later, with the stock recorded. Otherwise it says
what is missing. It can take seconds: nobody waits for it but who asked.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from domain.cards.card import Card
from domain.cards.facts import CardDrawn, CardPlayed, Fact
from domain.game.protocol import AnyDeal, AnyTable
from domain.game.script import DealCards
from domain.log.decider import Refusal
from domain.match.state import Deal, Match, by_side, played
from domain.solve import Best, best

WORK: Final = 150_000  # tables for each of the two questions: some two seconds
UNTYPED: Final = "cards that nobody typed and that did not fall: they would have to be dealt, drawn or played on record"


class Margins(msgspec.Struct, frozen=True):
    """The margin of best play, `sides[0]` less `sides[1]`: between `low` and `high`, the same two when it is exact;
    `scores` by seat (by side where a game scores so) at the end of one such way to play on, where it is known."""

    low: int
    high: int
    exact: bool
    scores: tuple[int, ...] | None = None


class Equity(msgspec.Struct, frozen=True, omit_defaults=True):
    """The margins of best play before a breach and after it, between these two sides' seats, and that of the table; or
    what is missing to tell them."""

    sides: tuple[tuple[int, ...], ...] = ()
    before: Margins | None = None
    after: Margins | None = None
    table: int | None = None
    missing: str | None = None


def _no_progress() -> None:
    """A progress callback that does nothing."""


def equity(match: Match, deal: Deal, place: int, work: int = WORK, tick: Callable[[], None] = _no_progress) -> Equity:
    """The equity of a breach at a place among the facts of a deal."""
    cards = deal.cards if deal.cards is not None else dealt(match, deal)
    if cards is None:
        return Equity(missing=UNTYPED)
    game, options = match.setup.game, match.setup.options
    table: AnyTable = game.start(options, deal.dealer, cards)
    for at, (_, fact) in enumerate(deal.facts):
        if at == place:
            break
        table = _next(match, deal, table, fact)
    try:
        before = best(game, options, table, work, tick)
        after = best(game, options, _next(match, deal, table, deal.facts[place][1]), work, tick)
    except Refusal as refusal:
        return Equity(missing=refusal.detail)
    return Equity(before.sides, _margins(before), _margins(after), _at_table(match, deal, before))


def _next(match: Match, deal: Deal, table: AnyTable, fact: Fact) -> AnyTable:
    """The table after a fact; draws that were recorded follow by themselves from cards that are known."""
    drawn = deal.cards is None and isinstance(fact, CardDrawn)
    return table if drawn or type(fact) in match.setup.game.remarks else match.setup.game.evolve(table, fact)


def _margins(found: Best) -> Margins:
    return Margins(*found.margin, found.exact, found.scores)


def _at_table(match: Match, deal: Deal, found: Best) -> int | None:
    """The margin of the deal as it was played, between the same seats."""
    result = played(match, deal)
    if result is None or result.void or len(found.sides) < 2:
        return None
    one, other = (
        side[0] if len(result.scores) == match.setup.game.seats(match.setup.options) else number
        for number, side in enumerate(found.sides[:2])
    )
    return result.scores[one] - result.scores[other]


def dealt(match: Match, deal: Deal) -> AnyDeal | None:
    """The cards as they must have been dealt, from what was played and drawn on record; None where that does not tell
    all of them, or the deal played on from there would have ended otherwise."""
    game, options = match.setup.game, match.setup.options
    hands: dict[tuple[int, int], list[Card]] = {}
    stock: list[Card] = []
    table: AnyTable = game.start(options, deal.dealer, None)
    for _, fact in deal.facts:
        phase = game.view(table, "all").phase
        if isinstance(fact, CardPlayed):
            hands.setdefault((phase, fact.seat), []).append(fact.card)
        elif isinstance(fact, CardDrawn):
            if fact.card is None:
                return None
            stock.append(fact.card)
        elif type(fact) not in game.remarks and any(getattr(fact, name, None) is not None for name in ("card", "cell")):
            return None
        table = table if type(fact) in game.remarks else game.evolve(table, fact)
    if game.score(table) is None:
        return None
    parts = tuple(tuple(card for card in hands[key] if card not in stock) for key in sorted(hands))
    try:
        cards: AnyDeal = game.script.deal_of(options, DealCards(parts, tuple(stock)))
        whole = game.check_deal(options, cards) is None
    except (TypeError, ValueError, KeyError):  # hands of another number or shape than the game deals
        return None
    return cards if whole and _same(match, deal, cards) else None


def _same(match: Match, deal: Deal, cards: AnyDeal) -> bool:
    """Tells whether the deal ends with these cards as it did on record."""
    game = match.setup.game
    table: AnyTable = game.start(match.setup.options, deal.dealer, cards)
    for _, fact in deal.facts:
        table = _next(match, deal, table, fact)
    found, result = game.score(table), game.score(deal.table)
    return (
        found is not None
        and result is not None
        and by_side(match.setup, found.scores) == by_side(match.setup, result.scores)
    )
