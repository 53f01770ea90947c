"""One run of a harness in a process of its own, with the result that libFuzzer reports."""

import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from tests.kit.fuzz.corpus import KEPT
from tests.kit.fuzz.readers import READERS

ROOT = Path(__file__).parents[3]
DONE = re.compile(r"#(?P<runs>\d+)\s+DONE\s+cov: (?P<coverage>\d+).*?corp: \d+")
LONGEST = 8192  # bytes
LONG_SHARE = 50  # one input of so many may be of that length, any other of the reader's usual one


class FuzzRun(NamedTuple):
    """The number of inputs, the coverage, the duration in seconds and the fault, if any."""

    runs: int
    coverage: int
    seconds: float
    fault: str | None = None


def fuzz(name, runs, folder, seed=1):
    """Run a harness on inputs of the usual length, then on long ones. New inputs and a fault are written into the
    folder."""
    begun, long = time.perf_counter(), runs // LONG_SHARE
    read = coverage = 0
    for count, length in ((runs - long, READERS[name].usual), (long, LONGEST)):
        done = _harness(name, count, length, folder, seed)
        found = DONE.search(done.stderr)
        if done.returncode or found is None:
            said = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("INFO")]
            return FuzzRun(read, coverage, time.perf_counter() - begun, "\n".join(said)[-6000:])
        read, coverage = read + int(found["runs"]), int(found["coverage"])
    return FuzzRun(read, coverage, time.perf_counter() - begun)


def _harness(name, count, length, folder, seed):
    fresh = folder / name
    fresh.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.kit.fuzz.harness", name, str(fresh), str(KEPT / name)]
    command += [f"-runs={count}", f"-seed={seed}", f"-max_len={length}", f"-artifact_prefix={folder}/{name}-"]
    command += ["-timeout=60", "-rss_limit_mb=3000", "-print_final_stats=1"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
