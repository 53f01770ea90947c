"""Cross Purposes for two and for four: which of the two plays a table."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from domain.cards.facts import Fact
from domain.game.ending import Ending
from domain.game.judgement import Breach, Duty
from domain.game.protocol import Table, Viewer
from domain.game.script import Sums
from domain.game.sheet import Result
from domain.game.tricks import Playing
from domain.games.cross_purposes import ending
from domain.games.cross_purposes.four import judging as four_judging
from domain.games.cross_purposes.four import play as four_play
from domain.games.cross_purposes.four import state as four_state
from domain.games.cross_purposes.four import view as four_view
from domain.games.cross_purposes.two import judging as two_judging
from domain.games.cross_purposes.two import play as two_play
from domain.games.cross_purposes.two import state as two_state
from domain.games.cross_purposes.two import view as two_view

State: TypeAlias = two_state.State | four_state.State


class Form(NamedTuple):
    """One form of the game: what it answers of its tables."""

    start: Callable[[Any, int, Any], State]
    to_act: Callable[[Any], int | None]
    legal: Callable[[Any], tuple[Fact, ...]]
    breaches: Callable[[Any, Fact], tuple[Breach, ...]]
    evolve: Callable[[Any, Fact], State]
    phase_over: Callable[[Playing], State]
    score: Callable[[Any], Result | None]
    duty: Callable[[Any], Duty | None]
    ending: Callable[[Any], Ending]
    against: Callable[[Playing], tuple[tuple[int, ...], ...]]
    sums: Callable[[Any], tuple[Sums, ...]]
    view: Callable[[Any, Viewer], Table]


TWO: Final = Form(
    start=two_state.start,
    to_act=two_state.to_act,
    legal=two_judging.legal,
    breaches=two_judging.breaches,
    evolve=two_play.evolve,
    phase_over=two_play.phase_over,
    score=two_state.score,
    duty=two_state.duty,
    ending=ending.of_two,
    against=two_state.against,
    sums=two_state.sums,
    view=two_view.view,
)
FOUR: Final = Form(
    start=four_state.start,
    to_act=four_state.to_act,
    legal=four_judging.legal,
    breaches=four_judging.breaches,
    evolve=four_play.evolve,
    phase_over=four_play.phase_over,
    score=four_state.score,
    duty=four_state.duty,
    ending=ending.of_four,
    against=four_state.against,
    sums=four_state.sums,
    view=four_view.view,
)


def form_of(state: State) -> Form:
    """The form that plays this table."""
    if isinstance(state, Playing):
        return FOUR if len(state.hands) == 4 else TWO
    return FOUR if isinstance(state, four_state.Proposing | four_state.Scored) else TWO
