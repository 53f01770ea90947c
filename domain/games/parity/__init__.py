"""Parity (ledger PA): thirty cards with two jokers; one names trumps, the other odd or even."""

from typing import Any, ClassVar

import msgspec

from domain.cards import SUITS, Card, cards_in, mask_of
from domain.ending import TWO, UNRECORDED, Ending, Search, two_hands
from domain.facts import CardPlayed, Fact, TrumpsDeclared
from domain.game import (
    Breach,
    Call,
    DealCards,
    Duty,
    EntryError,
    EntryField,
    Result,
    Viewer,
    Worked,
    card_word,
    misfit,
)
from domain.games.parity.tables import (
    PACK,
    Aiming,
    Contract,
    Deal,
    Entry,
    Naming,
    Options,
    ParityDeclared,
    ParityResult,
    ParityTable,
    Scored,
    Setup,
    State,
    declared,
    hands_of,
    score_tricks,
    scored,
    setup_of,
)
from domain.match.race import Lurch, Race
from domain.seats import left_of
from domain.sight import hands_for, legal_for, on_table
from domain.tricks import (
    Playing,
    card_breaches,
    follow_duty,
    legal_plays,
    may_play,
    play_card,
)


class Parity(msgspec.Struct, frozen=True):
    """The game through the protocol of `domain.game`."""

    key: ClassVar = "parity"
    version: ClassVar = 1
    title: ClassVar = "Parity"
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (TrumpsDeclared, ParityDeclared, CardPlayed)
    remarks: ClassVar = ()
    race: ClassVar = Race(target=100, lurch=Lurch(("66/100", "50/100"), (1, 2, 3)))
    rules: ClassVar = (
        ("PA.1", "A pack of thirty: Ace, King, Queen, Jack, Ten, Five and Two of each suit, with a red and a black joker."),
        ("PA.2", "Both jokers are trumps and beat all the others; the one in the colour of the trump suit is the higher."),
        ("PA.3", "Fifteen cards each, dealt in ones; the deal alternates."),
        ("PA.4", "The non-dealer names the trump suit."),
        ("PA.5", "The dealer says which tricks are to score, an odd number of them or an even one. No trick at all is even."),
        ("PA.6", "The non-dealer has the first lead, the winner of a trick the next. A player who holds the suit that was led plays it; one who does not plays any card. The highest trump wins; where no trump lies, the highest card of the suit that was led."),
        ("PA.7", "Only the player whose number of tricks has the parity scores: 10 and a point a trick."),
        ("PA.8", "Game is 100. The loser is lurched short of 66 points, double-lurched short of 50."),
        ("PA.g1", "A joker is a trump in every way: it must follow when trumps are led, and leading it leads trumps."),
        ("PA.g2", "Fifteen tricks fall into an odd and an even number, so exactly one player scores in each deal."),
        ("PA.g3", "A line is safe for whoever has it: 65 is lurched and 66 is not, 49 is double-lurched and 50 is not."),
        ("PA.g4", "A plain win is worth 1, over a lurched loser 2, over a double-lurched one 3; a match may say otherwise."),
        ("PA.g5", "Only one total grows in a deal, so the players never reach the target together."),
        ("PA.g6", "All the cards are dealt, so everybody knows both hands, and both are shown; by option each sees his own only."),
        ("PA.i1", "The tricks of both make fifteen."),
        ("PA.i2", "Exactly one player scores."),
        ("PA.i3", "The score less 10 is the number of tricks, and has the parity that was named."),
    )  # fmt: skip
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

    def seats(self, options: Options) -> int:
        """Two."""
        return 2

    def sides(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Each for himself."""
        return ((0,), (1,))

    def pack(self, options: Options) -> int:
        """Thirty cards (PA.1)."""
        return PACK

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Deal:
        """In ones (PA.3)."""
        return Deal(hands=(cards[0::2], cards[1::2]))

    def check_deal(self, options: Options, deal: Deal) -> str | None:
        """Two hands of 15, every card once."""
        if len(deal.hands) != 2 or any(len(hand) != 15 for hand in deal.hands):
            return "`hands` are two hands of 15 cards"
        if mask_of(card for hand in deal.hands for card in hand) != PACK:
            return "every card of the pack is there exactly once"
        return None

    def next_dealer(self, options: Options, dealer: int, passed_out: bool) -> int:
        """The deal alternates (PA.3)."""
        return left_of(dealer, 2)

    def start(self, options: Options, dealer: int, deal: Deal | None) -> State:
        """The non-dealer is to name trumps."""
        return Naming(Setup(options, dealer, deal))

    def to_act(self, state: State) -> int | None:
        """The seat whose turn it is."""
        match state:
            case Playing():
                return state.turn
            case Naming():
                return left_of(state.setup.dealer, 2)
            case Aiming():
                return state.setup.dealer
            case Scored():
                return None

    def legal(self, state: State) -> tuple[Fact, ...]:
        """Four suits, two parities, or the cards that may be played."""
        seat = self.to_act(state)
        if seat is None:
            return ()
        if isinstance(state, Naming):
            return tuple(TrumpsDeclared(seat, suit) for suit in SUITS)
        if isinstance(state, Aiming):
            return (ParityDeclared(seat, "odd"), ParityDeclared(seat, "even"))
        assert isinstance(state, Playing)
        return legal_plays(state)

    def breaches(self, state: State, fact: Fact) -> tuple[Breach, ...]:
        """Reasons against a fact; a legal card takes the first line."""
        if type(fact) is CardPlayed and type(state) is Playing and may_play(state, fact):
            return ()
        if isinstance(state, Scored):
            return misfit("the deal is complete")
        wanted: Any = {Naming: TrumpsDeclared, Aiming: ParityDeclared, Playing: CardPlayed}[type(state)]
        if type(fact) is not wanted or fact.seat > 1:
            return misfit(f"the table waits for `{wanted.__struct_config__.tag}` from seat {self.to_act(state)}")
        if isinstance(state, Playing) and isinstance(fact, CardPlayed):
            return card_breaches(state, fact, "PA.6", PACK)
        seat = self.to_act(state)
        if fact.seat == seat:
            return ()
        rule = "PA.4" if isinstance(state, Naming) else "PA.5"
        return (Breach(rule, "OOB", f"seat {fact.seat} calls, but it is seat {seat}'s turn"),)

    def evolve(self, state: State, fact: Fact) -> State:
        """The table after the fact."""
        if type(fact) is CardPlayed and type(state) is Playing:
            if fact.seat > 1 or not PACK >> fact.card & 1:
                return state
            after = play_card(state, fact.seat, fact.card)
            return after if after.left else scored(after)
        return declared(state, fact) if fact.seat < 2 else state

    def score(self, state: State) -> ParityResult | None:
        """The score of a complete deal."""
        if not isinstance(state, Scored):
            return None
        return score_tricks(state.contract.parity, state.tricks)

    def ending(self, state: State) -> Ending:
        """Tricks of which the parity counts first; before them the calls, for -25 to 25 more (PA.7)."""
        if isinstance(state, Playing):
            return two_hands(state, scored, state.base.parity == "even")
        return UNRECORDED if setup_of(state).deal is None else Search(TWO, state, (-25, 25))

    def duty(self, state: State) -> Duty | None:
        """The led suit, jokers being trumps (PA.g1)."""
        return follow_duty(state, "PA.6", 1) if isinstance(state, Playing) else None

    def entry(self, options: Options) -> type[msgspec.Struct]:
        """Parity and tricks."""
        return Entry

    def entry_form(self, options: Options) -> tuple[EntryField, ...]:
        """The parity, then one player's tricks: the other's are derived."""
        return (
            EntryField("parity", "Odd or even?", "choice", ("odd", "even")),
            EntryField("tricks.0", "tricks", "choice", tuple(range(16)), seat=0),
        )

    def score_entry(self, options: Options, entry: Any) -> Result:
        """Raises EntryError when the tricks are not 15 (PA.i1)."""
        if sum(entry.both) != 15:
            raise EntryError("PA.i1", f"all tricks together make 15, not {sum(entry.both)}")
        return score_tricks(entry.parity, entry.both)

    def sections(self, options: Options) -> tuple[str, ...]:
        """The marks of notation."""
        return ("BID",)

    def to_spread(self, deal: Deal) -> DealCards:
        """Two hands, no stock."""
        return DealCards(hands=deal.hands)

    def from_spread(self, options: Options, spread: DealCards) -> Deal:
        """Two hands."""
        return Deal(hands=spread.hands)

    def word(self, before: State, fact: Fact) -> str | None:
        """A card."""
        return card_word(fact)

    def sums(self, state: State) -> tuple[tuple[int, ...], ...]:
        """The tricks of a complete deal."""
        return (state.tricks,) if isinstance(state, Scored) else ()

    def announced_points(self, before: State, after: State) -> int | None:
        """Nothing is announced."""
        return None

    def entry_noted(
        self, options: Options, dealer: int, entry: Any
    ) -> tuple[tuple[tuple[tuple[int, str], ...], tuple[int, ...]], ...] | None:
        """The dealer's parity and the tricks."""
        return ((((dealer, entry.parity),), entry.both),)

    def entry_read(
        self,
        options: Options,
        calls: tuple[tuple[int, str], ...],
        sums: tuple[tuple[int, ...], ...],
    ) -> dict[str, Any] | None:
        """The parity that was called, and the tricks."""
        parity = next((call for _, call in calls if call in ("odd", "even")), None)
        if parity is None or len(sums) != 1:
            return None
        return {"parity": parity, "tricks": list(sums[0])}

    def view(self, state: State, viewer: Viewer) -> ParityTable:
        """The table as the viewer may see it; open hands are seen by everyone (PA.g6)."""
        setup = setup_of(state)
        seat = self.to_act(state)
        known, opened = setup.deal is not None, setup.options.open_hands
        legal = legal_for(viewer, seat, known, self.legal(state), opened)
        if isinstance(state, Naming | Aiming):
            return ParityTable(
                to_act=seat, phase=1, tricks=(0, 0), legal=legal,
                trumps=state.trumps if isinstance(state, Aiming) else None,
                calls=(Call(state.by, state.trumps),) if isinstance(state, Aiming) else (),
                hands=hands_for(viewer, hands_of(setup), known, opened),
            )  # fmt: skip
        contract: Contract = state.contract if isinstance(state, Scored) else state.base
        hands, seen = (state.hands, state.seen) if isinstance(state, Playing) else ((0, 0), state.seen)
        return ParityTable(
            to_act=seat, phase=1, tricks=state.tricks, legal=legal, trumps=contract.trumps,
            parity=contract.parity, calls=contract.calls,
            trick=on_table(state.seats, state.cards) if isinstance(state, Playing) else (),
            last_trick=on_table(*state.last), seen=tuple(cards_in(seen)),
            hands=hands_for(viewer, hands, known, opened),
        )  # fmt: skip


GAME = Parity()
