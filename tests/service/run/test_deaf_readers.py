"""A client that asks and does not read keeps no service from its end, at whatever moment it is told to stop."""

import asyncio
import socket
import threading

import pytest
from litestar import Litestar, get

from service.run.server import Server, bind, configured

SECONDS = 60  # until what does not come is a failure


@get("/large", sync_to_thread=False)
def large() -> bytes:
    """More than the buffers of a connection hold, a few times."""
    return b"0" * 1_000_000


def deaf_to_the_first(app):
    """An application that a stop finds between two answers: it hears of nothing before the loop itself ends."""

    async def call(scope, receive, send):
        lost = []

        async def say(message):
            try:
                await send(message)
            except asyncio.CancelledError:
                if lost:
                    raise
                lost.append(message)
                await send(message)

        await app(scope, receive, say)

    return call


@pytest.mark.parametrize("middleware", [[], [deaf_to_the_first]], ids=["in an answer", "between two answers"])
def test_a_client_that_does_not_read_does_not_hold_up_the_stop(middleware):
    app = Litestar([large], middleware=middleware, openapi_config=None)

    async def evening():
        with bind("127.0.0.1", 0) as port:
            config = configured(app)
            config.timeout_graceful_shutdown = 0.05
            server = Server(config, app)
            running = asyncio.create_task(server.serve([port]))
            while not server.started:
                await asyncio.sleep(0.01)
            reader.connect(port.getsockname())
            reader.sendall(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100)
            while not any(each.flow.write_paused for each in server.server_state.connections):
                await asyncio.sleep(0.01)
            server.should_exit = True
            await running

    with socket.socket() as reader:
        service = threading.Thread(target=asyncio.run, args=[evening()], daemon=True)
        service.start()
        service.join(SECONDS)
        assert not service.is_alive()
