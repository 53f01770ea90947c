"""`make soak`: a service at a club's load for two hours, to see that nothing of it grows.

Ten tables record results, viewers follow them, somebody looks at lists, and every change is received into a folder of
copies. Memory may be a tenth more at the end than when it was warm, open files five more or fewer, and the changes that
PostgreSQL keeps may not pile up. `ARGS="--minutes 10"` takes a shorter look. Exit status 1 where something grew.
"""

import itertools
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import msgspec
import psutil
import rich_click as click

from tests.kit.faults.listeners import followers, listening
from tests.kit.faults.processes import data_directory, serving
from tests.kit.faults.scorers import RESULT, Club, scoring

TABLES = 10
LISTS = "matches", "players", "ratings?game=cross_purposes", "seasons/standings", "tournaments"
PAUSE = 20.0  # seconds between two results of a table
VIEWERS = 2  # pairs a table: of the match, and of the club
MORE_MEMORY = 1.10
MORE_FILES = 5
MORE_CHANGES = 64 << 20  # bytes: four files of PostgreSQL's changes
WARM = 5  # samples at each end whose middle counts


class Sample(msgspec.Struct, frozen=True):
    """What the service takes at a moment: bytes of memory, open files, bytes of changes that PostgreSQL keeps."""

    memory: int
    files: int
    changes: int


def sample(service):
    """The service as it is now."""
    process = psutil.Process(service.process.pid)
    kept = sum(each.stat().st_size for each in (Path(service.data) / "pg" / "pg_wal").iterdir() if each.is_file())
    return Sample(process.memory_info().rss, process.num_fds(), kept)


def at_a_table(match, over):
    """A result now and then; the first one comes at a time of its own."""

    def work(number):
        over.wait(PAUSE * (hash(match) % 100) / 100 if number == 0 else PAUSE)
        return [(match, "results", RESULT, 2)]

    return work


class Looker:
    """Somebody who looks at lists, again and again; `failed` is the first answer that was none."""

    def __init__(self, club, service, over):
        self.looked, self.failed = 0, None
        self.thread = threading.Thread(target=self._look, args=(club, service, over))

    def _look(self, club, service, over):
        with club.client(service.url) as client:
            for path in itertools.cycle(LISTS):
                if over.wait(5.0) or self.failed:
                    return
                answer = client.get(f"/clubs/{club.id}/{path}")
                if answer.status_code != 200:
                    self.failed = f"{path}: {answer.text}"
                self.looked += 1


def middle(samples, member):
    """The middle of one member."""
    found = sorted(getattr(each, member) for each in samples)
    return found[len(found) // 2]


def grown(samples):
    """What has grown, in words, from when the service was warm to the end."""
    first, last = samples[:WARM], samples[-WARM:]
    before, after = ({name: middle(part, name) for name in Sample.__struct_fields__} for part in (first, last))
    if after["memory"] > before["memory"] * MORE_MEMORY:
        yield f"memory: {before['memory'] >> 20} MiB, then {after['memory'] >> 20} MiB"
    if abs(after["files"] - before["files"]) > MORE_FILES:
        yield f"open files: {before['files']}, then {after['files']}"
    if after["changes"] > before["changes"] + MORE_CHANGES:
        yield f"changes kept: {before['changes'] >> 20} MiB, then {after['changes'] >> 20} MiB"


def soaked(minutes, pause):
    """The samples of a run, one each `pause` seconds, and how many writes were acknowledged; the first tenth warms up
    and is not counted."""
    samples, over = [], threading.Event()
    with data_directory() as data, ExitStack() as stack:
        copies = data.with_name("copies")
        service = stack.enter_context(serving(data, LURCH_BACKUP_DIR=str(copies)))
        club = Club(service.embedded().url("lurch_app"))
        matches = [club.open_match(service.url, (f"A{place}", f"B{place}")) for place in range(TABLES)]
        viewers = [each for match in matches for _ in range(VIEWERS) for each in followers(club, service.url, match)]
        stack.enter_context(listening(*viewers))
        looker = Looker(club, service, over)
        with scoring(club, [service.url], [at_a_table(match, over) for match in matches]):
            looker.thread.start()
            begun = time.monotonic()
            while (spent := time.monotonic() - begun) < minutes * 60:
                time.sleep(pause)
                samples.append(sample(service))
                tell(spent / 60, samples[-1])
                if looker.failed:
                    break
            over.set()
        looker.thread.join()
        if looker.failed or not looker.looked:
            raise click.ClickException(f"nobody could look at the lists: {looker.failed}")
        club.check()
        return samples[len(samples) // 10 :], club.acknowledged()


def tell(minutes, found):
    """A line of a sample."""
    memory, changes = found.memory / 2**20, found.changes >> 20
    click.echo(f"{minutes:6.1f} min  {memory:7.1f} MiB  {found.files:4} files  {changes:4} MiB of changes")


@click.command(help=__doc__)
@click.option("--minutes", type=float, default=120.0, help="How long the club plays.")
def main(minutes):
    """Run, and say what grew."""
    samples, acknowledged = soaked(minutes, max(2.0, minutes * 60 / 120))
    found = list(grown(samples))
    click.echo(f"{acknowledged:,} results acknowledged and there once, the chain holds")
    click.echo("grown: " + "; ".join(found) if found else "nothing has grown")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
