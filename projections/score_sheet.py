"""A score sheet: the deals of a match laid out as notation writes them, as far as a viewer may see them.

What stands on it is in force by now; what it replaced is told beside, with its reason.
"""

from collections.abc import Iterable

import msgspec

from domain.cards.facts import CardDrawn, Fact, RestClaimed, TotalCalled
from domain.cards.seats import NAMES
from domain.game.protocol import ALL, AnyTable, Viewer
from domain.game.script import mark_of
from domain.game.sheet import Result
from domain.match.sight import seen
from domain.match.state import Deal, Match, by_seat, played, ruled_scores
from domain.notation.words import write_rest
from projections.table_view import told


class Turn(msgspec.Struct):
    """A trick, or a single move, with its number: the words of notation in their order."""

    number: int
    words: list[str]


class SheetStretch(msgspec.Struct):
    """A stretch of a deal: its mark, the calls that open it, its turns, its sums by seat once it is over."""

    mark: str
    calls: list[str] = []
    turns: list[Turn] = []
    sums: tuple[int, ...] = ()


class SideScore(msgspec.Struct, frozen=True):
    """The score of a side: the letters of its seats, what the cards give, and what counts where that is another."""

    letters: str
    score: int | None
    in_force: int | None = None


class SheetDeal(msgspec.Struct, frozen=True):
    """A deal: its number, the dealer's letter, the layout in rows (a gap is `--`), the stretches, the score by side.
    `void`: it does not count."""

    number: int
    dealer: str
    rows: tuple[tuple[str, ...], ...]
    stretches: tuple[SheetStretch, ...]
    scores: tuple[SideScore, ...]
    void: bool = False


def sheet_deals(match: Match, viewer: Viewer, opened: frozenset[int]) -> tuple[SheetDeal, ...]:
    """The deals of a match for a viewer; `opened` are the numbers of those that everybody may see all of."""
    return tuple(_deal(match, deal, ALL if deal.number in opened else viewer) for deal in match.deals)


def _deal(match: Match, deal: Deal, viewer: Viewer) -> SheetDeal:
    game, letters = match.setup.game, letters_of(match)
    result = played(match, deal)
    stretches = _Walk(match, deal, viewer).stretches() or _entered(match, deal)
    void = deal.void or (result is not None and result.void)
    rows = () if deal.cards is None or game.frame is None or not game.frame.filled else _rows(match, deal)
    return SheetDeal(deal.number, letters[deal.dealer], rows, stretches, _scores(match, deal, result), void)


def letters_of(match: Match) -> tuple[str, ...]:
    """The letters of the seats."""
    return NAMES[match.setup.game.seats(match.setup.options)]


def _rows(match: Match, deal: Deal) -> tuple[tuple[str, ...], ...]:
    """A layout that lies face up from the first."""
    rows = match.setup.game.script.cards_of(deal.cards).rows
    return tuple(tuple("--" if card is None else str(card) for card in row) for row in rows)


def _scores(match: Match, deal: Deal, result: Result | None) -> tuple[SideScore, ...]:
    """The score by side as the game's sheet writes it, and as a ruling has it."""
    letters, setup, force = letters_of(match), match.setup, ruled_scores(deal)
    figures = None if result is None or result.void else by_seat(setup, result.sheet)
    return tuple(
        SideScore(
            "".join(letters[seat] for seat in seats),
            None if figures is None else figures[seats[0]],
            None if force is None else force[side],
        )
        for side, seats in enumerate(setup.seats)
    )


def _entered(match: Match, deal: Deal) -> tuple[SheetStretch, ...]:
    """A result that was entered, as far as calls and sums tell it."""
    if deal.entry is None:
        return ()
    setup, letters = match.setup, letters_of(match)
    script = setup.game.script
    noted = script.entry_noted(setup.options, deal.dealer, deal.entry[1]) or ()
    marks = map(mark_of, script.sections(setup.options))
    return tuple(
        SheetStretch(mark, [f"{letters[seat]}:{call}" for seat, call in each.calls], [], tuple(each.sums))
        for mark, each in zip(marks, noted, strict=False)
    )


