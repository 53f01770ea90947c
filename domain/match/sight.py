"""What a viewer may see of a match: one answer for views, events, streams, exports, refusals and pages.

*Hidden* are cards that the log holds and that a seat may not see: a dealt hand or stock, a card that another seat drew.
"""

from typing import Any

import msgspec

from domain.actor import Actor
from domain.facts import CardDrawn, Fact
from domain.game import ALL, Viewer
from domain.match.state import Deal, Match, deal_at, is_complete


def viewer_of(match: Match, actor: Actor) -> Viewer:
    """Who sits at the table sees as its seat, whatever the role; who directs or keeps the score sees every hand."""
    if actor.person is not None:
        for side, players in enumerate(match.setup.sides):
            if actor.person in players:
                return match.setup.seats[side][players.index(actor.person)]
    return ALL if actor.records else None


def holds_hidden(match: Match, deal: Deal) -> bool:
    """Whether the log holds cards of a deal that a seat may not see."""
    if deal.drawn:
        return True
    if deal.cards is None:
        return False
    setup = match.setup
    start = setup.game.view(setup.game.start(setup.options, deal.dealer, deal.cards), None)
    return start.stock > 0 or any(hand is None for hand in start.hands)


def played_out(match: Match, deal: Deal) -> bool:
    """Whether a deal ended by its own last card: nobody holds one."""
    game = match.setup.game
    return game.score(deal.table) is not None and not any(game.view(deal.table, ALL).hands)


def hands_open(match: Match, deal: Deal) -> bool:
    """Whether everybody may see all of a deal: it is over, and where that would tell what was hidden it ended by its
    own last card or can no longer be put back on."""
    if not is_complete(match, deal):
        return False
    return deal.opened or not holds_hidden(match, deal) or played_out(match, deal)


def opened_deals(match: Match) -> frozenset[int]:
    """The numbers of the deals that everybody may see all of."""
    return frozenset(deal.number for deal in match.deals if hands_open(match, deal))


def open_at(match: Match, version: int) -> bool:
    """Whether everybody may see all of the deal that was on at a version."""
    deal = deal_at(match, version)
    return deal is not None and hands_open(match, deal)


def table_seen(match: Match, deal: Deal, viewer: Viewer) -> Any:
    """The table of a deal as if nobody had recorded what a viewer has not seen: draws of others name no card."""
    if viewer == ALL or not any(_unseen(fact, viewer) for _, fact in deal.facts):
        return deal.table
    game = match.setup.game
    table = game.start(match.setup.options, deal.dealer, deal.cards)
    for _, fact in deal.facts:
        if type(fact) not in game.remarks:
            table = game.evolve(table, as_seen(fact, viewer))
    return table


def as_seen(fact: Fact, viewer: Viewer) -> Fact:
    """A fact as a viewer may know it."""
    return msgspec.structs.replace(fact, card=None) if _unseen(fact, viewer) else fact


def _unseen(fact: Fact, viewer: Viewer) -> bool:
    return isinstance(fact, CardDrawn) and fact.card is not None and viewer not in (ALL, fact.seat)
