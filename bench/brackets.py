"""Figure: brackets and movements: making a double elimination of 512, finding an evening, starting the command."""

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable

from bench.measure import Figure, below, in_turns, row
from bench.serving import environment
from bench.stage import Run
from domain.pairing.movements.individual import individual
from domain.tournament.fixtures import printed
from domain.tournament.formats.double import double

ENTRANTS = 512
EVENING = (26, 16)  # not in the table of seeds and with little symmetry: about the longest search
SWAPS = 20_000


def taken(act: Callable[[], object]) -> float:
    """Seconds for an action."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def plain_annealing(players: int, rounds: int, swaps: int) -> int:
    """The plain search for a level evening: swap two players of a round, count both tables anew, keep a swap that is no
    worse; the squares that are left."""
    chance = random.Random(1)
    evening = [chance.sample(range(players), players) for _ in range(rounds)]
    counts = Counter(pair for seats in evening for pair in _meetings(seats, players // 4))
    for _ in range(swaps):
        seats = chance.choice(evening)
        i, j = chance.sample(range(players // 4 * 4), 2)
        old = _meetings(seats, players // 4)
        seats[i], seats[j] = seats[j], seats[i]
        before = sum(each * each for each in counts.values())
        counts.subtract(old)
        counts.update(_meetings(seats, players // 4))
        if sum(each * each for each in counts.values()) > before:
            counts.subtract(_meetings(seats, players // 4))
            counts.update(old)
            seats[i], seats[j] = seats[j], seats[i]
    return sum(each * each for each in counts.values())


def _meetings(seats: list[int], tables: int) -> list[tuple[bool, int, int]]:
    found = []
    for at in range(0, tables * 4, 4):
        a, b, c, d = seats[at : at + 4]
        found += [(True, min(pair), max(pair)) for pair in ((a, b), (c, d))]
        found += [(False, min(pair), max(pair)) for pair in ((a, c), (a, d), (b, c), (b, d))]
    return found


def process(command: list[str]) -> float:
    """Seconds from start to end of a process that must succeed."""
    return taken(lambda: subprocess.run(command, env=environment(), stdout=subprocess.DEVNULL, check=True))


def measure(run: Run) -> Figure:
    """The three, each in turns with its reference."""
    rounds, swaps = run.pick(7, 2), run.pick(SWAPS, 200)
    rows = [(each.id, each.round, tuple(map(printed, each.slots))) for each in double(ENTRANTS).fixtures]
    made = in_turns(
        rounds,
        lambda: taken(lambda: double(ENTRANTS)) * 1000,
        lambda: taken(lambda: [{"id": each[0], "round": each[1], "slots": list(each[2])} for each in rows]) * 1000,
        run.tick,
    )
    found = in_turns(
        rounds,
        lambda: taken(lambda: individual(*EVENING)),
        lambda: taken(lambda: plain_annealing(*EVENING, swaps)),
        run.tick,
    )
    started = in_turns(
        rounds,
        lambda: process([sys.executable, "-m", "service", "bracket", "double", "8", "--json"]),
        lambda: process([sys.executable, "-c", "import msgspec, rich_click"]),
        run.tick,
    )
    bracket = row(f"double elimination of {ENTRANTS}, created", "ms", made, "lower")
    evening = row("{} players, {} rounds, searched".format(*EVENING), "s", found, "lower")
    command = row("`lurch bracket double 8 --json`", "s", started, "lower")
    return Figure(
        name="brackets",
        title="brackets and individual movements, made and found",
        ours_is="the domain's functions in this process; the command in a process of its own, from start to end",
        reference_is=f"dicts of the finished matches; {swaps:,} plain swaps; a process that imports msgspec and "
        "rich_click",
        rounds=rounds,
        rows=(bracket, evening, command),
        aims=(
            below(bracket.label, "below 20 ms", 20, bracket.ours),
            below(evening.label, "below 2 s", 2, evening.ours),
            below(command.label, "below 0.3 s", 0.3, command.ours),
        ),
        notes=(f"opponents of that evening: {individual(*EVENING).balance.opponents}",),
    )
