"""The Dutch system as of 1 February 2026 (C.04.3): score groups from the top, each with whom it was left."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from domain.pairing.crosstable import Tenths
from domain.pairing.swiss.bracket import Split, SwissBracket
from domain.pairing.swiss.completion import lowest_bye, pairable
from domain.pairing.swiss.criteria import Criteria
from domain.pairing.swiss.entrants import SwissPlayer
from domain.pairing.swiss.natural import NaturalOrder
from domain.pairing.swiss.weighed import WeighedBracket


def score_groups_of(players: Sequence[SwissPlayer]) -> list[tuple[SwissPlayer, ...]]:
    """Players of one score together, the highest first."""
    return [tuple(each) for _, each in groupby(players, key=lambda player: player.score)]


def paired_brackets(players: Sequence[SwissPlayer], odd_first: bool) -> Iterator[tuple[SwissBracket, Split]] | None:
    """Each bracket and what became of it; None when nobody can pair this round."""
    bye = None
    if len(players) % 2:
        score = lowest_bye(players)
        if score is None:
            return None
        bye = (score,)
    elif not pairable(players, None):
        return None
    return _from_the_top(score_groups_of(players), bye, odd_first)


def _from_the_top(
    score_groups: list[tuple[SwissPlayer, ...]], bye: tuple[Tenths] | None, odd_first: bool
) -> Iterator[tuple[SwissBracket, Split]]:
    left: tuple[SwissPlayer, ...] = ()
    for place, residents in enumerate(score_groups):
        below = score_groups[place + 1 :]
        rest = tuple(player for group in below[1:] for player in group)
        bracket = SwissBracket(left, residents, below[0] if below else (), rest, bye)
        split = paired_bracket(bracket, odd_first)
        yield bracket, split
        left = split.left


def paired_bracket(bracket: SwissBracket, odd_first: bool) -> Split:
    """A bracket's pairs: in natural order, else by matchings in the bracket and the next, else in all that is left."""
    split = NaturalOrder(bracket, odd_first).split() or _without_those_below(bracket, odd_first)
    return split or WeighedBracket(bracket, Criteria(bracket, odd_first)).split


def _without_those_below(bracket: SwissBracket, odd_first: bool) -> Split | None:
    """The answer if nothing below the next bracket had to be pairable; right if it turns out to be so."""
    if not bracket.below or (bracket.bye is not None and bracket.residents[0].score <= max(bracket.bye)):
        return None
    near = msgspec.structs.replace(bracket, whole=False)
    weighed = WeighedBracket(near, Criteria(near, odd_first))
    over = weighed.over()
    if sum(node < len(near.players) for node in over) > 1:
        return None  # two who would both be left over once more cannot be told from two who could meet
    rest = [*(near.nodes[node] for node in over), *bracket.below]
    return weighed.split if pairable(rest, bracket.bye) else None
