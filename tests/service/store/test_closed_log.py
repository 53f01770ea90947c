"""The closed log of a club: positions of its own, read by name only, and nothing of the open log moves with it."""

import asyncio
import json

import msgspec
import psycopg
import pytest

from domain.log.actor import Actor, Reach, Right
from domain.log.decider import Refusal
from domain.match import commands as c
from service.cli import clerk
from service.desk import verifying
from service.desk.recording import Recorder
from service.desk.requests import Request, closed_request, own_request
from service.live.hub import Hub
from service.run.pool import make_pool
from service.store import appending, finding, log, notices
from service.store.device_book import DeviceBook
from service.store.ids import new_id
from service.store.kinds import MATCH, TOURNAMENT
from service.store.log_sql import CLOSED
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.logs import faults_of
from tests.kit.service.asking import House, a_problem
from tests.kit.talks import TALK, Join, Open, Say, Talk, talk, talks

BY = clerk.CLERK
RESULT = c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]})


@pytest.fixture(autouse=True)
def made_up_kind():
    with talks():
        yield


async def a_match(pool, club):
    command = c.OpenMatch(game="parity", options={}, race={"target": 100_000}, sides=())
    done = await Recorder(Streams(pool)).open_match(club, command, (("Annie",), ("Benny",)), own_request(BY))
    return done.loaded.stream


def asking(role="player", command=None, chosen=False, **right):
    """A request of somebody with one right."""
    actor = Actor(rights=(Right(role, **right),))
    name = command or new_id()
    return Request(BY, actor, name, chosen, name.encode().ljust(32, b"\0"))


def positions(database, club):
    """The positions of both logs, and where `logs` says that they end."""
    with psycopg.connect(database.url) as connection:
        rows = connection.execute(
            "select log, position from events where club_id = %s order by 1, 2", [club]
        ).fetchall()
        heads = connection.execute("select log, position from logs where club_id = %s order by 1", [club]).fetchall()
    return {which: [at for own, at in rows if own == which] for which, _ in heads}, dict(heads)


def both_dense(database, club):
    found, heads = positions(database, club)
    return heads.keys() == {0, 1} and all(own == list(range(1, heads[which] + 1)) for which, own in found.items())


def test_a_new_club_has_both_logs(database, club):
    assert positions(database, club[0])[1] == {0: 1, 1: 0}


def test_a_closed_stream_does_not_change_the_open_log(database, club):
    async def act(pool):
        recorder, before = Recorder(Streams(pool)), await log.last_position(pool, club[0])
        first = await talk(recorder, club[0], "one", "two")
        match = await a_match(pool, club[0])
        second = await talk(recorder, club[0], "three")
        open_ones = await log.read_club(pool, club[0], 0)
        closed = await log.read_closed(pool, club[0], 0)
        assert {each.event.stream for each in open_ones} == {club[0], match}
        assert [each.event.position for each in closed] == [1, 2, 3, 4, 5]
        assert [each.event.stream for each in closed] == [first] * 3 + [second] * 2
        assert [each.event.private for each in closed[1:3]] == [{"words": "one"}, {"words": "two"}]
        assert [each.event.position for each in await log.read_closed(pool, club[0], 3, 1)] == [4]
        assert await log.last_position(pool, club[0]) == before + len(open_ones) - before
        assert await log.last_position(pool, club[0], CLOSED) == 5
        assert await finding.position_at(pool, club[0], closed[-1].event.recorded_at, CLOSED) == 5
        assert (await finding.streams_with_news(pool, club[0], before))[0][-1][0] == match
        assert dict(await log.clubs(pool))[club[0]] == len(open_ones)
        one = await log.read_stream(pool, club[0], first)
        assert [each.event.version for each in one] == [1, 2, 3]
        assert await finding.by_hash(pool, 1, one[0].hash) is None
        opened = next(each for each in open_ones if each.event.stream == match)
        assert await finding.by_hash(pool, 1, opened.hash) == match

    with_pool(database, act)
    assert both_dense(database, club[0])
    assert with_pool(database, lambda pool: faults_of(pool, club[0])) == []


def test_a_closed_stream_is_folded_as_of_positions_of_its_own_log(database, club):
    async def act(pool):
        recorder = Recorder(Streams(pool))
        await talk(recorder, club[0], "before")
        stream = await talk(recorder, club[0], "one", "two")
        streams = Streams(pool)
        loaded = await streams.of_kind(stream, TALK)
        assert loaded.state == Talk((Reach(),), 2)
        assert (loaded.log, loaded.head.version) == (CLOSED, 3)
        assert await streams.state_by(loaded, 2) == Talk()
        assert (await streams.state_by(loaded, 4)).said == 1
        assert (await streams.state_at(loaded, 2)).said == 1
        for kind in (MATCH, TOURNAMENT):
            assert await streams.of_kind(stream, kind) is None

    with_pool(database, act)


