"""Cross Game (ledger CG): Romanian Cruce for two, bid in cross points, won by two."""

from dataclasses import dataclass
from typing import ClassVar

from domain.cards.facts import CardDrawn, CardPlayed, Passed, TotalCalled
from domain.cards.seats import left_of
from domain.game.judgement import Breach
from domain.game.paper import PaperStretch
from domain.game.protocol import TwoHands, Worked
from domain.game.race import Race
from domain.game.replay import Replay, places
from domain.game.rest import REST
from domain.game.sheet import PlainSheet
from domain.games.cross_game import audit, ending, judging, play, remedies, scoring, state, view
from domain.games.cross_game.codes import CODES
from domain.games.cross_game.options import PACK, AnnouncementMade, BidMade, Deal, Options
from domain.games.cross_game.script import CrossGameScript
from domain.games.cross_game.state import State


@dataclass(frozen=True, eq=False)
class CrossGame(TwoHands[Options, State]):
    """The game through the protocol of `domain.game.protocol`."""

    key: ClassVar = "cross_game"
    title: ClassVar = "Cross Game"
    phrases: ClassVar = {**view.PHRASES, **remedies.PHRASES}
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (BidMade, Passed, AnnouncementMade, CardPlayed, CardDrawn, *REST)
    remarks: ClassVar = (TotalCalled,)
    race: ClassVar = Race(target=15, win_by=2)
    hand_size: ClassVar = 8
    drawing_rule: ClassVar = "CG.g3"
    sheet: ClassVar = PlainSheet(scoring.Entry, scoring.FORM, scoring.score_entry)
    script: ClassVar = CrossGameScript()
    codes: ClassVar = CODES
    rules: ClassVar = (
        (
            "CG.1",
            "Twenty-four cards, six a suit: Ace 11, Ten 10, King 4, Queen 3, Jack 2, Nine 0; 120 card points in all.",
        ),
        (
            "CG.2",
            "Eight cards each, eight face down as stock. Within a suit the card that is worth more is the higher one: A 10 K Q J 9.",
        ),
        (
            "CG.3",
            "The first player says how many cross points he means to make, 1 to 6; the second says more, or passes. If both pass the cards are dealt again.",
        ),
        ("CG.4", "The winner of the auction leads, and the first card names the trump suit."),
        (
            "CG.5",
            "As long as there is a stock, any card may be played to a lead. A higher card of the suit led takes the trick, and so does a trump if trumps were not led; every other card loses.",
        ),
        (
            "CG.6",
            "Once the stock is empty you must follow suit; if you cannot, trump; if you cannot do that either, play anything.",
        ),
        (
            "CG.7",
            "Whoever leads a king or queen and has both of that suit in hand announces the pair: 20 points, in trumps 40, even if the trick is lost.",
        ),
        (
            "CG.8",
            "The winner of a trick leads; while the stock lasts both draw a card, the winner first. Each full 33 card points and announcements are a cross point.",
        ),
        (
            "CG.9",
            "The bidder adds what he made if it reaches his bid, else his bid is taken off. His opponent always adds what he made.",
        ),
        ("CG.10", "The first to 15 wins, and never by one: the match goes on until somebody leads by two."),
        ("CG.11", "Nobody bids on a part of his cards, and nobody has to beat a card because he can."),
        ("CG.g1", "The sixth card of each suit is the Nine, worth nothing."),
        (
            "CG.g2",
            "After each of the first four tricks both players take a card from the stock: four tricks are played freely, and eight strictly.",
        ),
        ("CG.g3", "The winner of the trick draws first."),
        ("CG.g4", "The non-dealer bids first, the dealer last."),
        (
            "CG.g5",
            "A bid is a number from 1 to 6. The second bid has to be higher than the first; against a 6 one can only pass.",
        ),
        ("CG.g6", "After two passes the deal is void and the same player deals again; by option, the other one."),
        (
            "CG.g7",
            "A pair counts by itself when it is led from; by option it has to be said first. It counts once: on the very first lead too, where it is the trump pair, and also when there is no stock any more.",
        ),
        ("CG.g8", "The first card may be any card: whatever it is, its suit is trumps."),
        ("CG.g9", "A bidder who fails adds nothing of what he made. A total may fall below nothing."),
        (
            "CG.g10",
            "Whoever stands alone at the top with the target and two ahead has won; totals count as they are now, whatever they were before.",
        ),
        ("CG.i1", "The card points of both make 120."),
        ("CG.i2", "A deal has twelve tricks."),
        ("CG.i3", "A suit is announced once, and all announcements together make 100 at most."),
        (
            "CG.i4",
            "Both players' points are 120 and the announcements: together 2 to 6 cross points, before the bid is looked at.",
        ),
    )
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

    def pack(self, options: Options) -> int:
        """Twenty-four cards (CG.1)."""
        return PACK

    def paper(self, options: Options) -> tuple[PaperStretch, ...]:
        """The bids, then twelve tricks; a lead may show a pair."""
        return (PaperStretch("BID", 2, 12, 2, 2, wide=True),)

    def next_dealer(self, options: Options, dealer: int, passed_out: bool) -> int:
        """Players alternate; after two passes by option the same deals again (CG.3, CG.g6)."""
        if passed_out and options.passed_out == "same_dealer":
            return dealer
        return left_of(dealer, 2)

    def rests_on(self, replay: Replay, place: int, breach: Breach) -> tuple[int, ...]:
        """The entries on which a breach rests; who did not trump, on the lead that made trumps too (CG.4)."""
        grounds = audit.rests_on(replay, place, breach) or super().rests_on(replay, place, breach)
        return places(place, grounds, self.orders(replay, place)) if breach.code == "FTT" else grounds

    orders: ClassVar = staticmethod(audit.orders)
    due_draws: ClassVar = staticmethod(state.due_draws)
    hindsight: ClassVar = staticmethod(audit.hindsight)
    start: ClassVar = staticmethod(state.start)
    to_act: ClassVar = staticmethod(state.to_act)
    legal: ClassVar = staticmethod(judging.legal)
    breaches: ClassVar = staticmethod(judging.breaches)
    evolve: ClassVar = staticmethod(play.evolve)
    score: ClassVar = staticmethod(scoring.score)
    duty: ClassVar = staticmethod(state.duty)
    lying: ClassVar = staticmethod(state.lying)
    rest: ClassVar = staticmethod(state.rest)
    ending: ClassVar = staticmethod(ending.ending_of)
    points_taken: ClassVar = staticmethod(state.points_taken)
    cross_points: ClassVar = staticmethod(scoring.cross_points_of)
    remedy: ClassVar = staticmethod(remedies.remedy)
    view: ClassVar = staticmethod(view.view)


GAME = CrossGame()
