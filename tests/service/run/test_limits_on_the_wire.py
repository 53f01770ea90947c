"""Limits on the real server: a refusal leaves the connection in order, and no header of a client moves its address."""

import asyncio
import http.client
import socket
import threading

import pytest

from service.http.buckets import Rate
from service.http.limits import Limits, Rates
from service.run import server as serving
from service.run.app import create_app
from service.run.settings import Settings
from tests.kit.faults.processes import until
from tests.kit.service.asking import House
from tests.service.http.test_buckets import Clock

BURST = 40


@pytest.fixture(scope="module")
def site(database):
    """The service on a port of its own, at a clock that stands: what is used up stays so."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1024)
    app = create_app(database, Settings(), limits=Limits(Rates(strangers=Rate(1, BURST)), Clock()))
    server = serving.Server(serving.configured(app), app)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
    thread.start()
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join()
    listener.close()


class Line:
    """One connection that is kept."""

    def __init__(self, site):
        self.connection = http.client.HTTPConnection("127.0.0.1", site, timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def ask(self, path="/api/v1/games", method="GET", body=None, **headers):
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request(method, path, body, sent)
        answer = self.connection.getresponse()
        return answer.status, answer.headers, answer.read()


@pytest.fixture(scope="module")
def used_up(site):
    """This address has nothing left, whatever it says of itself."""
    with Line(site) as line:
        asked = [line.ask(X_Forwarded_For=f"192.0.2.{each}")[0] for each in range(BURST + 5)]
    assert asked == [200] * BURST + [429] * 5
    return site


def test_a_header_that_a_client_invents_is_no_other_address(used_up):
    with Line(used_up) as line:
        for name in ("X_Forwarded_For", "X_Real_IP"):
            assert line.ask(**{name: "198.51.100.7"})[0] == 429
        assert line.ask(Forwarded="for=198.51.100.7")[0] == 429


def test_after_a_refusal_with_an_unread_body_the_connection_goes_on(used_up):
    with Line(used_up) as line:
        for body in (b"x" * 60_000, b"x" * 2_000_000, b"{}"):
            status, headers, said = line.ask("/api/v1/clubs", "POST", body)
            assert (status, headers["retry-after"], b"too-many-requests" in said) == (429, "1", True)
            assert line.ask("/health/live")[0] == 200
        assert line.ask("/nothing", "HEAD")[2] == b""
        assert line.ask("/health/live")[0] == 200


def test_a_hall_behind_the_same_address_is_served_while_others_flood(used_up, client, database):
    with House(client, database) as house:
        phones = [house.token("scorer") for _ in range(30)]
    over, refused, served = threading.Event(), [], set()

    def flood():
        with Line(used_up) as line:
            while not over.is_set():
                refused.append(line.ask(Authorization=f"Bearer lurch_{len(refused)}")[0])

    threads = [threading.Thread(target=flood) for _ in range(3)]
    for each in threads:
        each.start()
    try:
        for phone in phones * 3:
            with Line(used_up) as line:
                served.add(line.ask("/api/v1/me", Authorization=f"Bearer {phone}")[0])
        until(lambda: len(refused) > 20)
    finally:
        over.set()
        for each in threads:
            each.join()
    assert served == {200}
    assert len(refused) > 20
    assert set(refused) == {429}
