"""Garbo (ledger GA): a square of cards in two levels; matching suits and ranks gives the opponent points."""

from typing import Any, ClassVar

import msgspec

from domain.cards import Card, cards_in, mask_of
from domain.facts import CardDrawn, Fact, Passed, TotalCalled
from domain.game import Breach, DealCards, Duty, EntryField, Result, Table, Viewer, Worked
from domain.games.garbo import judging, play, scoring, states
from domain.games.garbo.layout import Square, squares
from domain.games.garbo.options import PACK, PACKETS, CardCovered, CardPlaced, ClaimMade, Deal, Options
from domain.games.garbo.states import Building, Covering, Scored, State, level_of
from domain.match.race import Race
from domain.seats import left_of
from domain.sight import hands_for, legal_for


class GarboTable(Table, frozen=True, kw_only=True):
    """The table, with the layout as it lies and the points so far. With claims by hand these are the
    points claimed, and `legal` names no claim: the table does not tell what could be claimed. `stated`
    are the words of facts that any seat may state a number with."""

    squares: tuple[Square, ...] = ()
    points: tuple[int, ...] = (0, 0)
    levels: tuple[tuple[int, ...], ...] = ()
    stated: tuple[str, ...] = ()


class Garbo(msgspec.Struct, frozen=True):
    """The game through the protocol of `domain.game`."""

    key: ClassVar = "garbo"
    version: ClassVar = 1
    title: ClassVar = "Garbo"
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (CardPlaced, CardCovered, ClaimMade, Passed, CardDrawn)
    silent_pass: ClassVar = True  # the words of histories know none: the one that ends a deal is not said (GA.g6)
    remarks: ClassVar = (TotalCalled,)
    race: ClassVar = Race(deals=2)
    rules: ClassVar = (
        ("GA.1", "Thirty-two cards, Seven to Ace. Each player is dealt four; the rest is stock."),
        ("GA.2", "Suits are worth: spades 1, hearts 2, clubs 3, diamonds 4. Ranks: Jack 5, King 6, Seven to Ten their number, Ace 11, Queen 12."),
        ("GA.3", "By turns, the non-dealer first, a card is laid so that it touches another one along an edge. The first level is sixteen cards, four by four."),
        ("GA.4", "For each card of the same suit on the eight squares round it a card gives the opponent the suit's value; for each of the same rank along its row, its column or a diagonal the rank's. All matches of a card count together; where they must be claimed, it is before the claimant's next card."),
        ("GA.5", "After four cards each both are dealt eight more, and go on until sixteen lie."),
        ("GA.6", "Then the rest is dealt: eight in each hand. The higher scorer begins, if equal whoever placed the sixteenth card. Each card is laid on one of the first level. That one is turned over and across, to show that its square is done with."),
        ("GA.7", "Matches score as before, and a card on top of its own suit or rank gives ten times that value besides."),
        ("GA.g1", "The table of values above is how we read the book, whose suit signs are lost."),
        ("GA.g2", "The packets are 4, 8 and 4 cards; by option 4, 4 and 8. All thirty-two are used either way."),
        ("GA.g3", "Suits match on neighbouring squares only; by option all along the lines, as ranks do."),
        ("GA.g4", "Corner to corner is not side by side, and the layout never grows wider or taller than four. Diagonals run right through to the edge, and no card shields another."),
        ("GA.g5", "On the second level each square counts by the card on top; what has been covered counts no more, except for the ten times of the card that covers it."),
        ("GA.g6", "Matches count by themselves; by option they must be claimed, and whatever is unclaimed is lost with the claimant's next card. After the last card the claimant may still claim, or pass."),
        ("GA.g7", "A score is what both levels gave together. Unless a target is chosen, a match is two deals, and equal totals are a draw."),
        ("GA.i1", "Each of the thirty-two cards is played once."),
        ("GA.i2", "The layout is four by four."),
        ("GA.i3", "Each square is covered once."),
        ("GA.i4", "A score is the sum of what the opponent's cards gave away. One card gives 172 at most, and points are never taken off again."),
    )  # fmt: skip
    worked: ClassVar = (
        Worked(
            {"levels": [[54, 34], [198, 131]]},
            "54 to 34 after sixteen cards: the first player begins the second level. Points run on, so 198 to 131 is the score.",
        ),
        Worked({"totals": [284, 224]}, "Only the totals at the end were written down: they are the score."),
    )

    def seats(self, options: Options) -> int:
        """Two."""
        return 2

    def sides(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Each for himself."""
        return ((0,), (1,))

    def pack(self, options: Options) -> int:
        """Thirty-two cards (GA.1)."""
        return PACK

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Deal:
        """In packets, to one seat and then the other (GA.g2)."""
        sizes = [size for size in PACKETS[options.draw_schedule] for _ in (0, 1)]
        parts = tuple(cards[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(6))
        return self.from_spread(options, DealCards(parts))

    def check_deal(self, options: Options, deal: Deal) -> str | None:
        """Three packets each of the sizes in force, every card once."""
        sizes = PACKETS[options.draw_schedule]
        if len(deal.packets) != 2 or any(tuple(map(len, packets)) != sizes for packets in deal.packets):
            return f"`packets` are, for each of two seats, packets of {sizes[0]}, {sizes[1]} and {sizes[2]} cards"
        if mask_of(card for packets in deal.packets for packet in packets for card in packet) != PACK:
            return "every card of the pack is there exactly once"
        return None

    def next_dealer(self, options: Options, dealer: int, passed_out: bool) -> int:
        """Players alternate (ALL.1)."""
        return left_of(dealer, 2)

    def start(self, options: Options, dealer: int, deal: Deal | None) -> State:
        """The table before the first card."""
        return states.start(options, dealer, deal)

    def to_act(self, state: State) -> int | None:
        """The seat whose turn it is."""
        return states.to_act(state)

    def legal(self, state: State) -> tuple[Fact, ...]:
        """Every legal fact."""
        return states.legal(state)

    def breaches(self, state: State, fact: Fact) -> tuple[Breach, ...]:
        """Why this fact is against the rules."""
        return judging.breaches(state, fact)

    def evolve(self, state: State, fact: Fact) -> State:
        """The table after the fact."""
        return play.evolve(state, fact)

    def score(self, state: State) -> Result | None:
        """The score of a complete deal."""
        return play.score(state)

    def duty(self, state: State) -> Duty | None:
        """Any card of the hand will do."""
        return None

    def entry(self, options: Options) -> type[msgspec.Struct]:
        """Totals, at the end of each level or of the deal."""
        return scoring.Entry

    def entry_form(self, options: Options) -> tuple[EntryField, ...]:
        """The entry form."""
        return scoring.form()

    def score_entry(self, options: Options, entry: Any) -> Result:
        """The score of an entered result."""
        return scoring.score_entry(entry)

    def sections(self, options: Options) -> tuple[str, ...]:
        """The marks of notation: two levels."""
        return ("L1", "L2")

    def to_spread(self, deal: Deal) -> DealCards:
        """The packets as they are dealt, both seats each time; nothing is left."""
        return DealCards(tuple(packet for both in zip(*deal.packets, strict=True) for packet in both))

    def from_spread(self, options: Options, spread: DealCards) -> Deal:
        """The packets seat by seat."""
        return Deal(packets=(spread.hands[0::2], spread.hands[1::2]))

    def word(self, before: State, fact: Fact) -> str | None:
        """Card and square, `SQ@d4`; a claim by who did not play last, `!5`; a dash for a pass."""
        if isinstance(fact, CardPlaced | CardCovered):
            return fact.as_call()
        if isinstance(fact, ClaimMade):
            return fact.as_call() if fact.seat != level_of(before).last else None
        return "-" if isinstance(fact, Passed) else None

    def sums(self, state: State) -> tuple[tuple[int, ...], ...]:
        """The totals at the end of each level that is over."""
        if isinstance(state, Building):
            return ()
        if isinstance(state, Scored):
            return state.play.first, state.play.points
        return (state.first if isinstance(state, Covering) else state.play.first,)

    def announced_points(self, before: State, after: State) -> int | None:
        """What the other player scores from this card."""
        return play.given(after) - play.given(before) or None

    def entry_noted(
        self, options: Options, dealer: int, entry: Any
    ) -> tuple[tuple[tuple[tuple[int, str], ...], tuple[int, ...]], ...] | None:
        """The totals of each level; those of the deal alone tell only half of it."""
        return None if entry.levels is None else tuple(((), totals) for totals in entry.levels)

    def entry_read(
        self,
        options: Options,
        calls: tuple[tuple[int, str], ...],
        sums: tuple[tuple[int, ...], ...],
    ) -> dict[str, Any] | None:
        """The totals of both levels."""
        return {"levels": [list(totals) for totals in sums]} if len(sums) == 2 else None

    def view(self, state: State, viewer: Viewer) -> GarboTable:
        """The table as the viewer may see it; the stock is a number."""
        at = level_of(state)
        known, seat = at.base.packets is not None, states.to_act(state)
        level = 1 if isinstance(at, Building) else 2
        return GarboTable(
            to_act=seat, phase=level, stock=states.cards_left(at), hands=hands_for(viewer, at.hands, known),
            seen=tuple(cards_in(at.seen)), legal=legal_for(viewer, seat, known, _shown_legal(state, viewer)),
            squares=squares(at.tops, at.taken, at.covered if isinstance(at, Covering) else 0),
            points=at.points, levels=self.sums(state), stated=("claim",) if at.base.manual and seat is not None else (),
        )  # fmt: skip


def _shown_legal(state: State, viewer: Viewer) -> tuple[Fact, ...]:
    """The legal facts without claims, which would tell what was missed (LAP), and, with physical cards,
    without what a recorded draw tells of the hands."""
    if viewer != "all" and isinstance(state, Building | Covering) and state.base.packets is None:
        unseen = PACK & ~state.seen
        state = msgspec.structs.replace(state, hands=(unseen, unseen))
    return tuple(fact for fact in states.legal(state) if not isinstance(fact, ClaimMade))


GAME = Garbo()
