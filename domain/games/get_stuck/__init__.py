"""Get Stuck (ledger GS): a maze of cards in a square of 7 x 7 with one gap; who cannot move has lost."""

from dataclasses import dataclass
from typing import ClassVar

from domain.cards.card import Card
from domain.cards.facts import Fact, Passed
from domain.game.paper import PaperStretch
from domain.game.protocol import TwoPlayers, Worked
from domain.game.race import Race
from domain.game.sheet import PlainSheet
from domain.game.shown import Frame
from domain.games.get_stuck import audit, ending, judging, play, remedies, scoring, state, view
from domain.games.get_stuck.codes import CODES
from domain.games.get_stuck.options import COLUMNS, PACK, ROWS, CardMoved, Deal, Options, check_deal, moved_in, shuffled
from domain.games.get_stuck.script import GetStuckScript
from domain.games.get_stuck.state import State


@dataclass(frozen=True, eq=False)
class GetStuck(TwoPlayers[Options, State]):
    """The game through the protocol of `domain.game.protocol`."""

    key: ClassVar = "get_stuck"
    title: ClassVar = "Get Stuck"
    phrases: ClassVar = {**view.PHRASES, **remedies.PHRASES}
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (CardMoved, Passed)
    frame: ClassVar = Frame(COLUMNS, ROWS, filled=True, framed=True)
    race: ClassVar = Race(target=250)
    sheet: ClassVar = PlainSheet(scoring.Entry, scoring.FORM, scoring.score_entry)
    script: ClassVar = GetStuckScript()
    codes: ClassVar = CODES
    rules: ClassVar = (
        (
            "GS.1",
            "A pack without its tens, and a joker: 49 cards lie face up in seven rows of seven. The joker is taken away and leaves the gap.",
        ),
        ("GS.2", "One plays the red cards, the other the black ones, all session long; the deal alternates."),
        (
            "GS.3",
            "The non-dealer begins, then by turns: move a card of your colour from the gap's row or column into the gap and turn it face down. Where it lay is the new gap.",
        ),
        ("GS.4", "On its way a numeral, ace to nine, is stopped by a card that lies face down. A court is not."),
        (
            "GS.5",
            "Who can move in a straight line must. Only who cannot moves a card from a diagonal of the gap, and passes over dead cards or not as before.",
        ),
        ("GS.6", "Who cannot move at all is stuck: the deal is over and lost."),
        (
            "GS.7",
            "Both score the numerals of their colour that still lie face up, an ace for 1. A court that lies face up is 10 more to the winner and 10 less to the loser.",
        ),
        ("GS.8", "Game is about 250 points."),
        (
            "GS.g1",
            "Face-up cards bar no one's way, whatever their colour and however many. A card that has been turned down moves no more.",
        ),
        ("GS.g2", "A first player who cannot move at all has lost the deal, 30 to 150."),
        ("GS.g3", "The winner of a deal may score less than the loser; only the totals decide the race."),
        ("GS.g4", "All cards were dealt face up, so what was turned down is known to everybody."),
        ("GS.i1", "Forty-eight cards lie from the first move to the last."),
        ("GS.i2", "There are as many cards face down as moves were made."),
        (
            "GS.i3",
            "By turns nobody falls behind by more than a move: whoever got stuck has made as many as the other, or one fewer.",
        ),
        (
            "GS.i4",
            "A colour is twenty-four cards, two of each rank: six courts, and numerals for 90. So a winner has 0 to 150 points, and a loser 60 below nothing to 90.",
        ),
    )
    worked: ClassVar = (
        Worked(
            {"stuck": 1, "cards": [[9, 8, "K"], ["A", 2, "Q"]]},
            "The winner still shows 9, 8 and a king: 17 + 10. The loser shows ace, 2 and a queen: 3 - 10.",
        ),
        Worked(
            {"stuck": 0, "cards": [[9, 8, "K"], ["A", 2, "Q"]]},
            "The same cards, but the other player got stuck: 17 - 10, and 3 + 10 to the winner.",
        ),
        Worked(
            {"stuck": 1, "cards": [["A"], [9, 8]]},
            "Too many cards were turned down: the winner has an ace left, the loser 17 points.",
        ),
    )

    def pack(self, options: Options) -> int:
        """Forty-eight cards and the joker that leaves the gap (GS.1)."""
        return PACK

    def paper(self, options: Options) -> tuple[PaperStretch, ...]:
        """The moves, beside the layout: a card and the square it left."""
        return (PaperStretch("", 0, 45, 1, wide=True),)

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Deal:
        """Row by row from the top left; seat 0 plays red."""
        return shuffled(cards)

    def check_deal(self, options: Options, deal: Deal) -> str | None:
        """A full square with one gap, and one colour each."""
        return check_deal(deal)

    def fixed_for_match(self, deal: Deal) -> tuple[str, str]:
        """The seat that plays red plays it all session long (GS.2)."""
        return "GS.2", f"seat {deal.colours.index('red')} plays red"

    def told_by(self, deal: Deal, fact: Fact) -> Fact:
        """A move with the card that lay there (GS.g4)."""
        return moved_in(deal, fact)

    rests_on: ClassVar = staticmethod(audit.rests_on)
    hindsight: ClassVar = staticmethod(audit.hindsight)
    start: ClassVar = staticmethod(state.start)
    to_act: ClassVar = staticmethod(state.to_act)
    legal: ClassVar = staticmethod(judging.legal)
    lying: ClassVar = staticmethod(state.lying)
    breaches: ClassVar = staticmethod(judging.breaches)
    evolve: ClassVar = staticmethod(play.evolve)
    score: ClassVar = staticmethod(scoring.score)
    ending: ClassVar = staticmethod(ending.ending_of)
    remedy: ClassVar = staticmethod(remedies.remedy)
    view: ClassVar = staticmethod(view.view)


GAME = GetStuck()
