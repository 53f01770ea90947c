"""Figure: reads and writes at a service of several workers, beside one of a single process, on the same database."""

import subprocess
import sys
from collections.abc import Callable

import msgspec

from bench.hall import Hall, Sent, Took
from bench.measure import Detail, Figure, at_least, in_turns, percentile, row, series
from bench.serving import Address, director, open_match, record_deal, service
from bench.stage import Run

WORKERS = 4
PHONES = 64
SECONDS = 3
RESULT = msgspec.json.encode({"entry": {"parity": "odd", "tricks": [9, 6]}}).decode()


class Phones:
    """As many clients as there are phones, in a process of their own, each with one connection at one service."""

    def __init__(self, run: Run, address: Address) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.hall", str(address.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        run.stage.stack.callback(self.process.kill)
        self.headers = {"Authorization": f"Bearer {run.stage.club.token}", "Content-Type": "application/json"}
        self.most: list[float] = []
        self.seconds = run.pick(SECONDS, 1)

    def rate(self, requests: list[list[Sent]]) -> float:
        """Requests a second."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode(Hall(self.headers, requests, self.seconds)).decode() + "\n")
        self.process.stdin.flush()
        took = msgspec.json.decode(self.process.stdout.readline(), type=Took)
        self.most.append(percentile(took.each, 0.99))
        return len(took.each) / took.seconds


def measure(run: Run) -> Figure:
    """The same requests to both services in turns."""
    rounds = run.pick(9, 1)
    several, alone = service(run.stage, "--workers", str(WORKERS)), service(run.stage)
    caller = director(alone, run.stage.club)
    matches = [open_match(caller, run.stage.club.id, 1000) for _ in range(PHONES)]
    for number, match in enumerate(matches):
        record_deal(caller, match, number)
    ours, reference = Phones(run, several), Phones(run, alone)

    def pairs_of(requests: list[list[Sent]]) -> list[tuple[float, float]]:
        asked: Callable[[Phones], float] = lambda phones: phones.rate(requests)  # noqa: E731  # said once for both
        return in_turns(rounds, lambda: asked(ours), lambda: asked(reference), run.tick)

    reads = pairs_of([[Sent(match, method="GET")] for match in matches])
    late = Detail(f"99 of 100 reads within, {WORKERS} workers", series("ms", ours.most[-rounds:]))
    late_alone = Detail("99 of 100 reads within, one process", series("ms", reference.most[-rounds:]))
    writes = pairs_of([[Sent(f"{match}/results", RESULT)] for match in matches])
    found = row(f"{PHONES} readers, each at its own match", "reads/s", reads)
    return Figure(
        name="workers",
        title=f"{PHONES} phones at a service of {WORKERS} workers",
        ours_is=f"`lurch serve --workers {WORKERS}`: match views, then results, over kept connections",
        reference_is="`lurch serve` on the same database, the same requests",
        rounds=rounds,
        rows=(found, row(f"{PHONES} scorers, each at its own match", "results/s", writes)),
        aims=(at_least(found.label, "at least 1.6 times one process", 1.6, found.ratio),),
        details=(late, late_alone),
        notes=(f"each phone asks for {SECONDS} s a round, again as soon as it is answered; all in one club",),
    )
