"""Figure: rebuilding a club's kept views, beside the projector as it was; both must come to the same rows."""

import time
from collections.abc import Callable, Coroutine
from typing import Any

from bench.loading import Shelf, record_matches
from bench.measure import Figure, at_least, in_turns, row
from bench.one_by_one import OneByOne
from bench.stage import Run
from service.projector import Projector

ROWS = "select projection, version, key, data from views where club_id = %s order by 1, 2, 3"


async def kept(shelf: Shelf) -> list[Any]:
    """The rows as they stand."""
    async with shelf.pool.connection() as connection:
        return await (await connection.execute(ROWS, [shelf.club])).fetchall()


def measure(run: Run) -> Figure:
    """A club of short matches, in turns."""
    rounds, stage = run.pick(9, 2), run.stage
    pool, club = stage.pool(4), stage.club.id
    shelf: Shelf = stage.run(lambda: record_matches(pool, club, run.pick(500, 20)))
    seen: list[Any] = []

    def rate(rebuild: Callable[[str], Coroutine[Any, Any, None]]) -> float:
        start = time.perf_counter()
        stage.run(lambda: rebuild(club))
        spent = time.perf_counter() - start
        rows = stage.run(lambda: kept(shelf))
        if seen and rows != seen:
            raise AssertionError("the two ways come to different rows")
        seen[:] = rows
        return shelf.events / spent

    pairs = in_turns(rounds, lambda: rate(Projector(pool).rebuild), lambda: rate(OneByOne(pool).rebuild), run.tick)
    found = row(f"{len(shelf.matches)} matches, {shelf.events:,} events", "events/s", pairs)
    return Figure(
        name="rebuild",
        title="Rebuilding the kept views of a club",
        ours_is="`Projector.rebuild`: all views in one pass, a page by stream, its rows in one statement",
        reference_is="the projector as it was: view after view, event by event, a statement a row",
        rounds=rounds,
        rows=(found,),
        aims=(at_least(found.label, "at least 5 times the reference", 5, found.ratio),),
    )
