"""Over the Top: results, from full play and entered without cards alike."""

from typing import Annotated, Final, TypeAlias

import msgspec

from domain.game.sheet import EntryError, EntryField, Result
from domain.game.shown import Figure, tricks_taken
from domain.games.over_the_top.counting import WORTH, points_by_seat, tricks_by_seat
from domain.games.over_the_top.state import Scored, State

Points: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Winner: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1)]
Taken: TypeAlias = tuple[tuple[Winner, Points], ...]
FEWEST_TRICKS: Final = 13
TRICK_RANGE: Final = range(4, 43)  # of a whole trick: 2 2 2 2 to 10 A J A
SHORT_RANGE: Final = range(2, 43)  # one card alone may be a two
# Each trick scores at least two of its cards, or all that it has: 26 of the 52, at least the 26 lowest.
LEAST: Final = sum(sorted(WORTH)[:26])
MOST: Final = sum(WORTH)


class OverTheTopResult(Result, frozen=True, omit_defaults=True):
    """Scores, with the tricks won by seat, and winner and points of each trick in order."""

    tricks: tuple[int, ...] = ()
    taken: tuple[tuple[int, int], ...] = ()

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Tricks."""
        return tricks_taken(self.tricks)


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Winner and points of each trick, or the totals of both."""

    tricks: Annotated[Taken, msgspec.Meta(max_length=52)] | None = None
    totals: tuple[Points, Points] | None = None


def score_tricks(taken: tuple[tuple[int, int], ...]) -> OverTheTopResult:
    """The points of the tricks, each to its winner."""
    return OverTheTopResult(scores=points_by_seat(taken), tricks=tricks_by_seat(taken), taken=taken)


def score_entry(entry: Entry) -> OverTheTopResult:
    """An entered deal. Raises EntryError with the invariant that is broken."""
    if (entry.tricks is None) == (entry.totals is None):
        raise EntryError("OT.i4", "give either the `tricks` or the `totals`")
    if entry.tricks is not None:
        result = score_tricks(entry.tricks)
        _check_tricks(entry.tricks)
    else:
        result = OverTheTopResult(scores=entry.totals or (0, 0))
    if not LEAST <= sum(result.scores) <= MOST:
        raise EntryError("OT.i1", f"52 cards make {LEAST} to {MOST} points together, not {sum(result.scores)}")
    return result


def _check_tricks(taken: tuple[tuple[int, int], ...]) -> None:
    """Thirteen tricks, more if some ended short (OT.i3), of so many points each (OT.i5)."""
    if len(taken) < FEWEST_TRICKS:
        raise EntryError("OT.i3", f"there are {FEWEST_TRICKS} tricks, more if one ended short, not {len(taken)}")
    allowed = TRICK_RANGE if len(taken) == FEWEST_TRICKS else SHORT_RANGE
    for number, (_, points) in enumerate(taken, start=1):
        if points not in allowed:
            raise EntryError(
                "OT.i5", f"a trick makes {allowed[0]} to {allowed[-1]} points; trick {number} has {points}"
            )


FORM: Final = tuple(EntryField(f"totals.{seat}", "points", "number", low=0, high=MOST, seat=seat) for seat in (0, 1))


def score(state: State) -> Result | None:
    """The score of a complete deal."""
    return score_tricks(state.course.taken) if isinstance(state, Scored) else None
