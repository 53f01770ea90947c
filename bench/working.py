"""Figure: reads and writes at a service of several workers, beside one of a single process, on the same database."""

import subprocess
import sys

import msgspec
import psutil

from bench.hall import Hall, Sent, Took
from bench.measure import Detail, Figure, FigureRow, at_least, in_turns, percentile, row, series
from bench.serving import Address, director, open_match, record_deal, service, signed_in
from bench.stage import Run, Stage
from service.processors import processors
from service.run.pool import make_pool
from service.store import tokens

WORKERS = 4
PHONES = 64
SECONDS = 3
RESULT = msgspec.json.encode({"entry": {"parity": "odd", "tricks": [9, 6]}}).decode()


def spent(address: Address) -> float:
    """Milliseconds of the processors that a service and its workers have had."""
    parent = psutil.Process(address.process)
    times = [each.cpu_times() for each in (parent, *parent.children(recursive=True))]
    return 1000 * sum(each.user + each.system for each in times)


class Phones:
    """As many clients as there are phones, in a process of their own, each with one connection at one service. `most`
    are the slowest in a hundred of each round, `each` the milliseconds of the processors that an answer took there."""

    def __init__(self, run: Run, *workers: str) -> None:
        self.address = service(run.stage, *workers)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.hall", str(self.address.port), "aside"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        run.stage.stack.callback(self.process.kill)
        self.most: list[float] = []
        self.each: list[float] = []
        self.seconds = run.pick(SECONDS, 1)

    def rate(self, headers: dict[str, str], requests: list[list[Sent]]) -> float:
        """Requests a second, each with these headers."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        before = spent(self.address)
        self.process.stdin.write(msgspec.json.encode(Hall(headers, requests, self.seconds)).decode() + "\n")
        self.process.stdin.flush()
        took = msgspec.json.decode(self.process.stdout.readline(), type=Took)
        self.most.append(percentile(took.each, 0.99))
        self.each.append((spent(self.address) - before) / len(took.each))
        return len(took.each) / took.seconds


def details(phones: Phones, who: str, rounds: int) -> list[Detail]:
    """The slowest answers of the last rounds, and the time of the processors that one takes."""
    return [
        Detail(f"99 of 100 within, {who}", series("ms", phones.most[-rounds:])),
        Detail(f"processor time of each in the service, {who}", series("ms", phones.each[-rounds:])),
    ]


def browser(stage: Stage, address: Address) -> dict[str, str]:
    """The headers of the owner's browser."""

    async def link() -> str:
        async with make_pool(stage.database.url, 1) as pool:
            return await tokens.make_link(pool)

    return signed_in(address, stage.run(link))


def measure(run: Run) -> Figure:
    """The same requests to all services in turns."""
    rounds, cores = run.pick(7, 1), processors()
    several, fitting, alone = Phones(run, "--workers", str(WORKERS)), Phones(run, "--workers", str(cores)), Phones(run)
    caller = director(alone.address, run.stage.club)
    matches = [open_match(caller, run.stage.club.id, 1000) for _ in range(PHONES)]
    for number, match in enumerate(matches):
        record_deal(caller, match, number)
    token = {"Authorization": f"Bearer {run.stage.club.token}", "Content-Type": "application/json"}
    cookie = browser(run.stage, alone.address)
    views = [[Sent(match, method="GET")] for match in matches]
    pages = [[Sent(match.removeprefix("/api/v1"), method="GET")] for match in matches]
    results = [[Sent(f"{match}/results", RESULT)] for match in matches]

    def beside(ours: Phones, headers: dict[str, str], requests: list[list[Sent]], what: str, unit: str) -> FigureRow:
        pairs = in_turns(rounds, lambda: ours.rate(headers, requests), lambda: alone.rate(headers, requests), run.tick)
        return row(what, unit, pairs)

    reads = beside(several, token, views, f"{PHONES} readers, each at its own match, {WORKERS} workers", "views/s")
    told = [*details(several, f"views, {WORKERS} workers", rounds), *details(alone, "views, one process", rounds)]
    as_cores = beside(fitting, token, views, f"the same readers, {cores} workers, one a core", "views/s")
    told += details(fitting, f"views, {cores} workers", rounds)
    looked = beside(several, cookie, pages, f"{PHONES} browsers, each at its own match, {WORKERS} workers", "pages/s")
    told += [*details(several, f"pages, {WORKERS} workers", rounds), *details(alone, "pages, one process", rounds)]
    writes = beside(several, token, results, f"{PHONES} scorers, each at its own match, {WORKERS} workers", "results/s")
    return Figure(
        name="workers",
        title=f"{PHONES} phones at a service of several workers",
        ours_is="`lurch serve --workers N`: views of matches, their pages, then results, over kept connections",
        reference_is="`lurch serve` on the same database, the same requests",
        rounds=rounds,
        rows=(reads, as_cores, looked, writes),
        aims=tuple(at_least(each.label, "at least 1.6 times one process", 1.6, each.ratio) for each in (reads, looked)),
        details=tuple(told),
        notes=(
            f"each phone asks for {SECONDS} s a round, again as soon as it is answered; all in one club",
            f"phones, service and database share {cores} cores: what phones and database take bounds the ratio",
            f"as many workers serve as there are cores, here {min(WORKERS, cores)} of {WORKERS}: the others stand by",
            "the phones interrupt nobody who serves (SCHED_BATCH): in a hall they are machines of their own",
        ),
    )
