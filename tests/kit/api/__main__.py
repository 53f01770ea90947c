"""Run Schemathesis as every role in every phase: `python -m tests.kit.api` or `make test-api`."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import click

from tests.conftest import new_database
from tests.kit.api.clubs import ROLES
from tests.kit.api.run import EVERY_PHASE, ask
from tests.kit.api.serving import asked_there, clubs_served


def main():
    """Report each role when it ends. Exit with 1 if a check failed."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--role", choices=ROLES, action="append")
    asked.add_argument("--examples", type=int, default=200, help="of each operation, and scenarios in a row")
    asked.add_argument("--phases", default=EVERY_PHASE)
    asked.add_argument("--seconds", type=int, default=3600, help="at most, for a role")
    given = asked.parse_args()
    worst, reached = 0, set()
    with (
        tempfile.TemporaryDirectory(prefix="lurch-api-") as folder,
        new_database() as database,
        clubs_served(database, Path(folder), given.role or ROLES) as (url, clubs),
    ):
        there = asked_there(url)
        for role, club in clubs.items():
            begun = time.perf_counter()
            found = ask(url, club, Path(folder), given.examples, given.phases, given.seconds)
            reached |= found.answered(lambda status: status in range(200, 300))
            report(role, found, there, time.perf_counter() - begun)
            worst = max(worst, len(found.failures) > 0)
        click.echo(f"all roles: {len(reached & there)} of {len(there)} operations gave a 2xx")
        for name in sorted(there - reached):
            click.echo(f"  never: {name}")
    sys.exit(worst)


def report(role, found, there, seconds):
    """Print two lines about a role, and every failure."""
    past = there & found.answered(lambda status: status not in (None, 401, 404, 405))
    good = there & found.answered(lambda status: status in range(200, 300))
    broken = found.answered(lambda status: status in range(500, 600))
    click.echo(
        f"{role}: {found.cases} cases in {seconds:.0f} s; {len(past)} operations past 404, {len(good)} with a 2xx"
    )
    click.echo(f"  {len(broken)} with a 5xx, {len(found.failures)} checks failed")
    for each in sorted(set(found.failures)):
        click.echo(f"  {each}")


if __name__ == "__main__":
    main()
