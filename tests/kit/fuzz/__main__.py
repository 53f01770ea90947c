"""`python -m tests.kit.fuzz`: a million inputs for each reader, told as each ends; a part of `make fuzz`."""

import argparse
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import click

from tests.kit.fuzz.readers import READERS
from tests.kit.fuzz.run import fuzz


def main():
    """Each reader in a line; exit status 1 where one has a fault, and the input stays where it says."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=1_000_000)
    asked.add_argument("--reader", choices=READERS, action="append")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    if find_spec("atheris") is None:
        click.echo("atheris is not installed here (it has a wheel for Python 3.11 on Linux x86-64): no coverage")
        return
    folder, worst = Path(tempfile.mkdtemp(prefix="lurch-fuzz-")), 0
    for name in given.reader or READERS:
        begun = time.perf_counter()
        found = fuzz(name, given.runs, folder, given.seed)
        if found.fault:
            worst = 1
            click.echo(f"{name}: a fault, its input is in {folder}\n{found.fault}")
        else:
            seconds = time.perf_counter() - begun
            rate = f"{found.rate} a second, {found.coverage} places reached"
            click.echo(f"{name}: {found.runs} inputs in {seconds:.0f} s, {rate}")
    sys.exit(worst)


if __name__ == "__main__":
    main()
