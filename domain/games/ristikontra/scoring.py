"""Ristikontra: card points, cleaning and game points, for full play and entered results alike."""

import itertools
from functools import cache
from operator import mul
from typing import Annotated, Final, TypeAlias

import msgspec

from domain.game.sheet import EntryError, Result
from domain.game.shown import Figure, tricks_taken
from domain.games.ristikontra.options import VALUES, Options

Points: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=120)]
Tricks: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=13)]
OneOrBoth = msgspec.Meta(min_length=1, max_length=2)
TRICKS_IN_ALL: Final = 13
WORTHS: Final = {name: tuple({worth for worth in worths if worth}) for name, worths in VALUES.items()}
PLAIN: Final = 32  # cards without value, whichever values are played


class RistikontraResult(Result, frozen=True, omit_defaults=True):
    """Scores by side, with game points, card points and tricks; with cleaning, who owed it and who did."""

    game_points: tuple[int, ...] = ()
    card_points: tuple[int, ...] = ()
    tricks: tuple[int, ...] = ()
    queens_taken: tuple[bool, ...] = ()
    cleaned: tuple[bool, ...] = ()

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Tricks."""
        return tricks_taken(self.tricks)

    @property
    def sheet(self) -> tuple[int, ...]:
        """Card points: the game points follow from them."""
        return self.card_points


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Card points by side, and what the options in force need: tricks, who took a queen, who cleaned.
    The second number of points and of tricks may be left out."""

    points: Annotated[tuple[Points, ...], OneOrBoth]
    tricks: Annotated[tuple[Tricks, ...], OneOrBoth] | None = None
    queens_taken: tuple[bool, bool] | None = None
    cleaned: tuple[bool, bool] | None = None


def game_points(
    options: Options, points: tuple[int, ...], tricks: tuple[int, ...], failed: tuple[bool, ...]
) -> tuple[int, ...]:
    """One to the side with more than half, two for all the points; a side that failed to clean loses
    whatever it has, and when both failed nobody scores (RK.2, RK.8, RK.12, RK.g2, RK.g11, RK.g12)."""
    if any(failed):
        worth = 0 if all(failed) else options.dishonour_points
        return tuple(0 if lost else worth for lost in failed)
    if points[0] != points[1]:
        return tuple((own > other) + (own > other == 0) for own, other in (points, points[::-1]))
    if options.tie_break_tricks:
        return tuple(int(own > other) for own, other in (tricks, tricks[::-1]))
    return (0, 0)


def score_deal(
    options: Options,
    points: tuple[int, ...],
    tricks: tuple[int, ...],
    queens: tuple[bool, ...],
    cleaned: tuple[bool, ...],
) -> RistikontraResult:
    """A complete deal. Where card points are added up, those of a side that failed to clean do not
    count, and a side that took none drops to nothing (RK.g13)."""
    failed = tuple(owes and not did for owes, did in zip(queens, cleaned, strict=True)) or (False, False)
    won = game_points(options, points, tricks, failed)
    by_points = options.scoring_unit == "card_points"
    counted = tuple(0 if lost else own for own, lost in zip(points, failed, strict=True))
    return RistikontraResult(
        scores=counted if by_points else won,
        drops=tuple(side for side, own in enumerate(points) if own == 0) if by_points else (),
        game_points=won,
        card_points=points,
        tricks=tricks,
        queens_taken=queens,
        cleaned=cleaned,
    )


def both(figures: tuple[int, ...], total: int) -> tuple[int, ...]:
    """The figures of both sides; the second follows from the first."""
    return figures if len(figures) == 2 else (figures[0], total - figures[0])


def score_entry(options: Options, entry: Entry) -> RistikontraResult:
    """An entered deal. Raises EntryError with the invariant that is broken."""
    points = both(entry.points, options.total)
    if min(points) < 0:
        raise EntryError("RK.i1", f"there are {options.total} card points in all, not {points[0]}")
    if sum(points) != options.total:
        raise EntryError("RK.i1", f"both sides together make {options.total} card points, not {sum(points)}")
    wrong = next((own for own in points if own not in _ways(options.values)), None)
    if wrong is not None:
        raise EntryError("RK.i1", f"no cards make {wrong} card points")
    tricks = _tricks(options, entry, points)
    if not options.cleaning:
        return score_deal(options, points, tricks, (), ())
    if entry.queens_taken is None or entry.cleaned is None:
        raise EntryError("RK.12", "cleaning needs `queens_taken` and `cleaned`, true or false for each side")
    for side, (queens, cleaned) in enumerate(zip(entry.queens_taken, entry.cleaned, strict=True)):
        if points[side] < 3 * queens + 4 * cleaned:
            raise EntryError("RK.i1", f"side {side} took a queen or a king: it has more than {points[side]} points")
    return score_deal(options, points, tricks, entry.queens_taken, entry.cleaned)


def _tricks(options: Options, entry: Entry, points: tuple[int, ...]) -> tuple[int, ...]:
    """The tricks by side, if they were entered. Raises EntryError."""
    if entry.tricks is None:
        if options.tie_break_tricks:
            raise EntryError("RK.8", "equal points are decided by `tricks`: enter those of each side")
        return ()
    tricks = both(entry.tricks, TRICKS_IN_ALL)
    if sum(tricks) != TRICKS_IN_ALL:
        raise EntryError("RK.i2", f"all tricks together make {TRICKS_IN_ALL}, not {sum(tricks)}")
    if any(not won and own for won, own in zip(tricks, points, strict=True)):
        raise EntryError("RK.i2", "a side without a trick has no card points")
    for won, own in zip(tricks, points, strict=True):
        if not any(4 * won - PLAIN <= valued <= 4 * won for valued in _ways(options.values)[own]):
            raise EntryError("RK.i2", f"no {4 * won} cards ({won} tricks) make {own} card points")
    return tricks


@cache
def _ways(values: str) -> dict[int, frozenset[int]]:
    """The numbers of cards of value that may make each number of card points (RK.2, RK.7)."""
    found: dict[int, set[int]] = {}
    for counts in itertools.product(range(5), repeat=len(WORTHS[values])):
        found.setdefault(sum(map(mul, counts, WORTHS[values])), set()).add(sum(counts))
    return {points: frozenset(cards) for points, cards in found.items()}
