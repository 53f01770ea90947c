"""Get Stuck (ledger GS): a maze of cards in a square of 7 x 7 with one gap; who cannot move has lost."""

from typing import Any, ClassVar, TypeAlias

import msgspec

from domain.cards import CARD_OF, Card, cards_in
from domain.ending import Ending
from domain.facts import Fact, Passed
from domain.game import Breach, DealCards, Duty, EntryField, Result, Table, Viewer, Worked, misfit
from domain.games.get_stuck import blind, play, scoring
from domain.games.get_stuck.blind import Blind, GaveUp
from domain.games.get_stuck.board import CELL_NUMBER, CELLS, DIAGONAL, EVERY_CELL, cells_in
from domain.games.get_stuck.ending import ending_of
from domain.games.get_stuck.options import (
    PACK,
    SIZE,
    CardMoved,
    Cell,
    Deal,
    Options,
    check_deal,
    laid_out,
    shuffled,
    spread_of,
)
from domain.games.get_stuck.play import NOWHERE, Moving, Stuck
from domain.match.race import Race
from domain.seats import left_of

State: TypeAlias = Moving | Stuck | Blind | GaveUp


class GetStuckTable(Table, frozen=True, kw_only=True):
    """The square as everybody sees it (GS.g4). `grid` holds rows from the top: the card of a cell, null
    where none lies face up (`grid` itself is null when nobody typed the layout); `down` are the cells known
    to be face down, `came` the one filled last. `numerals` and `courts` by seat are what lies face up, as
    far as the record tells it."""

    grid: tuple[tuple[Card | None, ...], ...] | None
    gap: Cell | None
    down: tuple[Cell, ...]
    came: Cell | None
    colours: tuple[str, ...] | None
    numerals: tuple[int, ...]
    courts: tuple[int, ...]


