"""Parity: the kind of ending that the solver is told."""

from domain.game.ending import TWO, UNRECORDED, Ending, Search, two_hands
from domain.game.tricks import Playing
from domain.games.parity.play import scored
from domain.games.parity.state import State, setup_of


def ending(state: State) -> Ending:
    """Tricks of which the parity counts first; before them the calls, for -25 to 25 more (PA.7)."""
    if isinstance(state, Playing):
        return two_hands(state, scored, state.base.parity == "even")
    return UNRECORDED if setup_of(state).deal is None else Search(TWO, state, (-25, 25))
