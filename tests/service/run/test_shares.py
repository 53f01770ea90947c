"""What each of several workers may let in: its part of the streams and of the rates of all."""

import socket
from contextlib import ExitStack, suppress

import pytest
from msgspec.structs import astuple

from service.http.limits import Rates
from service.live.room import PLACES, FullError, Opener, Places
from service.run import worker
from service.run.settings import Settings


@pytest.mark.parametrize(("most", "workers", "part"), [(300, 1, 300), (300, 2, 150), (2000, 3, 667), (1, 4, 1)])
def test_a_share_is_rounded_up(most, workers, part):
    assert Places(most, most, most).among(workers) == Places(part, part, part)


def test_the_shares_add_up_to_the_whole_and_hardly_more():
    for workers in range(1, 17):
        share = PLACES.among(workers)
        for most, part in zip(astuple(PLACES), astuple(share), strict=True):
            assert most <= workers * part < most + workers
        assert share.in_all - share.strangers >= (PLACES.in_all - PLACES.strangers) // workers


@pytest.fixture
def begun(monkeypatch):
    """A worker of four that would serve now: what it has made its application of."""
    made = {}

    def create_app(database, settings, hub, limits):
        made.update(room=hub().room, limits=limits)

    monkeypatch.setattr(worker, "create_app", create_app)
    monkeypatch.setattr(worker, "configure", lambda log: None)
    monkeypatch.setattr(worker, "serve", lambda *given: None)
    monkeypatch.setattr(worker, "RATES", Rates())
    number = socket.socket().detach()
    worker.work(worker.Task(Settings(), "postgresql://", "postgresql://", False, number, 4))
    return made


def let_in(room, whose, opened, known=True):
    """How many streams a name may open until it is refused; they stay open."""
    number = 0
    with suppress(FullError):
        while True:
            opened.enter_context(room.enter(Opener(whose, known)))
            number += 1
    return number


def test_a_worker_of_four_lets_a_quarter_of_the_streams_in(begun):
    with ExitStack() as opened:
        counts = [let_in(begun["room"], f"token {number}", opened) for number in range(8)]
    assert counts == [75, 75, 75, 75, 75, 75, 50, 0]


def test_strangers_take_half_of_the_streams_of_a_worker_of_four(begun):
    with ExitStack() as opened:
        strangers = [let_in(begun["room"], f"address {number}", opened, known=False) for number in range(5)]
        others = [let_in(begun["room"], f"token {number}", opened) for number in range(5)]
    assert (strangers, others) == ([75, 75, 75, 25, 0], [75, 75, 75, 25, 0])


def test_a_worker_of_four_takes_a_quarter_of_the_rates(begun):
    limits = begun["limits"]
    assert [(each.rate.a_second, each.rate.burst) for each in (limits._writes, limits._reads, limits._strangers)] == [
        (5, 150),
        (12.5, 75),
        (25, 500),
    ]
