"""Many spectators of one table: nothing is refused, an event is read once and drawn once for each kind of viewer."""

import asyncio
import subprocess
import sys
from contextlib import AsyncExitStack

import pytest

from service.live.feed import WINDOW
from service.store import tokens
from tests.kit.service.spectators import counted, hall, until

EVENTS = 6


async def there(found, each):
    """So many spectators of each of four kinds at a new match, all at its start; the match."""
    match = await found.match()
    for _ in range(each):
        found.stream(f"{match}/events")
        found.stream(f"{match}/events", "spectator")
        found.stream(f"{match}/events", "director")
        found.page(f"{match}/live")
    await until(lambda: all(spectator.text.count(b"\n\n") >= 2 for spectator in found.there))
    return match


async def told(found, match):
    """What it costs to tell everybody of the next deals, one after the other: reads and drawings."""
    before = counted("lurch_feed_reads_total"), counted("lurch_feed_drawings_total")
    for deal in range(1, EVENTS + 1):
        version = await found.play(match)
        for each in found.there:
            mark = f'<th scope="row">{deal}</th>' if each.path.endswith("/live") else f"id: {version}\n"
            await each.told(mark.encode())
    after = counted("lurch_feed_reads_total"), counted("lurch_feed_drawings_total")
    return after[0] - before[0], after[1] - before[1]


@pytest.mark.parametrize("each", [2, 60])
def test_an_event_is_read_once_and_drawn_once_for_each_kind_however_many_look_on(database, each):
    async def act():
        async with hall(database) as found:
            match = await there(found, each)
            reads, drawings = await told(found, match)
            # two events a deal, each for three kinds of viewers of the API; a page shows the guest's table
            assert drawings <= EVENTS * (2 * 3 + 1)
            assert reads <= 3 * EVENTS, "one for each notice, and one every five seconds"

    asyncio.run(act())


def test_five_hundred_spectators_are_let_in_at_once_and_cost_no_writer_and_no_reader_anything(database):
    async def act():
        async with hall(database) as found:
            match = await there(found, 125)
            assert {each.status for each in found.there} == {200}
            _, answers = await asyncio.gather(
                found.play(match, 20), asyncio.gather(*(found.client.get(match) for _ in range(20)))
            )
            assert {answer.status_code for answer in answers} == {200}
            streams = [each for each in found.there if each.path.endswith("/events")]
            await until(lambda: all(each.ids()[-1] == 41 for each in streams))
            assert {tuple(each.ids()) for each in streams} == {tuple(range(1, 42))}

    asyncio.run(act())


def test_streams_need_no_connection_of_a_writer_and_writers_none_of_the_streams(database):
    async def act():
        async with hall(database) as found, AsyncExitStack() as held:
            match = await found.match()
            spectator = found.stream(f"{match}/events")
            await until(lambda: spectator.ids() == [1])
            readers = found.services.readers
            for _ in range(readers.max_size):
                await held.enter_async_context(readers.connection(60))
            await found.play(match)
            # the feed waits for a connection, gives up, and is there again when there is one
            await until(lambda: readers.get_stats().get("requests_errors"))
            await held.aclose()
            await until(lambda: spectator.ids() == [1, 2, 3])
            assert not spectator.task.done()

            for _ in range(found.services.pool.max_size - 1):
                await held.enter_async_context(found.services.pool.connection(60))
            await found.play(match)
            async with found.services.pool.connection(60):
                await until(lambda: spectator.ids() == [1, 2, 3, 4, 5])

    asyncio.run(act())


def test_a_hall_of_150_phones_behind_one_address_is_let_in_and_a_token_never_refused_for_its_neighbours(database):
    async def act():
        async with hall(database) as found:
            match = await found.match()
            phones = [found.page(f"{match}/live") for _ in range(150)]
            phones += [found.stream(f"{match}/events") for _ in range(150)]
            await until(lambda: all(b"data: " in each.text for each in phones))
            assert {each.status for each in phones} == {200}
            headers = {"Accept": "text/event-stream"}
            refused = await found.client.get(f"/api/v1{match}/events", headers=headers)
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
            assert (await found.client.get(f"/api/v1{match}")).status_code == 200
            page = found.page(f"{match}/live")
            await until(page.task.done)
            assert (page.status, page.over()["type"]) == (200, "/problems/unavailable")
            assert b"retry: 10000" in page.text
            known = found.stream(f"{match}/events", "spectator")
            elsewhere = found.stream(f"{match}/events", address="127.0.0.2")
            await until(lambda: known.ids() and elsewhere.ids())

    asyncio.run(act())


