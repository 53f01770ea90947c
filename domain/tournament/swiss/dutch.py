"""The Dutch system as of 1 February 2026 (C.04.3): score groups from the top, each with whom it was left."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from domain.tournament.crosstable import Tenths
from domain.tournament.swiss.bracket import Bracket, Split
from domain.tournament.swiss.completion import lowest_bye, pairable
from domain.tournament.swiss.criteria import Criteria
from domain.tournament.swiss.entrants import Entrant
from domain.tournament.swiss.natural import Natural
from domain.tournament.swiss.weighed import Weighed


def groups(players: Sequence[Entrant]) -> list[tuple[Entrant, ...]]:
    """Players of one score together, the highest first."""
    return [tuple(each) for _, each in groupby(players, key=lambda player: player.score)]


def brackets(players: Sequence[Entrant], odd_first: bool) -> Iterator[tuple[Bracket, Split]] | None:
    """Each bracket and what became of it; None when nobody can pair this round."""
    bye = None
    if len(players) % 2:
        score = lowest_bye(players)
        if score is None:
            return None
        bye = (score,)
    elif not pairable(players, None):
        return None
    return _down(groups(players), bye, odd_first)


def _down(
    score_groups: list[tuple[Entrant, ...]], bye: tuple[Tenths] | None, odd_first: bool
) -> Iterator[tuple[Bracket, Split]]:
    left: tuple[Entrant, ...] = ()
    for place, residents in enumerate(score_groups):
        below = score_groups[place + 1 :]
        rest = tuple(player for group in below[1:] for player in group)
        bracket = Bracket(left, residents, below[0] if below else (), rest, bye)
        split = paired(bracket, odd_first)
        yield bracket, split
        left = split.left


def paired(bracket: Bracket, odd_first: bool) -> Split:
    """A bracket's pairs: in natural order, else by matchings in the bracket and the next, else in all that is left."""
    split = Natural(bracket, odd_first).split() or _near(bracket, odd_first)
    return split or Weighed(bracket, Criteria(bracket, odd_first)).split


def _near(bracket: Bracket, odd_first: bool) -> Split | None:
    """The answer if nothing below the next bracket had to be pairable; right if it turns out to be so."""
    if not bracket.below or (bracket.bye is not None and bracket.residents[0].score <= max(bracket.bye)):
        return None
    near = msgspec.structs.replace(bracket, whole=False)
    weighed = Weighed(near, Criteria(near, odd_first))
    over = weighed.over()
    if sum(node < len(near.players) for node in over) > 1:
        return None  # two who would both be left over once more cannot be told from two who could meet
    rest = [*(near.nodes[node] for node in over), *bracket.below]
    return weighed.split if pairable(rest, bracket.bye) else None