def test_no_public_address_knows_a_closed_stream(client, database, club):
    stream = with_pool(database, lambda pool: talk(Recorder(Streams(pool)), club[0], "secret words"))
    for role in (*club[1], None):
        sent = {} if role is None else {"Authorization": f"Bearer {club[1][role]}"}
        for path in ("/matches/{}", "/matches/{}/events", "/tournaments/{}", "/tournaments/{}/archive"):
            a_problem(client.get(f"/api/v1{path.format(stream)}", headers=sent), 404, "not-found")
        answer = client.get(f"/api/v1/clubs/{club[0]}/events", headers=sent)
        assert stream not in answer.text
        assert "TalkOpened" not in answer.text
    body = {"url": "https://example.org/hook", "types": ["TalkOpened"]}
    sent = {"Authorization": f"Bearer {club[1]['owner']}"}
    answer = client.post(f"/api/v1/clubs/{club[0]}/webhooks", json=body, headers=sent)
    assert "'TalkOpened'" in a_problem(answer)["detail"]
    assert "WordsSaid" not in answer.text


def test_a_command_id_is_one_for_both_logs(database, club):
    async def act(pool):
        recorder, key = Recorder(Streams(pool)), new_id()
        match = await a_match(pool, club[0])
        stream, asked = new_id(), asking("owner", key, True, club=club[0])
        first = await recorder.begin(club[0], stream, TALK, Open(match), asked)
        again = await recorder.begin(club[0], stream, TALK, Open(match), asked)
        assert [each.hash for each in (first.loaded.head, again.loaded.head)] == [first.loaded.head.hash] * 2
        other = msgspec.structs.replace(asked, fingerprint=b"x" * 32)
        with pytest.raises(Refusal) as refused:
            await recorder.match(match, RESULT, other)
        assert refused.value.slug == "key-reused"
        assert await log.last_position(pool, club[0], CLOSED) == 1

    with_pool(database, act)


def test_command_ids_of_the_service_in_the_closed_log_are_secret(database, club):
    async def act(pool):
        asked = closed_request(await DeviceBook(pool).of(club[0]), BY, "open case of match 1")
        again = closed_request(await DeviceBook(pool).of(club[0]), BY, "open case of match 1")
        other = await clerk.club_named(pool, f"other than {club[0]}")
        elsewhere = closed_request(await DeviceBook(pool).of(other), BY, "open case of match 1")
        assert asked == again
        assert asked.chosen
        assert elsewhere.command_id != asked.command_id
        assert "case" not in asked.command_id

    with_pool(database, act)


def test_a_right_for_a_match_reaches_only_the_talk_about_it(database, club):
    async def act(pool):
        recorder = Recorder(Streams(pool))
        ours, theirs = await a_match(pool, club[0]), await a_match(pool, club[0])
        stream = await talk(recorder, club[0], about=Reach(ours))
        own, other = ({"club": club[0], "match": each} for each in (ours, theirs))
        await recorder.on_stream(stream, TALK, Say("mine"), asking(**own))
        with pytest.raises(Refusal) as refused:
            await recorder.on_stream(stream, TALK, Say("not mine"), asking(**other))
        assert refused.value.slug == "forbidden"
        with pytest.raises(Refusal):
            await recorder.on_stream(stream, TALK, Say("stranger"), asking(club=new_id()))
        await recorder.on_stream(stream, TALK, Join(theirs), own_request(BY))
        done = await recorder.on_stream(stream, TALK, Say("mine too"), asking(**other))
        assert (done.events[0].actor, done.events[0].role) == (None, "player")
        with pytest.raises(Refusal):
            await recorder.begin(club[0], new_id(), TALK, Open(ours), asking(**other), about=(Reach(ours),))
        await recorder.begin(club[0], new_id(), TALK, Open(ours), asking(**own), about=(Reach(ours),))

    with_pool(database, act)


def test_a_talk_about_a_tournament_is_reached_by_its_directors(database, club):
    async def act(pool):
        recorder, cup, other = Recorder(Streams(pool)), new_id(), new_id()
        stream = await talk(recorder, club[0], about=Reach(None, cup))
        await recorder.on_stream(stream, TALK, Say("ours"), asking("director", club=club[0], tournament=cup))
        with pytest.raises(Refusal):
            await recorder.on_stream(stream, TALK, Say("no"), asking("director", club=club[0], tournament=other))

    with_pool(database, act)


def test_nothing_is_found_under_a_kind_that_a_stream_has_not(database, club):
    async def act(pool):
        match = await a_match(pool, club[0])
        with pytest.raises(Refusal) as refused:
            await Recorder(Streams(pool)).on_stream(match, TALK, Say("x"), own_request(BY))
        assert refused.value.slug == "not-found"

    with_pool(database, act)


