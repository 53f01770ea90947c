"""Figure: `verify` over a whole log, beside the way in which it was done by one process with every question asked."""

import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

from bench import chain_by_chain
from bench.auditing import record
from bench.measure import Detail, Figure, at_least, in_turns, row, series
from bench.stage import Run
from service.desk import verifying
from service.processors import processors

TIMES: Final = 3.0
Way = Callable[[], Coroutine[Any, Any, verifying.Verified]]


def measure(run: Run) -> Figure:
    """Both ways in turns over the same log; by one process, too."""
    rounds, cores, stage = run.pick(5, 1), processors(), run.stage
    shelf, pool = record(stage, run.pick(3000, 20)), stage.pool(2)
    size = run.pick(verifying.STRETCH, 100)
    events: int = stage.run(lambda: verifying.verify(pool)).events

    def rate(way: Way) -> float:
        start = time.perf_counter()
        found = stage.run(way)
        if found.wrong or found.events != events:
            raise RuntimeError(f"verify says {found}")
        return events / (time.perf_counter() - start)

    def ours(processes: int) -> float:
        return rate(lambda: verifying.verify(pool, processes=processes, size=size))

    pairs = in_turns(rounds, lambda: ours(cores), lambda: rate(lambda: chain_by_chain.verify(pool)), run.tick)
    alone = [ours(1) for _ in range(run.pick(3, 1))]
    found = row(f"{len(shelf.streams):,} matches, {events:,} events, {cores} processes", "events/s", pairs)
    return Figure(
        name="verify",
        title="`lurch verify` of a whole log in which nothing is wrong",
        ours_is="`verify` on the bytes by one process a core, their start included, the database on the same cores",
        reference_is="one process that reads every row into a Struct and asks every question, as it was done before",
        rounds=rounds,
        rows=(found,),
        aims=(at_least(found.label, f"at least {TIMES:g} times", TIMES, found.ratio),),
        details=(Detail("on the bytes by one process", series("events/s", alone)),),
        notes=("both ways must say that every chain holds, of the same number of events",),
    )
