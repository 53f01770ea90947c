"""Group commit: what arrives while an append is under way goes as one statement, and nobody pays for another."""

import asyncio
from collections import Counter

import msgspec
import psycopg
import pytest

from domain.log.decider import Refusal
from domain.match import commands as c
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.run.pool import make_pool
from service.store import gathering
from service.store.appending import Appended, LostRaceError
from service.store.gathering import BYTES, COMMANDS, EVENTS, PATIENCE, PLENTY, GatheredAppends
from service.store.ids import new_id
from service.store.log import By, Head
from service.store.roles import TIME_LIMITS
from service.store.streams import Streams
from tests.kit.faults.grouped import Writer, log_held, rows_of, told
from tests.service.store.test_log import BY, a_match

ENTRY = c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]})


@pytest.fixture(autouse=True)
def patient_appends(monkeypatch):
    """Let appends wait for the held log as long as a busy machine needs."""
    monkeypatch.setitem(TIME_LIMITS, "lock_timeout", "60s")


def written(database, club, act):
    """What came of an act with a writer, while one append is under way and the log is held, and its streams' rows."""

    async def inside():
        async with make_pool(database.url, 2) as pool:
            writer = Writer(club, GatheredAppends(pool))
            await act(writer, None)
            async with log_held(database, club):
                first = writer.put(new_id())[1]
                await sent(writer.appends)
                answers = await act(writer, first)
            ends = await told(first, *answers)
            await writer.appends.settled()
            return writer, ends

    writer, ends = asyncio.run(inside())
    return ends, rows_of(database, club, *writer.heads)


def statements(rows):
    """How many commands each statement took, in order."""
    commands = dict.fromkeys((row[4], row[3]) for row in rows)
    return list(Counter(statement for statement, _ in commands).values())


async def under_way(appends, count=1):
    """Wait until this many appends have been sent or are queued."""
    while sum(len(each._sent) + len(each._waiting) for each in appends._logs.values()) < count:
        await asyncio.sleep(0)


async def sent(appends):
    """Wait until a group is under way: later appends are queued."""
    while not any(each._sent for each in appends._logs.values()):
        await asyncio.sleep(0)


def test_what_arrives_meanwhile_goes_as_one_statement_in_its_order(database, club):
    async def act(writer, under_way):
        return under_way and [writer.put(new_id(), f"{place}-{new_id()}", 1 + place % 3)[1] for place in range(8)]

    ends, rows = written(database, club[0], act)
    assert all(isinstance(end, Appended) for end in ends)
    assert statements(rows) == [1, 8]
    assert [row[3][:1] for row in rows[1:] if row[1] == 1] == list("01234567")
    positions = [event.position for end in ends for event in end.events]
    assert positions == [row[2] for row in rows]
    assert positions == list(range(positions[0], positions[0] + len(rows)))


def test_appends_to_one_stream_share_a_statement_each_behind_the_one_before(database, club):
    stream = new_id()

    async def act(writer, under_way):
        return under_way and [writer.put(stream)[1] for _ in range(5)]

    ends, rows = written(database, club[0], act)
    assert [end.head.version for end in ends[1:]] == [1, 2, 3, 4, 5]
    assert statements(rows) == [1, 5]


def test_a_group_ends_at_its_limit_and_the_next_takes_the_rest(database, club):
    async def act(writer, under_way):
        return under_way and [writer.put(new_id())[1] for _ in range(2 * COMMANDS + 10)]

    _, rows = written(database, club[0], act)
    assert statements(rows)[:2] == [1, COMMANDS]
    assert sum(statements(rows)) == 1 + 2 * COMMANDS + 10


def test_half_of_a_crowd_is_left_for_the_next_group(database, club):
    async def act(writer, under_way):
        return under_way and [writer.put(new_id())[1] for _ in range(40)]

    _, rows = written(database, club[0], act)
    assert statements(rows) == [1, 20, 20]


def test_a_page_of_a_file_stays_together_however_many_streams_it_has(database, club):
    async def act(writer, under_way):
        return under_way and [writer.put(new_id(), page="one")[1] for _ in range(40)]

    _, rows = written(database, club[0], act)
    assert statements(rows) == [1, 40]


