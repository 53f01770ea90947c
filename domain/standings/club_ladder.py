"""The ladder of a club: how the order of one ladder is carried to the next."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

LadderHolder: TypeAlias = tuple[str, ...]  # the players of an entry, in the order of their ids


def holder(players: Iterable[str]) -> LadderHolder:
    """The holder of a place on the ladder: a player, or partners."""
    return tuple(sorted(players))


def carried(ladder: Sequence[LadderHolder], final: Sequence[LadderHolder]) -> tuple[LadderHolder, ...]:
    """The ladder after a tournament ended in this order. Those who took part share out among themselves the places that
    they held, and one more at the bottom for each newcomer; who stayed away keeps the place."""
    playing = set(final)
    newcomers = [each for each in final if each not in set(ladder)]
    turn = iter(final)
    return tuple(next(turn) if each in playing else each for each in (*ladder, *newcomers))


def club_ladder(finals: Iterable[Sequence[LadderHolder]]) -> tuple[LadderHolder, ...]:
    """The ladder after all of these tournaments, in the order in which they ended."""
    ladder: tuple[LadderHolder, ...] = ()
    for final in finals:
        ladder = carried(ladder, final)
    return ladder


def starting_order(ladder: Sequence[LadderHolder], entries: Iterable[tuple[str, Iterable[str]]]) -> tuple[str, ...]:
    """The seeds of the next ladder: entries (id, players) as they stand on the club's, newcomers behind them in the
    order in which they entered."""
    places = {each: place for place, each in enumerate(ladder)}
    placed = sorted(entries, key=lambda each: places.get(holder(each[1]), len(places)))
    return tuple(entry for entry, _ in placed)
