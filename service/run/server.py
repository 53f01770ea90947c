"""The HTTP server: uvicorn, and a stop that ends the streams first."""

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType
from typing import Final, TypeAlias

import msgspec
import psutil
import structlog
import uvicorn
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.heap import SERVING, keep_in_large_pages, settle
from service.http.problems import problem
from service.run.notify import READY, STOPPING, notify
from service.run.protocol import FAULTS, PatientProtocol
from service.run.signals import end_with_terminal

FILES: Final = 2_048  # that a hall may keep open: phones, viewers, the database, files
FEW_FILES: Final = (
    "only {} files and connections may be open at once, and a full hall needs 2,048: raise it with `ulimit -Hn 4096`, "
    "or LimitNOFILE=4096 in a systemd unit, and start the service again"
)
LOGGER: Final = structlog.get_logger()
Tell: TypeAlias = Callable[[bytes], bool]


class Server(uvicorn.Server):
    """Ends the event streams itself, so that a stop takes a moment and not a timeout; systemd hears of both ends."""

    def __init__(self, config: uvicorn.Config, app: Litestar, tell: Tell = notify) -> None:
        super().__init__(config)
        self.app, self.tell = app, tell
        self._heard = False
        self._told_to_stop = 0

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop in order, which takes a moment: uvicorn would break that off when Ctrl-C is pressed once more, and leave
        leases and whatever else goes on beside the requests as they are. A third one breaks off."""
        self._told_to_stop += 1
        if self._told_to_stop != 2:
            super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """The application, then its port; then whoever supervises hears that requests are answered."""
        await super().startup(sockets)
        self._heard = self.tell(READY)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """First the streams, then the rest, and at last who has not taken his answer: that would be waited for without
        an end. Who did not hear of the start is told nothing more."""
        if self._heard:
            self.tell(STOPPING)
        services = getattr(self.app.state, "services", None)
        if services is not None:
            services.hub.closing.set()
            services.hub.wake_all()
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()


def answered(app: ASGIApp) -> ASGIApp:
    """The application; a request that a stop breaks off hears 503, to which uvicorn alone would say 500."""

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def note(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await app(scope, receive, note)
        except asyncio.CancelledError:
            if scope["type"] != ScopeType.HTTP:
                raise
            if not begun:
                await _say_stopping(send)

    return call


async def _say_stopping(send: Send) -> None:
    body = msgspec.json.encode(problem("unavailable", "the service is stopping: try again soon, with the same key"))
    headers = [(b"content-type", b"application/problem+json"), (b"retry-after", b"1")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def bind(host: str, port: int, shared: bool = False) -> socket.socket:
    """A listening socket; of several that share a port each gets its part of those who connect. Raises OSError with a
    message that names who has the port, if that can be seen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small parts at once only where a socket says that it is TCP
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
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


def configured(app: Litestar, cert: str | None = None, key: str | None = None) -> uvicorn.Config:
    """The way the application is served; the server logs as everything else does."""
    config = uvicorn.Config(
        answered(app),
        http=PatientProtocol,
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=2,
        server_header=False,
        proxy_headers=False,  # service/http/senders.py reads them, of those who are trusted
        ssl_certfile=cert,
        ssl_keyfile=key,
    )
    FAULTS.setLevel(logging.ERROR)  # which uvicorn has just taken back
    return config


def take_files() -> None:
    """As many open connections as the system lets us have: it gives 1,024 at first, and a hall may hold more phones.
    Where it lets us have too few, the log says so."""
    try:
        import resource  # noqa: PLC0415  # not on Windows
    except ImportError:
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        now = most
    if now != resource.RLIM_INFINITY and now < FILES:
        LOGGER.warning(FEW_FILES.format(now))


def serve(
    app: Litestar, listener: socket.socket, cert: str | None = None, key: str | None = None, tell: Tell = notify
) -> None:
    """Serve until SIGTERM, Ctrl-C or the end of the terminal; whoever supervises is told of both ends."""
    take_files()

    def leave(_: int, __: FrameType | None) -> None:
        sys.exit(0)

    # uvicorn raises the signal again when it has shut down; without this no `finally` behind it would run
    signal.signal(signal.SIGTERM, leave)
    end_with_terminal()
    settle(SERVING)
    keep_in_large_pages()
    with contextlib.suppress(KeyboardInterrupt):
        Server(configured(app, cert, key), app, tell).run(sockets=[listener])
