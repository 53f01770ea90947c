"""Event streams: resumed without hole or double, and going on when what they depend on is lost."""

import asyncio
import contextvars
import json
import random

import psycopg
import pytest

from service.live.hub import Hub
from service.run.lifespan import ended
from service.run.pool import make_pool
from service.store import notices
from service.store.patience import SILENCE
from tests.conftest import with_pool
from tests.kit.faults.listeners import followers, have_heard_everything, listening
from tests.kit.faults.processes import tell, until
from tests.kit.faults.relay import TO_SERVER, Cut, relayed
from tests.kit.faults.scorers import RESULT, append_elsewhere, batches, more, results, scoring

END_LISTENING = "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'"


@pytest.fixture
def club(club_there):
    return club_there


@pytest.fixture
def match(service, club):
    """A match of 21 events."""
    found = club.open_match(service.url)
    with club.client(service.url) as client:
        for _ in range(10):
            client.post(f"/matches/{found}/results", json=RESULT)
    return found


@pytest.mark.extended
def test_last_event_id_goes_on_right_behind_it(service, club, match):
    lasts = [0, 1, 10, 20]
    listeners = [each for last in lasts for each in followers(club, service.url, match, last=last)]
    with listening(*listeners):
        until(lambda: [listener.last for listener in listeners] == [21, 24] * 4)
    assert [listener.ids() for listener in listeners] == [
        list(range(last + 1, end)) for last in lasts for end in (22, 25)
    ]


@pytest.mark.extended
def test_json_lines_go_on_behind_a_version_and_end(service, club, match):
    with club.client(service.url) as client:
        for path, end in ((f"/matches/{match}/events", 21), (f"/clubs/{club.id}/events", 24)):
            for after in (0, 10, end, 1000):
                lines = client.get(path, params={"after": after}).text.splitlines()
                member = "version" if "matches" in path else "position"
                assert [json.loads(line)[member] for line in lines] == list(range(after + 1, end + 1))


@pytest.mark.extended
def test_a_client_at_the_end_of_the_log_hears_only_what_comes(service, club, match):
    (listener, _) = followers(club, service.url, match, last=21)
    with listening(listener), club.client(service.url) as client:
        until(lambda: listener.connections)
        client.post(f"/matches/{match}/results", json=RESULT)
        until(lambda: listener.last == 23)
    assert listener.ids() == [22, 23]


def test_streams_cut_anywhere_and_resumed_miss_nothing(service, club, match):
    chance = random.Random(1)
    works = [results(match), batches(club.open_match(service.url, ("Carla", "Dora")))]

    def cut():
        return chance.randint(1500, 4000)

    listeners = [*followers(club, service.url, match, cut=cut), *followers(club, service.url, match, cut=cut)]
    with listening(*listeners):
        with scoring(club, [service.url], works):
            more(club, 60)
            until(lambda: all(listener.connections > 3 for listener in listeners))
        for listener in listeners:
            listener.cut = lambda: None
        have_heard_everything(club, match, listeners, 60)
    assert all(listener.connections > 3 for listener in listeners)
    tell(f"connections: {[listener.connections for listener in listeners]}")


@pytest.mark.extended
def test_streams_go_on_when_the_listening_connection_is_ended(service, club, match):
    listeners = followers(club, service.url, match)
    with listening(*listeners), psycopg.connect(service.embedded().url("postgres"), autocommit=True) as connection:
        until(lambda: [listener.last for listener in listeners] == [21, 24])
        for _ in range(3):
            # the beat of the streams may have told everything before somebody listens again
            ended = until(lambda: connection.execute(END_LISTENING).fetchall())
            assert ended == [(True,)]
            append_elsewhere(club, match)
            have_heard_everything(club, match, listeners)
    assert [listener.connections for listener in listeners] == [1, 1]


def test_a_notice_whose_connection_was_lost_is_sent_again(database):
    """Two processes: the pool of the one that appended holds nothing but dead connections."""
    if database.embedded is None:
        pytest.skip("needs a superuser")

    async def act(pool):
        here, there = Hub(), Hub()
        listening = there.listen(database.url, idle, lambda _: None)
        tasks = [asyncio.create_task(here.speak(pool)), asyncio.create_task(listening)]
        with there.follow("a club") as flag:
            await asyncio.wait_for(flag.wait(), 60)  # it listens
            flag.clear()
            async with pool.connection() as connection:
                number = connection.info.backend_pid
            with psycopg.connect(database.embedded.url("postgres")) as superuser:
                superuser.execute("select pg_terminate_backend(%s, 5000)", [number])
            here.said("a club")
            await asyncio.wait_for(flag.wait(), 60)  # nothing else sets it
        await ended(*tasks)

    async def idle():
        pass

    async def with_one_connection():
        async with make_pool(database.url, 1) as pool:
            await act(pool)

    asyncio.run(with_one_connection())


@pytest.mark.extended
def test_a_listening_connection_that_a_network_forgot_is_made_anew(database, monkeypatch):
    """Firewalls drop who was silent for some minutes: neither end hears of it."""
    monkeypatch.setattr(notices, "ASK_SECONDS", 0.2)

    async def act(pool):
        here, there = Hub(), Hub()
        context = contextvars.copy_context()
        context.run(SILENCE.set, 600.0)  # longer than a busy machine is silent
        with relayed(database.url) as (relay, url):
            tasks = [
                asyncio.create_task(here.speak(pool)),
                asyncio.create_task(there.listen(url, idle, lambda _: None), context=context),
            ]

            async def questions(count):
                relay.arm(Cut(b"lurch_choices", 1_000_000, TO_SERVER, 0))  # counts them
                async with asyncio.timeout(60):
                    while relay.seen < count:
                        await asyncio.sleep(0.01)

            with there.follow("a club") as flag:
                await asyncio.wait_for(flag.wait(), 60)  # it listens
                flag.clear()
                await questions(3)
                assert not flag.is_set(), "silence alone is no fault"
                context.run(SILENCE.set, 0.5)
                await questions(2)  # the second one waits so long at most
                relay.loop.call_soon_threadsafe(relay.drop)
                here.said("a club")
                await asyncio.wait_for(flag.wait(), 60)
            await ended(*tasks)

    async def idle():
        pass

    with_pool(database, act)
