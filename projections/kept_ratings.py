"""Ratings as they are kept: everybody's standing after a number of results, folded on from any such number.

A result that changes long after it was played changes whatever follows it. So standings are kept after every thousand
results, and closer together at the end, where results change most; the fold goes on from the nearest before the change.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias, get_args

import msgspec

from domain.standings.ratings import (
    NEWCOMER,
    BookPlace,
    Career,
    RatedMatch,
    Rating,
    RatingChange,
    RatingKind,
    Who,
    change_of,
    changes,
    place_of,
    teams,
)
from projections.merged import Firsts, result_with

FAR: Final = 1000  # results between two checkpoints
NEAR: Final = 50  # and between two of the last thousand
KINDS: Final[tuple[RatingKind, ...]] = get_args(RatingKind)
BEGINNING: Final[BookPlace] = (0, "")  # before every match

After: TypeAlias = dict[str, tuple[float, float]]  # by player: mu and sigma after a result


class RatingStanding(msgspec.Struct, frozen=True, array_like=True):
    """Somebody's rating in a game and the matches that made it; `last` is when the last of them was played."""

    kind: RatingKind
    who: Who
    mu: float
    sigma: float
    won: int
    drawn: int
    lost: int
    last: str

    @property
    def rating(self) -> Rating:
        """The rating."""
        return Rating(self.mu, self.sigma)

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.won + self.drawn + self.lost


RatedWho: TypeAlias = tuple[RatingKind, Who]  # whom a standing is of
Standings: TypeAlias = Mapping[RatedWho, RatingStanding]


class Checkpoint(msgspec.Struct, frozen=True):
    """The standings of a game after so many results: all of them up to a place in their order."""

    number: int = 0
    place: BookPlace = BEGINNING
    standings: Standings = {}


class Folded(msgspec.Struct, frozen=True):
    """The standings at the end, the checkpoints to keep on the way, and the ratings after each result in order."""

    end: Checkpoint
    checkpoints: tuple[Checkpoint, ...]
    after: tuple[After, ...]


def is_kept(number: int, total: int) -> bool:
    """Tells whether standings are kept after that many results of all."""
    return number % FAR == 0 or (number % NEAR == 0 and number > total - FAR)


def keeps_any(first: int, total: int) -> bool:
    """Tells whether standings are kept after any number of results from the first to all of them."""
    return any(is_kept(number, total) for number in range(first, total + 1))


def rated_in(results: Iterable[RatedMatch], firsts: Firsts) -> set[RatedWho]:
    """Everybody whose standing these results move."""
    sides = ((kind, teams(result_with(firsts, each), kind)) for each in results for kind in KINDS)
    return {(kind, who) for kind, own in sides if len(own) > 1 for side in own for who in side}


def folded(start: Checkpoint, results: Sequence[RatedMatch], firsts: Firsts) -> Folded:
    """The standings after these results, which are in their order and follow the checkpoint."""
    standings = dict(start.standings)
    number, total = start.number, start.number + len(results)
    kept: list[Checkpoint] = []
    after: list[After] = []
    for each in results:
        after.append(_take(standings, result_with(firsts, each)))
        number += 1
        if is_kept(number, total):
            kept.append(Checkpoint(number, place_of(each), dict(standings)))
    end = Checkpoint(total, place_of(results[-1]) if results else start.place, standings)
    return Folded(end, tuple(kept), tuple(after))


def _take(standings: dict[RatedWho, RatingStanding], played: RatedMatch) -> After:
    """One more result; the ratings of its players after it."""
    after: After = {}
    for kind in KINDS:
        people = [who for side in teams(played, kind) for who in side]
        before = {who: standings[kind, who].rating for who in people if (kind, who) in standings}
        for who, change in changes(played, kind, before):
            standings[kind, who] = _stepped(standings.get((kind, who)), kind, who, change)
            if kind == "players":
                after[who[0]] = change.after.mu, change.after.sigma
    return after


def _stepped(before: RatingStanding | None, kind: RatingKind, who: Who, change: RatingChange) -> RatingStanding:
    """The standing after one more match."""
    won, drawn, lost = (0, 0, 0) if before is None else (before.won, before.drawn, before.lost)
    return RatingStanding(
        kind,
        who,
        change.after.mu,
        change.after.sigma,
        won + (change.outcome == "won"),
        drawn + (change.outcome == "drawn"),
        lost + (change.outcome == "lost"),
        change.played.when,
    )


def standing_of(kind: RatingKind, career: Career) -> RatingStanding:
    """The standing at the end of a career."""
    rating, last = career.rating, career.steps[-1].played.when if career.steps else ""
    counts = (career.count("won"), career.count("drawn"), career.count("lost"))
    return RatingStanding(kind, career.who, rating.mu, rating.sigma, *counts, last)


def career_of(player: str, rated: Iterable[tuple[RatedMatch, After]]) -> Career:
    """A player's way through results that are in their order, told by the ratings that are kept after each."""
    steps: list[RatingChange] = []
    before = NEWCOMER
    for played, after in rated:
        place = next((place for place, side in enumerate(played.sides) if player in side), None)
        if place is None or player not in after:
            continue
        steps.append(change_of(played, place, (player,), before, Rating(*after[player])))
        before = steps[-1].after
    return Career((player,), tuple(steps))


def ratings_in(standings: Iterable[RatingStanding]) -> dict[Who, Rating]:
    """The ratings alone."""
    return {each.who: each.rating for each in standings}
