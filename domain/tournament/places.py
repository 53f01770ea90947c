"""Places: of an elimination by how far everybody came, else by points and tie-breaks over a cross table."""

from collections.abc import Mapping
from itertools import groupby
from typing import Final, TypeAlias

import msgspec

from domain.pairing.crosstable import Crosstable
from domain.standings.tiebreaks.ranking import standings
from domain.standings.tiebreaks.registry import TieBreak, tiebreaks_named
from domain.tournament.fixtures import Fixture, PlanPart
from domain.tournament.meetings import NOBODY, Meeting

Reach: TypeAlias = tuple[int, ...]


class RankedSeed(msgspec.Struct, frozen=True):
    """A seed and its place; who came equally far shares one, and the next place is skipped. `values` are what the
    format ranks by."""

    rank: int
    seed: int
    values: tuple[int | float, ...] = ()


def of_elimination(entrants: int, found: Mapping[str, Meeting]) -> tuple[RankedSeed, ...]:
    """Places by the match after which each was out: the later, the better; a grand final and a match for third place
    part those who came equally far. Who was absent from that match ranks behind who lost it."""
    came = reached(entrants, found)
    ranked = sorted(came, key=lambda seed: (came[seed], -seed), reverse=True)
    return shared([sorted(equal) for _, equal in groupby(ranked, key=lambda seed: came[seed])])


def reached(entrants: int, found: Mapping[str, Meeting]) -> dict[int, Reach]:
    """The reach of each seed: the greater, the farther it has come."""
    came: dict[int, Reach] = dict.fromkeys(range(1, entrants + 1), ())
    last = max(each.fixture.round for each in found.values() if each.fixture.part == "winners")
    for each in found.values():
        if each.decided is None:
            continue
        for place, seed in enumerate(each.sides):
            if seed > NOBODY:
                came[seed] = max(came[seed], reach(each, place, last))
    return came


def shared(sets: list[list[int]]) -> tuple[RankedSeed, ...]:
    """Places of sets of seeds that are equal, best first."""
    places, rank = [], 1
    for seeds in sets:
        places += [RankedSeed(rank, seed) for seed in seeds]
        rank += len(seeds)
    return tuple(places)


ORDER: Final[Mapping[PlanPart, int]] = {"winners": 0, "losers": 1, "final": 2}
MISSED: Final = 0
LOST: Final = 1


def reach(meeting: Meeting, place: int, last: int) -> Reach:
    """The reach of a side by a match that was decided: the part of the bracket, its round, won, lost or absent.
    A match for third place parts the losers of the semi-finals, who stay behind their winners."""
    decided = meeting.decided
    assert decided is not None
    won = 2 if decided.winner == place else MISSED if decided.how == "absent" else LOST
    return reach_of(meeting.fixture, won, last)


def reach_of(fixture: Fixture, won: int, last: int) -> Reach:
    """The reach of a side that won, lost or missed this match; `last` is the last round of the winners."""
    if fixture.part == "third":
        return (ORDER["winners"], last - 1, 1, won)
    return (ORDER[fixture.part], fixture.round, won)


def of_table(table: Crosstable, tiebreaks: tuple[str, ...]) -> tuple[RankedSeed, ...]:
    """The places that a cross table gives, so far or at its end, with the value of each tie-break."""
    ranking = standings(table, tiebreaks_named(tiebreaks), fixed=table.fixed_pairings)
    return tuple(
        RankedSeed(row.rank, row.number, tuple(map(_number, ranking.tiebreaks, row.values))) for row in ranking.rows
    )


def _number(tiebreak: TieBreak, value: int) -> int | float:
    return tiebreak.number(value)
