"""Clients that are slow without end are let go; those that wait for us are not. The halves of requests stand in
tests/service/run/test_hostile_wire.py."""

import asyncio
import http.client
import socket
import threading
import time
from contextlib import contextmanager

import pytest
from litestar import Request, post

from service.run import protocol
from service.run import server as serving
from service.run.app import create_app
from tests.kit.faults.listeners import Listener, listening
from tests.kit.faults.processes import until

PATIENCE = 1.0
ALIVE = b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture(scope="module")
def app(database):
    return create_app(database)


@pytest.fixture(scope="module")
def site(app):
    """The port of a service whose limits for slow clients are a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol, "REQUEST_SECONDS", PATIENCE)
        listener = serving.bind("127.0.0.1", 0)
        config = serving.configured(app)
        config.timeout_keep_alive = PATIENCE
        server = serving.Server(config, app)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
        thread.start()
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()
        listener.close()


@contextmanager
def dripping(site, first, drop):
    """A connection on which a byte comes every now and then, until the other side closes it."""
    with socket.create_connection(("127.0.0.1", site), timeout=0.1) as connection:
        connection.sendall(first)
        yield lambda: _is_closed(connection, drop)


def _is_closed(connection, drop):
    try:
        connection.sendall(drop)
        return connection.recv(65_536) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


@pytest.mark.parametrize(
    ("first", "drop"),
    [
        (b"GET / HTTP/1.1\r\nX-A: ", b"a"),
        pytest.param(b"GET / HTTP/1.1\r\n", b"X: 1\r\n", marks=pytest.mark.extended),
        (b"POST /api/v1/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n", b" "),
        pytest.param(b"", b"\r\n", marks=pytest.mark.extended),
        (ALIVE, b"\r\n"),
        pytest.param(ALIVE + ALIVE, b"\r\n", marks=pytest.mark.extended),
    ],
    ids=["a header", "headers", "a body", "empty lines", "empty lines behind a request", "behind two"],
)
def test_a_client_that_sends_byte_by_byte_is_disconnected(site, first, drop):
    with dripping(site, first, drop) as is_closed:
        until(is_closed)


def was_kept(site):
    """Tells that a connection was kept for longer than the patience; not where we ourselves were so slow that nothing
    was asked on it for so long: then it may be closed."""
    connection = http.client.HTTPConnection("127.0.0.1", site, timeout=30)
    connection.connect()
    mine = connection.sock.getsockname()
    asked = time.monotonic()
    end = asked + 2 * PATIENCE
    while time.monotonic() < end:
        before, asked = asked, time.monotonic()
        try:
            connection.request("GET", "/health/live")
            assert connection.getresponse().read() == b'{"status":"live"}'
        except (OSError, http.client.HTTPException):
            if time.monotonic() - before < PATIENCE:
                raise
            connection.close()
            return False
        assert connection.sock.getsockname() == mine
    connection.close()
    return True


@pytest.mark.extended
def test_a_connection_with_one_request_after_another_is_kept(site):
    until(lambda: was_kept(site))


def test_a_slow_answer_and_a_stream_are_not_cut_off(app, site, club):
    """The time limit is for requests that don't arrive; a client that drips shows when it has passed."""
    begun, over = threading.Event(), threading.Event()

    @post("/slow")
    async def slow(request: Request) -> None:
        await request.body()
        begun.set()
        await asyncio.to_thread(over.wait, 120)

    app.register(slow)
    listener = Listener(f"http://127.0.0.1:{site}/api/v1/clubs/{club[0]}/events", club[1]["scorer"])
    body = b'{"game": "parity", "sides": [["Annie"], ["Benny"]]}'
    head = f"HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
    rest = f"{head}Authorization: Bearer {club[1]['scorer']}\r\n\r\n".encode() + body
    with listening(listener), socket.create_connection(("127.0.0.1", site), timeout=60) as connection:
        until(lambda: listener.last == 1)
        connection.sendall(b"POST /slow " + rest)
        assert begun.wait(60)
        with dripping(site, b"", b"\r\n") as is_closed:
            until(is_closed)
        over.set()
        assert connection.recv(65_536).startswith(b"HTTP/1.1 201")
        connection.sendall(f"POST /api/v1/clubs/{club[0]}/matches ".encode() + rest)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 201")
        until(lambda: listener.last == 4)
    assert listener.connections == 1
