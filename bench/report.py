"""The report: for people as text, for programs as JSON."""

from collections.abc import Iterator
from datetime import datetime

import msgspec

from bench.machine import Machine
from bench.measure import Aim, Figure, FigureRow, Series


class Report(msgspec.Struct, frozen=True):
    """A whole run. `quick` figures come from small sizes and are not for comparison."""

    date: datetime
    quick: bool
    seconds: float
    machine: Machine
    load_after: tuple[float, ...]
    versions: dict[str, str]
    figures: tuple[Figure, ...]
    failed: dict[str, str]

    @property
    def missed(self) -> list[Aim]:
        """The aims that were not met."""
        return [aim for figure in self.figures for aim in figure.aims if not aim.met]


def as_json(report: Report) -> bytes:
    """The report, indented."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def as_text(report: Report) -> str:
    """The report for people."""
    lines = list(_head(report))
    for figure in report.figures:
        lines += ["", *_figure(figure)]
    lines += ["", *_end(report)]
    return "\n".join(lines)


def _head(report: Report) -> Iterator[str]:
    here = report.machine
    yield f"Lurch bench, {report.date:%Y-%m-%d %H:%M} UTC, {report.seconds:.0f} s"
    if report.quick:
        yield "QUICK: small sizes, a test that the bench works; these figures are not for comparison"
    yield f"machine   {here.cpu}, {here.cores} cores, {here.memory_gib} GiB, {here.system}"
    before, after = (" ".join(map(str, each)) for each in (here.load, report.load_after))
    yield f"          load over 1, 5 and 15 minutes when the run began {before}, when it ended {after}"
    yield "versions  " + ", ".join(f"{name} {number}" for name, number in report.versions.items())
    yield "Each figure: median [lowest - highest; quartiles] over rounds of ours, reference, ours, reference …, the"
    yield "first round not counted. The ratio, ours / reference, is taken within each round."


def _figure(figure: Figure) -> Iterator[str]:
    yield f"== {figure.name}: {figure.title}"
    yield f"   ours       {figure.ours_is}"
    yield f"   reference  {figure.reference_is}"
    for note in figure.notes:
        yield f"   note       {note}"
    yield f"   rounds     {figure.rounds}"
    for row in figure.rows:
        yield from _row(row, [aim for aim in figure.aims if aim.row == row.label])
    for detail in figure.details:
        yield f"   and {detail.label}: {spread(detail.series)} {detail.series.unit}"


def _row(row: FigureRow, aims: list[Aim]) -> Iterator[str]:
    unit = row.ours.unit
    yield f"   - {row.label}"
    yield f"       ours       {spread(row.ours)} {unit}"
    yield f"       reference  {spread(row.reference)} {unit}"
    yield f"       ratio      {spread(row.ratio)}{' (less is better)' if row.better == 'lower' else ''}"
    for aim in aims:
        yield f"       aim        {aim.what}: {number(aim.found)}, {'met' if aim.met else 'MISSED'}"


def _end(report: Report) -> Iterator[str]:
    aims = [aim for figure in report.figures for aim in figure.aims]
    yield f"{len(aims) - len(report.missed)} of {len(aims)} aims met"
    for figure in report.figures:
        for aim in figure.aims:
            if not aim.met:
                yield f"  missed  {figure.name}, {aim.row}: {aim.what}: {number(aim.found)}"
    for name, why in report.failed.items():
        yield f"  FAILED  {name}: {why}"


def spread(values: Series) -> str:
    """Median, extremes and quartiles."""
    low, high, first, third = map(number, (values.low, values.high, values.first_quartile, values.third_quartile))
    return f"{number(values.median)} [{low} - {high}; {first} - {third}]"


def number(value: float) -> str:
    """Three figures or more, thousands set apart."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 10 else f"{value:.1f}"
