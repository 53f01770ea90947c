"""systemd readiness notifications (sd_notify): READY once requests are answered, STOPPING at the stop."""

import asyncio
import socket
from contextlib import ExitStack, asynccontextmanager, contextmanager

import httpx
import pytest
from litestar import Litestar, get

from service.run.server import Server, bind, configured
from tests.kit.service.process import serving

SECONDS = 60  # until a word that does not come is a failure


@contextmanager
def systemd(address):
    """A socket such as systemd listens on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(address)
        listener.settimeout(SECONDS)
        yield listener


def left(listener):
    """What was said and not yet read."""
    listener.setblocking(False)
    words = []
    try:
        while True:
            words.append(listener.recv(100))
    except BlockingIOError:
        return words


def warnings(log):
    return [line for line in log.splitlines() if "systemd was not told" in line]


@pytest.mark.parametrize("kind", ["a path", pytest.param("abstract", marks=pytest.mark.extended)])
def test_the_service_notifies_when_it_is_ready_and_when_it_stops(database, tmp_path, kind):
    name = str(tmp_path / "notify")
    address, variable = (name, name) if kind == "a path" else (f"\0{name}", f"@{name}")
    with systemd(address) as listener, serving(database, tmp_path, NOTIFY_SOCKET=variable) as served:
        assert listener.recv(100) == b"READY=1"
        assert httpx.get(f"{served.url}/health/live", timeout=SECONDS).json() == {"status": "live"}
        assert httpx.get(f"{served.url}/health/ready", timeout=SECONDS).status_code == 200
        assert left(listener) == []
        served.stop()
        log = served.said()
        assert left(listener) == [b"STOPPING=1"]
        assert served.process.returncode == 0
    assert warnings(log) == []


@get("/health/live", sync_to_thread=False)
def live() -> None:
    """An answer."""


def test_nothing_is_sent_before_the_application_has_started(tmp_path, monkeypatch):
    name = str(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", name)

    async def evening(listener, port):
        begun, go_on, ending, end = asyncio.Event(), asyncio.Event(), asyncio.Event(), asyncio.Event()

        @asynccontextmanager
        async def slow(_):
            begun.set()
            await go_on.wait()
            yield
            ending.set()
            await end.wait()

        app = Litestar([live], lifespan=[slow], openapi_config=None)
        server = Server(configured(app), app)
        running = asyncio.create_task(server.serve([port]))
        await begun.wait()
        assert left(listener) == []
        go_on.set()
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port.getsockname()[1]}", timeout=SECONDS) as client:
            assert (await client.get("/health/live")).is_success
        assert left(listener) == [b"READY=1"]
        server.should_exit = True
        await ending.wait()
        assert left(listener) == [b"STOPPING=1"], "it is said before the stop is over"
        end.set()
        await running

    with systemd(name) as listener, bind("127.0.0.1", 0) as port:
        asyncio.run(asyncio.wait_for(evening(listener, port), SECONDS))


@pytest.mark.extended
def test_a_missing_socket_is_warned_of_once(database, tmp_path):
    with serving(database, tmp_path, NOTIFY_SOCKET=str(tmp_path / "gone")) as served:
        assert httpx.get(f"{served.url}/health/ready", timeout=SECONDS).status_code == 200
        served.stop()
        log = served.said()
        assert served.process.returncode == 0
    (line,) = warnings(log)
    assert "READY=1" in line


@pytest.mark.extended
def test_a_socket_that_disappears_is_warned_of_once(database, tmp_path):
    name = tmp_path / "notify"
    with ExitStack() as gone:
        listener = gone.enter_context(systemd(str(name)))
        with serving(database, tmp_path, NOTIFY_SOCKET=str(name)) as served:
            assert listener.recv(100) == b"READY=1"
            gone.close()
            name.unlink()
            served.stop()
            log = served.said()
            assert served.process.returncode == 0
    (line,) = warnings(log)
    assert "STOPPING=1" in line


@pytest.mark.extended
def test_a_full_socket_does_not_hold_up_the_start(database, tmp_path):
    name = str(tmp_path / "notify")
    with systemd(name), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        other.setblocking(False)
        with pytest.raises(BlockingIOError):
            while True:
                other.sendto(b"X=1", name)
        with serving(database, tmp_path, NOTIFY_SOCKET=name) as served:
            assert httpx.get(f"{served.url}/health/ready", timeout=SECONDS).status_code == 200
            served.stop()
        log = served.said()
    assert len(warnings(log)) == 1


@pytest.mark.extended
def test_nothing_is_warned_of_without_systemd(database, tmp_path):
    with serving(database, tmp_path, NOTIFY_SOCKET="") as served:
        assert httpx.get(f"{served.url}/health/ready", timeout=SECONDS).status_code == 200
        served.stop()
        log = served.said()
    assert warnings(log) == []
