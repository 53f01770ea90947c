"""Whoever reads the open log receives the same bytes whether the closed one moves or not: answers, pages, streams,
webhooks, lists."""

import asyncio
import json
import re

import msgspec
import pytest

from domain.club.commands import RegisterMember
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.live import feed
from service.projector import Projector
from service.store import finding, log, views
from service.store import webhooks as hooks
from service.store.appending import LogMovedError
from service.store.ids import new_id
from service.store.kinds import CLUB
from service.store.log_sql import CLOSED, OPEN
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.faults.processes import until as soon
from tests.kit.logs import faults_of
from tests.kit.service.asking import House
from tests.kit.service.leaving import answers
from tests.kit.service.receivers import receiving
from tests.kit.service.spectators import counted, hall, until
from tests.kit.service.webhook_scene import Scene
from tests.kit.talks import TALK, Say, talk, talks
from tests.service.api.test_tournaments import Evening, single
from tests.service.store.test_closed_log import BY

PARITY = {"entry": {"parity": "odd", "tricks": [9, 6]}}
CHECKPOINTS = "select projection, version, position from checkpoints where club_id = %s order by 1, 2"
ROWS = "select projection, version, key, data from views where club_id = %s order by 1, 2, 3"
OF_A_REQUEST = re.compile(r"nonce-[^\"' ]+")  # made anew for each answer


@pytest.fixture(autouse=True)
def made_up_kind():
    with talks():
        yield


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        yield found


def said(house, *words):
    """Talks of the club in this very service, so that whatever it wakes is woken."""
    services = house.client.app.state.services

    async def act():
        stream = await talk(services.recorder, house.id, *words)
        await services.recorder.on_stream(stream, TALK, Say("many", times=50), own_request(BY))
        return stream

    return house.client.blocking_portal.call(act)


def shown(house, matches, cups):
    """All that is answered, with the headers of what is in the API, but for what every request makes anew."""
    found = {place: OF_A_REQUEST.sub("", text) for place, text in answers(house, house.client, matches, cups).items()}
    for place in ("", "/events", "/matches", "/players", "/events?as_of=3", "/matches?as_of=5", "/webhooks"):
        for role in ("owner", "director", "player", "spectator"):
            answer = house.get(f"{house.path}{place}", role)
            kept = {name: value for name, value in answer.headers.items() if name not in ("date", "x-request-id")}
            found[place, role] = answer.status_code, OF_A_REQUEST.sub("", repr(sorted(kept.items()))), answer.content
    return found


def kept(house):
    """What the projector keeps of the club, and how far it is."""
    return [house.log.execute(each, [house.id]).fetchall() for each in (CHECKPOINTS, ROWS)]


def test_answers_pages_and_lists_do_not_change_with_the_closed_log(house):
    match = house.match()
    house.done(f"{match}/results", PARITY)
    cup = Evening(house, [single()], players=4)
    cup.act({"do": "pair_round"})
    matches, cups = [match.rpartition("/")[2]], [cup.id]
    shown(house, matches, cups)  # tournaments and lists have caught up by now
    house.webhook()  # not before: of what it had to deliver it would tell how often it has tried
    position = house.position()
    before, rows = shown(house, matches, cups), kept(house)
    for number in range(5):
        said(house, f"words {number}")
    after = shown(house, matches, cups)
    assert [place for place in before if before[place] != after[place]] == []
    assert kept(house) == rows
    assert house.position() == position
    assert with_pool(house.database, lambda pool: log.last_position(pool, house.id, CLOSED)) == 5 * 52
    assert with_pool(house.database, lambda pool: faults_of(pool, house.id)) == []


def test_open_positions_are_dense_between_closed_events(house):
    match = house.match()
    numbers = []
    for _ in range(4):
        said(house, "words")
        house.done(f"{match}/results", PARITY)
        said(house, "words")
        numbers.append(house.position())
    assert numbers == list(range(numbers[0], numbers[0] + 8, 2))
    lines = house.get(f"{house.path}/events", "director").text.splitlines()
    assert [json.loads(each)["position"] for each in lines] == list(range(1, numbers[-1] + 1))


def test_a_rebuild_makes_the_same_rows_of_the_open_log_alone(house):
    house.done(f"{house.match()}/results", PARITY)
    house.get(f"{house.path}/matches")
    house.get(f"{house.path}/players")
    rows = kept(house)[1]
    said(house, "words")
    with_pool(house.database, lambda pool: Projector(pool).rebuild(house.id))
    assert kept(house)[1] == rows

    async def stands(pool):
        heads = await views.progress(pool, [("matches", 0)], house.id)
        return heads[0], (await finding.streams_with_news(pool, house.id, 0))[1]

    assert with_pool(house.database, stands) == (house.position(), house.position())


