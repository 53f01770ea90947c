"""Plots: lines over matches or tournaments as the places of an SVG's parts; a template draws them."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import msgspec

WIDE: Final = 400
HIGH: Final = 200
LEFT: Final = 44
RIGHT: Final = 42
TOP: Final = 10
FOOT: Final = 24
APART: Final = 13  # between the marks at the ends of lines
MOST_DOTS: Final = 60
STEPS: Final = (1, 2, 5, 10)


class Tick(msgspec.Struct, frozen=True):
    """A place on an axis, with its text."""

    at: float
    text: str


class Curve(msgspec.Struct, frozen=True):
    """A line: its points as SVG writes them, the dots on it, and the mark at its end."""

    path: str
    dots: tuple[tuple[float, float], ...]
    mark: str
    end: tuple[float, float]


class Plot(msgspec.Struct, frozen=True):
    """A plot: its size, where its field begins and ends, the ticks of both axes, the lines."""

    wide: int
    high: int
    left: int
    right: int
    foot: int
    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    curves: tuple[Curve, ...]


def plot(lines: Sequence[tuple[str, Sequence[float]]], names: Sequence[str]) -> Plot | None:
    """The plot of lines, each with the mark at its end and a value for each of the names below; None where there is
    nothing to draw: a line needs two values."""
    if len(names) < 2 or not lines:
        return None
    values = [value for _, line in lines for value in line]
    step = step_of(min(values), max(values))
    low, high = math.floor(min(values) / step) * step, math.ceil(max(values) / step) * step
    high = high if high > low else low + step

    def across(place: int) -> float:
        return round(LEFT + (WIDE - LEFT - RIGHT) * place / (len(names) - 1), 1)

    def up(value: float) -> float:
        return round(HIGH - FOOT - (HIGH - FOOT - TOP) * (value - low) / (high - low), 1)

    ticks = [low + step * place for place in range(round((high - low) / step) + 1)]
    ends = spread([up(line[-1]) for _, line in lines])
    curves = [
        _curve(mark, [(across(at), up(value)) for at, value in enumerate(line)], end)
        for (mark, line), end in zip(lines, ends, strict=True)
    ]
    return Plot(
        WIDE,
        HIGH,
        LEFT,
        WIDE - RIGHT,
        HIGH - FOOT,
        tuple(Tick(up(value), f"{value:g}") for value in ticks),
        tuple(Tick(across(at), names[at]) for at in (0, len(names) - 1)),
        tuple(curves),
    )


def _curve(mark: str, places: list[tuple[float, float]], end: float) -> Curve:
    path = " ".join(f"{x:g},{y:g}" for x, y in places)
    dots = tuple(places) if len(places) <= MOST_DOTS else ()
    return Curve(path, dots, mark, (places[-1][0] + 7, end))


def step_of(low: float, high: float) -> float:
    """The distance between two rows of a grid: 1, 2 or 5 times a power of ten, so that there are five or fewer."""
    rough = max(high - low, 1) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * each for each in STEPS if power * each >= rough)


def spread(ends: Sequence[float]) -> list[float]:
    """The heights of the marks at the ends of lines, so far apart that each can be read, and all within the field."""
    order = sorted(range(len(ends)), key=lambda place: ends[place])
    found = list(ends)
    for above, below in pairwise(order):
        found[below] = max(found[below], found[above] + APART)
    over = max(0.0, max(found, default=0.0) - (HIGH - FOOT))
    return [round(each - over, 1) for each in found]