class Full:
    """A loop that is full, at a clock of its own: each turn serves one request for so long, and the database answers
    within a turn. Notes how many commands each statement took."""

    def __init__(self, monkeypatch, seconds):
        self.now, self.seconds, self.sizes = 0.0, seconds, []
        monkeypatch.setattr(gathering, "monotonic", lambda: self.now)
        monkeypatch.setattr(gathering, "Group", lambda pool, tell: self.group(tell))

    def group(self, tell):
        self.tell = tell
        return self

    async def write(self, members):
        self.sizes.append(len(members))
        await asyncio.sleep(0)
        for each in members:
            self.tell(each, each.appended(0))

    async def serve(self, requests, quiet=0):
        """Serve so many, each of which appends; behind each come turns in which nobody is served."""
        writer, answers = Writer(new_id(), GatheredAppends(None)), []
        for _ in range(requests):
            answers.append(writer.put(new_id())[1])
            self.now += self.seconds
            for _ in range(1 + quiet):
                await asyncio.sleep(0)
        await asyncio.gather(*answers)
        await writer.appends.settled()

    async def at_once(self, *appends):
        """The first by itself, and these meanwhile: each with its command and the number of its events."""
        writer = Writer(new_id(), GatheredAppends(None))
        answers = [writer.put(new_id())[1]]
        await asyncio.sleep(0)
        answers += [writer.put(new_id(), command, count)[1] for command, count in appends]
        await asyncio.gather(*answers)


