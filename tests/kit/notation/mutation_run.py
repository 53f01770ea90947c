"""`python -m tests.kit.notation.mutation_run`: many mutated records of each format, judged; the seed of every fault."""

import argparse
import random
import sys
import time
import traceback
from collections import Counter

import click

from tests.kit.notation.mutation_oracle import judge
from tests.kit.notation.mutation_sources import sources
from tests.kit.notation.mutations import mutated

KINDS = ("ctn", "jsonl")


def record(kind, seed):
    """Return the mutated record of a seed."""
    return mutated(getattr(sources(), kind), kind, random.Random(f"{kind} {seed}"))


def run(kind, seeds, tick=lambda done: None):
    """Judge the records of these seeds. Return the counts and the traceback of each failed seed."""
    answered, failed = Counter(), {}
    for done, seed in enumerate(seeds, start=1):
        try:
            silent, told, errors = judge(record(kind, seed), kind)
        except Exception:
            failed[seed] = traceback.format_exc(limit=-3)
        else:
            answered.update({"silent": silent, "told": told, "errors": errors, "records with an error": errors > 0})
        tick(done)
    return answered, failed


def main():
    """Judge as many records as requested. The exit status is 1 if one fails."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--count", type=int, default=10_000, help="records of each format")
    asked.add_argument("--start", type=int, default=0, help="the first seed")
    asked.add_argument("--kind", choices=KINDS, action="append")
    asked.add_argument("--show", action="store_true", help="print the record of the first seed instead")
    given = asked.parse_args()
    worst = 0
    for kind in given.kind or KINDS:
        if given.show:
            sys.stdout.buffer.write(record(kind, given.start))
            continue
        worst = max(worst, report(kind, range(given.start, given.start + given.count)))
    sys.exit(worst)


def report(kind, seeds):
    """Judge one format and print the result."""
    start = time.perf_counter()

    def tick(done):
        if sys.stderr.isatty() and done % 50 == 0:
            click.echo(f"\r{kind}: {done} of {len(seeds)}", nl=False, err=True)

    answered, failed = run(kind, seeds, tick)
    for seed, why in list(failed.items())[:20]:
        click.echo(f"{kind} {seed}: {why}")
    counts = ", ".join(f"{count} {what}" for what, count in answered.items())
    click.echo(f"{kind}: {len(seeds)} records in {time.perf_counter() - start:.0f} s, {len(failed)} failed; {counts}")
    return bool(failed)


if __name__ == "__main__":
    main()
