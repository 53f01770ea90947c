"""Parity (ledger PA): thirty cards with two jokers; one names trumps, the other odd or even."""

from dataclasses import dataclass
from typing import ClassVar

from domain.cards.card import Card
from domain.cards.facts import CardPlayed, TrumpsDeclared
from domain.game.judgement import Breach
from domain.game.paper import PaperStretch
from domain.game.protocol import TwoHands, Worked
from domain.game.race import Lurch, Race
from domain.game.replay import Replay, places
from domain.game.rest import REST
from domain.game.sheet import PlainSheet
from domain.game.tricks import lying
from domain.games.parity import ending, judging, play, remedies, scoring, state, view
from domain.games.parity.codes import CODES
from domain.games.parity.options import PACK, Deal, Options, ParityDeclared
from domain.games.parity.script import ParityScript
from domain.games.parity.state import State


@dataclass(frozen=True, eq=False)
class Parity(TwoHands[Options, State]):
    """The game through the protocol of `domain.game.protocol`."""

    key: ClassVar = "parity"
    stands_in: ClassVar = True
    title: ClassVar = "Parity"
    phrases: ClassVar = {**view.PHRASES, **remedies.PHRASES}
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (TrumpsDeclared, ParityDeclared, CardPlayed, *REST)
    race: ClassVar = Race(target=100, lurch=Lurch(("66/100", "50/100"), (1, 2, 3)))
    hand_size: ClassVar = 15
    sheet: ClassVar = PlainSheet(scoring.Entry, scoring.FORM, scoring.score_entry)
    script: ClassVar = ParityScript()
    codes: ClassVar = CODES
    rules: ClassVar = (
        (
            "PA.1",
            "A pack of thirty: Ace, King, Queen, Jack, Ten, Five and Two of each suit, with a red and a black joker.",
        ),
        (
            "PA.2",
            "Both jokers are trumps and beat all the others; the one in the colour of the trump suit is the higher.",
        ),
        ("PA.3", "Fifteen cards each, dealt in ones; the deal alternates."),
        ("PA.4", "The non-dealer names the trump suit."),
        (
            "PA.5",
            "The dealer says which tricks are to score, an odd number of them or an even one. No trick at all is even.",
        ),
        (
            "PA.6",
            "The non-dealer has the first lead, the winner of a trick the next. A player who holds the suit that was led plays it; one who does not plays any card. The highest trump wins; where no trump lies, the highest card of the suit that was led.",
        ),
        ("PA.7", "Only the player whose number of tricks has the parity scores: 10 and a point a trick."),
        ("PA.8", "Game is 100. The loser is lurched short of 66 points, double-lurched short of 50."),
        ("PA.g1", "A joker is a trump in every way: it must follow when trumps are led, and leading it leads trumps."),
        ("PA.g2", "Fifteen tricks fall into an odd and an even number, so exactly one player scores in each deal."),
        (
            "PA.g3",
            "A line is safe for whoever has it: 65 is lurched and 66 is not, 49 is double-lurched and 50 is not.",
        ),
        (
            "PA.g4",
            "A plain win is worth 1, over a lurched loser 2, over a double-lurched one 3; a match may say otherwise.",
        ),
        ("PA.g5", "Only one total grows in a deal, so the players never reach the target together."),
        (
            "PA.g6",
            "All the cards are dealt, so everybody knows both hands, and both are shown; by option each sees his own only.",
        ),
        ("PA.i1", "The tricks of both make fifteen."),
        ("PA.i2", "Exactly one player scores."),
        ("PA.i3", "The score less 10 is the number of tricks, and has the parity that was named."),
    )
    worked: ClassVar = (
        Worked(
            {"parity": "odd", "tricks": [9, 6]},
            "Odd was named. Nine tricks are odd and score 10 + 9; six are even and score nothing.",
        ),
        Worked(
            {"parity": "even", "tricks": [0, 15]},
            "Even was named, and no tricks at all is even: 10 for losing everything.",
        ),
    )

    def pack(self, options: Options) -> int:
        """Thirty cards (PA.1)."""
        return PACK

    def paper(self, options: Options) -> tuple[PaperStretch, ...]:
        """Trumps and parity, then fifteen tricks."""
        return (PaperStretch("BID", 2, 15, 2, 2),)

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Deal:
        """In ones (PA.3)."""
        return Deal(hands=(cards[0::2], cards[1::2]))

    def orders(self, replay: Replay, place: int) -> tuple[int, ...]:
        """The call of trumps (PA.4)."""
        return tuple(each for each in range(place) if isinstance(replay.facts[each], TrumpsDeclared))[:1]

    def rests_on(self, replay: Replay, place: int, breach: Breach) -> tuple[int, ...]:
        """A revoke rests on trumps as well where a joker may be what should have been played (PA.g1)."""
        grounds = super().rests_on(replay, place, breach)
        return places(place, grounds, self.orders(replay, place)) if breach.code == "REV" else grounds

    start: ClassVar = staticmethod(state.start)
    to_act: ClassVar = staticmethod(state.to_act)
    legal: ClassVar = staticmethod(judging.legal)
    breaches: ClassVar = staticmethod(judging.breaches)
    evolve: ClassVar = staticmethod(play.evolve)
    score: ClassVar = staticmethod(scoring.score)
    duty: ClassVar = staticmethod(state.duty)
    lying: ClassVar = staticmethod(lying)
    rest: ClassVar = staticmethod(state.rest)
    ending: ClassVar = staticmethod(ending.ending)
    remedy: ClassVar = staticmethod(remedies.remedy)
    view: ClassVar = staticmethod(view.view)


GAME = Parity()
