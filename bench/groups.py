"""Figure: many writers in one club at once, whose appends share statements, beside pgbench with many clients."""

import asyncio
import time
from datetime import UTC, datetime

from bench.appends import BY, FACTS, PgBench, plays
from bench.measure import Figure, at_least, in_turns, row
from bench.stage import Run
from domain.log.decider import New
from service.store.appending import Behind, batch_of
from service.store.gathering import GatheredAppends
from service.store.ids import new_id
from service.store.log import Head
from service.store.pool import Pool

WRITERS = 64
CLIENTS = 8


class Crowd:
    """Writers in one club, each on a stream of its own and each waiting for its own answer; every event has words
    beside it."""

    def __init__(self, pool: Pool, club: str) -> None:
        self.club, self.appends = club, GatheredAppends(pool)
        self.news = [New(each.event, private={"note": "a word"}) for each in plays()]
        self.heads = {new_id(): Head() for _ in range(WRITERS)}

    async def appends_a_second(self, each: int) -> float:
        """The rate at which the appends of all are answered."""
        start = time.perf_counter()
        await asyncio.gather(*(self._write(stream, each) for stream in self.heads))
        return each * WRITERS / (time.perf_counter() - start)

    async def _write(self, stream: str, count: int) -> None:
        for place in range(count):
            behind, command = Behind(self.club, stream, self.heads[stream]), new_id()
            batch = batch_of(behind, [self.news[place % FACTS]], BY, datetime.now(UTC), command, b"\0" * 32)
            await self.appends.put(batch, lambda outcome: None)
            self.heads[stream] = batch.head


def measure(run: Run) -> Figure:
    """Ours in turns with each of the two."""
    rounds, each, rows = run.pick(15, 3), run.pick(60, 10), run.pick(4000, 400)
    stage = run.stage
    crowd = Crowd(stage.pool(), stage.club.id)
    plain, locking = PgBench(stage, CLIENTS), PgBench(stage, CLIENTS, stage.club.id)

    def ours() -> float:
        return float(stage.run(lambda: crowd.appends_a_second(each)))

    beside = row(
        "beside plain inserts", "appends/s", in_turns(rounds, ours, lambda: plain.rows_a_second(rows), run.tick)
    )
    locked = in_turns(rounds, ours, lambda: locking.rows_a_second(rows // 4), run.tick)
    behind = row("beside inserts that take the club's row", "appends/s", locked)
    return Figure(
        name="groups",
        title=f"{WRITERS} writers in one club",
        ours_is=f"`GatheredAppends`, one process, one connection, {WRITERS} streams, chained, with private rows",
        reference_is=f"`pgbench`, prepared, {CLIENTS} clients, one row of the same columns a transaction",
        rounds=rounds,
        rows=(beside, behind),
        aims=(
            at_least(beside.label, "at least 1.3 times the reference", 1.3, beside.ratio),
            at_least(behind.label, "at least 5 times the reference", 5, behind.ratio),
        ),
        notes=(f"{each} appends a writer and {rows} rows a round; {stage.durability}",),
    )
