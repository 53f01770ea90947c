"""Figure: the memory of the serving process after recording ten thousand facts, beside what it starts with."""

import subprocess
from pathlib import Path

import msgspec
import psutil

from bench.measure import Detail, Figure, row, series
from bench.serving import LURCH, Caller, environment, free_port, open_match, record_deal, server
from bench.stage import Run

MEBIBYTE = 1 << 20
DEALS_A_MATCH = 4
CLUB = "Memory"


def resident(process: int) -> float:
    """Resident memory in MiB."""
    return psutil.Process(process).memory_info().rss / MEBIBYTE


def make_token(data: Path) -> str:
    """A director's token, as the owner of the machine makes one."""
    command = [str(LURCH), "token", "create", "--role", "director", "--name", "bench", "--club", CLUB]
    done = subprocess.run(
        command, env=environment(LURCH_DATA_DIR=str(data)), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def record(caller: Caller, club: str, facts: int) -> tuple[int, int]:
    """Record at least that many facts, a deal a request, over many matches; the numbers of facts and matches."""
    recorded = number = 0
    while recorded < facts:
        if number % DEALS_A_MATCH == 0:
            match = open_match(caller, club, 100)
        recorded += record_deal(caller, match, number)
        number += 1
    return recorded, -(-number // DEALS_A_MATCH)


class Life(msgspec.Struct, frozen=True):
    """One server from start to stop: MiB before and after, and the facts and matches between."""

    before: float
    after: float
    facts: int
    matches: int


def one_life(data: Path, facts: int) -> Life:
    """A server with a data directory of its own."""
    port = free_port()
    with server([str(LURCH), "serve"], port, data.with_suffix(".log"), {"LURCH_DATA_DIR": str(data)}) as address:
        before = resident(address.process)
        caller = Caller(address, make_token(data))
        club = msgspec.json.decode(caller.send("GET", "/api/v1/me"))["club"]
        recorded, matches = record(caller, club, facts)
        return Life(before, resident(address.process), recorded, matches)


def measure(run: Run) -> Figure:
    """A fresh server each round."""
    rounds, wanted = run.pick(3, 1), run.pick(10_000, 300)
    lives = []
    for number in range(rounds):
        lives.append(one_life(run.stage.folder / f"memory-{number}", wanted))
        run.tick()
    growth = [life.after - life.before for life in lives]
    facts, matches = lives[-1].facts, lives[-1].matches
    found = row(f"after {facts:,} facts", "MiB", [(life.after, life.before) for life in lives], "lower")
    return Figure(
        name="memory",
        title=f"Memory of the serving process after {facts:,} facts",
        ours_is="resident memory (RSS) of `lurch serve` after recording over HTTP, a deal of facts a request",
        reference_is="the same process when /health/ready first answered, before any request for a match",
        rounds=rounds,
        rows=(found,),
        details=(
            Detail("growth", series("MiB", growth)),
            Detail("growth a fact", series("KiB", [each * 1024 / facts for each in growth])),
        ),
        notes=(
            f"{facts:,} facts of Parity in {matches} matches, hands unknown; the folds of 512 matches are kept",
            "memory that was freed after the start is used again first; PostgreSQL's processes are not counted",
        ),
    )