class _Walk:
    """The facts of a deal one by one, as a viewer has seen them."""

    def __init__(self, match: Match, deal: Deal, viewer: Viewer) -> None:
        self.game, self.options = match.setup.game, match.setup.options
        self.match, self.deal, self.viewer = match, deal, viewer
        self.letters = letters_of(match)
        self.marks = [mark_of(each) for each in self.game.script.sections(self.options)]
        self.found: list[SheetStretch] = []

    def stretches(self) -> tuple[SheetStretch, ...]:
        """The record, stretch by stretch; nothing for a deal of which no fact is known."""
        table = self.game.start(self.options, self.deal.dealer, self.deal.cards)
        for fact in self._facts():
            before = table
            if type(fact) not in self.game.remarks:
                table = self.game.evolve(table, fact)
            self._write(fact, before, table)
            sums = self.game.script.section_sums(table)
            for each, own in zip(self.found, sums, strict=False):
                each.sums = tuple(own)
        return tuple(self.found)

    def _facts(self) -> Iterable[Fact]:
        for version, fact in self.deal.facts:
            if version not in self.deal.misfits:
                yield seen(fact, self.viewer)

    def _write(self, fact: Fact, before: AnyTable, after: AnyTable) -> None:
        at = self._stretch(before, type(fact) in self.game.remarks)
        call, letter = fact.as_call(), self.letters[fact.seat]
        word = self.game.script.move_text(before, told(self.match, self.deal, fact))
        if isinstance(fact, TotalCalled):
            self._glue(at, f"={fact.total}")
        elif isinstance(fact, CardDrawn):
            self._beside(at, f"+{letter}:{'??' if fact.card is None else fact.card}")
        elif isinstance(fact, RestClaimed):
            self._beside(at, write_rest(fact, self.letters))
        elif word is not None and word[0] == "!":
            self._glue(at, word)
        elif word is not None:
            points = self.game.script.announced_points(before, after)
            self._turn(at, word if fact.seat == self.game.to_act(before) else f"{letter}:{word}", before)
            if points:
                self._glue(at, f"!{points}")
        elif call is not None:
            self._beside(at, f"{letter}:{call}")

    def _stretch(self, before: AnyTable, remark: bool) -> SheetStretch:
        """The stretch that is on; a remark belongs to the one that has just ended."""
        place = min(len(self.game.script.section_sums(before)), len(self.marks) - 1)
        if remark and self.found:
            return self.found[-1]
        while len(self.found) <= place:
            self.found.append(SheetStretch(self.marks[len(self.found)], [], []))
        return self.found[place]

    def _turn(self, at: SheetStretch, word: str, before: AnyTable) -> None:
        """A card goes into the trick that is on; where there are no tricks each move is a turn of its own."""
        view = self.game.view(before, ALL)
        begins = not view.trick if view.tricks else True
        if begins and not (view.tricks and word == "-" and at.turns):
            at.turns.append(Turn(len(at.turns) + 1, []))
        self._glue_word(at, word)

    def _glue_word(self, at: SheetStretch, word: str) -> None:
        if not at.turns:
            at.turns.append(Turn(1, []))
        at.turns[-1].words.append(word)

    def _glue(self, at: SheetStretch, mark: str) -> None:
        """A mark on the last word; what comes before any word stands with the calls."""
        if at.turns and at.turns[-1].words:
            at.turns[-1].words[-1] += mark
        else:
            at.calls.append(mark)

    def _beside(self, at: SheetStretch, word: str) -> None:
        """A word that is no move: before the first move among the calls, later where it was said."""
        if at.turns:
            at.turns[-1].words.append(word)
        else:
            at.calls.append(word)
