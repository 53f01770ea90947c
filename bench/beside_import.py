"""Figure: how long one scorer waits while `lurch import` writes into the same club, beside how long when idle."""

import time
from contextlib import ExitStack
from pathlib import Path

from bench.contender import ALONE, Contender
from bench.measure import Figure, below, in_turns, row
from bench.stage import Run

TREE = Path(__file__).parents[1]
CLUB = "Bench"  # the scorer's own
TIMES = 3.0


def measure(run: Run) -> Figure:
    """The slowest of a hundred answers, beside an import and idle, in turns."""
    rounds = run.pick(5, 1)
    with ExitStack() as stack:
        service = Contender(stack, TREE)
        deals, played = run.pick(3000, 60), 0

        def idle() -> float:
            service.alone()
            return service.slow[-1]

        def beside() -> float:
            nonlocal played
            file, _ = service.file(deals, played)
            played += deals
            with (service.stage.folder / "import.log").open("w+", encoding="utf-8") as told:
                importing = service.importing(file, CLUB, told)
                while not Path(told.name).stat().st_size:  # nothing of it is in the log
                    time.sleep(0.01)
                service.alone()
                ended = importing.poll()
                importing.kill()
                importing.wait()
            if ended is not None and not run.quick:
                raise RuntimeError(f"the import ended before the scorer, with {ended}")
            return service.slow[-1]

        slow = row("beside an import", "ms", in_turns(rounds, beside, idle, run.tick), "lower")
    return Figure(
        name="beside_import",
        title="one scorer beside an import, the 99th of a hundred answers",
        ours_is="`POST …/facts` over HTTP, one at a time, while `lurch import` writes into the same club",
        reference_is="the same scorer while nobody else writes",
        rounds=rounds,
        rows=(slow,),
        aims=(below(slow.label, f"at most {TIMES:g} times", TIMES, slow.ratio),),
        notes=(f"{ALONE} facts a round; service, import and database share the cores",),
    )
