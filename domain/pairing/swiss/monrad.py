"""Monrad, as clubs play it: by score and number, each meets the next one below whom they have not met.

Where the last ones are left without opponents, the lowest pairs are undone first; that is the first complete pairing in
the order in which everybody, from the top, would choose. So a partner is taken when the rest can still be paired; among
many it always can, and only the last few are looked at.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from domain.pairing.swiss.entrants import SwissPlayer
from domain.pairing.swiss.matcher import NO_MATE, heaviest_matching

PlayerPairs: TypeAlias = list[tuple[SwissPlayer, SwissPlayer]]


def pairs_and_bye(players: Sequence[SwissPlayer]) -> tuple[PlayerPairs, SwissPlayer | None] | None:
    """Pairs from the top, and who has the bye: the lowest of those who had none; None when nobody can pair."""
    if len(players) % 2 == 0:
        return (_pairs(list(players)), None) if _pairable(players) else None
    for resting in reversed(players):
        others = [player for player in players if player is not resting]
        if not resting.barred and _pairable(others):
            return _pairs(others), resting
    return None


def _pairs(free: list[SwissPlayer]) -> PlayerPairs:
    pairs: PlayerPairs = []
    enough = 2 * max((len(player.met) for player in free), default=0) + 1
    left = deque(free)
    while left:
        high = left.popleft()
        for at, low in enumerate(left):
            if low.number not in high.met and (len(left) > enough or _pairable([*_without(left, at)])):
                pairs.append((high, low))
                del left[at]
                break
    return pairs


def _without(players: Iterable[SwissPlayer], at: int) -> Iterator[SwissPlayer]:
    return (player for place, player in enumerate(players) if place != at)


def _pairable(players: Sequence[SwissPlayer]) -> bool:
    """True if all can be paired; surely when everybody may meet at least half of the others (Dirac)."""
    numbers = {player.number for player in players}
    if all(2 * len(player.met & numbers) <= len(players) for player in players):
        return True
    edges = [
        (one, other, 1)
        for one, player in enumerate(players)
        for other in range(one + 1, len(players))
        if players[other].number not in player.met
    ]
    return NO_MATE not in heaviest_matching(len(players), edges, whole=True)
