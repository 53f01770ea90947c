"""Ctrl-C and SIGTERM stop the service whoever is connected, and leave nothing behind."""

import asyncio
import os
import random
import shutil
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress

import fasteners
import httpx
import psutil
import pytest

from service.live.hub import Hub
from service.run.app import create_app
from tests.kit.faults.listeners import Listener, listening
from tests.kit.faults.processes import ROOT, Serving, data_directory, kill_all, late_end, until
from tests.kit.faults.scorers import RESULT
from tests.kit.faults.workers import Several

SHUTTING_DOWN = "fast shutdown request"


def events_url(service, club, match):
    return f"{service.url}/api/v1/matches/{match}/events"


def deaf_reader(service):
    """A client that asks for much and never reads, so that the service waits in the middle of an answer."""
    connection = socket.create_connection(("127.0.0.1", service.port))
    connection.sendall(b"GET /docs/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 400)
    return connection


@pytest.mark.parametrize(
    "how",
    [signal.SIGTERM, *(pytest.param(each, marks=pytest.mark.extended) for each in (signal.SIGINT, signal.SIGHUP))],
)
def test_it_stops_with_event_streams_open_and_its_database_in_order(service, club_there, how):
    club, said = club_there, service.said()
    match = club.open_match(service.url)
    with club.client(service.url) as client:
        for _ in range(3):
            assert client.post(f"/matches/{match}/results", json=RESULT).status_code == 201
        listeners = [Listener(events_url(service, club, match), club.token, come_back=False) for _ in range(6)]
        with listening(*listeners), socket.create_connection(("127.0.0.1", service.port)):
            until(lambda: all(len(listener.events) == 7 for listener in listeners))
            service.stop(how)
            until(lambda: not any(listener.is_alive() for listener in listeners))
    assert service.process.returncode == 0
    assert {listener.end for listener in listeners} == {"closed"}
    assert service.postgres() == []
    assert "Traceback" not in service.said()[len(said) :]
    assert "database system is shut down" in (service.data / "postgres.log").read_text().splitlines()[-1]


@pytest.mark.extended
def test_a_reader_that_does_not_read_holds_up_no_stop(service):
    said = service.said()
    with deaf_reader(service):
        service.stop()
    assert service.process.returncode == 0
    assert service.postgres() == []
    assert "Traceback" not in service.said()[len(said) :]


@pytest.mark.extended
def test_ctrl_c_twice_is_one_stop_in_order(service):
    said, logged = service.said(), len((service.data / "postgres.log").read_text())
    with late_end(service.data):  # or the second would come when the process itself is at its end
        service.process.send_signal(signal.SIGINT)
        until(lambda: SHUTTING_DOWN in (service.data / "postgres.log").read_text()[logged:])
        service.process.send_signal(signal.SIGINT)
    service.process.wait(60)
    assert service.process.returncode == 0
    assert service.postgres() == []
    assert "Traceback" not in service.said()[len(said) :]


@pytest.mark.extended
def test_however_often_workers_are_told_they_stop_once_and_in_order():
    with data_directory() as data:
        service = Several(data)
        try:
            service.start().ready()
            signals, log = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP), service.data / "postgres.log"
            with late_end(service.data):
                while SHUTTING_DOWN not in log.read_text():
                    service.process.send_signal(random.choice(signals))
                    time.sleep(0.01)
                for each in signals:  # while the database stops, and none when the process itself is at its end
                    service.process.send_signal(each)
            assert service.process.wait(60) == 0
            assert "Traceback" not in service.said()
            assert "database system is shut down" in (service.data / "postgres.log").read_text().splitlines()[-1]
        finally:
            service.end()


@pytest.mark.extended
def test_it_stops_while_its_database_is_away_and_answers_who_waits(service, club_there):
    club = club_there
    match = club.open_match(service.url)
    answers, waits, stopped = [], threading.Barrier(5), threading.Event()

    def ask():
        with club.client(service.url) as client, suppress(httpx.TransportError):
            waits.wait()
            while not stopped.is_set():
                answers.append(client.post(f"/matches/{match}/results", json=RESULT))

    waiting = [threading.Thread(target=ask) for _ in range(4)]
    for each in waiting:
        each.start()
    with fasteners.InterProcessLock(str(service.data / "lock")):
        kill_all(service.postgres())
        waits.wait()
        until(lambda: len(psutil.Process(service.process.pid).net_connections("tcp")) > 4)
        until(lambda: answers)  # a connection that is there may not have asked anything yet
        service.stop()
        stopped.set()
        for each in waiting:
            each.join()
    assert {answer.status_code for answer in answers} == {503}
    assert all(answer.json()["type"] == "/problems/unavailable" for answer in answers)
    assert service.process.returncode == 0
    assert service.postgres() == []


class HardOfHearing(Hub):
    """Its tasks miss the first call to end, as a wait does on Python 3.11 that is answered at that moment."""

    async def speak(self, pool):
        with suppress(asyncio.CancelledError):
            await super().speak(pool)
        await super().speak(pool)


def test_a_task_that_missed_the_call_to_end_holds_up_no_stop(database):
    async def start_and_stop():
        app = create_app(database, hub_factory=HardOfHearing)
        async with app.lifespan():
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(start_and_stop(), 60))


@pytest.mark.extended
def test_ctrl_c_on_make_serve_stops_it_and_leaves_nothing():
    if shutil.which("make") is None:
        pytest.skip("no make on this machine")
    up_to_date = subprocess.run(["make", "-q", ".venv/.serve"], cwd=ROOT, capture_output=True, check=False)
    if up_to_date.returncode != 0:
        pytest.skip("make would install first")
    with data_directory() as data:
        service = Serving(data)
        try:
            service.start(["make", "serve"]).ready()
            os.killpg(service.process.pid, signal.SIGINT)  # as a terminal does, to make and to all below it
            assert service.process.wait(60) in (0, 2, 130, -signal.SIGINT)
            assert service.postgres() == []
        finally:
            service.end()
