"""Garbo (ledger GA): a square of cards in two levels; matching suits and ranks gives the opponent points."""

from dataclasses import dataclass
from typing import ClassVar

from domain.cards.card import Card, mask_of
from domain.cards.facts import CardDrawn, Passed, TotalCalled
from domain.game.judgement import Breach
from domain.game.paper import PaperStretch
from domain.game.protocol import TwoPlayers, Worked
from domain.game.race import Race
from domain.game.replay import Replay
from domain.game.sheet import PlainSheet
from domain.game.shown import Frame
from domain.games.garbo import audit, judging, play, remedies, scoring, state, view
from domain.games.garbo.codes import CODES
from domain.games.garbo.layout import CELLS, COLUMNS, ROWS
from domain.games.garbo.options import PACK, PACKETS, CardCovered, CardPlaced, ClaimMade, Deal, Options
from domain.games.garbo.script import GarboScript
from domain.games.garbo.state import State


@dataclass(frozen=True, eq=False)
class Garbo(TwoPlayers[Options, State]):
    """The game through the protocol of `domain.game.protocol`."""

    key: ClassVar = "garbo"
    title: ClassVar = "Garbo"
    phrases: ClassVar = {**view.PHRASES, **remedies.PHRASES}
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (CardPlaced, CardCovered, ClaimMade, Passed, CardDrawn)
    remarks: ClassVar = (TotalCalled,)
    frame: ClassVar = Frame(COLUMNS, ROWS, CELLS[0], first=(0, 0))
    race: ClassVar = Race(deals=2)
    drawing_rule: ClassVar = "GA.5"
    sheet: ClassVar = PlainSheet(scoring.Entry, scoring.FORM, scoring.score_entry)
    script: ClassVar = GarboScript()
    codes: ClassVar = CODES
    rules: ClassVar = (
        ("GA.1", "Thirty-two cards, Seven to Ace. Each player is dealt four; the rest is stock."),
        (
            "GA.2",
            "Suits are worth: spades 1, hearts 2, clubs 3, diamonds 4. Ranks: Jack 5, King 6, Seven to Ten their number, Ace 11, Queen 12.",
        ),
        (
            "GA.3",
            "By turns, the non-dealer first, a card is laid so that it touches another one along an edge. The first level is sixteen cards, four by four.",
        ),
        (
            "GA.4",
            "For each card of the same suit on the eight squares round it a card gives the opponent the suit's value; for each of the same rank along its row, its column or a diagonal the rank's. All matches of a card count together; where they must be claimed, it is before the claimant's next card.",
        ),
        ("GA.5", "After four cards each both are dealt eight more, and go on until sixteen lie."),
        (
            "GA.6",
            "Then the rest is dealt: eight in each hand. The higher scorer begins, if equal whoever placed the sixteenth card. Each card is laid on one of the first level. That one is turned over and across, to show that its square is done with.",
        ),
        (
            "GA.7",
            "Matches score as before, and a card on top of its own suit or rank gives ten times that value besides.",
        ),
        ("GA.g1", "The table of values above is how we read the book, whose suit signs are lost."),
        ("GA.g2", "The packets are 4, 8 and 4 cards; by option 4, 4 and 8. All thirty-two are used either way."),
        ("GA.g3", "Suits match on neighbouring squares only; by option all along the lines, as ranks do."),
        (
            "GA.g4",
            "Corner to corner is not side by side, and the layout never grows wider or taller than four. Diagonals run right through to the edge, and no card shields another.",
        ),
        (
            "GA.g5",
            "On the second level each square counts by the card on top; what has been covered counts no more, except for the ten times of the card that covers it.",
        ),
        (
            "GA.g6",
            "Matches count by themselves; by option they must be claimed, and whatever is unclaimed is lost with the claimant's next card. After the last card the claimant may still claim, or pass.",
        ),
        (
            "GA.g7",
            "A score is what both levels gave together. Unless a target is chosen, a match is two deals, and equal totals are a draw.",
        ),
        ("GA.i1", "Each of the thirty-two cards is played once."),
        ("GA.i2", "The layout is four by four."),
        ("GA.i3", "Each square is covered once."),
        (
            "GA.i4",
            "A score is the sum of what the opponent's cards gave away. One card gives 172 at most, and points are never taken off again.",
        ),
    )
    worked: ClassVar = (
        Worked(
            {"levels": [[54, 34], [198, 131]]},
            "54 to 34 after sixteen cards: the first player begins the second level. Points run on, so 198 to 131 is the score.",
        ),
        Worked({"totals": [284, 224]}, "Only the totals at the end were written down: they are the score."),
    )

    def pack(self, options: Options) -> int:
        """Thirty-two cards (GA.1)."""
        return PACK

    def paper(self, options: Options) -> tuple[PaperStretch, ...]:
        """Two levels of sixteen moves, each a card with its square and what the other player scores from it."""
        return tuple(PaperStretch(mark, 0, 16, 1, 2, wide=True) for mark in self.script.sections(options))

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Deal:
        """In packets, to one seat and then the other (GA.g2)."""
        sizes = [size for size in PACKETS[options.draw_schedule] for _ in (0, 1)]
        parts = tuple(cards[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(6))
        return Deal(packets=(parts[0::2], parts[1::2]))

    def check_deal(self, options: Options, deal: Deal) -> str | None:
        """Three packets each of the sizes in force, every card once."""
        sizes = PACKETS[options.draw_schedule]
        if len(deal.packets) != 2 or any(tuple(map(len, packets)) != sizes for packets in deal.packets):
            return f"`packets` are, for each of two seats, packets of {sizes[0]}, {sizes[1]} and {sizes[2]} cards"
        if mask_of(card for packets in deal.packets for packet in packets for card in packet) != PACK:
            return "every card of the pack is there exactly once"
        return None

    def rests_on(self, replay: Replay, place: int, breach: Breach) -> tuple[int, ...]:
        """The entries on which a breach rests."""
        return audit.rests_on(replay, place, breach) or super().rests_on(replay, place, breach)

    hindsight: ClassVar = staticmethod(audit.hindsight)
    due_draws: ClassVar = staticmethod(state.due_draws)
    start: ClassVar = staticmethod(state.start)
    to_act: ClassVar = staticmethod(state.to_act)
    legal: ClassVar = staticmethod(judging.legal)
    lying: ClassVar = staticmethod(state.lying)
    breaches: ClassVar = staticmethod(judging.breaches)
    evolve: ClassVar = staticmethod(play.evolve)
    score: ClassVar = staticmethod(scoring.score)
    points_taken: ClassVar = staticmethod(state.points_taken)
    remedy: ClassVar = staticmethod(remedies.remedy)
    view: ClassVar = staticmethod(view.view)


GAME = Garbo()
