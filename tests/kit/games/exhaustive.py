"""Exhaustive search of endings through the protocol alone, to compare the solver with."""

import random
from typing import Any

from tests.kit.games.strategies import played_out


def margin_of(game: Any, options: Any, sides: Any, state: Any) -> int:
    """Return the score margin of side 0 over side 1 in a finished state."""
    scores = game.score(state).scores
    if len(scores) == game.seats(options):
        return scores[sides[0][0]] - scores[sides[1][0]]
    return scores[0] - scores[1]


def size(game: Any, state: Any, most: int) -> int:
    """Count the states that can follow, up to `most`."""
    if game.to_act(state) is None or most <= 0:
        return 1
    found = 1
    for fact in game.legal(state):
        found += size(game, game.evolve(state, fact), most - found)
        if found >= most:
            break
    return found


def minimax(game: Any, sides: Any, state: Any, final: Any, over: Any = lambda state: False) -> int:
    """Return the value of a state if side 0 maximizes and side 1 minimizes it."""
    seat = game.to_act(state)
    if seat is None or over(state):
        return final(state)
    worths = (minimax(game, sides, game.evolve(state, fact), final, over) for fact in game.legal(state))
    return max(worths) if seat in sides[0] else min(worths)


def keeping(game: Any, sides: Any, state: Any, final: Any) -> tuple:
    """Return the legal facts that keep the value of a state."""
    worth = minimax(game, sides, state, final)
    return tuple(fact for fact in game.legal(state) if minimax(game, sides, game.evolve(state, fact), final) == worth)


def ending(form: Any, seed: int, left: int):
    """Play a random deal except for its last facts; return game, options and state.

    The state of a deal that was passed out is its last.
    """
    game, options, _, _, _, states = played_out(form, seed)
    back = random.Random(seed).randint(1, left)
    return game, options, states[-1 - back if len(states) > 2 * left else -1]
