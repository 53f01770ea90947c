"""Webhooks arrive: signed, in order, at least once, whatever fails or stops in between."""

import asyncio
import json
from datetime import timedelta

import pytest
from litestar.testing import TestClient

from service.run.app import create_app
from service.run.lifespan import ended
from service.run.settings import Settings
from service.run.wiring import make_services
from service.store import log
from service.store import webhooks as rows
from service.webhooks import signing
from service.webhooks.courier import MOST
from service.webhooks.sending import Sender
from tests.kit.faults.processes import free_port, until
from tests.kit.service.asking import House
from tests.kit.service.receivers import receiving
from tests.kit.service.webhook_scene import Scene


@pytest.fixture
def receiver():
    with receiving() as found:
        yield found


@pytest.fixture
def scene(database, club, receiver):
    return Scene(database, club[0], receiver.url)


def test_every_event_arrives_once_in_order_and_signed(scene, receiver):
    scene.record(60)
    assert scene.deliver()
    assert receiver.positions == scene.positions()
    assert len(receiver.got) > 1
    assert max(len(each.events) for each in receiver.got) == MOST
    for each in receiver.got:
        at = int(each.headers["webhook-timestamp"])
        assert each.headers["webhook-signature"] == signing.signature(scene.secret, each.id, at, each.body)
        assert each.id == f"{scene.id}_{each.positions[-1]}"
        assert json.loads(each.body)["club"] == scene.club
        assert each.headers["content-type"] == "application/json"


def test_what_happened_before_is_not_sent(database, club, receiver):
    Scene(database, club[0], receiver.url).record(1)
    late = Scene(database, club[0], receiver.url)
    assert late.deliver()
    ours = [each for each in receiver.got if each.id.startswith(late.id)]
    assert ours == []


def test_a_failed_delivery_is_repeated_with_the_same_id_and_events(scene, receiver):
    receiver.answers = [500]
    scene.record(2)
    assert not scene.deliver()
    scene.record(2)
    assert not scene.deliver(), "it was tried before its pause was over"
    assert len(receiver.got) == 1
    scene.clock.passes(seconds=5)
    assert scene.deliver()
    first, again, rest = receiver.got
    assert (again.id, again.body) == (first.id, first.body)
    assert again.headers["webhook-timestamp"] != first.headers["webhook-timestamp"]
    assert again.positions + rest.positions == scene.positions()
    assert [(each.status, each.error) for each in scene.attempts] == [(204, None), (204, None), (500, "answered 500")]


def test_a_refused_connection_is_tried_again_with_the_same_id(database, club):
    port = free_port()
    scene = Scene(database, club[0], f"http://127.0.0.1:{port}/hook")
    scene.record()
    assert not scene.deliver()
    (failed,) = scene.attempts
    assert failed.status is None
    assert failed.error
    scene.clock.passes(seconds=5)
    with receiving(port) as receiver:
        assert scene.deliver()
    assert [each.id for each in receiver.got] == [failed.message]
    assert receiver.positions == scene.positions()


def test_a_receiver_that_does_not_answer_in_time_has_not_received(scene, receiver):
    receiver.hold.clear()
    scene.record()
    assert not scene.deliver(seconds=0.3)
    receiver.hold.set()
    scene.clock.passes(seconds=5)
    assert scene.deliver()
    again, first = scene.attempts
    assert again.message == first.message
    assert {each.id for each in receiver.got} == {first.message}  # on a busy machine the first may not even have come
    assert receiver.got[-1].positions == scene.positions()
    assert "no answer" in first.error


def test_pauses_double_up_to_an_hour_until_a_success(scene, receiver):
    receiver.answers, pauses = [503] * 13, []
    scene.record()
    for _ in range(13):
        assert not scene.deliver()
        pauses.append((scene.hook.next_try_at - scene.clock()).total_seconds())
        scene.clock.passes(seconds=pauses[-1])
    assert pauses == [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600]
    assert scene.deliver()
    assert (scene.hook.failures, scene.hook.failing_since, scene.hook.last_error) == (0, None, None)


