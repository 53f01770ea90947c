"""The Dutch system as it was until January 2026: no bracket looks beyond the next one; where that leaves players whom
nobody can pair, the last bracket is paired again so that they can be, and all below it become one (A.9)."""

from collections.abc import Iterator, Sequence

import msgspec

from domain.tournament.swiss.bracket import Bracket, Split
from domain.tournament.swiss.completion import pairable
from domain.tournament.swiss.criteria_till_2026 import CriteriaTill2026
from domain.tournament.swiss.dutch import groups
from domain.tournament.swiss.entrants import Entrant
from domain.tournament.swiss.natural import Natural
from domain.tournament.swiss.weighed import Weighed


def brackets(players: Sequence[Entrant], odd_first: bool) -> Iterator[tuple[Bracket, Split]] | None:
    """Each bracket and what became of it; None when nobody can pair this round."""
    scores = tuple({player.score for player in players}) if len(players) % 2 else None
    return _down(groups(players), scores, odd_first) if pairable(players, scores) else None


def _down(
    score_groups: list[tuple[Entrant, ...]], scores: tuple[int, ...] | None, odd_first: bool
) -> Iterator[tuple[Bracket, Split]]:
    left: tuple[Entrant, ...] = ()
    for place, residents in enumerate(score_groups):
        lower = tuple(player for group in score_groups[place + 1 :] for player in group)
        bracket = Bracket(left, residents, (), lower, scores)
        if lower:
            following = score_groups[place + 1]
            near = msgspec.structs.replace(bracket, following=following, below=lower[len(following) :], whole=False)
            split = _near(near, odd_first)
            if not pairable([*split.left, *lower], scores):
                split = _weighed(bracket, odd_first)
                yield bracket, split
                last = Bracket(split.left, lower, (), (), scores)
                yield last, _weighed(last, odd_first)
                return
        else:
            split = _natural(bracket, odd_first) or _weighed(bracket, odd_first)
        yield bracket, split
        left = split.left


def _near(bracket: Bracket, odd_first: bool) -> Split:
    level = bracket.residents[0].score
    lower = None if bracket.bye is None else tuple(score for score in bracket.bye if score < level)
    found = _natural(msgspec.structs.replace(bracket, bye=lower), odd_first)
    return found or _weighed(bracket, odd_first)


def _natural(bracket: Bracket, odd_first: bool) -> Split | None:
    return Natural(bracket, odd_first, complete=False).split()


def _weighed(bracket: Bracket, odd_first: bool) -> Split:
    return Weighed(bracket, CriteriaTill2026(bracket, odd_first)).split
