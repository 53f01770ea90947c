"""Completion of a round: can all players be paired (C4), and how low can the bye go (C5)."""

from collections.abc import Sequence

from domain.pairing.crosstable import Tenths
from domain.pairing.swiss.entrants import SwissPlayer, legal
from domain.pairing.swiss.matcher import NO_MATE, heaviest_matching


def pairable(players: Sequence[SwissPlayer], byes: Sequence[Tenths] | None) -> bool:
    """True if all can be paired, one of them with nobody if there are scores at which the bye may fall."""
    if len(players) % 2 != (byes is not None):
        return False
    if byes is None:
        return _all_matched(players)
    resting = [player for player in players if player.score in byes and not player.barred]
    if any(_half_may_meet([other for other in players if other is not player]) for player in resting[-1:]):
        return True
    return bool(resting) and _all_matched(players, resting)


def lowest_bye(players: Sequence[SwissPlayer]) -> Tenths | None:
    """The lowest score at which somebody can have the bye while all others are paired; None if nobody can."""
    for score in sorted({player.score for player in players if not player.barred}):
        if pairable(players, (score,)):
            return score
    return None


def _half_may_meet(players: Sequence[SwissPlayer]) -> bool:
    """True if everybody may meet at least half of the others: then all can be paired (Dirac). Counting is cheap."""
    if not players:
        return True
    half = len(players) / 2
    numbers = {player.number for player in players}
    hard: dict[bool, int] = {True: 0, False: 0}
    for player in players:
        if player.strength == player.strength.ABSOLUTE and player.wish is not None:
            hard[player.wish] += 1
    for player in players:
        closed = len(player.met & numbers)
        if player.strength == player.strength.ABSOLUTE and player.wish is not None:
            closed += hard[player.wish] - 1
        if len(players) - closed < half:
            return False
    return True


def _all_matched(players: Sequence[SwissPlayer], resting: Sequence[SwissPlayer] = ()) -> bool:
    """By matching: whether nobody is left over; one of `resting` may be."""
    if not resting and _half_may_meet(players):
        return True
    edges = [
        (one, other, 1)
        for one, player in enumerate(players)
        for other in range(one + 1, len(players))
        if legal(player, players[other])
    ]
    idle = {id(player) for player in resting}
    edges += [(node, len(players), 1) for node, player in enumerate(players) if id(player) in idle]
    mates = heaviest_matching(len(players) + 1, edges, whole=True)
    return all(mate != NO_MATE for mate in mates[: len(players)])
