"""`python -m bench`: takes the figures one after the other and reports them."""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NoReturn

import rich_click as click
from rich.console import Console

from bench import (
    appends,
    auditing,
    beside_import,
    brackets,
    casing,
    copying,
    evening,
    findings,
    groups,
    growth,
    guessing,
    live,
    loading,
    memory,
    painting,
    pairing,
    playouts,
    rebuilding,
    recording,
    replay,
    rulings,
    scoring,
    solving,
    spectators,
    standing,
    verifying,
    viewing,
    working,
)
from bench.machine import load, machine, versions
from bench.measure import Figure
from bench.report import Report, as_json, as_text
from bench.stage import Run, Stage

FIGURES: Final[dict[str, Callable[[Run], Figure]]] = {
    "replay": replay.measure,
    "playouts": playouts.measure,
    "append": appends.measure_append,
    "batch": appends.measure_batch,
    "groups": groups.measure,
    "beside_import": beside_import.measure,
    "load": loading.measure,
    "rebuild": rebuilding.measure,
    "view": viewing.measure,
    "workers": working.measure,
    "case": casing.measure,
    "facts": recording.measure,
    "live": live.measure,
    "door": guessing.measure,
    "paint": painting.measure,
    "spectators": spectators.measure,
    "score": scoring.measure,
    "brackets": brackets.measure,
    "bracket-page": evening.measure_page,
    "evening": evening.measure_evening,
    "memory": memory.measure,
    "solve": solving.measure,
    "standings": standing.measure,
    "rulings": rulings.measure,
    "pairing": pairing.measure,
    "findings": findings.measure,
    "audit": auditing.measure,
    "verify": verifying.measure,
    "growth": growth.measure,
    "copies": copying.measure,
}
LATEST: Final = Path(__file__).parent / "out" / "latest.json"
HELP: Final = """Measure Lurch: each figure beside its reference, in turns, in the same run.

The report goes to standard output, progress to standard error when that is a terminal.
Exit status 1 when a figure cannot be taken.

\b
python -m bench                     every figure, six to ten minutes
python -m bench --only view         one of them; may be repeated
python -m bench --only growth --size 1000000   a club that long beside one of 10,000 events
python -m bench --quick             does it work at all
python -m bench --strict            fail when an aim is missed
"""


@click.command(help=HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--only", multiple=True, type=click.Choice(list(FIGURES)), help="Take this figure; may be repeated.")
@click.option("--quick", is_flag=True, help="Small sizes: a test that the bench works, nothing to compare.")
@click.option(
    "--json",
    "place",
    type=click.Path(dir_okay=False, path_type=Path),
    default=LATEST,
    help="Where the report goes as JSON; bench/out/latest.json unless said.",
)
@click.option(
    "--size",
    type=click.IntRange(min=1000),
    help="Events of the long club of `growth` and `copies`; 100,000 unless said.",
)
@click.option("--strict", is_flag=True, help="Exit status 1 when an aim is missed.")
def main(only: tuple[str, ...], quick: bool, place: Path, size: int | None, strict: bool) -> None:
    """Take the figures, write the JSON report, say the text report."""
    signal.signal(signal.SIGTERM, _leave)
    report = take(only or tuple(FIGURES), quick, size)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(as_json(report))
    click.echo(as_text(report))
    sys.exit(1 if report.failed or (strict and report.missed) else 0)


def _leave(_: int, __: object) -> NoReturn:
    """SIGTERM ends the run as Ctrl-C does: through everything that has to be stopped."""
    raise KeyboardInterrupt


def take(names: tuple[str, ...], quick: bool, size: int | None = None) -> Report:
    """Take the named figures, in the order of the list."""
    started, start = datetime.now(UTC), time.perf_counter()
    here = machine()
    done: list[Figure] = []
    failed: dict[str, str] = {}
    for name in FIGURES:
        if name not in names:
            continue
        try:
            done.append(one(name, quick, size))
        except Exception as error:  # a figure that cannot be taken must not cost us the others
            failed[name] = f"{type(error).__name__}: {error}"
    return Report(started, quick, time.perf_counter() - start, here, load(), versions(), tuple(done), failed)


def one(name: str, quick: bool, size: int | None = None) -> Figure:
    """One figure, on a stage of its own that is cleared afterwards."""
    with ExitStack() as stack, progress(name) as tick:
        return FIGURES[name](Run(Stage(stack), quick, tick, size))


@contextmanager
def progress(name: str) -> Iterator[Callable[[], None]]:
    """A line on a terminal's standard error that counts rounds."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda: None
        return
    rounds = 0
    with console.status(f"{name} …") as status:

        def tick() -> None:
            nonlocal rounds
            rounds += 1
            status.update(f"{name}: round {rounds}")

        yield tick


if __name__ == "__main__":
    main()
