"""Figure: loading matches from the log and folding them, beside fetching the same rows and leaving them so."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from bench.measure import Detail, Figure, at_least, in_turns, row, series
from bench.stage import Run, Stage
from bench.tables import match_news
from domain import registry
from domain.match.evolve import fold, initial
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store import news
from service.store.log import By
from service.store.streams import Streams

GAME = "cross_purposes"
IN_FLIGHT = 4
ROWS = """select version, type, schema, data, recorded_at, hash from events
    where club_id = %s and stream_id = %s and version > %s order by version"""


class Shelf(msgspec.Struct, frozen=True):
    """Recorded matches, and a pool of one connection to read them through."""

    pool: Any
    club: str
    matches: tuple[str, ...]
    events: int


async def record_matches(pool: Any, club: str, count: int) -> Shelf:
    """Record whole matches of one deal through the recorder."""
    recorder = Recorder(Streams(pool))
    streams, events = [], 0
    for number in range(count):
        recorded = match_news(GAME, number)
        done = await recorder.import_match(club, recorded, own_request(By(actor=None, role="scorer")))
        streams.append(done.loaded.stream)
        events += len(recorded)
    return Shelf(pool, club, tuple(streams), events)


async def load_and_fold(shelf: Shelf) -> None:
    """Each match from the log into its state."""
    for stream in shelf.matches:
        lines, _ = await news.read_for_fold(shelf.pool, shelf.club, stream, 0)
        assert lines is not None
        fold(initial(), news.read_lines(stream, 0, lines).events)


async def load_several(shelf: Shelf) -> None:
    """The same, a few loads in flight at once, as requests come: one waits for the server, another folds."""

    async def some(streams: tuple[str, ...]) -> None:
        await load_and_fold(msgspec.structs.replace(shelf, matches=streams))

    await asyncio.gather(*(some(shelf.matches[first::IN_FLIGHT]) for first in range(IN_FLIGHT)))


async def load_as_served(shelf: Shelf) -> None:
    """Each match by its id alone, as the first request for it does."""
    streams = Streams(shelf.pool)
    for stream in shelf.matches:
        await streams.match(stream)


async def fetch_rows(shelf: Shelf) -> None:
    """The same rows as tuples."""
    for stream in shelf.matches:
        async with shelf.pool.connection() as connection:
            cursor = connection.cursor(binary=True)
            await cursor.execute(ROWS, [shelf.club, stream, 0], prepare=True)
            await cursor.fetchall()


async def rows_of(shelf: Shelf) -> list[list[tuple[Any, ...]]]:
    """The rows of every match, kept."""
    async with shelf.pool.connection() as connection:
        cursor = connection.cursor(binary=True)
        return [
            await (await cursor.execute(ROWS, [shelf.club, stream, 0], prepare=True)).fetchall()
            for stream in shelf.matches
        ]


def decoded(rows: list[tuple[Any, ...]]) -> list[tuple[int, Any]]:
    """Rows as `read_lines` decodes them."""
    return [(row[0], registry.reader(f"{row[1]}/{row[2]}")(row[3])) for row in rows]


def measure(run: Run) -> Figure:
    """Many short matches one after the other, each with a round trip of its own."""
    rounds, stage = run.pick(15, 3), run.stage
    pool, club = stage.pool(IN_FLIGHT), stage.club.id
    shelf: Shelf = stage.run(lambda: record_matches(pool, club, run.pick(300, 10)))

    def rate(act: Callable[[Shelf], Coroutine[Any, Any, None]]) -> float:
        return _rate(shelf, lambda: stage.run(lambda: act(shelf)))

    pairs = in_turns(rounds, lambda: rate(load_and_fold), lambda: rate(fetch_rows), run.tick)
    size = f"{shelf.events // len(shelf.matches)} events a match"
    found = row(f"{size}, one load after the other", "events/s", pairs)
    several = in_turns(rounds, lambda: rate(load_several), lambda: rate(fetch_rows), run.tick)
    flight = row(f"{size}, {IN_FLIGHT} loads in flight", "events/s", several)
    served = [rate(load_as_served) for _ in range(rounds)]
    details = (
        *_in_memory(stage, shelf, rounds),
        Detail("`Streams.match`, which asks first whose match it is", series("events/s", served)),
    )
    return Figure(
        name="load",
        title="Loading a match from the log and folding it",
        ours_is="`read_for_fold`, `read_lines`, then `fold`, match by match, each with its round trip",
        reference_is="the same events through the same pool, one load after the other, a row each, left as tuples",
        rounds=rounds,
        rows=(found, flight),
        aims=(at_least(flight.label, "at least 300,000 events/s", 300_000, flight.ours),),
        details=details,
        notes=(
            f"{len(shelf.matches)} complete matches of {GAME}, one deal of two phases, {shelf.events} events in all",
        ),
    )


def _in_memory(stage: Stage, shelf: Shelf, rounds: int) -> tuple[Detail, Detail]:
    """The rates without the database: of the fold alone, and of decoding and folding."""
    matches = stage.run(lambda: rows_of(shelf))
    ready = [decoded(rows) for rows in matches]
    folds, both = [], []
    for _ in range(rounds):
        folds.append(_rate(shelf, lambda: [fold(initial(), pairs) for pairs in ready]))
        both.append(_rate(shelf, lambda: [fold(initial(), decoded(rows)) for rows in matches]))
    return (
        Detail("the fold alone, events decoded already", series("events/s", folds)),
        Detail("decoding and folding, rows fetched already", series("events/s", both)),
    )


def _rate(shelf: Shelf, act: Callable[[], Any]) -> float:
    start = time.perf_counter()
    act()
    return shelf.events / (time.perf_counter() - start)