def test_a_group_ends_at_a_thousand_events(monkeypatch):
    full = Full(monkeypatch, 0)
    asyncio.run(full.at_once(*((new_id(), EVENTS * 2 // 5) for _ in range(5))))
    assert full.sizes == [1, 2, 2, 1]


def test_a_group_ends_at_a_megabyte(monkeypatch):
    full = Full(monkeypatch, 0)
    asyncio.run(full.at_once(*(("long" * (BYTES // 10) + new_id(), 1) for _ in range(5))))
    assert full.sizes == [1, 2, 2, 1]


def test_an_append_beyond_every_limit_goes_alone(monkeypatch):
    full = Full(monkeypatch, 0)
    asyncio.run(full.at_once((new_id(), 1), (new_id(), EVENTS + 1), (new_id(), 1)))
    assert full.sizes == [1, 1, 1, 1]


def test_the_next_group_waits_for_those_who_are_being_served(monkeypatch):
    full = Full(monkeypatch, 0.0003)
    asyncio.run(full.serve(200))
    first, *sizes, _ = full.sizes
    assert first == 1, "whoever comes while nothing is under way is sent at once"
    assert min(sizes) >= PLENTY
    assert max(sizes) < 2 * PLENTY


def test_nobody_is_waited_for_longer_than_a_few_milliseconds(monkeypatch):
    full = Full(monkeypatch, PATIENCE)
    asyncio.run(full.serve(20))
    assert max(full.sizes) <= 3


def test_a_loop_with_nobody_to_serve_sends_each_at_once(monkeypatch):
    full = Full(monkeypatch, 0.0003)
    asyncio.run(full.serve(20, quiet=10))
    assert full.sizes == [1] * 20


def test_two_appends_with_one_key_are_never_in_one_statement(database, club):
    key, streams = new_id(), [new_id() for _ in range(3)]

    async def act(writer, under_way):
        if under_way is None:
            return []
        return [writer.put(stream, command)[1] for stream, command in zip(streams, (key, key, new_id()), strict=True)]

    ends, rows = written(database, club[0], act)
    assert [end if end is LostRaceError else Appended for end in ends] == [Appended, Appended, LostRaceError, Appended]
    assert statements(rows) == [1, 2]


TOO_LONG = "x" * 129  # the table's own check refuses it
NO_TEXT = By(None, "scorer", device="\0")  # cannot even be sent


@pytest.mark.parametrize("poison", [{"command": TOO_LONG}, {"by": NO_TEXT}])
def test_rejected_appends_do_not_affect_others_of_their_group(database, club, poison):
    loser, repeated, one, two = streams = [new_id() for _ in range(4)]
    key = new_id()

    async def act(writer, under_way):
        if under_way is None:
            await told(writer.put(loser)[1], writer.put(repeated, key)[1])
            return []
        stale = writer.heads.pop(loser)
        answers = [writer.put(one)[1], writer.put(loser, head=Head())[1], writer.put(two, count=2)[1]]
        answers += [writer.put(loser)[1], writer.put(one)[1], writer.put(repeated, key)[1], writer.put(two)[1]]
        spoiled = new_id()
        answers += [writer.put(spoiled, **poison)[1], writer.put(spoiled)[1], writer.put(new_id())[1]]
        del writer.heads[spoiled]
        writer.heads[loser] = stale
        return answers

    ends, rows = written(database, club[0], act)
    kinds = ["taken" if isinstance(end, Appended) else end for end in ends[1:]]
    lost = LostRaceError
    assert kinds[:7] == ["taken", lost, "taken", lost, "taken", lost, "taken"]
    assert issubclass(kinds[7], psycopg.Error)
    assert kinds[8:] == [lost, "taken"]
    assert Counter(row[0] for row in rows) == Counter(
        {**dict.fromkeys(streams, 1), one: 2, two: 3, **{row[0]: 1 for row in rows if row[0] not in streams}}
    )


def test_appends_queued_behind_a_rejected_one_are_not_sent(database, club):
    stream = new_id()

    async def inside():
        async with make_pool(database.url, 2) as pool:
            writer = Writer(club[0], GatheredAppends(pool))
            await writer.put(stream)[1]
            writer.heads.clear()
            first = writer.put(stream)[1]  # behind nothing, where something stands
            await asyncio.sleep(0)
            later = [writer.put(stream)[1] for _ in range(3)]
            return await told(first, *later)

    assert asyncio.run(inside()) == [LostRaceError] * 4
    assert len(rows_of(database, club[0], stream)) == 1


def test_an_import_goes_by_itself_and_takes_turns(database, club):
    async def inside():
        async with make_pool(database.url, 2) as pool:
            writer = Writer(club[0], GatheredAppends(pool))
            async with log_held(database, club[0]):
                answers = [writer.put(new_id())[1]]
                await sent(writer.appends)
                answers += [writer.put(new_id())[1], writer.put(new_id())[1]]
                answers += [writer.put(new_id(), count=6, page="one")[1], writer.put(new_id())[1]]
            await told(*answers)
            return writer

    assert statements(rows_of(database, club[0], *asyncio.run(inside()).heads)) == [1, 2, 1, 1]


def test_a_cancelled_command_is_recorded_and_others_go_on(database, club):
    async def inside():
        async with make_pool(database.url, 2) as pool:
            recorder, stream = await a_match(pool, club[0])
            async with log_held(database, club[0]):
                tasks = [asyncio.create_task(recorder.match(stream, ENTRY, own_request(BY))) for _ in range(3)]
                await under_way(recorder.appends, 3)
                tasks[0].cancel()
                tasks[1].cancel()
                await asyncio.wait(tasks[:2])
                assert recorder.streams.kept(stream).head.version == 1
            await tasks[2]
            return recorder.streams.kept(stream).head.version, stream

    version, stream = asyncio.run(inside())
    assert version == 7
    with psycopg.connect(database.url) as connection:
        rows = connection.execute("select count(*) from events where stream_id = %s", [stream]).fetchone()
    assert rows == (7,)


def test_uncommitted_appends_are_not_acknowledged_or_visible(database, club):
    async def inside():
        async with make_pool(database.url, 3) as pool:
            heard = []
            _, stream = await a_match(pool, club[0])
            recorder = Recorder(Streams(pool), said=lambda *what: heard.append(what))
            await recorder.match(stream, ENTRY, own_request(BY))
            heard.clear()
            async with log_held(database, club[0]):
                tasks = [asyncio.create_task(recorder.match(stream, ENTRY, own_request(BY))) for _ in range(4)]
                await under_way(recorder.appends, 4)
                seen = await recorder.streams.match(stream)
                assert (seen.head.version, heard, [task.done() for task in tasks]) == (3, [], [False] * 4)
            await asyncio.gather(*tasks)
            return (await recorder.streams.match(stream)).head.version, len(heard)

    assert asyncio.run(inside()) == (11, 4)


def test_a_lost_race_reports_the_version_in_the_log(database, club):
    async def inside():
        async with make_pool(database.url, 4) as pool:
            recorder, stream = await a_match(pool, club[0])
            await Recorder(Streams(pool)).match(stream, ENTRY, own_request(BY))
            asks = [msgspec.structs.replace(own_request(BY), expected=version) for version in (1, 3)]
            async with log_held(database, club[0]):
                tasks = []
                for ask in asks:
                    tasks.append(asyncio.create_task(recorder.match(stream, ENTRY, ask)))
                    await under_way(recorder.appends, len(tasks))
            return await asyncio.gather(*tasks, return_exceptions=True)

    ends = asyncio.run(inside())
    assert [type(end) for end in ends] == [Refusal, Refusal]
    assert [end.extra["current_version"] for end in ends] == [3, 3]
