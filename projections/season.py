"""Seasons as they are shown: which there are, their standings with the working, the club's ladder."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from domain.club.names import Names
from domain.standings.club_ladder import LadderHolder
from domain.standings.season import Finished, PointsByPlace, season_standings
from projections.results import Account


class SeasonLabel(msgspec.Struct, frozen=True):
    """A season: how many tournaments bear its label, how many of them are finished, from which day to which."""

    season: str
    tournaments: int
    finished: int
    first: str | None
    last: str | None


class ScoredView(msgspec.Struct, frozen=True):
    """The points of a player for one tournament. `shared` counts the players of that rank; `exact` are the points as a
    fraction; `counts` is false for a result that is not among the best."""

    tournament: str
    name: str
    date: str | None
    rank: int
    shared: int
    points: float
    exact: str
    counts: bool


class SeasonLine(msgspec.Struct, frozen=True):
    """A player of the season: the points that count, and where they come from."""

    rank: int
    player: str
    name: str | None
    points: float
    exact: str
    tournaments: tuple[ScoredView, ...]


class SeasonView(msgspec.Struct, frozen=True):
    """The standings of a season (null: there is none yet). `best` results of each player count (null: all); `table` are
    the points of the first place, the second …"""

    season: str | None
    best: int | None
    table: PointsByPlace
    tournaments: int
    finished: int
    rows: tuple[SeasonLine, ...]
    position: int = 0
    behind: int = 0


class LadderPlace(msgspec.Struct, frozen=True):
    """A place on the club's ladder."""

    place: int
    players: tuple[str, ...]
    names: tuple[str | None, ...]


class LadderView(msgspec.Struct, frozen=True):
    """The club's ladder of a game from the top. `order` are the entries of the tournament that was asked about as they
    begin on it, ready to be given as seeds."""

    game: str | None
    title: str
    rows: tuple[LadderPlace, ...]
    order: tuple[str, ...] | None = None
    position: int = 0
    behind: int = 0


def season_labels(accounts: Iterable[Account]) -> tuple[SeasonLabel, ...]:
    """Every season of a club, the latest first: by the last day played, else by name."""
    found: dict[str, list[Account]] = {}
    for each in accounts:
        if each.season:
            found.setdefault(each.season, []).append(each)
    labels = [_label(season, own) for season, own in found.items()]
    return tuple(sorted(labels, key=lambda each: (each.last or "", each.season), reverse=True))


def _label(season: str, own: Sequence[Account]) -> SeasonLabel:
    days = sorted(each.event.date for each in own if each.event.date)
    first, last = (days[0], days[-1]) if days else (None, None)
    return SeasonLabel(season, len(own), sum(each.finished for each in own), first, last)


def season_view(
    season: str | None, accounts: Iterable[Account], table: PointsByPlace, best: int | None, names: Names
) -> SeasonView:
    """The standings over the finished tournaments of a season, by date, then by when they were announced."""
    own = [each for each in accounts if season is not None and each.season == season]
    over = sorted((each.event for each in own if each.finished), key=lambda each: (each.date or "", each.id))
    events = {each.id: each for each in over}
    rows = tuple(
        SeasonLine(
            row.rank,
            row.player,
            names.get(row.player),
            float(row.total),
            str(row.total),
            tuple(
                _scored(events[each.tournament], each.rank, each.shared, each.points, each.counts)
                for each in row.scored
            ),
        )
        for row in season_standings(over, table, best)
    )
    return SeasonView(season, best, table, len(own), len(over), rows)


def _scored(event: Finished, rank: int, shared: int, points: Fraction, counts: bool) -> ScoredView:
    return ScoredView(event.id, event.name, event.date, rank, shared, float(points), str(points), counts)


def ladder_view(
    game: str | None, title: str, ladder: Sequence[LadderHolder], names: Names, order: tuple[str, ...] | None = None
) -> LadderView:
    """The ladder with its names."""
    rows = tuple(
        LadderPlace(place, each, tuple(names.get(player) for player in each))
        for place, each in enumerate(ladder, start=1)
    )
    return LadderView(game, title, rows, order)
