"""One run of a harness: so many inputs from the same beginning, and what libFuzzer says of it."""

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.kit.fuzz.corpus import KEPT

ROOT = Path(__file__).parents[3]
DONE = re.compile(r"#(?P<runs>\d+)\s+DONE\s+cov: (?P<coverage>\d+).*?corp: (?P<corpus>\d+).*?exec/s: (?P<rate>\d+)")
LONGEST = 8192


class FuzzRun(NamedTuple):
    """How many inputs were read, what of the code they reached, how many a second, and the fault if there is one."""

    runs: int
    coverage: int
    rate: int
    fault: str | None


def fuzz(reader, runs, folder, seed=1, seconds=None):
    """Run a reader's harness; new inputs and a fault are written into the folder."""
    fresh = folder / reader
    fresh.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.kit.fuzz.harness", reader, str(fresh), str(KEPT / reader)]
    command += [f"-runs={runs}", f"-seed={seed}", f"-max_len={LONGEST}", f"-artifact_prefix={folder}/"]
    command += ["-timeout=60", "-rss_limit_mb=3000", "-print_final_stats=1"]
    done = subprocess.run(
        command, cwd=ROOT, timeout=seconds, capture_output=True, text=True, errors="replace", check=False
    )
    found = DONE.search(done.stderr)
    if done.returncode or found is None:
        said = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("INFO")]
        return FuzzRun(0, 0, 0, "\n".join(said)[-6000:])
    return FuzzRun(int(found["runs"]), int(found["coverage"]), int(found["rate"]), None)
