"""Ratings of players and of partnerships, from everything that was played, in its order, and from nothing else."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

import msgspec
from openskill.models import PlackettLuce, PlackettLuceRating

RatingKind: TypeAlias = Literal["players", "partners"]
Who: TypeAlias = tuple[str, ...]  # a player, or the two of a partnership in the order of their ids
RatedOutcome: TypeAlias = Literal["won", "drawn", "lost"]
BookPlace: TypeAlias = tuple[int, str]  # of a match in the order in which they count: its position, and its id

_MODEL: Final = PlackettLuce()
START: Final = 1000
SCALE: Final = 40
FORMULA: Final = f"{START} + {SCALE} × (mu − 3 × sigma), rounded to a whole number"


class RatedMatch(msgspec.Struct, frozen=True):
    """A match that was played to its end: `at` is its place in the club's log (when it was opened, or its outcome first
    reported), `winner` a side (None: a draw). `fixed` tells partners who stay together from those of one round."""

    at: int
    match: str
    game: str
    when: str
    sides: tuple[Who, ...]
    winner: int | None
    fixed: bool = True
    tournament: str | None = None


class Rating(msgspec.Struct, frozen=True):
    """The strength that a player or a partnership is taken to have, and the doubt about it."""

    mu: float
    sigma: float

    @property
    def cautious(self) -> float:
        """A cautious estimate: three standard deviations below the mean, so almost certainly not too high."""
        return self.mu - 3 * self.sigma

    @property
    def shown(self) -> int:
        """The figure that people see (`FORMULA`): it begins at 1000 and counts doubt against its bearer."""
        return START + round(SCALE * self.cautious)


class RatingChange(msgspec.Struct, frozen=True):
    """The change of a rating by one match. `partners` and `opponents` are players."""

    played: RatedMatch
    outcome: RatedOutcome
    partners: Who
    opponents: tuple[Who, ...]
    before: Rating
    after: Rating


class Career(msgspec.Struct, frozen=True):
    """The rating of a person or side, and every match that made it, in order."""

    who: Who
    steps: tuple[RatingChange, ...] = ()

    @property
    def rating(self) -> Rating:
        """The rating now."""
        return self.steps[-1].after if self.steps else NEWCOMER

    def count(self, outcome: RatedOutcome) -> int:
        """The number of matches that ended so."""
        return sum(step.outcome == outcome for step in self.steps)


NEWCOMER: Final = Rating(_MODEL.mu, _MODEL.sigma)


def replay(results: Iterable[RatedMatch], kind: RatingKind) -> dict[Who, Career]:
    """Everybody's career from the results of one game, whatever order they come in."""
    ratings: dict[Who, Rating] = {}
    steps: dict[Who, list[RatingChange]] = {}
    for played in sorted(results, key=place_of):
        for who, step in changes(played, kind, ratings):
            ratings[who] = step.after
            steps.setdefault(who, []).append(step)
    return {who: Career(who, tuple(own)) for who, own in steps.items()}


def place_of(played: RatedMatch) -> BookPlace:
    """The place of a match in the order in which matches count."""
    return played.at, played.match


def teams(played: RatedMatch, kind: RatingKind) -> tuple[tuple[Who, ...], ...]:
    """The players or partnerships that a match rates, by side; nobody where it says nothing about this kind."""
    players = [player for side in played.sides for player in side]
    if not all(played.sides) or len(set(players)) < len(players):
        return ()
    if kind == "players":
        return tuple(tuple((player,) for player in side) for side in played.sides)
    if not played.fixed or any(len(side) != 2 for side in played.sides):
        return ()
    return tuple((pair(side),) for side in played.sides)


def pair(side: Who) -> Who:
    """A partnership by its name: the same whoever sits where."""
    return tuple(sorted(side))


def changes(played: RatedMatch, kind: RatingKind, ratings: Mapping[Who, Rating]) -> Iterable[tuple[Who, RatingChange]]:
    """The change that a match makes to everybody whom it rates; `ratings` are those before it."""
    sides = teams(played, kind)
    if len(sides) < 2:
        return
    before = [[ratings.get(who, NEWCOMER) for who in side] for side in sides]
    after = _rated(before, played.winner)
    for place, side in enumerate(sides):
        for at, who in enumerate(side):
            yield who, change_of(played, place, who, before[place][at], after[place][at])


def change_of(played: RatedMatch, place: int, who: Who, before: Rating, after: Rating) -> RatingChange:
    """The change of the rating of somebody who played on that side."""
    outcome: RatedOutcome = "drawn" if played.winner is None else "won" if played.winner == place else "lost"
    opponents = tuple(own for other, own in enumerate(played.sides) if other != place)
    partners = tuple(player for player in played.sides[place] if player not in who)
    return RatingChange(played, outcome, partners, opponents, before, after)


def _rated(before: list[list[Rating]], winner: int | None) -> list[list[Rating]]:
    """The ratings after a match. A match knows its winner and no second place: all others are level."""
    given = [[PlackettLuceRating(each.mu, each.sigma) for each in side] for side in before]
    ranks = [1.0 if winner in (None, place) else 2.0 for place in range(len(before))]
    return [[Rating(each.mu, each.sigma) for each in side] for side in _MODEL.rate(given, ranks=ranks)]


def changed_by(
    stands: Mapping[Who, Rating],
    before: Mapping[Who, Rating],
    since: Iterable[RatedMatch],
    kind: RatingKind,
    was: RatedMatch | None,
    now: RatedMatch | None,
) -> dict[Who, tuple[Rating, Rating]]:
    """The ratings that another result of one match moves, as they stand and as they would: from `before`, only what was
    played `since` is worked out again. `was` is the match as it counts, `now` as it would (None: it does not)."""
    ratings = dict(before)
    others = [each for each in since if was is None or each.match != was.match]
    for played in sorted([*others, *([now] if now else [])], key=place_of):
        for who, step in changes(played, kind, ratings):
            ratings[who] = step.after
    both = {who: (stands.get(who, NEWCOMER), ratings.get(who, NEWCOMER)) for who in {*stands, *ratings}}
    return {who: pair for who, pair in both.items() if pair[0] != pair[1]}
