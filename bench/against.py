"""`python -m bench.against COMMIT`: the service of this tree beside that of a commit, in turns, over HTTP; and `lurch
import` of both.

The commit gets a worktree and an environment of its own, each service a database server of its own. Ours is asked for
short answers, which the other passes over if it does not know them. Five rounds, the first of two not counted.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import rich_click as click

from bench.contender import Contender
from bench.measure import FigureRow, in_turns, row

ROUNDS: Final = 5
DEALS: Final = 1000  # of a file that is imported
AIMS: Final = {
    "64 tables": ("at least 1.5 times", 1.5),
    "64 tables, p99": ("at most 0.75 times", 0.75),
    "one table": ("at least 3 times", 3.0),
    "one table, p99": ("at most 0.75 times", 0.75),
    "one scorer": ("at least 0.95 times", 0.95),
    "import": ("at least 4 times", 4.0),
}
HERE: Final = Path(__file__).parents[1]


@contextmanager
def tree_of(commit: str) -> Iterator[Path]:
    """A worktree of a commit with an environment of its own."""
    with tempfile.TemporaryDirectory(prefix="lurch-base-") as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(tree), commit], cwd=HERE, check=True)
        try:
            Path(folder).chmod(0o755)
            subprocess.run(["make", "--silent", ".venv/.serve"], cwd=tree, check=True)
            yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=HERE, check=True)


def measured(ours: Contender, base: Contender) -> Iterator[FigureRow]:
    """The rows, one after the other."""
    many = in_turns(ROUNDS, ours.at_many, base.at_many, lambda: None)
    yield row("64 tables", "facts/s", many)
    yield slowest("64 tables, p99", ours, base)
    one = in_turns(ROUNDS, ours.at_one, base.at_one, lambda: None)
    yield row("one table", "facts/s", one)
    yield slowest("one table, p99", ours, base)
    alone = in_turns(ROUNDS, ours.alone, base.alone, lambda: None)
    yield row("one scorer", "facts/s", alone)
    file = ours.file(DEALS)
    taken = in_turns(ROUNDS, lambda: ours.imported(file), lambda: base.imported(file), lambda: None)
    yield row("import", "events/s", taken)


def slowest(label: str, ours: Contender, base: Contender) -> FigureRow:
    """The 99th of a hundred answers of the last rounds."""
    return row(label, "ms", list(zip(ours.slow[-ROUNDS:], base.slow[-ROUNDS:], strict=True)), "lower")


@click.command(help=__doc__)
@click.argument("commit")
def main(commit: str) -> None:
    """Measure, and print a line a row."""
    with tree_of(commit) as tree, ExitStack() as stack:
        ours, base = Contender(stack, HERE), Contender(stack, tree)
        for found in measured(ours, base):
            what, wanted = AIMS[found.label]
            good = found.ratio.median >= wanted if found.better == "higher" else found.ratio.median <= wanted
            unit = found.ours.unit
            values = f"ours {found.ours.median:,.0f} {unit}, {commit[:9]} {found.reference.median:,.0f} {unit}"
            spread = f"{found.ratio.median:.2f} times [{found.ratio.low:.2f} - {found.ratio.high:.2f}]"
            click.echo(f"{found.label}: {values}, {spread}; {what}: {'met' if good else 'MISSED'}")


if __name__ == "__main__":
    main()
