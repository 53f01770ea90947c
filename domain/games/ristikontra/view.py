"""Ristikontra: the table as one viewer may see it; the stock is a number."""

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.cards.card import Card, cards_in, sorted_hand
from domain.cards.facts import Fact
from domain.game.protocol import ALL, Table, Viewer
from domain.game.shown import Figure
from domain.game.sight import hands_for, legal_for, on_table
from domain.games.ristikontra import judging
from domain.games.ristikontra.options import PACK, SpiceDecided
from domain.games.ristikontra.state import Playing, Scored, Spicing, State, to_act
from domain.log.message import Message


class RistikontraTable(Table, frozen=True, kw_only=True):
    """The table, with card points by side, the cards in hands that everybody has seen, and, for the
    winner who may spice, the card just drawn."""

    card_points: tuple[int, ...] = (0, 0)
    shown: tuple[tuple[Card, ...], ...] = ()
    drawn: Card | None = None

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Tricks by seat, card points by side."""
        return (*super().figures, Figure("card_points", self.card_points, by="side"))

    @property
    def notes(self) -> tuple[Message, ...]:
        """Cards in hands that lay open before, and the card that the viewer drew and may spice with."""
        held = ((seat, tuple(map(str, cards))) for seat, cards in enumerate(self.shown) if cards)
        known = tuple(Message("open", {"seat": seat, "cards": cards}) for seat, cards in held)
        if self.drawn is None or self.to_act is None:
            return known
        return (*known, Message("drawn", {"seat": self.to_act, "card": str(self.drawn)}))


PHRASES: Final[Mapping[str, str]] = {
    "open": "{seat:seat} holds {cards:cards}, as everybody has seen",
    "drawn": "{seat:seat} has drawn {card:card}",
}


def view(state: State, viewer: Viewer) -> RistikontraTable:
    """Built from what the viewer has seen."""
    at = state if isinstance(state, Playing) else state.play
    taken, base = at.taken, at.base
    seat = to_act(state)
    over = isinstance(state, Scored)
    return RistikontraTable(
        to_act=seat,
        phase=1 if taken.done < base.first and not over else 2,
        trick=on_table(at.seats, at.cards),
        last_trick=on_table(*taken.last),
        tricks=taken.tricks,
        stock=base.size - at.top,
        hands=hands_for(viewer, at.hands, base.known),
        seen=tuple(cards_in(at.seen)),
        legal=legal_for(viewer, seat, base.known, legal(state, viewer)),
        card_points=taken.points,
        shown=tuple(sorted_hand(cards) for cards in open_cards(at)),
        drawn=drawn_card(state, viewer),
    )


def open_cards(at: Playing) -> tuple[int, ...]:
    """By seat, the cards in hand that lay open before: a winning card taken back, the last king."""
    lying = at.taken.open & ~at.seen
    return tuple(hand & lying for hand in at.hands)


def drawn_card(state: State, viewer: Viewer) -> Card | None:
    """The card that the winner drew, for him alone while he decides (RK.g5)."""
    if not isinstance(state, Spicing) or state.drawn is None or viewer not in (ALL, state.play.turn):
        return None
    return Card(state.drawn)


def legal(state: State, viewer: Viewer) -> tuple[Fact, ...]:
    """The facts open to the seat to act. A draw that was recorded at a table with physical cards is not
    told by it to those who have not seen the card."""
    at = state if isinstance(state, Playing) else state.play
    if at.base.known or viewer == ALL or isinstance(state, Scored):
        return judging.legal(state)
    unseen = PACK & ~at.seen
    lying = at.taken.open & unseen
    hands = tuple(unseen & ~(lying & ~hand) for hand in at.hands)
    blind = msgspec.structs.replace(at, hands=hands)
    if isinstance(state, Playing):
        return judging.legal(blind)
    if state.drawn is None:
        return judging.legal(Spicing(blind, state.place, None))
    return (SpiceDecided(at.turn, False), SpiceDecided(at.turn, True))