class GetStuck(msgspec.Struct, frozen=True):
    """The game through the protocol of `domain.game`."""

    key: ClassVar = "get_stuck"
    version: ClassVar = 1
    title: ClassVar = "Get Stuck"
    options: ClassVar = Options
    deal: ClassVar = Deal
    facts: ClassVar = (CardMoved, Passed)
    remarks: ClassVar = ()
    race: ClassVar = Race(target=250)
    rules: ClassVar = (
        ("GS.1", "A pack without its tens, and a joker: 49 cards lie face up in seven rows of seven. The joker is taken away and leaves the gap."),
        ("GS.2", "One plays the red cards, the other the black ones, all session long; the deal alternates."),
        ("GS.3", "The non-dealer begins, then by turns: move a card of your colour from the gap's row or column into the gap and turn it face down. Where it lay is the new gap."),
        ("GS.4", "On its way a numeral, ace to nine, is stopped by a card that lies face down. A court is not."),
        ("GS.5", "Who can move in a straight line must. Only who cannot moves a card from a diagonal of the gap, and passes over dead cards or not as before."),
        ("GS.6", "Who cannot move at all is stuck: the deal is over and lost."),
        ("GS.7", "Both score the numerals of their colour that still lie face up, an ace for 1. A court that lies face up is 10 more to the winner and 10 less to the loser."),
        ("GS.8", "Game is about 250 points."),
        ("GS.g1", "Face-up cards bar no one's way, whatever their colour and however many. A card that has been turned down moves no more."),
        ("GS.g2", "A first player who cannot move at all has lost the deal, 30 to 150."),
        ("GS.g3", "The winner of a deal may score less than the loser; only the totals decide the race."),
        ("GS.g4", "All cards were dealt face up, so what was turned down is known to everybody."),
        ("GS.i1", "Forty-eight cards lie from the first move to the last."),
        ("GS.i2", "There are as many cards face down as moves were made."),
        ("GS.i3", "By turns nobody falls behind by more than a move: whoever got stuck has made as many as the other, or one fewer."),
        ("GS.i4", "A colour is twenty-four cards, two of each rank: six courts, and numerals for 90. So a winner has 0 to 150 points, and a loser 60 below nothing to 90."),
    )  # fmt: skip
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

    def seats(self, options: Options) -> int:
        """Two."""
        return 2

    def sides(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Each for himself."""
        return ((0,), (1,))

    def pack(self, options: Options) -> int:
        """Forty-eight cards and the joker that leaves the gap (GS.1)."""
        return PACK

    def deal_out(self, options: Options, cards: tuple[Card, ...]) -> Deal:
        """Row by row from the top left; seat 0 plays red."""
        return shuffled(cards)

    def check_deal(self, options: Options, deal: Deal) -> str | None:
        """A full square with one gap, and one colour each."""
        return check_deal(deal)

    def next_dealer(self, options: Options, dealer: int, passed_out: bool) -> int:
        """The deal alternates (GS.2)."""
        return left_of(dealer, 2)

    def start(self, options: Options, dealer: int, deal: Deal | None) -> State:
        """The non-dealer is to move."""
        return play.start(dealer, deal) if deal is not None else Blind(left_of(dealer, 2))

    def to_act(self, state: State) -> int | None:
        """The seat whose turn it is."""
        return state.turn if isinstance(state, Moving | Blind) else None

    def legal(self, state: State) -> tuple[Fact, ...]:
        """The moves in reading order of the cells."""
        if isinstance(state, Moving):
            return play.legal(state)
        return blind.legal(state) if isinstance(state, Blind) else ()

    def breaches(self, state: State, fact: Fact) -> tuple[Breach, ...]:
        """Reasons against a fact; a legal move takes the first line."""
        if type(state) is Moving:
            if type(fact) is CardMoved and play.may_move(state, fact):
                return ()
            return play.breaches(state, fact)
        return blind.breaches(state, fact) if isinstance(state, Blind) else misfit("the deal is complete")

    def evolve(self, state: State, fact: Fact) -> State:
        """The square after the fact. Who says wrongly that he is stuck plays on (STK)."""
        if type(fact) is CardMoved:
            if type(state) is Moving:
                return play.moved(state, fact)
            return blind.moved(state, fact) if isinstance(state, Blind) else state
        if isinstance(state, Blind) and isinstance(fact, Passed) and fact.seat < 2:
            return GaveUp(state, fact.seat)
        return state

    def score(self, state: State) -> Result | None:
        """The score of a complete deal, as far as the record tells what is left."""
        if not isinstance(state, Stuck | GaveUp):
            return None
        left = _ranks(state)
        stuck = state.at.turn if isinstance(state, Stuck) else state.stuck
        return None if left is None else scoring.score_left(stuck, left)

    def ending(self, state: State) -> Ending:
        """What the solver is told."""
        return ending_of(state)

    def duty(self, state: State) -> Duty | None:
        """No trick, no duty to follow."""
        return None

    def entry(self, options: Options) -> type[msgspec.Struct]:
        """Who got stuck, and what was left."""
        return scoring.Entry

    def entry_form(self, options: Options) -> tuple[EntryField, ...]:
        """Who got stuck, and two totals."""
        return scoring.form()

    def score_entry(self, options: Options, entry: Any) -> Result:
        """The score of an entered result."""
        return scoring.score_entry(entry)

    def sections(self, options: Options) -> tuple[str, ...]:
        """One stretch of moves."""
        return ("PLAY",)

    def settles(self, deal: Deal) -> tuple[str, str]:
        """Who plays red plays it all session long (GS.2)."""
        return "GS.2", f"seat {deal.colours.index('red')} plays red"

    def to_spread(self, deal: Deal) -> DealCards:
        """The layout; nobody holds a card."""
        return spread_of(deal)

    def from_spread(self, options: Options, spread: DealCards) -> Deal:
        """The layout that was written row by row."""
        return laid_out(spread)

    def word(self, before: State, fact: Fact) -> str | None:
        """The card and the square it left, a slash for a diagonal move: `SJc3/`; a dash for who is stuck."""
        if isinstance(fact, CardMoved):
            return _move_word(before, fact)
        return "-" if isinstance(fact, Passed) else None

    def sums(self, state: State) -> tuple[tuple[int, ...], ...]:
        """Nothing is summed before the score."""
        return ()

    def announced_points(self, before: State, after: State) -> int | None:
        """Nothing is announced."""
        return None

    def entry_noted(
        self, options: Options, dealer: int, entry: Any
    ) -> tuple[tuple[tuple[tuple[int, str], ...], tuple[int, ...]], ...] | None:
        """Sums alone do not say who got stuck."""
        return None

    def entry_read(
        self,
        options: Options,
        calls: tuple[tuple[int, str], ...],
        sums: tuple[tuple[int, ...], ...],
    ) -> dict[str, Any] | None:
        """Sums alone do not say who got stuck."""
        return None

    def view(self, state: State, viewer: Viewer) -> GetStuckTable:
        """The square, the same for everybody (GS.g4)."""
        at = state.at if isinstance(state, Stuck | GaveUp) else state
        counted = [scoring.figures(ranks) for ranks in _ranks(state) or ()]
        down = EVERY_CELL & ~(at.up | 1 << at.gap) if isinstance(at, Moving) else at.dead
        return GetStuckTable(
            to_act=self.to_act(state), phase=1, seen=tuple(cards_in(play.turned(at) if isinstance(at, Moving) else at.turned)),
            # without the layout a thousand moves and more are possible: the cells do, whatever lies on them
            legal=tuple(fact for fact in self.legal(state) if getattr(fact, "card", None) is None),
            grid=_grid(at) if isinstance(at, Moving) else None,
            gap=_cell(at.gap), came=_cell(at.came), down=tuple(CELLS[cell] for cell in cells_in(down)),
            colours=_colours(at),
            numerals=tuple(numerals for numerals, _ in counted), courts=tuple(courts for _, courts in counted),
        )  # fmt: skip


def _ranks(state: State) -> list[list[str]] | None:
    """The ranks that each seat has left face up, where the record tells them."""
    at = state.at if isinstance(state, Stuck | GaveUp) else state
    left = play.left(at) if isinstance(at, Moving) else blind.left(at)
    return None if left is None else [scoring.ranks_of(cards) for cards in left]


def _grid(at: Moving) -> tuple[tuple[Card | None, ...], ...]:
    """Rows from the top: the cards that lie face up."""
    cards = [CARD_OF[text] if at.up >> cell & 1 else None for cell, text in enumerate(at.layout.deal.grid)]
    return tuple(tuple(cards[row : row + SIZE]) for row in range(0, len(cards), SIZE))


def _cell(number: int) -> Cell | None:
    return None if number == NOWHERE else CELLS[number]


def _colours(at: Moving | Blind) -> tuple[str, ...] | None:
    """Who plays which colour, once it is known (GS.2)."""
    if isinstance(at, Moving):
        return at.layout.deal.colours
    if at.red == NOWHERE:
        return None
    return ("red", "black") if at.red == 0 else ("black", "red")


def _move_word(before: State, fact: CardMoved) -> str:
    """A move with its card, which the layout may tell, and whether it went diagonally."""
    at = before.at if isinstance(before, Stuck | GaveUp) else before
    if fact.card is None and isinstance(at, Moving):
        fact = CardMoved(fact.seat, fact.cell, CARD_OF.get(at.layout.deal.grid[CELL_NUMBER[fact.cell]]))
    sideways = at.gap >= 0 and DIAGONAL[at.gap] >> CELL_NUMBER[fact.cell] & 1
    return f"{fact.as_call()}{'/' if sideways else ''}"


GAME = GetStuck()
