"""Cross Purposes (ledger CP): trumps and tops, for two, for four in partnerships or in alliances."""

from typing import Any, ClassVar, Final, TypeAlias

import msgspec

from domain.cards import STANDARD_PACK, Card, mask_of
from domain.ending import Ending
from domain.facts import CardPlayed, Fact, Passed
from domain.game import Breach, Duty, EntryField, Result, Spread, Table, Viewer, Worked, card_word
from domain.games.cross_purposes import ending, fourhand, scoring, twohand
from domain.games.cross_purposes.options import Deal, Options, ValueDeclared, ValueProposed
from domain.match.race import Race
from domain.seats import left_of
from domain.tricks import Playing, legal_plays, may_play, play_card

State: TypeAlias = twohand.State | fourhand.State
FourState: Final = (fourhand.Proposing, fourhand.Scored)


def form_of(state: State) -> Any:
    """The module that plays this state: two-hand or four-hand."""
    four = len(state.hands) == 4 if isinstance(state, Playing) else isinstance(state, FourState)
    return fourhand if four else twohand


class CrossPurposes(msgspec.Struct, frozen=True):
    """The game through the protocol of `domain.game`."""

    key: ClassVar = "cross_purposes"
    version: ClassVar = 1
    title: ClassVar = "Cross Purposes"
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (ValueDeclared, ValueProposed, Passed, CardPlayed)
    remarks: ClassVar = ()
    race: ClassVar = Race(target=100)
    rules: ClassVar = (
        ("CP.1", "Fifty-two cards. One side names the trump suit, the other the top rank."),
        ("CP.2", "Below the top rank the order runs down to Two and goes on from Ace: with Eights on top, 8765432AKQJT9."),
        ("CP.3", "Two players: thirteen cards each, the other twenty-six wait face down."),
        ("CP.4", "The non-dealer names trumps or tops, the dealer the other."),
        ("CP.5", "Phase 1: the non-dealer leads. Follow suit if you can, else play anything; the highest trump, else the highest card of the suit led, takes the trick and leads."),
        ("CP.6", "Phase 2: the other player deals the twenty-six cards. Its non-dealer names what that player did not name in phase 1, the dealer the rest."),
        ("CP.7", "Each scores (phase-1 tricks + 1) times phase-2 tricks."),
        ("CP.8", "Four players: partners sit opposite each other, or everybody plays alone and makes alliances. Thirteen cards each."),
        ("CP.9", "From the dealer's left each proposes a suit or a rank; nobody passes."),
        ("CP.10", "Alliance: naming a value that another has proposed makes those two allies."),
        ("CP.11", "The other two go on until they agree on the other dimension."),
        ("CP.12", "Fixed partners: only agreement between partners counts."),
        ("CP.13", "Eldest leads; tricks as with two players; everyone keeps his own."),
        ("CP.14", "Each ally scores (own tricks + 1) times (partner's tricks + 1)."),
        ("CP.15", "By option, only the side that beats the other scores."),
    )  # fmt: skip
    worked: ClassVar = (
        Worked(
            {"phases": [[6, 7], [8, 5]]},
            "Annie takes 6 tricks, then 8; Benny 7, then 5. She scores (6 + 1) times 8, he (7 + 1) times 5.",
        ),
        Worked(
            {"tricks": [5, 4, 1, 3], "allies": [0, 2]},
            "Partners with 5 and 1 tricks score (5 + 1) times (1 + 1), their opponents (4 + 1) times (3 + 1).",
            {"variant": "fixed"},
        ),
    )

    def seats(self, options: Options) -> int:
        """Two, or four."""
        return 2 if options.variant == "two" else 4

    def sides(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Each for himself, except in fixed partnerships (CP.8)."""
        if options.variant == "fixed":
            return scoring.FIXED_SIDES
        return tuple((seat,) for seat in range(self.seats(options)))

    def pack(self, options: Options) -> int:
        """All 52 (CP.1)."""
        return STANDARD_PACK

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
            return "every card of the pack stands exactly once"
        return None

    def next_dealer(self, options: Options, dealer: int, passed_out: bool) -> int:
        """The deal goes on; under `strict` the same player opens every round (CP.g1, ALL.1)."""
        if options.variant == "two" and options.next_dealer == "strict":
            return dealer
        return left_of(dealer, self.seats(options))

    def start(self, options: Options, dealer: int, deal: Deal | None) -> State:
        """The table before the first call."""
        begin = twohand.start if options.variant == "two" else fourhand.start
        return begin(options, dealer, deal)

    def to_act(self, state: State) -> int | None:
        """The seat whose turn it is."""
        answer: int | None = form_of(state).to_act(state)
        return answer

    def legal(self, state: State) -> tuple[Fact, ...]:
        """Every legal fact."""
        if type(state) is Playing:
            return legal_plays(state)
        answer: tuple[Fact, ...] = form_of(state).legal(state)
        return answer

    def breaches(self, state: State, fact: Fact) -> tuple[Breach, ...]:
        """Why this fact is against the rules."""
        if type(fact) is CardPlayed and type(state) is Playing and may_play(state, fact):
            return ()
        reasons: tuple[Breach, ...] = form_of(state).breaches(state, fact)
        return reasons

    def evolve(self, state: State, fact: Fact) -> State:
        """The table after the fact."""
        if type(state) is Playing and type(fact) is CardPlayed and fact.seat < len(state.hands):
            if not STANDARD_PACK >> fact.card & 1:
                return state
            table = play_card(state, fact.seat, fact.card)
            return table if table.left else form_of(state).phase_over(table)
        after: State = form_of(state).evolve(state, fact)
        return after

    def score(self, state: State) -> Result | None:
        """The score of a complete deal."""
        answer: Result | None = form_of(state).score(state)
        return answer

    def ending(self, state: State) -> Ending:
        """Two hands, or four; for two the calls as well."""
        kind: Any = ending.of_four if form_of(state) is fourhand else ending.of_two
        found: Ending = kind(state)
        return found

    def duty(self, state: State) -> Duty | None:
        """What the seat to act owes."""
        answer: Duty | None = form_of(state).duty(state)
        return answer

    def entry(self, options: Options) -> type[msgspec.Struct]:
        """Tricks by phase, or four counts and the allies."""
        return scoring.TwoEntry if options.variant == "two" else scoring.FourEntry

    def entry_form(self, options: Options) -> tuple[EntryField, ...]:
        """The entry form."""
        return scoring.form(options)

    def score_entry(self, options: Options, entry: Any) -> Result:
        """The score of an entered result."""
        if isinstance(entry, scoring.TwoEntry):
            return scoring.score_two_entry(options, entry)
        return scoring.score_four_entry(options, entry)

    def sections(self, options: Options) -> tuple[str, ...]:
        """The marks of notation."""
        return ("P1", "P2") if options.variant == "two" else ("BID",)

    def spread(self, deal: Deal) -> Spread:
        """Phase 1 before phase 2; there is no stock."""
        return Spread((*deal.phase1, *deal.phase2, *deal.hands))

    def gather(self, options: Options, spread: Spread) -> Deal:
        """Two hands a phase, or four hands."""
        if options.variant == "two":
            return Deal(phase1=spread.hands[:2], phase2=spread.hands[2:])
        return Deal(hands=spread.hands)

    def word(self, before: State, fact: Fact) -> str | None:
        """A card."""
        return card_word(fact)

    def sums(self, state: State) -> tuple[tuple[int, ...], ...]:
        """Tricks by seat, phase by phase."""
        figures: tuple[tuple[int, ...], ...] = form_of(state).sums(state)
        return figures

    def shows(self, before: State, after: State) -> int | None:
        """Nothing is announced."""
        return None

    def entry_noted(
        self, options: Options, dealer: int, entry: Any
    ) -> tuple[tuple[tuple[tuple[int, str], ...], tuple[int, ...]], ...] | None:
        """Two phases with their calls; four counts in `fixed`."""
        return scoring.noted(options, dealer, entry)

    def entry_read(
        self,
        options: Options,
        calls: tuple[tuple[int, str], ...],
        sums: tuple[tuple[int, ...], ...],
    ) -> dict[str, Any] | None:
        """Two phases with their calls; four counts in `fixed`."""
        return scoring.read(options, calls, sums)

    def view(self, state: State, viewer: Viewer) -> Table:
        """The table as the viewer may see it."""
        table: Table = form_of(state).view(state, viewer)
        return table


GAME = CrossPurposes()
