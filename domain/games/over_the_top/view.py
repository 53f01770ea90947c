"""Over the Top: the table as one viewer may see it."""

from domain.cards.card import cards_in
from domain.game.protocol import ALL, Table, Viewer
from domain.game.shown import Figure
from domain.game.sight import hands_for, legal_for, on_table
from domain.games.over_the_top import judging
from domain.games.over_the_top.counting import points_by_seat, total_of, tricks_by_seat
from domain.games.over_the_top.options import STOCK
from domain.games.over_the_top.state import Playing, State, seen, to_act, unseen_by
from domain.log.message import Message


class OverTheTopTable(Table, frozen=True, kw_only=True):
    """The table, with the running total of the trick, who has passed in it, and the points by seat."""

    total: int = 0
    passed: tuple[int, ...] = ()
    points: tuple[int, ...] = (0, 0)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Tricks and their points."""
        return (*super().figures, Figure("points", self.points))

    @property
    def notes(self) -> tuple[Message, ...]:
        """The running total, and the passes in this trick."""
        total = (Message("running_total", {"n": self.total}),) if self.trick else ()
        return (*total, *(Message("passed", {"seat": seat}) for seat in self.passed))


def view(state: State, viewer: Viewer) -> OverTheTopTable:
    """The table as the viewer may see it; the stock is a number."""
    course = state.course
    known, seat, legal = course.base.known, to_act(state), judging.legal(state)
    if not known and viewer != ALL and isinstance(state, Playing):
        legal = judging.legal(unseen_by(state))
    on = state if isinstance(state, Playing) else None
    return OverTheTopTable(
        to_act=seat,
        phase=1,
        tricks=tricks_by_seat(course.taken),
        points=points_by_seat(course.taken),
        trick=on_table(on.seats, on.cards) if on else (),
        last_trick=on_table(*course.last),
        total=total_of(on.count) if on else 0,
        passed=tuple(each for each in (0, 1) if on and on.passed >> each & 1),
        stock=STOCK - course.drawn,
        seen=tuple(cards_in(seen(state))),
        hands=hands_for(viewer, on.hands if on else (0, 0), known),
        legal=legal_for(viewer, seat, known, legal),
    )
