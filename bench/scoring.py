"""Figure: `lurch score` of many deals of each game, start included, beside reading and decoding the same file."""

import subprocess
import sys
import time
from pathlib import Path

from bench.measure import Figure, FigureRow, below, in_turns, row
from bench.serving import LURCH, environment
from bench.stage import Run
from domain.games import all_games

DECODE = """import sys, msgspec
with open(sys.argv[1], "rb") as file:
    for line in file:
        msgspec.json.decode(line)
"""
# seconds that are wanted for 10,000 deals
WANTED = {"parity": 4}


def make_deals(place: Path, game: str, count: int) -> None:
    """Random complete deals of a game, the same for every run."""
    with place.open("wb") as out:
        command = [str(LURCH), "deal", game, "--count", str(count)]
        subprocess.run(command, env=environment(), stdout=out, check=True)


def seconds(command: list[str]) -> float:
    """Seconds from start to end of a process that must succeed."""
    start = time.perf_counter()
    subprocess.run(command, env=environment(), stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def measure(run: Run) -> Figure:
    """One row a game, each in turns with a process that only decodes."""
    rounds, count = run.pick(3, 1), run.pick(10_000, 100)
    rows, sizes = [], []
    for game in all_games():
        place = run.stage.folder / f"{game}.jsonl"
        make_deals(place, game, count)
        sizes.append(f"{game} {place.stat().st_size:,}")
        rows.append(_row(run, game, place, rounds))
        place.unlink()
    return Figure(
        name="score",
        title=f"`lurch score` of {count:,} deals of each game, start included",
        ours_is="`lurch score FILE` in a process of its own, from start to end, output thrown away",
        reference_is="a Python process that reads the same file and decodes each line with msgspec, nothing else",
        rounds=rounds,
        rows=tuple(rows),
        aims=tuple(
            below(each.label, f"below {limit} s", limit, each.ours)
            for each in rows
            if (limit := WANTED.get(each.label))
        ),
        notes=(f"made by `lurch deal GAME --count {count}`; bytes: {', '.join(sizes)}",),
    )


def _row(run: Run, game: str, place: Path, rounds: int) -> FigureRow:
    pairs = in_turns(
        rounds,
        lambda: seconds([str(LURCH), "score", str(place)]),
        lambda: seconds([sys.executable, "-c", DECODE, str(place)]),
        run.tick,
    )
    return row(game, "s", pairs, "lower")
