"""Ristikontra (ledger RK): two against two, suits count for nothing, the last card of the rank led wins."""

from dataclasses import dataclass
from typing import ClassVar

from domain.cards.card import Card
from domain.cards.facts import CardDrawn, CardPlayed
from domain.game.judgement import Breach
from domain.game.paper import PaperStretch
from domain.game.protocol import Game, Worked, fault_of
from domain.game.race import Race
from domain.game.replay import Replay
from domain.game.rest import REST
from domain.games.ristikontra import audit, ending, judging, play, remedies, state, view
from domain.games.ristikontra.codes import CODES
from domain.games.ristikontra.options import PACK, SIDES, DarkPlayed, Deal, Options, SpiceDecided
from domain.games.ristikontra.script import RistikontraScript
from domain.games.ristikontra.sheet import RistikontraSheet
from domain.games.ristikontra.state import State


@dataclass(frozen=True, eq=False)
class Ristikontra(Game[Options, State]):
    """The game through the protocol of `domain.game.protocol`."""

    key: ClassVar = "ristikontra"
    stands_in: ClassVar = True
    title: ClassVar = "Ristikontra"
    phrases: ClassVar = {**view.PHRASES, **remedies.PHRASES}
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (CardPlayed, DarkPlayed, SpiceDecided, CardDrawn, *REST)
    race: ClassVar = Race(target=7)
    drawing_rule: ClassVar = "RK.5"
    sheet: ClassVar = RistikontraSheet()
    script: ClassVar = RistikontraScript()
    codes: ClassVar = CODES
    rules: ClassVar = (
        (
            "RK.1",
            "Four play, two against two, partners opposite each other, with 52 cards. Suits mean nothing, and no rank is above another.",
        ),
        (
            "RK.2",
            "An ace counts 11, a ten 10, a king 4, a queen 3, a jack 2: 120 card points. The side with 61 or more wins the deal; with all 120 it wins double.",
        ),
        ("RK.3", "Six cards each; the rest is the stock, face down."),
        (
            "RK.4",
            "Eldest hand leads. Nobody has to follow: each trick goes to the last card in it of the rank that was led, and its player leads to the next.",
        ),
        ("RK.5", "While there is a stock, everybody fills up his hand after each trick, the winner first."),
        (
            "RK.6",
            "Instead of a card of his hand a player may turn up the stock's top card and play that, in the dark; he then draws nothing after the trick.",
        ),
        ("RK.7", "Option: an ace counts 5, a king 4, a queen 3, a jack 2, a ten 1, so that 31 of 60 win."),
        ("RK.8", "Option: when the card points are equal, more tricks win."),
        (
            "RK.9",
            "Option: who has led a rank to three tricks in a row leads another one next, unless he has none or plays in the dark.",
        ),
        (
            "RK.10",
            "Option: who took a trick with a card of his hand may spice it: the card he draws goes into the trick, and the winning card back to his hand.",
        ),
        ("RK.11", "Option: five cards each."),
        (
            "RK.12",
            "Option: a queen in a trick taken while there was a stock obliges its side to clean: without the stock it must win a trick that holds a king, and that was not led with a queen. If it fails it loses, whatever its points.",
        ),
        ("RK.13", "With cleaning, a king that is the last one left is kept until the stock is gone."),
        ("RK.g1", "No trick is level: if nobody else plays the rank that was led, the leader's own card takes it."),
        (
            "RK.g2",
            "At 60 each nobody scores, unless more tricks decide by option; thirteen tricks are never shared equally.",
        ),
        (
            "RK.g3",
            "Hands are filled up after the trick; by option each player draws right after his card, and draws nothing after one played in the dark.",
        ),
        (
            "RK.g4",
            "In the dark or not, each player takes one card a trick from the stock, so it cannot run out within a trick: it lasts seven tricks, eight with five cards each.",
        ),
        (
            "RK.g5",
            "The winner sees the card he drew and then decides on the spice. The trick counts with the card that was put in; everybody has seen both, and the same player leads.",
        ),
        (
            "RK.g6",
            "Only one player's own leads count for the ban on a fourth, those in the dark or for want of another rank included. A king that must be kept is not another rank to lead.",
        ),
        ("RK.g7", "The second part begins when the stock is used up: with trick 8, or 9 with five cards each."),
        (
            "RK.g8",
            "If the last king is turned up in the dark, it goes to that player's hand, and a card of the hand is played instead, with no draw for it. It may not spice a trick either, unless the card that goes back to the hand is a king: one king is then still kept.",
        ),
        ("RK.g9", "A king is the last one when the other three lie in tricks, the one on the table included."),
        (
            "RK.g10",
            "Cleaning looks at a trick as it was taken away, after any spice. One king is enough for any number of queens, and it has to come after the stock is gone.",
        ),
        (
            "RK.g11",
            "If one side fails to clean, the other has 1 game point for it, by option 2. If both fail nobody scores.",
        ),
        ("RK.g12", "Winning double takes every card point, not every trick: it is worth 2 game points."),
        (
            "RK.g13",
            "A match goes to 7 game points. By option card points are added up, to 120 (or 60); a side without any in a deal falls back to nothing.",
        ),
        (
            "RK.i1",
            "The card points of both sides make 120, or 60 by option. A side that took a queen or a king has at least its points.",
        ),
        ("RK.i2", "There are thirteen tricks, and a side without one has no card points."),
        ("RK.i3", "After each trick the stock is smaller by four."),
        ("RK.i4", "While there is a stock, a trick begins with all hands full."),
    )
    worked: ClassVar = (
        Worked({"points": [61, 59]}, "61 of 120 card points are more than half: one game point."),
        Worked({"points": [0, 120]}, "All the card points win double, even where tricks without points were lost."),
        Worked(
            {"points": [90, 30], "queens_taken": [True, False], "cleaned": [False, False]},
            "A queen taken early obliges: without a king after the stock was gone, 90 card points lose.",
            {"cleaning": True},
        ),
    )

    def seats(self, options: Options) -> int:
        """Four (RK.1)."""
        return 4

    def sides(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Partners sit crosswise (RK.1)."""
        return SIDES

    def pack(self, options: Options) -> int:
        """All 52 (RK.1)."""
        return PACK

    def paper(self, options: Options) -> tuple[PaperStretch, ...]:
        """Thirteen tricks of four cards."""
        return (PaperStretch("", 0, 13, 4, 4),)

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Deal:
        """Six or five each, the rest is stock (RK.3, RK.11)."""
        size = options.hand_size
        hands = tuple(cards[size * seat : size * (seat + 1)] for seat in range(4))
        return Deal(hands=hands, stock=cards[4 * size :])

    def check_deal(self, options: Options, deal: Deal) -> str | None:
        """Four hands and the stock, every card once."""
        return fault_of(self.script.cards_of(deal), 4, options.hand_size, PACK)

    def race_for(self, options: Options) -> Race:
        """Seven game points, or as many card points as the pack holds (RK.g13)."""
        return Race(target=options.total) if options.scoring_unit == "card_points" else self.race

    def rests_on(self, replay: Replay, place: int, breach: Breach) -> tuple[int, ...]:
        """The entries on which a breach rests."""
        return audit.rests_on(replay, place, breach) or super().rests_on(replay, place, breach)

    due_draws: ClassVar = staticmethod(state.due_draws)
    start: ClassVar = staticmethod(state.start)
    to_act: ClassVar = staticmethod(state.to_act)
    legal: ClassVar = staticmethod(judging.legal)
    lying: ClassVar = staticmethod(state.lying)
    breaches: ClassVar = staticmethod(judging.breaches)
    evolve: ClassVar = staticmethod(play.evolve)
    rest: ClassVar = staticmethod(state.rest)
    score: ClassVar = staticmethod(play.score)
    ending: ClassVar = staticmethod(ending.ending_of)
    remedy: ClassVar = staticmethod(remedies.remedy)
    view: ClassVar = staticmethod(view.view)


GAME = Ristikontra()
