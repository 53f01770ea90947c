"""Ratings as they are shown: the table of a game, and one player's way through it."""

from collections.abc import Iterable

import msgspec

from domain.club.names import Names
from domain.standings.ratings import FORMULA, Career, RatingKind
from projections.kept_ratings import RatingStanding


class RatingRow(msgspec.Struct, frozen=True):
    """A player, or a partnership, in the table. `rating` is the figure to show; equal ones share a rank. `names` are
    null for an erased person; `last` is when the last match was played that counts."""

    rank: int
    players: tuple[str, ...]
    names: tuple[str | None, ...]
    rating: int
    mu: float
    sigma: float
    matches: int
    won: int
    drawn: int
    lost: int
    last: str


class RatingsView(msgspec.Struct, frozen=True):
    """The ratings of a game (null: nothing was played yet), the best first; `formula` says how `rating` comes of mu and
    sigma, `games` which games have results, with how many."""

    game: str | None
    title: str
    kind: RatingKind
    formula: str
    games: dict[str, int]
    rows: tuple[RatingRow, ...]
    position: int = 0
    behind: int = 0


class StepView(msgspec.Struct, frozen=True):
    """A match of a history: how it ended for the player, and the rating before and after it."""

    match: str
    tournament: str | None
    when: str
    outcome: str
    partners: tuple[str | None, ...]
    opponents: tuple[tuple[str | None, ...], ...]
    before: int
    after: int
    mu: float
    sigma: float


class HistoryView(msgspec.Struct, frozen=True):
    """One player's rating in a game, and every match that made it, the first one first. Without a match `rank` is null,
    and the rating that of a newcomer."""

    player: str
    name: str | None
    game: str | None
    title: str
    formula: str
    rank: int | None
    rating: int
    mu: float
    sigma: float
    matches: int
    won: int
    drawn: int
    lost: int
    history: tuple[StepView, ...]
    position: int = 0
    behind: int = 0


def ratings_view(
    game: str | None,
    title: str,
    kind: RatingKind,
    standings: Iterable[RatingStanding],
    games: dict[str, int],
    names: Names,
) -> RatingsView:
    """The table of a game."""
    return RatingsView(game, title, kind, FORMULA, games, rating_rows(standings, names))


def rating_rows(standings: Iterable[RatingStanding], names: Names) -> tuple[RatingRow, ...]:
    """The rows, the highest rating first."""
    rated = ((each.rating, each) for each in standings)
    ordered = sorted(rated, key=lambda pair: (-pair[0].cautious, pair[1].who))  # rounding turns none round
    rows: list[RatingRow] = []
    for place, (rating, each) in enumerate(ordered, start=1):
        shown = rating.shown
        rows.append(
            RatingRow(
                rows[-1].rank if rows and rows[-1].rating == shown else place,
                each.who,
                tuple(map(names.get, each.who)),
                shown,
                each.mu,
                each.sigma,
                each.matches,
                each.won,
                each.drawn,
                each.lost,
                each.last,
            )
        )
    return tuple(rows)


def history_view(
    player: str, game: str | None, title: str, career: Career, standings: Iterable[RatingStanding], names: Names
) -> HistoryView:
    """One player's way, with the rank among everybody's standings."""
    rating = career.rating
    above = sum(each.rating.shown > rating.shown for each in standings)
    return HistoryView(
        player,
        names.get(player),
        game,
        title,
        FORMULA,
        1 + above if career.steps else None,
        rating.shown,
        rating.mu,
        rating.sigma,
        len(career.steps),
        career.count("won"),
        career.count("drawn"),
        career.count("lost"),
        tuple(_steps(career, names)),
    )


def _steps(career: Career, names: Names) -> Iterable[StepView]:
    for each in career.steps:
        yield StepView(
            each.played.match,
            each.played.tournament,
            each.played.when,
            each.outcome,
            _called(each.partners, names),
            tuple(_called(side, names) for side in each.opponents),
            each.before.shown,
            each.after.shown,
            each.after.mu,
            each.after.sigma,
        )


def _called(players: Iterable[str], names: Names) -> tuple[str | None, ...]:
    return tuple(names.get(player) for player in players)
