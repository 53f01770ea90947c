"""Cross Game (ledger CG): Romanian Cruce for two, bid in cross points, won by two."""

from typing import Any, ClassVar

import msgspec

from domain.cards import SUITS, Card, cards_in, mask_of
from domain.ending import Ending
from domain.facts import CardDrawn, CardPlayed, Fact, Passed, TotalCalled
from domain.game import Breach, Call, DealCards, Duty, EntryField, Result, Table, Viewer, Worked, card_word
from domain.games.cross_game import play, scoring
from domain.games.cross_game.ending import ending_of
from domain.games.cross_game.options import PACK, AnnouncementMade, BidMade, Deal, Options
from domain.games.cross_game.play import Auction, PassedOut, Playing, Scored, State
from domain.match.race import Race
from domain.seats import left_of
from domain.sight import hands_for, legal_for, on_table


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


def hands_of(auction: Auction) -> tuple[int, ...]:
    """The dealt hands; unknown ones may hold anything."""
    if auction.deal is None:
        return (PACK, PACK)
    return tuple(mask_of(hand) for hand in auction.deal.hands)


def calls_of(auction: Auction) -> tuple[Call, ...]:
    """The auction as people read it back."""
    return tuple(Call(call.seat, str(call.bid) if isinstance(call, BidMade) else "-") for call in auction.calls)


