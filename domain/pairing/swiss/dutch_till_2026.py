"""The Dutch system as it was until January 2026: no bracket looks beyond the next one; where that leaves players whom
nobody can pair, the last bracket is paired again so that they can be, and all below it become one (A.9)."""

from collections.abc import Iterator, Sequence

import msgspec

from domain.pairing.swiss.bracket import Split, SwissBracket
from domain.pairing.swiss.completion import pairable
from domain.pairing.swiss.criteria_till_2026 import CriteriaTill2026
from domain.pairing.swiss.dutch import score_groups_of
from domain.pairing.swiss.entrants import SwissPlayer
from domain.pairing.swiss.natural import NaturalOrder
from domain.pairing.swiss.weighed import WeighedBracket


def paired_brackets(players: Sequence[SwissPlayer], odd_first: bool) -> Iterator[tuple[SwissBracket, Split]] | None:
    """Each bracket and what became of it; None when nobody can pair this round."""
    scores = tuple({player.score for player in players}) if len(players) % 2 else None
    return _from_the_top(score_groups_of(players), scores, odd_first) if pairable(players, scores) else None


def _from_the_top(
    score_groups: list[tuple[SwissPlayer, ...]], scores: tuple[int, ...] | None, odd_first: bool
) -> Iterator[tuple[SwissBracket, Split]]:
    left: tuple[SwissPlayer, ...] = ()
    for place, residents in enumerate(score_groups):
        lower = tuple(player for group in score_groups[place + 1 :] for player in group)
        bracket = SwissBracket(left, residents, (), lower, scores)
        if lower:
            following = score_groups[place + 1]
            near = msgspec.structs.replace(bracket, following=following, below=lower[len(following) :], whole=False)
            split = _without_those_below(near, odd_first)
            if not pairable([*split.left, *lower], scores):
                split = _weighed(bracket, odd_first)
                yield bracket, split
                last = SwissBracket(split.left, lower, (), (), scores)
                yield last, _weighed(last, odd_first)
                return
        else:
            split = _natural(bracket, odd_first) or _weighed(bracket, odd_first)
        yield bracket, split
        left = split.left


def _without_those_below(bracket: SwissBracket, odd_first: bool) -> Split:
    level = bracket.residents[0].score
    lower = None if bracket.bye is None else tuple(score for score in bracket.bye if score < level)
    found = _natural(msgspec.structs.replace(bracket, bye=lower), odd_first)
    return found or _weighed(bracket, odd_first)


def _natural(bracket: SwissBracket, odd_first: bool) -> Split | None:
    return NaturalOrder(bracket, odd_first, complete=False).split()


def _weighed(bracket: SwissBracket, odd_first: bool) -> Split:
    return WeighedBracket(bracket, CriteriaTill2026(bracket, odd_first)).split
