"""Which of several workers take who connects: one for each processor, and another one where one has ended."""

import socket
import sys
from contextlib import ExitStack, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.run.entrance import Entrance, chosen
from service.run.server import bind
from service.run.workers import bound

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets itself be told whom to lead to")
CALLERS = 60  # of whom one of two workers gets none once in 2^59 runs


@pytest.fixture
def listeners():
    with ExitStack() as ends:
        yield [ends.enter_context(each) for each in bound("127.0.0.1", 0, 4)]


def led_to(listeners):
    """The numbers of the sockets at which many come in who connect now."""
    with ExitStack() as ends:
        for _ in range(CALLERS):
            ends.enter_context(socket.create_connection(listeners[0].getsockname()))
        return {number for number, each in enumerate(listeners) if waited_at(each)}


def waited_at(listener):
    """Tells whether anybody waits at a socket; all are let go."""
    listener.setblocking(False)
    found = False
    with suppress(BlockingIOError):
        while True:
            listener.accept()[0].close()
            found = True
    return found


@on_linux
def test_as_many_workers_as_there_are_processors_take_who_connects(listeners):
    assert Entrance(listeners, 2).serving == [0, 1]
    assert led_to(listeners) == {0, 1}


@pytest.mark.parametrize("processors", [4, 5])
def test_no_worker_stands_by_where_each_has_a_processor(listeners, processors):
    assert Entrance(listeners, processors).serving == [0, 1, 2, 3]
    assert led_to(listeners) == {0, 1, 2, 3}


@on_linux
def test_the_longest_idle_worker_replaces_one_that_ended(listeners):
    entrance = Entrance(listeners, 2)
    for worker in (0, 1, 3, 2):
        entrance.answers(worker)
    assert led_to(listeners) == {0, 1}
    entrance.ended(0)
    assert led_to(listeners) == {1, 3}
    entrance.answers(0)
    assert led_to(listeners) == {1, 3}, "who has come in at 3 is there: the one that came back stands by"
    entrance.ended(1)
    assert led_to(listeners) == {2, 3}


@on_linux
def test_whoever_answers_first_at_the_start_serves(listeners):
    entrance = Entrance(listeners, 2)
    entrance.answers(2)
    assert led_to(listeners) == {0, 2}
    entrance.answers(1)
    assert led_to(listeners) == {1, 2}


@on_linux
def test_connections_wait_for_the_next_worker_if_none_is_idle(listeners):
    entrance = Entrance(listeners, 2)
    for worker in (0, 1):
        entrance.answers(worker)
    entrance.ended(1)
    assert led_to(listeners) == {0, 1}


def test_all_serve_where_the_system_leads_to_nobody_in_particular():
    with bind("127.0.0.1", 0) as first, bind("127.0.0.1", 0) as second:
        assert Entrance([first, second], 1).serving == [0, 1]


@given(st.integers(1, 6), st.integers(0, 4), st.data())
def test_no_answering_worker_loses_its_place_or_is_idle_in_vain(places, more, data):
    serving, answering = list(range(places)), []
    for _ in range(20):
        worker = data.draw(st.integers(0, places + more - 1))
        if worker in answering:
            answering.remove(worker)
        else:
            answering.append(worker)
        before, serving = serving, chosen(serving, answering)
        assert len(set(serving)) == places
        assert {each for each in before if each in answering} <= set(serving)
        assert len([each for each in serving if each in answering]) == min(places, len(answering))
