"""Cross Purposes (ledger CP): trumps and tops, for two, for four in partnerships or in alliances."""

from dataclasses import dataclass
from typing import ClassVar

from domain.cards.card import STANDARD_PACK, Card, mask_of
from domain.cards.facts import CardPlayed, Fact, Passed
from domain.cards.seats import left_of
from domain.game.ending import Ending
from domain.game.judgement import Breach, Duty
from domain.game.paper import PaperStretch
from domain.game.protocol import Game, Table, Viewer, Worked
from domain.game.race import Race
from domain.game.remedy import Remedy, Wrong
from domain.game.rest import REST, Rest, Tricks, Won, rest_after, rest_breaches
from domain.game.rest_tricks import rest_on, rest_taken
from domain.game.sheet import Result
from domain.game.tricks import Playing, legal_plays, lying, may_play, play_card
from domain.games.cross_purposes import remedies, scoring
from domain.games.cross_purposes.forms import FOUR, TWO, State, form_of
from domain.games.cross_purposes.options import Deal, Options, ValueDeclared, ValueProposed
from domain.games.cross_purposes.script import CrossPurposesScript
from domain.games.cross_purposes.sheet import CrossPurposesSheet
from domain.games.cross_purposes.shown import PHRASES


@dataclass(frozen=True, eq=False)
class CrossPurposes(Game[Options, State]):
    """The game through the protocol of `domain.game.protocol`."""

    key: ClassVar = "cross_purposes"
    title: ClassVar = "Cross Purposes"
    phrases: ClassVar = {**PHRASES, **remedies.PHRASES}
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (ValueDeclared, ValueProposed, Passed, CardPlayed, *REST)
    race: ClassVar = Race(target=100)
    sheet: ClassVar = CrossPurposesSheet()
    script: ClassVar = CrossPurposesScript()
    rules: ClassVar = (
        ("CP.1", "Fifty-two cards. One side names the trump suit, the other the top rank."),
        (
            "CP.2",
            "The rank on top is the highest. From there the ranks fall to Two, and then from Ace to the one above the top: with Eights on top, 8 7 6 5 4 3 2 A K Q J 10 9.",
        ),
        ("CP.3", "Two players: thirteen cards each, the other twenty-six wait face down."),
        ("CP.4", "The non-dealer names trumps or tops, the dealer the other."),
        (
            "CP.5",
            "Phase 1: the non-dealer has the first lead, the winner of a trick the next. A player who holds the suit that was led plays it; one who does not plays any card. The highest trump wins; where no trump lies, the highest card of the suit that was led. Both note how many tricks they took.",
        ),
        (
            "CP.6",
            "Phase 2 is played with the other twenty-six cards, dealt by whoever did not deal before. Each now names the kind of thing that the opponent named in phase 1, trumps or tops, the non-dealer first. The same suit or rank may come again.",
        ),
        ("CP.7", "Each scores (phase-1 tricks + 1) times phase-2 tricks."),
        (
            "CP.8",
            "Four players: partners sit opposite each other, or everybody plays alone and makes alliances. Thirteen cards each.",
        ),
        (
            "CP.9",
            "Beginning at the dealer's left and going round with the clock, everybody says a suit for trumps or a rank for tops. Passing is not allowed.",
        ),
        ("CP.10", "Alliance: naming a value that another has proposed makes those two allies."),
        (
            "CP.11",
            "The two who are left go on proposing until they are of one mind about what is still open, trumps or tops.",
        ),
        (
            "CP.12",
            "Fixed partners: only agreement between partners counts, and the other two partners then settle the rest.",
        ),
        ("CP.13", "Eldest leads; tricks as with two players; everyone keeps his own."),
        ("CP.14", "Each ally scores (own tricks + 1) times (partner's tricks + 1)."),
        ("CP.15", "By option the side with the lower score gets nothing."),
        (
            "CP.g1",
            "The next round is dealt by the other player, so that the first choice moves. Under the option strict the deal changes with every phase, and the same player always has the first choice.",
        ),
        (
            "CP.g2",
            "Whatever a possible ally has proposed so far can be accepted; by option, only the last proposal of each player.",
        ),
        ("CP.g3", "To accept is to say the same suit or rank again. There is no other word for it."),
        (
            "CP.g4",
            "Saying one's own proposal again is allowed. Where the option forbids it, it may still be said to accept an ally's, or when nothing else is left to say.",
        ),
        (
            "CP.g5",
            "After the first agreement the next player clockwise who is not of that pair speaks, and then the two by turns.",
        ),
        ("CP.g6", "These two may only name what is still open. What they said about it before still stands."),
        ("CP.g7", "Between fixed partnerships nothing is agreed: opponents may say the same value without any effect."),
        ("CP.g8", "No deal can end level, with two players or with four."),
        (
            "CP.g9",
            "That the lower score gets nothing may be chosen for two players as well; then exactly one of them scores.",
        ),
        (
            "CP.g10",
            "If several players stand level at the top with the target reached, they play on until one is alone there.",
        ),
        ("CP.g11", "Phase 2 is led by its non-dealer."),
        ("CP.i1", "The tricks of each phase make thirteen; with four players, those of the deal."),
        ("CP.i2", "In a round a player names trumps in one phase and tops in the other."),
        ("CP.i3", "The two sides of a deal never have the same score."),
        ("CP.i4", "Fixed partners are seats 0 and 2, and seats 1 and 3."),
        ("CP.i5", "Both allies have the same score."),
    )
    worked: ClassVar = (
        Worked(
            {"phases": [[6, 7], [8, 5]]},
            "Annie takes 6 tricks, then 8; Benny 7, then 5. She scores (6 + 1) times 8, he (7 + 1) times 5.",
        ),
        Worked(
            {"tricks": [5, 4, 1, 3], "allies": [0, 2]},
            "One more than each took: partners with 5 and 1 tricks score 6 times 2, their opponents with 4 and 3 score 5 times 4.",
            {"variant": "fixed"},
        ),
    )

    def seats(self, options: Options) -> int:
        return 2 if options.variant == "two" else 4

    def sides(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Each for himself, except in fixed partnerships (CP.8)."""
        if options.variant == "fixed":
            return scoring.FIXED_SIDES
        return tuple((seat,) for seat in range(self.seats(options)))

    def pack(self, options: Options) -> int:
        """All 52 (CP.1)."""
        return STANDARD_PACK

    def paper(self, options: Options) -> tuple[PaperStretch, ...]:
        """Two phases, each behind its two calls; or one stretch of four hands behind its calls."""
        if options.variant == "two":
            return tuple(PaperStretch(mark, 2, 13, 2, 2) for mark in self.script.sections(options))
        return (PaperStretch("BID", 12, 13, 4, 4),)

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Deal:
        """Thirteen each, the rest for phase 2."""
        hands = tuple(cards[start : start + 13] for start in (0, 13, 26, 39))
        if options.variant == "two":
            return Deal(phase1=hands[:2], phase2=hands[2:])
        return Deal(hands=hands)

    def check_deal(self, options: Options, deal: Deal) -> str | None:
        """Two phases of two hands, or four hands; every card once."""
        two = options.variant == "two"
        hands = (*deal.phase1, *deal.phase2) if two else deal.hands
        if two and (deal.hands or len(deal.phase1) != 2 or len(deal.phase2) != 2):
            return "two players need `phase1` and `phase2`, two hands each"
        if not two and (deal.phase1 or deal.phase2 or len(deal.hands) != 4):
            return "four players need `hands`, four of them"
        if any(len(hand) != 13 for hand in hands):
            return "every hand holds 13 cards"
        if mask_of(card for hand in hands for card in hand) != STANDARD_PACK:
            return "every card of the pack is there exactly once"
        return None

    def next_dealer(self, options: Options, dealer: int, passed_out: bool) -> int:
        """The deal goes on; under `strict` the same player opens every round (CP.g1, ALL.1)."""
        if options.variant == "two" and options.next_dealer == "strict":
            return dealer
        return left_of(dealer, self.seats(options))

    def start(self, options: Options, dealer: int, deal: Deal | None) -> State:
        """The table before the first call."""
        return (TWO if options.variant == "two" else FOUR).start(options, dealer, deal)

    def to_act(self, state: State) -> int | None:
        """The seat whose turn it is."""
        return form_of(state).to_act(state)

    def legal(self, state: State) -> tuple[Fact, ...]:
        if type(state) is Playing:
            return legal_plays(state)
        return form_of(state).legal(state)

    def breaches(self, state: State, fact: Fact) -> tuple[Breach, ...]:
        """The rules that this fact breaks."""
        if type(fact) is CardPlayed and type(state) is Playing and may_play(state, fact):
            return ()
        if type(fact) in REST:
            return rest_breaches(self.rest(state), fact)
        return form_of(state).breaches(state, fact)

    def evolve(self, state: State, fact: Fact) -> State:
        """The table after the fact."""
        if type(state) is Playing and type(fact) is CardPlayed and fact.seat < len(state.hands):
            if not STANDARD_PACK >> fact.card & 1:
                return state
            table = play_card(state, fact.seat, fact.card)
            return table if table.left else form_of(state).phase_over(table)
        if type(fact) in REST:
            return rest_after(state, self.rest(state), fact, _given)
        return form_of(state).evolve(state, fact)

    def score(self, state: State) -> Result | None:
        """The score of a complete deal."""
        return form_of(state).score(state)

    def rest(self, state: State) -> Tricks | None:
        """The tricks of the phase under way; with four players one pair against the other (CP.10, CP.12)."""
        if type(state) is not Playing:
            return None
        return rest_on(state, STANDARD_PACK, form_of(state).against(state))

    def ending(self, state: State) -> Ending:
        """Two hands, or four; for two the calls as well."""
        return form_of(state).ending(state)

    def remedy(self, key: str, wrong: Wrong) -> Remedy | None:
        """Tricks that pass after a revoke."""
        return remedies.remedy(key, wrong)

    def duty(self, state: State) -> Duty | None:
        """The duty of the seat to act."""
        return form_of(state).duty(state)

    def lying(self, state: State) -> tuple[int, ...]:
        """The seats whose cards lie in the trick."""
        return lying(state)

    def view(self, state: State, viewer: Viewer) -> Table:
        """The table as the viewer may see it."""
        return form_of(state).view(state, viewer)


def _given(state: State, won: Won, claim: Rest) -> State:
    """The score counts tricks alone (CP.7, CP.14), each seat its own: the phase is over."""
    assert isinstance(state, Playing)
    return form_of(state).phase_over(rest_taken(state, won, claim))


GAME = CrossPurposes()
