"""The clock of the machine jumps: no stream's times run backwards, and the order is that of the versions."""

import asyncio
import itertools
from datetime import UTC, datetime, timedelta

import msgspec

from domain.match import commands as c
from service.cli import clerk
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.run.pool import make_pool
from service.store import log
from service.store.streams import Streams
from tests.kit.logs import verify

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def jumping():
    """A clock that goes on by a second and is put an hour on or back by turns."""
    seconds = itertools.count()
    jumps = itertools.cycle([timedelta(0), HOUR, -HOUR])
    return lambda: NOON + timedelta(seconds=next(seconds)) + next(jumps)


def test_recorded_at_never_decreases_in_a_stream(database, club):
    async def act():
        async with make_pool(database.url, 4) as pool:
            recorders = [Recorder(Streams(pool), clock=jumping()) for _ in range(2)]
            command = c.OpenMatch(game="parity", options={}, race={"target": 100_000}, sides=())
            done = await recorders[0].open_match(club[0], command, (("A",), ("B",)), own_request(clerk.CLERK))
            match = done.loaded.stream
            for number in range(30):
                entry = c.EnterResult(entry={"parity": "odd", "tricks": [number % 16, 15 - number % 16]})
                await recorders[number % 2].match(match, entry, own_request(clerk.CLERK))
            stored = await log.read_stream(pool, club[0], match)
            loaded = await recorders[0].streams.match(match)
            as_of = [await recorders[0].streams.match_at(loaded, each.event.recorded_at) for each in stored]
            people = await log.read_stream(pool, club[0], club[0])
            return stored, as_of, people, await verify(pool)

    stored, as_of, people, verified = asyncio.run(act())
    for stream in (stored, people):
        times = [each.event.recorded_at for each in stream]
        assert times == sorted(times)
        assert [each.event.version for each in stream] == list(range(1, len(stream) + 1))
    entered = [msgspec.json.decode(each.event.data.entry) for each in stored if each.event.type == "ResultEntered"]
    assert [entry["tricks"][0] for entry in entered] == [number % 16 for number in range(30)]
    assert [each.event.position for each in stored] == sorted(each.event.position for each in stored)
    # as of a time is a prefix of the stream: every event up to the last with that time
    last = {each.event.recorded_at: each.event.version for each in stored}
    assert [match.version for match in as_of] == [last[each.event.recorded_at] for each in stored]
    assert verified[1] == ""
