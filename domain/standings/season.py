"""A season: points for the places of its tournaments, the best of which count."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final, TypeAlias

import msgspec

PointsByPlace: TypeAlias = tuple[int, ...]
CONVENTION: Final[PointsByPlace] = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)


class Finished(msgspec.Struct, frozen=True):
    """A tournament that is over: its places as (rank, players), best first; without players where an entry takes up a
    place and gets nothing for it."""

    id: str
    name: str
    date: str | None
    places: tuple[tuple[int, tuple[str, ...]], ...]


class SeasonResult(msgspec.Struct, frozen=True):
    """The result of a player in one tournament: the rank, how many shared it, the points, and whether they count."""

    tournament: str
    rank: int
    shared: int
    points: Fraction
    counts: bool = True


class SeasonRow(msgspec.Struct, frozen=True):
    """The season of a player: rank, total, and the working tournament by tournament."""

    rank: int
    player: str
    total: Fraction
    scored: tuple[SeasonResult, ...]


def points_for(rank: int, shared: int, table: PointsByPlace) -> Fraction:
    """The points of each of so many on one rank: the sum of the places that they take up, in equal shares."""
    return Fraction(sum(table[rank - 1 : rank - 1 + shared]), shared)


def season_standings(
    events: Sequence[Finished], table: PointsByPlace = CONVENTION, best: int | None = None
) -> list[SeasonRow]:
    """The standings over these tournaments, in their order; the `best` results of each player count (None: all).
    Partners get the points of their place each."""
    found: dict[str, list[SeasonResult]] = {}
    for event in events:
        for rank, level in groupby(event.places, key=lambda place: place[0]):
            equal = [players for _, players in level]
            for players in equal:
                for player in players:
                    got = SeasonResult(event.id, rank, len(equal), points_for(rank, len(equal), table))
                    found.setdefault(player, []).append(got)
    chosen = {player: _counting(own, best) for player, own in found.items()}
    totals = {player: sum((each.points for each in own if each.counts), Fraction()) for player, own in chosen.items()}
    order = sorted(totals, key=lambda player: (-totals[player], player))
    ranks = {total: 1 + sum(other > total for other in totals.values()) for total in set(totals.values())}
    return [SeasonRow(ranks[totals[player]], player, totals[player], chosen[player]) for player in order]


def _counting(scored: list[SeasonResult], best: int | None) -> tuple[SeasonResult, ...]:
    """The results, marked as counting or not: those with the most points count, of equal ones the earlier."""
    if best is None or len(scored) <= best:
        return tuple(scored)
    kept = sorted(range(len(scored)), key=lambda at: (-scored[at].points, at))[:best]
    return tuple(msgspec.structs.replace(each, counts=at in kept) for at, each in enumerate(scored))