@pytest.mark.parametrize(
    ("said", "seconds"), [("120", 120), ("1", 5), ("999999", 3600), ("soon", 5), ("Fri, 01 Jan 2100 19:40:00 GMT", 600)]
)
def test_retry_after_is_kept_to_within_an_hour(scene, receiver, said, seconds):
    receiver.answers = [(429, {"Retry-After": said})]
    scene.record()
    assert not scene.deliver()
    assert (scene.hook.next_try_at - scene.clock()).total_seconds() == seconds


def test_410_disables_and_enabling_continues_where_it_stopped(scene, receiver):
    receiver.answers = [410]
    scene.record()
    assert not scene.deliver()
    assert scene.hook.disabled_at == scene.clock()
    assert "410" in scene.hook.disabled_because
    scene.clock.passes(days=30)
    scene.record()
    scene.deliver()
    assert len(receiver.got) == 1
    assert scene.on_pool(lambda pool: rows.enable(pool, scene.club, scene.id, False, scene.clock()))
    assert scene.deliver()
    assert receiver.positions[len(receiver.got[0].events) :] == scene.positions()


def test_a_webhook_is_disabled_after_five_days_without_an_answer(scene, receiver):
    receiver.answers = [500] * 200
    scene.record()
    begun = scene.clock()
    while scene.hook.disabled_at is None:
        scene.deliver()
        scene.clock.passes(hours=2)
    assert timedelta(days=5) <= scene.hook.disabled_at - begun < timedelta(days=5, hours=4)
    assert "5 days" in scene.hook.disabled_because
    assert "answered 500" in scene.hook.disabled_because
    assert len(scene.attempts) == rows.SHOWN, "the attempts are bounded"


def test_a_service_that_was_off_for_a_week_gives_nothing_up(scene, receiver):
    receiver.answers = [500, 500]
    scene.record()
    scene.deliver()
    scene.clock.passes(days=7)
    assert not scene.deliver()
    assert scene.hook.disabled_at is None
    scene.clock.passes(days=7)
    assert scene.deliver()


def test_what_was_skipped_is_not_sent(scene, receiver):
    receiver.answers = [500]
    scene.record(3)
    scene.deliver()
    scene.on_pool(lambda pool: rows.enable(pool, scene.club, scene.id, True, scene.clock()))
    skipped = len(scene.positions())
    scene.record()
    assert scene.deliver()
    assert receiver.got[1].positions == scene.positions()[skipped:]


def test_a_redirect_is_not_followed(scene, receiver):
    receiver.answers = [(307, {"Location": receiver.url})]
    scene.record()
    assert not scene.deliver()
    assert len(receiver.got) == 1
    assert "not followed" in scene.hook.last_error


def test_only_the_types_that_were_asked_for_are_sent(database, club, receiver):
    scene = Scene(database, club[0], receiver.url, ["ResultEntered"])
    scene.record(3)
    assert scene.deliver()
    assert receiver.positions == [position for position, kind in scene.wanted() if kind == "ResultEntered"]
    assert len(receiver.positions) == 3


def test_a_delivery_interrupted_by_a_stop_is_sent_again_immediately(scene, receiver):
    receiver.hold.clear()
    scene.record(2)

    async def begin_and_stop(pool):
        closing, news = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(scene.courier(pool, seconds=600.0).follow(news, closing))
        while not receiver.got:
            await asyncio.sleep(0.01)
        closing.set()
        await asyncio.wait_for(ended(task), 60)

    scene.on_pool(begin_and_stop)  # without an answer of the receiver
    receiver.hold.set()
    assert scene.deliver()
    assert receiver.got[0].id == receiver.got[1].id
    assert receiver.got[1].positions == scene.positions()


