"""Figure: `lurch score` of many deals, start included, beside reading and decoding the same file."""

import subprocess
import sys
import time
from pathlib import Path

from bench.measure import Figure, below, in_turns, row
from bench.serving import LURCH, environment
from bench.stage import Run

DECODE = """import sys, msgspec
with open(sys.argv[1], "rb") as file:
    for line in file:
        msgspec.json.decode(line)
"""


def make_deals(place: Path, count: int) -> None:
    """Random complete deals of Parity, the same for every run."""
    with place.open("wb") as out:
        command = [str(LURCH), "deal", "parity", "--count", str(count)]
        subprocess.run(command, env=environment(), stdout=out, check=True)


def seconds(command: list[str]) -> float:
    """From start to end of a process that must succeed."""
    start = time.perf_counter()
    subprocess.run(command, env=environment(), stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def measure(run: Run) -> Figure:
    """The command in turns with a process that only decodes."""
    rounds, count = run.pick(5, 2), run.pick(10_000, 200)
    place = run.stage.folder / "deals.jsonl"
    make_deals(place, count)
    pairs = in_turns(
        rounds,
        lambda: seconds([str(LURCH), "score", str(place)]),
        lambda: seconds([sys.executable, "-c", DECODE, str(place)]),
        run.tick,
    )
    found = row(f"{count:,} deals", "s", pairs, "lower")
    return Figure(
        "score", f"`lurch score` of {count:,} Parity deals, start included",
        "`lurch score FILE` in a process of its own, from start to end, output thrown away",
        "a Python process that reads the same file and decodes each line with msgspec, nothing else",
        rounds, (found,), (below(found.label, "below 4 s", 4, found.ours),),
        notes=(f"the file has {place.stat().st_size:,} bytes, made by `lurch deal parity --count {count}`",),
    )  # fmt: skip