def test_writers_of_both_logs_at_once_leave_both_dense_and_lose_nothing(database, club):
    async def race():
        async with make_pool(database.url, 8) as pool:
            match = await a_match(pool, club[0])
            shared = await talk(Recorder(Streams(pool)), club[0])

            async def plays():
                for _ in range(10):
                    await Recorder(Streams(pool)).match(match, RESULT, own_request(BY))

            async def says():
                for _ in range(10):
                    await Recorder(Streams(pool)).on_stream(shared, TALK, Say("x", times=2), own_request(BY))

            await asyncio.gather(
                *(plays() for _ in range(3)),
                *(says() for _ in range(3)),
                *(talk(Recorder(Streams(pool)), club[0], "a", "b") for _ in range(5)),
            )
            versions = [each.event.version for each in await log.read_stream(pool, club[0], shared)]
            return versions, await faults_of(pool, club[0])

    versions, wrong = asyncio.run(race())
    assert versions == list(range(1, 62))
    assert wrong == []
    found, heads = positions(database, club[0])
    assert both_dense(database, club[0])
    assert heads[1] == 61 + 5 * 3
    assert len(found[0]) == heads[0]


def test_a_lock_on_one_log_does_not_block_the_other(database, club):
    async def act(pool):
        match = await a_match(pool, club[0])
        stream = await talk(Recorder(Streams(pool)), club[0])
        async with await psycopg.AsyncConnection.connect(database.url) as holder:
            hold = "select from logs where club_id = %s and log = %s for update"
            await holder.execute(hold, [club[0], 0])
            async with asyncio.timeout(60):
                await Recorder(Streams(pool)).on_stream(stream, TALK, Say("now"), own_request(BY))
            await holder.rollback()
            await holder.execute(hold, [club[0], 1])
            async with asyncio.timeout(60):
                await Recorder(Streams(pool)).match(match, RESULT, own_request(BY))

    with_pool(database, act)


def test_an_append_to_an_unknown_log_is_refused(database):
    async def act(pool):
        nowhere = new_id()
        with pytest.raises(appending.UnknownClubError):
            await talk(Recorder(Streams(pool)), nowhere)
        return await log.read_closed(pool, nowhere, 0)

    assert with_pool(database, act) == []


@pytest.mark.parametrize("closed", [False, True])
def test_notices_of_one_log_do_not_wake_readers_of_the_other(closed):
    hub = Hub()
    with hub.follow("club") as follower, hub.follow("club", closed=True) as concerned:
        hub.said("club", closed)
        assert (follower.is_set(), concerned.is_set()) == (not closed, closed)
        assert hub.stirred.is_set() is not closed
        assert hub._news.qsize() == (0 if closed else 1)


def test_notices_of_the_closed_log_go_their_own_way_to_other_processes(database, club):
    async def act(pool):
        async with await notices.connected(database.url) as ears:
            await notices.listen(ears)
            await notices.tell(pool, "me", {(club[0], True)})
            await notices.tell(pool, "me", {(club[0], False)})
            found = []
            async for notice in notices.heard(ears):
                if notice is not None and notice.club == club[0]:
                    found.append(notice)
                if len(found) == 2:
                    break
        return found

    assert with_pool(database, act) == [notices.Notice(club[0], "me", True), notices.Notice(club[0], "me", False)]


def test_closed_notices_of_another_process_do_not_wake_open_readers(database, club):
    async def act():
        async with make_pool(database.url, 2) as pool:
            one, other, woken = Hub(), Hub(), []

            def wake(which, closed=False):
                woken.append((which, closed))
                Hub.wake(other, which, closed)

            other.wake = wake

            ears = asyncio.create_task(other.listen(database.url, asyncio.Event().wait, lambda _: None))
            mouth = asyncio.create_task(one.speak(pool))
            with other.follow(club[0]) as follower, other.follow(club[0], closed=True) as concerned:
                while not (follower.is_set() and concerned.is_set()):  # it listens from here on
                    await asyncio.sleep(0.01)
                follower.clear(), concerned.clear()
                await talk(Recorder(Streams(pool), one.said), club[0], "words")
                async with asyncio.timeout(60):
                    await concerned.wait()
                # of this club alone: the service beside may say something of another one meanwhile
                heard = follower.is_set(), club[0] in other._queued, (club[0], False) in woken
            for task in (ears, mouth):
                task.cancel()
            return heard

    assert asyncio.run(act()) == (False, False, False)


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        yield found


def test_verify_counts_the_closed_log_too(house, database):
    before = with_pool(database, log.events_in_all)
    with_pool(database, lambda pool: talk(Recorder(Streams(pool)), house.id, "a", "b"))
    assert with_pool(database, log.events_in_all) >= before + 3
    found = with_pool(database, verifying.verify)
    assert [each.text for each in found.wrong if each.club == house.id] == []
    assert json.loads(msgspec.json.encode(verifying.Wrong("missing", "c", None, "log", 1, 1, "x")))["log"] == "open"
