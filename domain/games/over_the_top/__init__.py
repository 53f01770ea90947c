"""Over the Top (ledger OT): an adding-up game for two; a trick is four cards of four suits."""

from dataclasses import dataclass
from typing import ClassVar

from domain.cards.facts import CardDrawn, CardPlayed, Passed, TotalCalled
from domain.game.judgement import Breach
from domain.game.paper import PaperStretch
from domain.game.protocol import TwoHands, Worked
from domain.game.race import Race
from domain.game.replay import Replay
from domain.game.rest import REST
from domain.game.sheet import PlainSheet
from domain.games.over_the_top import audit, judging, play, remedies, scoring, state, view
from domain.games.over_the_top.codes import CODES
from domain.games.over_the_top.options import HAND, PACK, Deal, Options
from domain.games.over_the_top.script import OverTheTopScript
from domain.games.over_the_top.state import State


@dataclass(frozen=True, eq=False)
class OverTheTop(TwoHands[Options, State]):
    """The game through the protocol of `domain.game.protocol`."""

    key: ClassVar = "over_the_top"
    title: ClassVar = "Over the Top"
    phrases: ClassVar = {"running_total": "total {n}", "passed": "{seat:seat} has passed", **remedies.PHRASES}
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (CardPlayed, Passed, CardDrawn, *REST)
    remarks: ClassVar = (TotalCalled,)
    race: ClassVar = Race(deals=2)
    hand_size: ClassVar = HAND
    drawing_rule: ClassVar = "OT.7"
    sheet: ClassVar = PlainSheet(scoring.Entry, scoring.FORM, scoring.score_entry)
    script: ClassVar = OverTheTopScript()
    codes: ClassVar = CODES
    rules: ClassVar = (
        ("OT.1", "Fifty-two cards: thirteen each, and twenty-six face down as stock."),
        (
            "OT.2",
            "Four cards make a trick, each of another suit. The players take turns, the non-dealer first, and say what all its cards make so far.",
        ),
        (
            "OT.3",
            "Two to ten count their number. An ace counts 11 and a queen 10; where that would go past 21, they count 1 and nothing. A jack or king that is led counts 10; later a jack takes off the last numeral played, and a king adds it again.",
        ),
        (
            "OT.4",
            "No suit may be in a trick twice. Who has no card of a missing suit passes, and the other plays the rest of the trick.",
        ),
        (
            "OT.5",
            "A trick of 21 or less goes to whoever played its last card. From 22 on it is over the top, and the player loses it whose card first went past 21.",
        ),
        (
            "OT.6",
            "The winner scores cards of the trick: its two lowest below 21, its two highest above, all four at exactly 21. Court cards are worth 10 here, aces 11.",
        ),
        (
            "OT.7",
            "After a trick both draw in turns, the winner first, until they hold thirteen again or the stock is used up. The winner leads.",
        ),
        (
            "OT.g1",
            "A jack or king that is not led counts nothing while the trick has no numeral to act on; by option it counts 10.",
        ),
        ("OT.g2", "Only the trick on the table matters for the last numeral, not the one before."),
        ("OT.g3", "An ace is a numeral too, of the 11 or 1 that it counted; by option it is none."),
        ("OT.g4", "Nobody chooses what an ace or queen counts: it is the high value unless that goes past 21."),
        ("OT.g5", "The count may fall below nothing. That is below 21 like any other."),
        (
            "OT.g6",
            "What the last card leaves decides. A trick that went over and came back is a trick of 21 or less; if it is over at the end, the opponent of whoever first took it over scores it.",
        ),
        (
            "OT.g7",
            "Nobody passes while he can play. A pass is said once and holds for the trick: that player's turns in it are left out.",
        ),
        ("OT.g8", "If neither can play, the trick is over. It is won and scored on the cards that are in it."),
        (
            "OT.g9",
            "A player without cards passes, and if the winner of a trick has none the other leads. The deal goes on until all fifty-two are played. Unless a target is chosen, a match is two deals, one by each player.",
        ),
        (
            "OT.g10",
            "At exactly 21 all the cards score in full, 10 a court and 11 an ace, even if they counted less on the way.",
        ),
        ("OT.i1", "Each card is played once: the two scores fit what fifty-two cards can give."),
        ("OT.i2", "A trick holds no suit twice."),
        ("OT.i3", "There are thirteen tricks, or more when some ended short."),
        ("OT.i4", "A score is the sum of what a player's tricks gave."),
        (
            "OT.i5",
            "A trick gives 4 to 22 points below 21, 21 to 42 at 21, 12 to 22 above; one that ended short may give less.",
        ),
        ("OT.i6", "The count of a trick stays between 22 below nothing and 44."),
    )
    worked: ClassVar = (
        Worked(
            {
                "tricks": [
                    [1, 7],
                    [0, 31],
                    [1, 12],
                    [0, 7],
                    [1, 4],
                    [0, 17],
                    [1, 5],
                    [1, 17],
                    [1, 20],
                    [1, 19],
                    [0, 15],
                    [0, 14],
                    [0, 20],
                ]
            },
            "Thirteen tricks, the points of each to its winner; the second made exactly 21, so all its cards score.",
        ),
        Worked({"totals": [104, 84]}, "The same deal by its totals. A match is two deals, each player dealing once."),
    )

    def pack(self, options: Options) -> int:
        """All fifty-two cards (OT.1)."""
        return PACK

    def paper(self, options: Options) -> tuple[PaperStretch, ...]:
        """Thirteen tricks of four cards, each with the total that was called."""
        return (PaperStretch("", 0, 13, 4, 2, wide=True),)

    def rests_on(self, replay: Replay, place: int, breach: Breach) -> tuple[int, ...]:
        """The entries on which a breach rests."""
        return audit.rests_on(replay, place, breach) or super().rests_on(replay, place, breach)

    due_draws: ClassVar = staticmethod(state.due_draws)
    start: ClassVar = staticmethod(state.start)
    to_act: ClassVar = staticmethod(state.to_act)
    legal: ClassVar = staticmethod(judging.legal)
    breaches: ClassVar = staticmethod(judging.breaches)
    evolve: ClassVar = staticmethod(play.evolve)
    score: ClassVar = staticmethod(scoring.score)
    duty: ClassVar = staticmethod(state.duty)
    lying: ClassVar = staticmethod(state.lying)
    rest: ClassVar = staticmethod(state.rest)
    points_taken: ClassVar = staticmethod(state.points_taken)
    remedy: ClassVar = staticmethod(remedies.remedy)
    view: ClassVar = staticmethod(view.view)


GAME = OverTheTop()
