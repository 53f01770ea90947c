"""Over the Top (ledger OT): an adding-up game for two; a trick is four cards of four suits."""

from typing import Any, ClassVar

import msgspec

from domain.cards import Card, cards_in, mask_of
from domain.facts import CardDrawn, CardPlayed, Fact, Passed, TotalCalled
from domain.game import ALL, Breach, DealCards, Duty, EntryField, Result, Table, Viewer, Worked, card_word
from domain.games.over_the_top import judging, play, scoring
from domain.games.over_the_top.counting import points_by_seat, total_of, tricks_by_seat
from domain.games.over_the_top.options import HAND, PACK, STOCK, Deal, Options
from domain.games.over_the_top.state import Playing, Scored, State, duty, seen, start, to_act, unseen_by
from domain.match.race import Race
from domain.seats import left_of
from domain.sight import hands_for, legal_for, on_table


class OverTheTopTable(Table, frozen=True, kw_only=True):
    """The table, with the running total of the trick, who has passed in it, and the points by seat."""

    total: int = 0
    passed: tuple[int, ...] = ()
    points: tuple[int, ...] = (0, 0)


class OverTheTop(msgspec.Struct, frozen=True):
    """The game through the protocol of `domain.game`."""

    key: ClassVar = "over_the_top"
    version: ClassVar = 1
    title: ClassVar = "Over the Top"
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (CardPlayed, Passed, CardDrawn)
    remarks: ClassVar = (TotalCalled,)
    race: ClassVar = Race(deals=2)
    rules: ClassVar = (
        ("OT.1", "Fifty-two cards: thirteen each, and twenty-six face down as stock."),
        ("OT.2", "Four cards make a trick, each of another suit. The players take turns, the non-dealer first, and say what all its cards make so far."),
        ("OT.3", "Two to ten count their number. An ace counts 11 and a queen 10; where that would go past 21, they count 1 and nothing. A jack or king that is led counts 10; later a jack takes off the last numeral played, and a king adds it again."),
        ("OT.4", "No suit may be in a trick twice. Who has no card of a missing suit passes, and the other plays the rest of the trick."),
        ("OT.5", "A trick of 21 or less goes to whoever played its last card. From 22 on it is over the top, and the player loses it whose card first went past 21."),
        ("OT.6", "The winner scores cards of the trick: its two lowest below 21, its two highest above, all four at exactly 21. Court cards are worth 10 here, aces 11."),
        ("OT.7", "After a trick both draw in turns, the winner first, until they hold thirteen again or the stock is used up. The winner leads."),
        ("OT.g1", "A jack or king that is not led counts nothing while the trick has no numeral to act on; by option it counts 10."),
        ("OT.g2", "Only the trick on the table matters for the last numeral, not the one before."),
        ("OT.g3", "An ace is a numeral too, of the 11 or 1 that it counted; by option it is none."),
        ("OT.g4", "Nobody chooses what an ace or queen counts: it is the high value unless that goes past 21."),
        ("OT.g5", "The count may fall below nothing. That is below 21 like any other."),
        ("OT.g6", "What the last card leaves decides. A trick that went over and came back is a trick of 21 or less; if it is over at the end, the opponent of whoever first took it over scores it."),
        ("OT.g7", "Nobody passes while he can play. A pass is said once and holds for the trick: that player's turns in it are left out."),
        ("OT.g8", "If neither can play, the trick is over. It is won and scored on the cards that are in it."),
        ("OT.g9", "A player without cards passes, and if the winner of a trick has none the other leads. The deal goes on until all fifty-two are played. Unless a target is chosen, a match is two deals, one by each player."),
        ("OT.g10", "At exactly 21 all the cards score in full, 10 a court and 11 an ace, even if they counted less on the way."),
        ("OT.i1", "Each card is played once: the two scores fit what fifty-two cards can give."),
        ("OT.i2", "A trick holds no suit twice."),
        ("OT.i3", "There are thirteen tricks, or more when some ended short."),
        ("OT.i4", "A score is the sum of what a player's tricks gave."),
        ("OT.i5", "A trick gives 4 to 22 points below 21, 21 to 42 at 21, 12 to 22 above; one that ended short may give less."),
        ("OT.i6", "The count of a trick stays between 22 below nothing and 44."),
    )  # fmt: skip
    worked: ClassVar = (
        Worked(
            {"tricks": [[1, 7], [0, 31], [1, 12], [0, 7], [1, 4], [0, 17], [1, 5], [1, 17], [1, 20], [1, 19],
                        [0, 15], [0, 14], [0, 20]]},
            "Thirteen tricks, the points of each to its winner; the second made exactly 21, so all its cards score.",
        ),
        Worked({"totals": [104, 84]}, "The same deal by its totals. A match is two deals, each player dealing once."),
    )  # fmt: skip

    def seats(self, options: Options) -> int:
        """Two."""
        return 2

    def sides(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Each for himself."""
        return ((0,), (1,))

    def pack(self, options: Options) -> int:
        """All fifty-two cards (OT.1)."""
        return PACK

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Deal:
        """Thirteen each and the stock."""
        return Deal(hands=(cards[:HAND], cards[HAND:STOCK]), stock=cards[STOCK:])

    def check_deal(self, options: Options, deal: Deal) -> str | None:
        """Two hands of 13 and a stock of 26, every card once."""
        if [len(part) for part in (*deal.hands, deal.stock)] != [HAND, HAND, STOCK]:
            return f"`hands` are two hands of {HAND} cards, `stock` the {STOCK} left"
        if mask_of(card for part in (*deal.hands, deal.stock) for card in part) != PACK:
            return "every card of the pack is there exactly once"
        return None

    def next_dealer(self, options: Options, dealer: int, passed_out: bool) -> int:
        """The deal alternates (ALL.1)."""
        return left_of(dealer, 2)

    def start(self, options: Options, dealer: int, deal: Deal | None) -> State:
        """The non-dealer is to lead."""
        return start(options, dealer, deal)

    def to_act(self, state: State) -> int | None:
        """The seat whose turn it is."""
        return to_act(state)

    def legal(self, state: State) -> tuple[Fact, ...]:
        """Every legal fact."""
        return judging.legal(state)

    def breaches(self, state: State, fact: Fact) -> tuple[Breach, ...]:
        """Why this fact is against the rules."""
        return judging.breaches(state, fact)

    def evolve(self, state: State, fact: Fact) -> State:
        """The table after the fact."""
        return play.evolve(state, fact)

    def score(self, state: State) -> Result | None:
        """The score of a complete deal."""
        return scoring.score_tricks(state.course.taken) if isinstance(state, Scored) else None

    def duty(self, state: State) -> Duty | None:
        """What the seat to act owes."""
        return duty(state)

    def entry(self, options: Options) -> type[msgspec.Struct]:
        """Winner and points of each trick, or totals."""
        return scoring.Entry

    def entry_form(self, options: Options) -> tuple[EntryField, ...]:
        """The entry form."""
        return scoring.form()

    def score_entry(self, options: Options, entry: Any) -> Result:
        """The score of an entered result."""
        return scoring.score_entry(entry)

    def sections(self, options: Options) -> tuple[str, ...]:
        """One stretch: the play."""
        return ("PLAY",)

    def to_spread(self, deal: Deal) -> DealCards:
        """Two hands and the stock."""
        return DealCards(deal.hands, deal.stock)

    def from_spread(self, options: Options, spread: DealCards) -> Deal:
        """Two hands and the stock."""
        return Deal(hands=spread.hands, stock=spread.stock)

    def word(self, before: State, fact: Fact) -> str | None:
        """A card, or a dash for a pass."""
        return "-" if isinstance(fact, Passed) else card_word(fact)

    def sums(self, state: State) -> tuple[tuple[int, ...], ...]:
        """The points of a complete deal."""
        return (points_by_seat(state.course.taken),) if isinstance(state, Scored) else ()

    def announced_points(self, before: State, after: State) -> int | None:
        """Nothing is announced but totals, which are facts of their own."""
        return None

    def entry_noted(
        self, options: Options, dealer: int, entry: Any
    ) -> tuple[tuple[tuple[tuple[int, str], ...], tuple[int, ...]], ...] | None:
        """The totals; single tricks are told by the entry only."""
        return None if entry.totals is None else (((), entry.totals),)

    def entry_read(
        self,
        options: Options,
        calls: tuple[tuple[int, str], ...],
        sums: tuple[tuple[int, ...], ...],
    ) -> dict[str, Any] | None:
        """The totals of the score sheet."""
        return {"totals": list(sums[0])} if len(sums) == 1 else None

    def view(self, state: State, viewer: Viewer) -> OverTheTopTable:
        """The table as the viewer may see it; the stock is a number."""
        course = state.course
        known, seat, legal = course.base.known, to_act(state), judging.legal(state)
        if not known and viewer != ALL and isinstance(state, Playing):
            legal = judging.legal(unseen_by(state))
        on = state if isinstance(state, Playing) else None
        return OverTheTopTable(
            to_act=seat, phase=1, tricks=tricks_by_seat(course.taken), points=points_by_seat(course.taken),
            trick=on_table(on.seats, on.cards) if on else (), last_trick=on_table(*course.last),
            total=total_of(on.count) if on else 0,
            passed=tuple(each for each in (0, 1) if on and on.passed >> each & 1),
            stock=STOCK - course.drawn, seen=tuple(cards_in(seen(state))),
            hands=hands_for(viewer, on.hands if on else (0, 0), known),
            legal=legal_for(viewer, seat, known, legal),
        )  # fmt: skip


GAME = OverTheTop()