@pytest.mark.parametrize("addresses", [("2001:db8:1:2::1", "2001:db8:1:2:ffff::9")])
def test_the_addresses_of_one_site_count_as_one(database, addresses):
    async def act():
        async with hall(database) as found:
            match = await found.match()
            for number in range(300):
                found.stream(f"{match}/events", address=addresses[number % 2])
            await until(lambda: all(each.ids() for each in found.there))
            refused = found.stream(f"{match}/events", address="2001:db8:1:2::77")
            await until(refused.task.done)
            assert refused.status == 503

    asyncio.run(act())


def test_a_stream_catches_up_by_pages_of_a_hundred_and_so_do_json_lines(database):
    async def act():
        async with hall(database) as found:
            match = await found.match()
            last = await found.play(match, 120)
            spectators = [found.stream(f"{match}/events"), found.stream(f"/clubs/{found.club}/events", "director")]
            ends = [last, last + 3]
            await until(lambda: [each.ids()[-1:] for each in spectators] == [[end] for end in ends])
            for each, end in zip(spectators, ends, strict=True):
                assert each.ids() == list(range(1, end + 1))
                assert max(piece.count(b"\nid: ") + piece.startswith(b"id: ") for piece in each.pieces) == 100
            lines = found.stream(f"{match}/events", Accept="*/*")
            await until(lines.task.done)
            assert lines.text.count(b"\n") == last
            assert [piece.count(b"\n") for piece in lines.pieces] == [100, 100, 41]

    asyncio.run(act())


def test_who_reads_slowly_catches_up_from_the_log_and_who_follows_another_table_has_missed_nothing(database):
    async def act():
        async with hall(database) as found:
            match, other = await found.match(), await found.match()
            slow, quick, elsewhere = (found.stream(f"{each}/events") for each in (match, match, other))
            await until(lambda: slow.ids() and quick.ids() and elsewhere.ids())
            slow.reads.clear()
            last = await found.play(match, WINDOW // 2 + 5)
            await until(lambda: quick.ids()[-1] == last)
            slow.reads.set()
            await until(lambda: slow.ids()[-1] == last)
            assert slow.ids() == quick.ids() == list(range(1, last + 1))
            before = counted("lurch_feed_reads_total")
            await found.play(other)
            await until(lambda: elsewhere.ids() == [1, 2, 3])
            assert counted("lurch_feed_reads_total") - before < 4

    asyncio.run(act())


def test_a_thousand_who_catch_up_from_the_same_place_read_its_pages_together(database):
    async def act():
        async with hall(database) as found:
            match = await found.match()
            last = await found.play(match, 60)
            before = counted("lurch_feed_reads_total"), counted("lurch_feed_drawings_total")
            for _ in range(100):
                found.stream(f"{match}/events")
            await until(lambda: all(each.ids()[-1:] == [last] for each in found.there))
            assert counted("lurch_feed_reads_total") - before[0] < 20
            assert counted("lurch_feed_drawings_total") - before[1] < 3 * last

    asyncio.run(act())


async def asked_at_rest(pool):
    """The number of requests to a pool once nothing is brought up to date any more."""
    asked = None
    while asked != (asked := pool.get_stats()["requests_num"]):
        await asyncio.sleep(0.5)
    return asked


def test_those_who_come_at_once_are_looked_up_together(database):
    """A hundred tokens that nobody has seen yet: more than the pool has connections, a few statements."""

    async def act():
        async with hall(database) as found:
            pool = found.services.pool
            match = await found.match()
            made = [await tokens.create_token(pool, found.club, "spectator", f"phone {n}") for n in range(100)]
            before = await asked_at_rest(pool)
            for token in made:
                found.stream(f"{match}/events", token)
            await until(lambda: all(each.ids() for each in found.there))
            assert pool.get_stats()["requests_num"] - before < 50

    asyncio.run(act())


def test_the_service_takes_as_many_connections_as_the_system_allows():
    """A shell gives 1,024 at first: a hall of spectators and the database's own would not be let in."""
    script = (
        "import resource; from service.run.server import take_files; limit = resource.RLIMIT_NOFILE\n"
        "most = resource.getrlimit(limit)[1]; resource.setrlimit(limit, (64, most)); take_files()\n"
        "print(resource.getrlimit(limit) == (most, most))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "True", done.stderr
