"""A season told beyond its standings: points after each tournament, and what everybody won in its matches."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from domain.club.names import Names
from projections.records import CountedMatch, PersonTally, people_of
from projections.results import Account
from projections.season import SeasonLine, SeasonView


class Stop(msgspec.Struct, frozen=True):
    """A finished tournament of the season."""

    tournament: str
    name: str
    date: str | None


class PointsLine(msgspec.Struct, frozen=True):
    """A player's points after each tournament, of those that count at the end; `exact` are the same as fractions."""

    rank: int
    player: str
    name: str | None
    points: tuple[float, ...]
    exact: tuple[str, ...]


class SeasonRecordView(msgspec.Struct, frozen=True):
    """The way of a season: its finished tournaments in their order, the points of every player after each, and the
    record of everybody in the matches of its tournaments, of those too that are not finished."""

    season: str | None
    stops: tuple[Stop, ...]
    lines: tuple[PointsLine, ...]
    people: tuple[PersonTally, ...]
    position: int = 0
    behind: int = 0


def season_record(
    shown: SeasonView, accounts: Iterable[Account], counted: Sequence[CountedMatch], names: Names
) -> SeasonRecordView:
    """The way of the season that these standings are of."""
    own = [each for each in accounts if shown.season is not None and each.season == shown.season]
    over = sorted((each.event for each in own if each.finished), key=lambda each: (each.date or "", each.id))
    stops = tuple(Stop(each.id, each.name, each.date) for each in over)
    ids = {each.event.id for each in own}
    people = people_of([each for each in counted if each.played.tournament in ids], names)
    return SeasonRecordView(shown.season, stops, tuple(_line(row, stops) for row in shown.rows), people)


def _line(row: SeasonLine, stops: Sequence[Stop]) -> PointsLine:
    got = {each.tournament: Fraction(each.exact) for each in row.tournaments if each.counts}
    total, after = Fraction(), list[Fraction]()
    for stop in stops:
        total += got.get(stop.tournament, Fraction())
        after.append(total)
    return PointsLine(
        row.rank, row.player, row.name, tuple(float(each) for each in after), tuple(str(each) for each in after)
    )
