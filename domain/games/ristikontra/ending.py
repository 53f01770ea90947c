"""Ristikontra: what the solver is told. The stock lies in a known order, or is gone."""

from domain.game.ending import UNRECORDED, Ending, Search
from domain.games.ristikontra.options import SIDES
from domain.games.ristikontra.scoring import score_deal
from domain.games.ristikontra.state import TRICKS, Playing, Scored, Spicing, State


def ending_of(state: State) -> Ending:
    """The sides against each other, for what the deal scores; a total that drops is the match's affair."""
    assert not isinstance(state, Scored)
    table = state if isinstance(state, Playing) else state.play
    base, taken = table.base, table.taken
    if not base.known:
        return UNRECORDED
    asked = (state.place, state.drawn) if isinstance(state, Spicing) else None
    key = (
        table.hands,
        table.turn,
        table.turned,
        table.seats,
        table.cards,
        table.dark,
        table.top,
        asked,
        taken.points,
        table.run if base.fourth else None,
        taken.queens,
        taken.cleaned,
        taken.tricks if base.options.tie_break_tricks else None,
    )
    return Search(SIDES, key, _reach(table), taken.tricks, TRICKS - taken.done)


def _reach(table: Playing) -> tuple[int, int]:
    """All that is left to one side; where cleaning can turn the score about, everything there is."""
    options, taken = table.base.options, table.taken
    by_points = options.scoring_unit == "card_points"
    if table.base.cleaning:
        most = options.total if by_points else 2
        return -most, most
    (one, other), left, tricks = taken.points, options.total - sum(taken.points), TRICKS - taken.done
    won = taken.tricks[0] + taken.tricks[2], taken.tricks[1] + taken.tricks[3]
    low = score_deal(options, (one, other + left), (won[0], won[1] + tricks), (), ()).scores
    high = score_deal(options, (one + left, other), (won[0] + tricks, won[1]), (), ()).scores
    return low[0] - low[1], high[0] - high[1]
