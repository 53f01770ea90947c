"""The figures that were written down beside the play: sums, recorded scores, voids, and deals of results only."""

import re
from collections.abc import Callable

from domain.cards.seats import NAMES
from domain.game.sheet import Result
from domain.game.shown import figure
from domain.log.decider import Refusal
from domain.log.event import Json
from domain.match import commands as c
from domain.match.state import by_seat, played
from domain.match.stated import is_figure
from domain.notation.read_sheet import ReadingSheet
from domain.notation.tokens import Token
from domain.notation.words import WrittenScore, read_written_scores

_SUMS = re.compile(r"=(-?\d{1,4}(?:-\d{1,4})+)\Z")


def sums_of(text: str) -> str | None:
    """The figures of a word like `=7-6`, or None."""
    found = _SUMS.match(text)
    return found[1] if found else None


class FigureReader:
    """The figures of one deal; `entry` is the result that its tags hold, if any, until it is entered."""

    def __init__(self, sheet: ReadingSheet, entry: Json) -> None:
        self.sheet = sheet
        self.entry = entry
        self.calls: list[tuple[int, str]] = []
        self.sums: list[tuple[int, ...]] = []
        self.early: list[Callable[[], bool]] = []

    def call(self, seat: int, call: str) -> None:
        """A call of a deal of results only."""
        self.calls.append((seat, call))

    def sum(self, written: str) -> None:
        """`7-6`: the figures of a stretch that is complete."""
        figures = tuple(int(figure) for figure in re.findall(r"(?<![0-9])-?\d+", written.replace("-", " ")))
        if len(figures) != self.sheet.seats:
            raise Refusal("malformed", f"a sum has one figure a seat: {self.sheet.seats}")
        if len(self.sums) == len(self.sheet.sections):
            raise Refusal("malformed", "there is no stretch left that these figures sum")
        self.sums.append(figures)
        if self.sheet.deal.depth == "summary":
            return
        place = len(self.sums) - 1
        self._once_known(lambda: self._sum_checked(place, figures))
        self.sheet.do(c.StateScore(what=self.sheet.sections[place], stated=written))

    def _sum_checked(self, place: int, figures: tuple[int, ...]) -> bool:
        derived = self.sheet.game.script.section_sums(self.sheet.deal.table)
        if place >= len(derived):
            return False
        what = self.sheet.sections[place]
        self.sheet.differ(what, "-".join(map(str, figures)), "-".join(map(str, derived[place])))
        return True

    def _once_known(self, check: Callable[[], bool]) -> None:
        """Check figures now, or at the end of the deal if cards that they count are still to come."""
        if not check():
            self.early.append(check)

    def recorded(self, words: list[Token]) -> None:
        """`R`: the written scores of all seats."""
        self.enter()
        given = [word.text for word in words[1:]]
        read = read_written_scores(given, self.sheet.seats)
        if read is None:
            raise Refusal("malformed", "`R` is followed by seats and scores, like R A 48 B 49")
        figures = [word for word in given if is_figure(word)]
        line = " ".join(given) if len(figures) < len(given) else None
        self.sheet.do(c.StateScore(what="R", stated=" ".join(figures), line=line))
        self._once_known(lambda: self._scores_checked(*read))

    def _scores_checked(self, sides: list[WrittenScore], named: dict[str, str]) -> bool:
        result = played(self.sheet.match, self.sheet.deal)
        if result is not None:
            self._compare(result, sides, named)
        return result is not None

    def _compare(self, result: Result, sides: list[WrittenScore], named: dict[str, str]) -> None:
        """Compare the written scores, tricks and names with those that the facts give."""
        derived = by_seat(self.sheet.match.setup, result.sheet)
        tricks = figure(result.figures, "tricks") or ()
        for side in sides:
            scores = {derived[seat] for seat in side.seats}
            self.sheet.differ(f"R {side.name}", str(side.score), "-".join(map(str, sorted(scores))))
            if side.tricks is not None and len(tricks) == self.sheet.seats:
                own = ",".join(str(tricks[seat]) for seat in side.seats)
                self.sheet.differ(f"R {side.name} tricks", ",".join(map(str, side.tricks)), own)
        for name, stated in named.items():
            seat = result.seats_named.get(name)
            if seat is not None:
                self.sheet.differ(f"R {name}", stated, NAMES[self.sheet.seats][seat])

    def void(self) -> None:
        """`=void`: passed out, or void for another reason."""
        if self.sheet.deal.depth == "summary" and self.entry is None and not self.sums and self.calls:
            self.entry = {"void": True}
        self.enter()
        result = played(self.sheet.match, self.sheet.deal)
        if result is None or not result.void:
            self.sheet.do(c.VoidDeal())

    def close(self, token: Token) -> None:
        """The end of the deal that begins with this token."""
        try:
            self.enter()
        except Refusal as refusal:
            self.sheet.problem(token, refusal.detail)
            return
        for check in self.early:
            check()
        deal = self.sheet.deal
        if deal.depth == "summary" and deal.entry is None and not deal.void and not deal.rulings:
            self.sheet.problem(token, "a summary needs the sums of the deal (=7-6), its calls, or [Entry]")

    def enter(self) -> None:
        """A deal of results only, or one whose cards stop early, is entered once its figures have been read."""
        deal = self.sheet.deal
        if deal.entry is not None or deal.void or self.sheet.game.score(deal.table) is not None:
            return
        entry = self._told() if self.entry is None and self.sums else self.entry
        if entry is not None:
            if deal.facts and not deal.paused:
                self.sheet.do(c.PauseRecording())
            self.sheet.do(c.EnterResult(entry=entry))
            self.entry = None

    def _told(self) -> Json:
        """The entry that calls and sums make, or None if they do not suffice."""
        said = [(fact.seat, fact.as_call()) for _, fact in self.sheet.deal.facts]
        calls = [(seat, call) for seat, call in said if call is not None]
        script, options = self.sheet.game.script, self.sheet.match.setup.options
        return script.entry_read(options, (*calls, *self.calls), tuple(self.sums))
