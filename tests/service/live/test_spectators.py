"""Many spectators of one table: nothing is refused, an event is read once and drawn once for each kind of viewer."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from service.live import feed
from service.live.room import Places
from service.store import log, tokens
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


@pytest.fixture
def no_beat(monkeypatch):
    """Wake feeds only when something was appended."""
    monkeypatch.setattr(feed, "BEAT", 600.0)


@pytest.mark.parametrize("each", [5, pytest.param(60, marks=pytest.mark.extended)])
def test_an_event_is_read_once_and_drawn_once_per_kind_of_viewer(database, no_beat, each):
    async def act():
        async with hall(database) as found:
            match = await there(found, each)
            reads, drawings = await told(found, match)
            # two events a deal, each for three kinds of viewers of the API; a page shows the guest's table
            assert drawings <= EVENTS * (2 * 3 + 1)
            assert reads <= 3 * EVENTS, "one for each notice"

    asyncio.run(act())


@pytest.mark.parametrize("each", [10, pytest.param(125, marks=pytest.mark.extended)])
def test_spectators_do_not_hold_up_writers_and_readers(database, each):
    async def act():
        async with hall(database) as found:
            match = await there(found, each)
            assert {each.status for each in found.there} == {200}
            _, answers = await asyncio.gather(
                found.play(match, 20), asyncio.gather(*(found.client.get(match) for _ in range(20)))
            )
            assert {answer.status_code for answer in answers} == {200}
            streams = [each for each in found.there if each.path.endswith("/events")]
            await until(lambda: all(each.ids()[-1] == 41 for each in streams))
            assert {tuple(each.ids()) for each in streams} == {tuple(range(1, 42))}

    asyncio.run(act())


def test_streams_and_writers_use_separate_connections(database):
    async def act():
        async with hall(database) as found, AsyncExitStack() as held:
            match = await found.match()
            spectator = found.stream(f"{match}/events")
            await until(lambda: spectator.ids() == [1])
            readers = found.services.readers
            readers.timeout = 0.1
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


@pytest.mark.parametrize("each", [5, pytest.param(150, marks=pytest.mark.extended)])
def test_a_full_address_does_not_keep_out_tokens_and_other_addresses(database, each):
    async def act():
        async with hall(database, places=Places(20 * each, 2 * each, 10 * each)) as found:
            match = await found.match()
            phones = [found.page(f"{match}/live") for _ in range(each)]
            phones += [found.stream(f"{match}/events") for _ in range(each)]
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


def test_the_addresses_of_one_site_count_as_one(database):
    async def act():
        async with hall(database, places=Places(12, 4, 6)) as found:
            match = await found.match()
            for number in range(4):
                found.stream(f"{match}/events", address=("2001:db8:1:2::1", "2001:db8:1:2:ffff::9")[number % 2])
            await until(lambda: all(each.ids() for each in found.there))
            refused = found.stream(f"{match}/events", address="2001:db8:1:2::77")
            await until(refused.task.done)
            assert refused.status == 503

    asyncio.run(act())


def test_streams_and_json_lines_catch_up_in_pages(database, monkeypatch):
    monkeypatch.setattr(log, "PAGE", 10)

    async def act():
        async with hall(database) as found:
            match = await found.match()
            last = await found.play(match, 12)
            spectators = [found.stream(f"{match}/events"), found.stream(f"/clubs/{found.club}/events", "director")]
            ends = [last, last + 3]
            await until(lambda: [each.ids()[-1:] for each in spectators] == [[end] for end in ends])
            for each, end in zip(spectators, ends, strict=True):
                assert each.ids() == list(range(1, end + 1))
                assert max(piece.count(b"\nid: ") + piece.startswith(b"id: ") for piece in each.pieces) == 10
            lines = found.stream(f"{match}/events", Accept="*/*")
            await until(lines.task.done)
            assert lines.text.count(b"\n") == last
            assert [piece.count(b"\n") for piece in lines.pieces] == [10, 10, 5]

    asyncio.run(act())


def test_a_slow_reader_catches_up_from_the_log(database, no_beat, monkeypatch):
    monkeypatch.setattr(feed, "WINDOW", 20)

    async def act():
        async with hall(database) as found:
            match, other = await found.match(), await found.match()
            slow, quick, elsewhere = (found.stream(f"{each}/events") for each in (match, match, other))
            await until(lambda: slow.ids() and quick.ids() and elsewhere.ids())
            slow.reads.clear()
            last = await found.play(match, 15)
            await until(lambda: quick.ids()[-1] == last)
            slow.reads.set()
            await until(lambda: slow.ids()[-1] == last)
            assert slow.ids() == quick.ids() == list(range(1, last + 1))
            before = counted("lurch_feed_reads_total")
            await found.play(other)
            await until(lambda: elsewhere.ids() == [1, 2, 3])
            assert counted("lurch_feed_reads_total") - before < 4

    asyncio.run(act())


def test_clients_that_catch_up_from_the_same_place_share_its_pages(database):
    async def act():
        async with hall(database) as found:
            match = await found.match()
            last = await found.play(match, 20)
            before = counted("lurch_feed_reads_total"), counted("lurch_feed_drawings_total")
            for _ in range(60):
                found.stream(f"{match}/events")
            await until(lambda: all(each.ids()[-1:] == [last] for each in found.there))
            assert counted("lurch_feed_reads_total") - before[0] < 20
            assert counted("lurch_feed_drawings_total") - before[1] < 3 * last

    asyncio.run(act())


def test_unknown_tokens_that_arrive_together_are_looked_up_together(database, monkeypatch):
    async def act():
        async with hall(database) as found:
            pool, doors, looked_up = found.services.pool, found.services.doors, []
            read = doors._read

            async def counted_read(pool, credentials, used=None):
                looked_up.append(credentials)
                return await read(pool, credentials, used)

            match = await found.match()
            made = [await tokens.create_token(pool, found.club, "spectator", f"phone {n}") for n in range(30)]
            monkeypatch.setattr(doors, "_read", counted_read)
            for token in made:
                found.stream(f"{match}/events", token)
            await until(lambda: all(each.ids() for each in found.there))
            assert len(looked_up) < 15

    asyncio.run(act())
