"""Garbo: the score of a deal and what an entered one must keep, for full play and entries alike."""

from typing import Annotated, Final, TypeAlias

import msgspec

from domain.game.sheet import EntryError, EntryField, Result
from domain.games.garbo.state import Scored, State, level_of

Points: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Both: TypeAlias = tuple[Points, Points]
# Eight cards a level: at most seven suits and three ranks, then what GA.i4 allows for a cover.
MOST_FIRST: Final = 8 * (7 * 4 + 3 * 12)
MOST_SECOND: Final = 8 * 172


class GarboResult(Result, frozen=True, omit_defaults=True):
    """Scores, with the totals at the end of each level, and by seat what lapsed unclaimed (LAP)."""

    levels: tuple[tuple[int, ...], ...] = ()
    lapsed: tuple[int, ...] = ()


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The totals of both seats after either level, or only those of the whole deal."""

    levels: tuple[Both, Both] | None = None
    totals: Both | None = None


def score_levels(levels: tuple[tuple[int, ...], ...], lapsed: tuple[int, ...] = ()) -> GarboResult:
    """Points run through both levels: what counts are the last totals (GA.g7)."""
    return GarboResult(scores=levels[-1], levels=levels, lapsed=lapsed if any(lapsed) else ())


def score_entry(entry: Entry) -> GarboResult:
    """An entered deal. Raises EntryError with the invariant that is broken."""
    if (entry.levels is None) == (entry.totals is None):
        raise EntryError("GA.g7", "give either `levels`, the totals at the end of each, or the `totals`")
    if entry.levels is None:
        totals = entry.totals or (0, 0)
        _possible(totals, MOST_FIRST + MOST_SECOND, "in a deal")
        return GarboResult(scores=totals)
    first, second = entry.levels
    gained = tuple(after - before for before, after in zip(first, second, strict=True))
    if min(gained) < 0:
        raise EntryError("GA.i4", "totals run on through both levels, and nothing is ever taken off")
    _possible(first, MOST_FIRST, "in the first level")
    _possible(gained, MOST_SECOND, "in the second level")
    return score_levels(entry.levels)


def _possible(points: tuple[int, ...], most: int, where: str) -> None:
    if max(points) > most:
        raise EntryError("GA.i4", f"eight cards a level cannot give {max(points)} points {where}: {most} at most")


# what the first level gave decides nothing any more
FORM: Final = tuple(
    EntryField(f"totals.{seat}", "points", "number", high=MOST_FIRST + MOST_SECOND, seat=seat) for seat in (0, 1)
)


def score(state: State) -> GarboResult | None:
    """The score of a complete deal."""
    if not isinstance(state, Scored):
        return None
    play = state.play
    return score_levels((play.first, play.points), play.lapsed)


def given(state: State) -> int:
    """All that the cards so far gave, claimed or not."""
    play = level_of(state)
    return sum(play.points) + sum(play.due) + sum(play.lapsed)
