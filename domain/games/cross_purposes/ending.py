"""Cross Purposes: what the solver is told, of two hands and of four."""

from functools import cache
from typing import TypeAlias

from domain.game.ending import TWO, UNRECORDED, Ending, Search, Unknown, two_hands
from domain.game.tricks import FREE, Playing
from domain.games.cross_purposes.four import state as four
from domain.games.cross_purposes.options import Options
from domain.games.cross_purposes.scoring import beaten, score_two, sides_of
from domain.games.cross_purposes.two import state as two
from domain.games.cross_purposes.two.play import phase_over

Pairs: TypeAlias = tuple[tuple[int, ...], ...]


def of_two(state: two.State) -> Ending:
    """Tricks, more being better: of the difference of the scores a trick of phase 1 is 13 points and one of phase 2
    is 15, whatever the other phase gives (CP.7); under `winner_only` the order is the same."""
    if isinstance(state, Playing):
        return two_hands(state, phase_over)
    assert isinstance(state, two.Declaring)
    if state.deal is None:
        return UNRECORDED
    named = tuple((call.seat, call.dim, call.value) for call in state.named)
    earlier = tuple((call.seat, call.dim) for call in state.earlier)
    low, high = (score_two(state.options, (state.first or end, end)).scores for end in ((0, 13), (13, 0)))
    return Search(TWO, (state.first, named, earlier), (low[0] - low[1], high[0] - high[1]))


def of_four(state: four.State) -> Ending:
    """The two pairs against each other (CP.14)."""
    if isinstance(state, four.Proposing):
        unsettled = Unknown("trumps and tops are not settled: ask for a table after the bidding with --at")
        return UNRECORDED if state.deal is None else unsettled
    assert isinstance(state, Playing)
    if state.duty is FREE:
        return UNRECORDED
    contract: four.Contract = state.base
    sides = sides_of(contract.allies)
    left = (state.left + len(state.cards)) // 4
    key = (state.hands, state.turn, state.seats, state.cards, state.tricks)
    return Search(sides, key, _reach(contract.bidding.options, sides, state.tricks, left), state.tricks, left)


@cache
def _reach(options: Options, sides: Pairs, tricks: tuple[int, ...], left: int) -> tuple[int, int]:
    """Every trick gains: the ends are all of those left to one pair, shared as they count most."""
    return -_most(options, sides[::-1], tricks, left), _most(options, sides, tricks, left)


def _most(options: Options, sides: Pairs, tricks: tuple[int, ...], left: int) -> int:
    (one, partner), (two, three) = sides
    theirs = (tricks[two] + 1) * (tricks[three] + 1)
    ours = max((tricks[one] + more + 1) * (tricks[partner] + left - more + 1) for more in range(left + 1))
    counted = beaten((ours, theirs), options)
    return counted[0] - counted[1]