def test_open_streams_are_not_woken_by_the_closed_log(database, monkeypatch):
    monkeypatch.setattr(feed, "PING", 600.0)
    monkeypatch.setattr(feed, "BEAT", 600.0)

    async def act():
        async with hall(database) as found:
            match = await found.match()
            club = f"/clubs/{found.club}/events"
            for token in ("director", "spectator", None):
                found.stream(club, token)
                found.stream(f"{match}/events", token)
            found.page(f"{match}/live")
            await found.play(match)
            await until(lambda: all(b"ResultEntered" in each.text for each in found.there[:-1]))
            await found.there[-1].told(b'<th scope="row">1</th>')
            before, reads = [each.ids() for each in found.there[:-1]], counted("lurch_feed_reads_total")
            for number in range(5):
                stream = await talk(found.services.recorder, found.club, f"words {number}")
                await found.services.recorder.on_stream(stream, TALK, Say("x", times=300), own_request(BY))
            await found.play(match)
            streams = found.there[:-1]
            await until(lambda: all(len(each.ids()) >= len(old) + 2 for each, old in zip(streams, before, strict=True)))
            for each, old in zip(streams, before, strict=True):
                assert each.ids() == [*old, old[-1] + 1, old[-1] + 2], "the two events of the open log and no other"
                assert b"Talk" not in each.text and b"WordsSaid" not in each.text
            assert counted("lurch_feed_reads_total") <= reads + 3, "of the open log's own notices"

    asyncio.run(act())


def test_webhooks_send_events_of_the_open_log_only(house, database):
    with receiving() as receiver:
        made = house.done(f"{house.path}/webhooks", {"url": receiver.url}, "owner")
        match = house.match()
        said(house, "words")
        house.done(f"{match}/results", PARITY)
        said(house, "words")
        soon(lambda: receiver.positions and receiver.positions[-1] == house.position())
        count = len({each.id for each in receiver.got})
        for number in range(5):
            said(house, f"words {number}")

        def stands():
            hook = house.get(f"{house.path}/webhooks/{made['id']}", "owner").json()
            return hook["position"], hook.get("head", house.position())

        soon(lambda: stands() == (house.position(), house.position()))  # it has been answered, and noted that
        house.done(f"{match}/results", PARITY)
        soon(lambda: receiver.positions[-1] == house.position())
        assert [each["position"] for each in receiver.once] == list(range(2, house.position() + 1))
        assert not any(b"Talk" in each.body or b"WordsSaid" in each.body for each in receiver.got)
        assert len({each.id for each in receiver.got}) == count + 1


def test_the_closed_log_makes_no_webhook_due(database, club):
    with receiving() as receiver:
        scene = Scene(database, club[0], receiver.url)
        scene.record(2)
        assert scene.deliver()

        async def act(pool):
            stream = await talk(Recorder(Streams(pool)), club[0])
            await Recorder(Streams(pool)).on_stream(stream, TALK, Say("x", times=200), own_request(BY))
            due = await scene.due(scene.courier(pool))
            skipped = await hooks.enable(pool, club[0], scene.id, True, scene.clock())
            late = await hooks.create(pool, club[0], new_id(), receiver.url, "s", None, scene.clock(), None, b"")
            return due, skipped.position, late.position, await log.last_position(pool, club[0])

        due, skipped, late, head = scene.on_pool(act)
    assert (due, skipped, late) == ([], head, head)


def test_a_command_bound_to_the_end_of_its_log_ignores_the_other(house):

    async def act(pool):
        recorder = Recorder(Streams(pool))
        stream = await talk(recorder, house.id, "words")
        ends = {which: await log.last_position(pool, house.id, which) for which in (OPEN, CLOSED)}
        opened = msgspec.structs.replace(own_request(BY), ends=ends[OPEN])
        closed = msgspec.structs.replace(own_request(BY), ends=ends[CLOSED])
        await recorder.on_stream(stream, TALK, Say("meanwhile"), own_request(BY))
        await recorder.on_stream(house.id, CLUB, RegisterMember(new_id(), "Ann"), opened)
        with pytest.raises(LogMovedError):
            await recorder.on_stream(house.id, CLUB, RegisterMember(new_id(), "Ben"), opened)
        with pytest.raises(LogMovedError):
            await recorder.on_stream(stream, TALK, Say("too late"), closed)
        now = msgspec.structs.replace(own_request(BY), ends=ends[CLOSED] + 1)
        await recorder.on_stream(stream, TALK, Say("in time"), now)

    with_pool(house.database, act)
