"""Cross Game: the table as one viewer may see it."""

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.cards.card import SUITS, cards_in, mask_of
from domain.game.protocol import Call, Table, Viewer
from domain.game.shown import Figure
from domain.game.sight import hands_for, legal_for, on_table
from domain.games.cross_game import judging
from domain.games.cross_game.options import PACK, BidMade
from domain.games.cross_game.scoring import announcement, made
from domain.games.cross_game.state import Auction, PassedOut, Playing, Scored, State, stock_left, to_act
from domain.log.message import Message


class Shown(msgspec.Struct, frozen=True):
    """A king-queen pair that was shown, and what it counts."""

    seat: int
    suit: str
    points: int


class CrossGameTable(Table, frozen=True, kw_only=True):
    """The table, with cross points by seat before the contract, card points, pairs and the contract."""

    cross_points: tuple[int, ...] = (0, 0)
    card_points: tuple[int, ...] = (0, 0)
    announcements: tuple[Shown, ...] = ()
    bidder: int | None = None
    bid: int | None = None

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Tricks, cross points and card points."""
        return (
            *super().figures,
            Figure("cross_points", self.cross_points),
            Figure("card_points", self.card_points),
        )

    @property
    def notes(self) -> tuple[Message, ...]:
        """The contract, trumps, and the pairs that were shown."""
        made = self.bidder is not None and self.bid is not None
        contract = (Message("contract", {"seat": self.bidder or 0, "n": self.bid or 0}),) if made else ()
        pairs = (
            Message("pair", {"seat": pair.seat, "suit": pair.suit, "points": pair.points})
            for pair in self.announcements
        )
        return (*contract, *super().notes, *pairs)


PHRASES: Final[Mapping[str, str]] = {
    "cross_points": "{n} cross point|{n} cross points",
    "contract": "{seat:seat} has bid {n} cross point|{seat:seat} has bid {n} cross points",
    "pair": "{seat:seat} has shown king and queen of {suit:suit}: {points}",
}


def hands_of(auction: Auction) -> tuple[int, ...]:
    """The dealt hands; unknown ones may hold anything."""
    if auction.deal is None:
        return (PACK, PACK)
    return tuple(mask_of(hand) for hand in auction.deal.hands)


def calls_of(auction: Auction) -> tuple[Call, ...]:
    """The auction as people read it back."""
    return tuple(Call(call.seat, str(call.bid) if isinstance(call, BidMade) else "-") for call in auction.calls)


def view(state: State, viewer: Viewer) -> CrossGameTable:
    """The table as the viewer may see it; the stock is a number."""
    if isinstance(state, Auction | PassedOut):
        return _auction_view(state, viewer)
    at = state.play if isinstance(state, Scored) else state
    trump = at.order.trump if at.order else None
    shown = tuple(
        Shown(seat, SUITS[suit], announcement(suit, -1 if trump is None else trump)) for seat, suit in at.shown
    )
    seat = to_act(state)
    legal = judging.legal(state)
    if not at.base.known and viewer != "all" and isinstance(state, Playing):
        unseen = PACK & ~at.seen
        legal = judging.legal(msgspec.structs.replace(state, hands=(unseen, unseen)))
    return CrossGameTable(
        to_act=seat,
        phase=1 if at.left > 16 else 2,
        tricks=at.tricks,
        trumps=None if trump is None else SUITS[trump],
        calls=calls_of(at.base.auction),
        trick=on_table(at.seats, at.cards),
        last_trick=on_table(*at.last),
        stock=stock_left(at),
        hands=hands_for(viewer, at.hands, at.base.known),
        seen=tuple(cards_in(at.seen)),
        announcements=shown,
        legal=legal_for(viewer, seat, at.base.known, legal),
        cross_points=made(at),
        card_points=at.points,
        bidder=at.base.bidder,
        bid=at.base.bid,
    )


def _auction_view(state: Auction | PassedOut, viewer: Viewer) -> CrossGameTable:
    auction = state.auction if isinstance(state, PassedOut) else state
    known = auction.deal is not None
    seat = to_act(state)
    return CrossGameTable(
        to_act=seat,
        phase=0,
        tricks=(0, 0),
        calls=calls_of(auction),
        stock=8,
        hands=hands_for(viewer, hands_of(auction), known),
        legal=legal_for(viewer, seat, known, judging.legal(state)),
    )