def test_another_process_continues_when_the_claim_of_a_killed_one_expires(scene, receiver):
    scene.record(2)

    async def killed(pool):
        (hook,) = await scene.due(scene.courier(pool))
        await rows.begin(pool, hook, scene.since + 1)

    scene.on_pool(killed)
    assert not scene.deliver()
    assert receiver.got == []
    scene.clock.passes(seconds=61)
    assert scene.deliver()
    assert receiver.got[0].positions == [scene.since + 1], "what was begun is the same again"
    assert receiver.positions == scene.positions()


def test_two_processes_never_send_the_same_at_the_same_time(scene, receiver):
    scene.record(3)

    async def at_once(pool):
        couriers = [scene.courier(pool) for _ in range(4)]
        return [len(found) for found in await asyncio.gather(*(scene.due(each) for each in couriers))]

    assert sorted(scene.on_pool(at_once)) == [0, 0, 0, 1]


def test_a_process_that_lost_its_claim_delivers_nothing(scene, receiver):
    scene.record()

    async def too_late(pool):
        courier = scene.courier(pool)
        (mine,) = await scene.due(courier)
        scene.clock.passes(seconds=61)
        (theirs,) = await scene.due(courier)
        await courier.deliver(mine)
        return theirs

    theirs = scene.on_pool(too_late)
    assert receiver.got == []
    assert scene.hook == theirs


def test_a_hanging_receiver_does_not_hold_up_others(database, club, receiver):
    with receiving() as slow:
        slow.hold.clear()
        hanging = Scene(database, club[0], slow.url)
        quick = Scene(database, club[0], receiver.url)
        quick.record(2)

        async def follow(pool):
            task = asyncio.create_task(quick.courier(pool, seconds=600.0).follow(asyncio.Event(), asyncio.Event()))
            while (await rows.find(pool, club[0], quick.id)).position < await log.last_position(pool, club[0]):
                await asyncio.sleep(0.02)
            assert (await rows.find(pool, club[0], hanging.id)).position == hanging.since
            await ended(task)

        quick.on_pool(lambda pool: asyncio.wait_for(follow(pool), 60))
    assert receiver.positions == quick.positions()


def test_unreadable_events_are_retried_and_the_reason_is_shown(scene, receiver, monkeypatch):
    scene.record()

    def unreadable(*_):
        raise KeyError("FromTheFuture")

    with monkeypatch.context() as patch:
        patch.setattr("service.webhooks.courier.next_delivery", unreadable)
        assert not scene.deliver()
    assert "could not be read" in scene.hook.last_error
    scene.clock.passes(seconds=5)
    assert scene.deliver()


def test_the_running_service_delivers_and_stops_while_a_receiver_hangs(database, receiver, monkeypatch):
    monkeypatch.setattr(Sender.__init__, "__defaults__", (False, 600.0))  # it would wait for the receiver
    with TestClient(create_app(database, Settings(webhook_private=True))) as client, House(client, database) as house:
        made = house.done(f"{house.path}/webhooks", {"url": receiver.url}, "owner")
        house.match()
        until(lambda: len(receiver.once) == 3)
        assert receiver.got[0].id.startswith(made["id"])
        receiver.hold.clear()
        house.match()
        until(lambda: len(receiver.once) > 3)


def test_webhooks_lead_to_public_addresses_by_default():
    assert not make_services(None).courier.sender.private
    assert not Settings().webhook_private
    assert make_services(None, None, True).courier.sender.private


def test_a_clock_put_back_does_not_hold_up_webhooks(scene, receiver):
    scene.clock.passes(hours=2)
    scene.record()
    assert scene.deliver()
    scene.record()
    hooks = scene.on_pool(lambda pool: scene.due(scene.courier(pool)))
    assert [hook.id for hook in hooks] == [scene.id], "it is claimed, and nobody delivers"
    scene.clock.passes(hours=-2)
    assert scene.deliver()
    assert receiver.positions == scene.positions()
    receiver.answers = [500]
    scene.clock.passes(hours=2)
    scene.record()
    assert not scene.deliver(), "it waits a few seconds"
    scene.clock.passes(hours=-2)
    assert scene.deliver()
    assert receiver.positions[-1] == scene.positions()[-1]
