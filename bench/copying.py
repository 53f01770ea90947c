"""Figure: a copy of a club's log and its restoring, beside PostgreSQL's own programs; and one scorer beside a copy.

`pg_dump` and `pg_restore` are the reference: they move the same rows, check nothing of what they wrote and verify no
chain. The log is made of archives of one evening, as in `growth`."""

import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Final

import psycopg

from bench.growth import Grown
from bench.measure import Aim, Detail, Figure, below, milliseconds, percentile, row, series
from bench.serving import LURCH, environment
from bench.stage import Run
from service.run.binaries import wheel_binaries

SIZE: Final = 100_000
MILLION: Final = 1_000_000
COPY_SECONDS, RESTORE_SECONDS = 60.0, 300.0  # of a million events
FACTS: Final = 600  # of one scorer in a round, at most
FEW: Final = 20  # facts beside a copy: of fewer there is nothing to tell
FACTOR: Final = 2.0
CALLED: Final = {"facts": [{"seat": 0, "do": "total", "total": 5}]}


class Copied:
    """A club of a given number of events, and ways to copy it and to bring it back."""

    def __init__(self, club: Grown) -> None:
        self.club, self.stage, self.numbers = club, club.stage, count()
        self.owner_url = self.stage.database.owner_url
        self.copies, self.dump = self.stage.folder / "copies", self.stage.folder / "club.dump"
        self.programs = wheel_binaries()

    def copy(self) -> float:
        """Seconds of `lurch backup`; there is one copy afterwards."""
        shutil.rmtree(self.copies, ignore_errors=True)
        return _seconds(self.backup, self._settings())

    @property
    def backup(self) -> Sequence[str]:
        """The command that copies."""
        return (str(LURCH), "backup", str(self.copies))

    def dumped(self) -> float:
        """Seconds of `pg_dump`."""
        options = ("--format=custom", f"--file={self.dump}", f"--dbname={self.owner_url}")
        return _seconds((str(self.programs / "pg_dump"), *options), environment())

    def restore(self) -> float:
        """Seconds of `lurch restore` into a new data directory, verified; it is gone afterwards."""
        place = self.stage.folder / f"restored-{next(self.numbers)}"
        (file,) = self.copies.glob("*.lurch")
        try:
            return _seconds((str(LURCH), "restore", str(file)), environment(LURCH_DATA_DIR=str(place)))
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def undumped(self) -> float:
        """Seconds of `pg_restore` into a new database of the same server; it is gone afterwards."""
        name = f"restored_{next(self.numbers)}"
        with psycopg.connect(self.stage.embedded.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database {name} owner lurch_owner")
            try:
                target = psycopg.conninfo.make_conninfo(self.stage.embedded.url("postgres"), dbname=name)
                return _seconds(
                    (str(self.programs / "pg_restore"), f"--dbname={target}", str(self.dump)), environment()
                )
            finally:
                connection.execute(f"drop database {name}")

    def beside(self) -> float:
        """The 99th of a hundred answers to one scorer from the beginning of a copy to its end. Raises RuntimeError for
        one that ends too soon."""
        shutil.rmtree(self.copies, ignore_errors=True)
        fact = self._scorer()
        copying = subprocess.Popen(
            self.backup, env=self._settings(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while copying.poll() is None and not any(self.copies.glob("*.part")):
            time.sleep(0.01)
        took = []
        while copying.poll() is None and len(took) < FACTS:
            took.append(milliseconds(fact))
        copying.wait()
        if len(took) < FEW:
            raise RuntimeError(f"the copy ended after {len(took)} facts: take a longer club")
        return percentile(took, 0.99)

    def alone(self) -> float:
        """The same while nobody else does anything."""
        fact = self._scorer()
        return percentile([milliseconds(fact) for _ in range(FACTS)], 0.99)

    def _scorer(self) -> Callable[[], object]:
        """Sends one fact each time that it is called, to a match of its own."""
        caller = self.club.caller
        caller.renew()
        body = {"game": "over_the_top", "sides": [["Ann"], ["Ben"]], "target": None, "deals": 500}
        match = f"/api/v1/matches/{caller.post(f'{self.club.path}/matches', body)['match']['id']}"
        caller.post(f"{match}/deals", {"dealer": 0})
        return lambda: caller.post(f"{match}/facts", CALLED)

    def _settings(self) -> dict[str, str]:
        database = self.stage.database
        return environment(LURCH_DATABASE_URL=database.url, LURCH_MIGRATE_URL=database.owner_url)


def measure(run: Run) -> Figure:
    """Copies and restorings in turns with the programs of PostgreSQL, then the scorer."""
    size = run.size or run.pick(SIZE, 2000)
    rounds = run.pick(3, 1) if size < MILLION else 1
    with ExitStack() as stack:
        club = Grown(stack, size)
        there = club.grow(run.tick)
        copied = Copied(club)
        copies = _turns(rounds, copied.copy, copied.dumped, run.tick)
        held = next(copied.copies.glob("*.lurch")).stat().st_size
        restores = _turns(rounds, copied.restore, copied.undumped, run.tick)
        copied.alone()
        slow = _turns(run.pick(5, 1), copied.beside, copied.alone, run.tick)
    copy = row("copy", "s", copies, "lower")
    restore = row("restore and verify", "s", restores, "lower")
    scorer = row("one scorer beside a copy, p99", "ms", slow, "lower")
    return Figure(
        name="copies",
        title=f"A copy of {there:,} events and its restoring",
        ours_is="`lurch backup`, read back; `lurch restore` into a new data directory with every chain verified",
        reference_is="`pg_dump --format=custom` and `pg_restore` into a new database; the scorer alone",
        rounds=rounds,
        rows=(copy, restore, scorer),
        aims=(
            *_aims(there, copy.ours.median, restore.ours.median),
            below(scorer.label, f"below {FACTOR:g} times", FACTOR, scorer.ratio),
        ),
        details=(Detail("size of the copy", series("MB", [held / 1e6])),),
        notes=("one service, its database and the copy share the cores",),
    )


def _aims(events: int, copy: float, restore: float) -> tuple[Aim, ...]:
    """The aims for a million events; a shorter log has its share of them."""
    share = events / MILLION
    return tuple(
        Aim(label, f"at most {most:.0f} s a million events", most * share, found, found <= most * share)
        for label, most, found in (("copy", COPY_SECONDS, copy), ("restore and verify", RESTORE_SECONDS, restore))
    )


Act = Callable[[], float]


def _turns(rounds: int, ours: Act, reference: Act, tick: Callable[[], None]) -> list[tuple[float, float]]:
    """Pairs without a round to warm up: a copy of a million events is long enough by itself."""
    pairs = []
    for _ in range(rounds):
        pairs.append((ours(), reference()))
        tick()
    return pairs


def _seconds(command: Sequence[str], settings: dict[str, str]) -> float:
    """How long a command takes. Raises RuntimeError for one that fails."""
    start = time.perf_counter()
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name}: {done.stderr.strip()[-300:]}")
    return time.perf_counter() - start