class CrossGame(msgspec.Struct, frozen=True):
    """The game through the protocol of `domain.game`."""

    key: ClassVar = "cross_game"
    version: ClassVar = 1
    title: ClassVar = "Cross Game"
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (BidMade, Passed, AnnouncementMade, CardPlayed, CardDrawn)
    remarks: ClassVar = (TotalCalled,)
    race: ClassVar = Race(target=15, win_by=2)
    rules: ClassVar = (
        ("CG.1", "Twenty-four cards, six a suit: Ace 11, Ten 10, King 4, Queen 3, Jack 2, Nine 0; 120 card points in all."),
        ("CG.2", "Eight cards each, eight face down as stock. Within a suit the card that is worth more is the higher one: A 10 K Q J 9."),
        ("CG.3", "The first player says how many cross points he means to make, 1 to 6; the second says more, or passes. If both pass the cards are dealt again."),
        ("CG.4", "The winner of the auction leads, and the first card names the trump suit."),
        ("CG.5", "As long as there is a stock, any card may be played to a lead. A higher card of the suit led takes the trick, and so does a trump if trumps were not led; every other card loses."),
        ("CG.6", "Once the stock is empty you must follow suit; if you cannot, trump; if you cannot do that either, play anything."),
        ("CG.7", "Whoever leads a king or queen and has both of that suit in hand announces the pair: 20 points, in trumps 40, even if the trick is lost."),
        ("CG.8", "The winner of a trick leads; while the stock lasts both draw a card, the winner first. Each full 33 card points and announcements are a cross point."),
        ("CG.9", "The bidder adds what he made if it reaches his bid, else his bid is taken off. His opponent always adds what he made."),
        ("CG.10", "The first to 15 wins, and never by one: the match goes on until somebody leads by two."),
        ("CG.11", "Nobody bids on a part of his cards, and nobody has to beat a card because he can."),
        ("CG.g1", "The sixth card of each suit is the Nine, worth nothing."),
        ("CG.g2", "After each of the first four tricks both players take a card from the stock: four tricks are played freely, and eight strictly."),
        ("CG.g3", "The winner of the trick draws first."),
        ("CG.g4", "The non-dealer bids first, the dealer last."),
        ("CG.g5", "A bid is a number from 1 to 6. The second bid has to be higher than the first; against a 6 one can only pass."),
        ("CG.g6", "After two passes the deal is void and the same player deals again; by option, the other one."),
        ("CG.g7", "A pair counts by itself when it is led from; by option it has to be said first. It counts once: on the very first lead too, where it is the trump pair, and also when there is no stock any more."),
        ("CG.g8", "The first card may be any card: whatever it is, its suit is trumps."),
        ("CG.g9", "A bidder who fails adds nothing of what he made. A total may fall below nothing."),
        ("CG.g10", "Whoever stands alone at the top with the target and two ahead has won; totals count as they are now, whatever they were before."),
        ("CG.i1", "The card points of both make 120."),
        ("CG.i2", "A deal has twelve tricks."),
        ("CG.i3", "A suit is announced once, and all announcements together make 100 at most."),
        ("CG.i4", "Both players' points are 120 and the announcements: together 2 to 6 cross points, before the bid is looked at."),
    )  # fmt: skip
    worked: ClassVar = (
        Worked(
            {"bidder": 0, "bid": 2, "card_points": [102, 18]},
            "Bid 2. 102 card points are three full thirty-threes and make the bid; 18 are none.",
        ),
        Worked(
            {"bidder": 0, "bid": 2, "card_points": [64, 56]},
            "Bid 2, but 64 card points are only one full 33: the bid is taken off. The other keeps his one.",
        ),
        Worked(
            {"bidder": 0, "bid": 3, "card_points": [60, 60], "announcements": [["S"], []], "trumps": "S"},
            "Bid 3, with king and queen of trumps shown: 60 + 40 = 100 are three, the other's 60 one.",
        ),
    )

    def seats(self, options: Options) -> int:
        """Two."""
        return 2

    def sides(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Each for himself."""
        return ((0,), (1,))

    def pack(self, options: Options) -> int:
        """Twenty-four cards (CG.1)."""
        return PACK

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Deal:
        """Eight each and the stock."""
        return Deal(hands=(cards[:8], cards[8:16]), stock=cards[16:])

    def check_deal(self, options: Options, deal: Deal) -> str | None:
        """Two hands and a stock of eight, every card once."""
        parts = (*deal.hands, deal.stock)
        if len(parts) != 3 or any(len(part) != 8 for part in parts):
            return "`hands` are two hands of 8 cards, `stock` the 8 left"
        if mask_of(card for part in parts for card in part) != PACK:
            return "every card of the pack is there exactly once"
        return None

    def next_dealer(self, options: Options, dealer: int, passed_out: bool) -> int:
        """Players alternate; after two passes by option the same deals again (CG.3, CG.g6)."""
        if passed_out and options.passed_out == "same_dealer":
            return dealer
        return left_of(dealer, 2)

    def start(self, options: Options, dealer: int, deal: Deal | None) -> State:
        """The table before the first bid."""
        return play.start(options, dealer, deal)

    def to_act(self, state: State) -> int | None:
        """The seat whose turn it is."""
        return play.to_act(state)

    def legal(self, state: State) -> tuple[Fact, ...]:
        """Every legal fact."""
        return play.legal(state)

    def breaches(self, state: State, fact: Fact) -> tuple[Breach, ...]:
        """Why this fact is against the rules."""
        return play.breaches(state, fact)

    def evolve(self, state: State, fact: Fact) -> State:
        """The table after the fact."""
        return play.evolve(state, fact)

    def score(self, state: State) -> Result | None:
        """The score of a complete deal."""
        return play.score(state)

    def ending(self, state: State) -> Ending:
        """What the solver is told."""
        return ending_of(state)

    def duty(self, state: State) -> Duty | None:
        """What the seat to act owes."""
        return play.duty(state)

    def entry(self, options: Options) -> type[msgspec.Struct]:
        """The contract and what was made."""
        return scoring.Entry

    def entry_form(self, options: Options) -> tuple[EntryField, ...]:
        """The entry form."""
        return scoring.form()

    def score_entry(self, options: Options, entry: Any) -> Result:
        """The score of an entered result."""
        return scoring.score_entry(entry)

    def sections(self, options: Options) -> tuple[str, ...]:
        """The marks of notation."""
        return ("BID",)

    def to_spread(self, deal: Deal) -> DealCards:
        """Two hands and the stock."""
        return DealCards(deal.hands, deal.stock)

    def from_spread(self, options: Options, spread: DealCards) -> Deal:
        """Two hands and the stock."""
        return Deal(hands=spread.hands, stock=spread.stock)

    def word(self, before: State, fact: Fact) -> str | None:
        """A card."""
        return card_word(fact)

    def sums(self, state: State) -> tuple[tuple[int, ...], ...]:
        """Card points with announcements, of a complete deal."""
        if not isinstance(state, Scored):
            return ()
        pairs = zip(state.play.points, play.bonuses(state.play), strict=True)
        return (tuple(card + bonus for card, bonus in pairs),)

    def announced_points(self, before: State, after: State) -> int | None:
        """20 or 40 for a pair that was shown with the lead."""
        if not isinstance(before, Playing) or not isinstance(after, Playing):
            return None
        if len(after.shown) == len(before.shown) or after.order is None:
            return None
        return scoring.announcement(after.shown[-1][1], after.order.trump)

    def entry_noted(
        self, options: Options, dealer: int, entry: Any
    ) -> tuple[tuple[tuple[tuple[int, str], ...], tuple[int, ...]], ...] | None:
        """Card points and cross points are told apart by the entry only."""
        return None

    def entry_read(
        self,
        options: Options,
        calls: tuple[tuple[int, str], ...],
        sums: tuple[tuple[int, ...], ...],
    ) -> dict[str, Any] | None:
        """The highest bid, and the totals of the score sheet as cross points."""
        bids = [(int(call), seat) for seat, call in calls if call.isdigit()]
        if not bids or len(sums) != 1:
            return None
        bid, bidder = max(bids, key=lambda each: each[0])
        made = [scoring.cross_points(total) for total in sums[0]]
        return {"bidder": bidder, "bid": bid, "cross_points": made}

    def view(self, state: State, viewer: Viewer) -> CrossGameTable:
        """The table as the viewer may see it; the stock is a number."""
        if isinstance(state, Auction | PassedOut):
            return self._auction_view(state, viewer)
        at = state.play if isinstance(state, Scored) else state
        trump = at.order.trump if at.order else None
        shown = tuple(
            Shown(seat, SUITS[suit], scoring.announcement(suit, -1 if trump is None else trump))
            for seat, suit in at.shown
        )
        seat = play.to_act(state)
        legal = play.legal(state)
        if not at.base.known and viewer != "all" and isinstance(state, Playing):
            unseen = PACK & ~at.seen
            legal = play.legal(msgspec.structs.replace(state, hands=(unseen, unseen)))
        return CrossGameTable(
            to_act=seat, phase=1 if at.left > 16 else 2, tricks=at.tricks,
            trumps=None if trump is None else SUITS[trump], calls=calls_of(at.base.auction),
            trick=on_table(at.seats, at.cards), last_trick=on_table(*at.last),
            stock=play.stock_left(at), hands=hands_for(viewer, at.hands, at.base.known),
            seen=tuple(cards_in(at.seen)), announcements=shown,
            legal=legal_for(viewer, seat, at.base.known, legal),
            cross_points=play.made(at), card_points=at.points, bidder=at.base.bidder, bid=at.base.bid,
        )  # fmt: skip

    def _auction_view(self, state: Auction | PassedOut, viewer: Viewer) -> CrossGameTable:
        auction = state.auction if isinstance(state, PassedOut) else state
        known = auction.deal is not None
        seat = play.to_act(state)
        return CrossGameTable(
            to_act=seat, phase=0, tricks=(0, 0), calls=calls_of(auction), stock=8,
            hands=hands_for(viewer, hands_of(auction), known),
            legal=legal_for(viewer, seat, known, play.legal(state)),
        )  # fmt: skip


GAME = CrossGame()
