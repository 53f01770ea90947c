"""`python -m tests.kit.fuzz`: a million inputs for each reader, as many readers at once as there are cores, told in
order; a part of `make fuzz`."""

import argparse
import functools
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import click

from service.processors import processors
from tests.kit.fuzz.readers import READERS
from tests.kit.fuzz.run import fuzz


def main():
    """Fuzz each reader. The exit status is 1 if one has a fault; its input is kept."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=1_000_000)
    asked.add_argument("--reader", choices=READERS, action="append")
    asked.add_argument("--at-once", type=int, default=processors(), help="readers, each in a process of its own")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    if find_spec("atheris") is None:
        click.echo("atheris is not installed here (it has a wheel for Python 3.11 on Linux x86-64): no coverage")
        return
    folder, names = Path(tempfile.mkdtemp(prefix="lurch-fuzz-")), given.reader or list(READERS)
    one = functools.partial(fuzz, runs=given.runs, folder=folder, seed=given.seed)
    with ThreadPoolExecutor(given.at_once) as pool:
        faults = [told(name, found, folder) for name, found in zip(names, pool.map(one, names), strict=True)]
    sys.exit(any(faults))


def told(name, found, folder):
    """Print the result of a reader and return True if it has a fault."""
    if found.fault:
        click.echo(f"{name}: a fault, its input is in {folder}\n{found.fault}")
    else:
        rate = f"{found.runs / found.seconds:.0f} a second, {found.coverage} places reached"
        click.echo(f"{name}: {found.runs} inputs in {found.seconds:.0f} s, {rate}")
    return found.fault is not None


if __name__ == "__main__":
    main()
