"""Figures and their measurement: ours and its reference in turns, so that noise falls on both alike."""

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

Better: TypeAlias = Literal["higher", "lower"]


class Series(msgspec.Struct, frozen=True):
    """One value a round: median, extremes and quartiles, and the values in the order of the rounds."""

    unit: str
    median: float
    low: float
    high: float
    first_quartile: float
    third_quartile: float
    values: tuple[float, ...]


class FigureRow(msgspec.Struct, frozen=True):
    """Ours beside the reference; `ratio` is taken within each round (ours / reference)."""

    label: str
    ours: Series
    reference: Series
    ratio: Series
    better: Better = "higher"


class Detail(msgspec.Struct, frozen=True):
    """A further measurement of the same run."""

    label: str
    series: Series


class Aim(msgspec.Struct, frozen=True):
    """An aim of a row: the wanted value, the one found (a median), and the verdict."""

    row: str
    what: str
    wanted: float
    found: float
    met: bool


class Figure(msgspec.Struct, frozen=True):
    """One figure of the report."""

    name: str
    title: str
    ours_is: str
    reference_is: str
    rounds: int
    rows: tuple[FigureRow, ...]
    aims: tuple[Aim, ...] = ()
    details: tuple[Detail, ...] = ()
    notes: tuple[str, ...] = ()


def series(unit: str, values: Sequence[float]) -> Series:
    """The values with their median and spread."""
    low, high = min(values), max(values)
    first, middle, third = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else (low, low, low)
    return Series(unit, middle, low, high, first, third, tuple(values))


def row(label: str, unit: str, pairs: Sequence[tuple[float, float]], better: Better = "higher") -> FigureRow:
    """Pairs (ours, reference), one a round, as a row."""
    ratios = [ours / reference for ours, reference in pairs]
    ours, reference = zip(*pairs, strict=True)
    return FigureRow(label, series(unit, ours), series(unit, reference), series("times", ratios), better)


def in_turns(
    rounds: int, ours: Callable[[], float], reference: Callable[[], float], tick: Callable[[], None]
) -> list[tuple[float, float]]:
    """Ours, reference, ours, reference …; the first round warms up and is not counted."""
    pairs = []
    for _ in range(rounds + 1):
        pairs.append((ours(), reference()))
        tick()
    return pairs[1:]


def at_least(row: str, what: str, wanted: float, found: Series) -> Aim:
    """An aim that more is better for."""
    return Aim(row, what, wanted, found.median, found.median >= wanted)


def below(row: str, what: str, wanted: float, found: Series) -> Aim:
    """An aim that less is better for."""
    return Aim(row, what, wanted, found.median, found.median < wanted)


def percentile(values: Iterable[float], share: float) -> float:
    """The value that this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def milliseconds(act: Callable[[], object]) -> float:
    """The milliseconds of one call."""
    start = time.perf_counter()
    act()
    return 1000 * (time.perf_counter() - start)
