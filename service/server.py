"""The HTTP server: uvicorn with limits that it lacks, and a stop that ends the streams first."""

import asyncio
import contextlib
import signal
import socket
import sys
from types import FrameType
from typing import Any, Final

import psutil
import uvicorn
from litestar import Litestar
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

REQUEST_SECONDS: Final = 20.0
HEADER_BYTES: Final = 32_768
_TOO_LONG: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain\r\nconnection: close\r\n"
    b"content-length: 0\r\n\r\n"
)


class PatientProtocol(HttpToolsProtocol):
    """A request must arrive within a time, and its head within a size; uvicorn has neither limit."""

    def connection_made(self, transport: Any) -> None:
        """The first request is awaited from now."""
        super().connection_made(transport)
        self._head = 0
        self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is awaited any more."""
        self._disarm()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """A request has begun."""
        self._head = 0
        self._arm()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """The address counts."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Each header counts."""
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_message_complete(self) -> None:
        """The request is here."""
        self._disarm()
        super().on_message_complete()

    def _count(self, size: int) -> None:
        self._head += size
        if self._head > HEADER_BYTES and not self.transport.is_closing():
            self.transport.write(_TOO_LONG)
            self.transport.close()

    def _arm(self) -> None:
        self._disarm()
        self._late = asyncio.get_running_loop().call_later(REQUEST_SECONDS, self.transport.abort)

    def _disarm(self) -> None:
        late: asyncio.TimerHandle | None = getattr(self, "_late", None)
        if late is not None:
            late.cancel()


class Server(uvicorn.Server):
    """Ends the event streams itself, so that a stop takes a moment and not a timeout."""

    def __init__(self, config: uvicorn.Config, app: Litestar) -> None:
        super().__init__(config)
        self.app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """First the streams, then the rest."""
        services = getattr(self.app.state, "services", None)
        if services is not None:
            services.hub.closing.set()
            services.hub.wake_all()
        await super().shutdown(sockets)


def bind(host: str, port: int) -> socket.socket:
    """A listening socket. Raises OSError with a message that names who has the port, if that can be seen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise OSError(error.errno, f"cannot serve on {host}:{port}: {_why(error, port)}") from None
    listener.listen(1024)
    listener.set_inheritable(True)
    return listener


def _why(error: OSError, port: int) -> str:
    holder = _holder(port)
    taken = f"the port is in use by {holder}" if holder else error.strerror or "it is refused"
    return f"{taken}; set LURCH_PORT (or LURCH_HOST) to another"


def _holder(port: int) -> str | None:
    """The process that listens on a port, if we may see it."""
    with contextlib.suppress(psutil.Error, OSError):
        for connection in psutil.net_connections("tcp"):
            if connection.laddr and connection.laddr.port == port and connection.status == psutil.CONN_LISTEN:
                if connection.pid is None:
                    return "a process of somebody else"
                return f"{psutil.Process(connection.pid).name()} (process {connection.pid})"
    return None


def serve(app: Litestar, listener: socket.socket) -> None:
    """Serve until SIGTERM or Ctrl-C."""

    def leave(_: int, __: FrameType | None) -> None:
        sys.exit(0)

    # uvicorn raises the signal again when it has shut down; without this no `finally` behind it would run
    signal.signal(signal.SIGTERM, leave)
    config = uvicorn.Config(
        app, http=PatientProtocol, ws="none", lifespan="on", log_level="warning", access_log=False,
        timeout_graceful_shutdown=3, server_header=False,
    )  # fmt: skip
    with contextlib.suppress(KeyboardInterrupt):
        Server(config, app).run(sockets=[listener])
