"""A relay between the application and PostgreSQL that can cut one connection at a given byte, or go silent.

It listens as the server does, on a Unix socket or on a port.
"""

import asyncio
import shutil
import tempfile
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import msgspec

SOCKET = ".s.PGSQL.5432"
TO_SERVER, TO_CLIENT = "to the server", "to the client"


class Cut(msgspec.Struct, frozen=True):
    """A cut: after the `nth` message to the server that contains `mark`, `after` bytes pass in one direction."""

    mark: bytes
    nth: int
    direction: str
    after: int


class Socket(msgspec.Struct, frozen=True):
    """A Unix socket to connect to or listen on."""

    path: str

    def connect(self):
        return asyncio.open_unix_connection(self.path)

    def listen(self, serve):
        return asyncio.start_unix_server(serve, self.path)


class Port(msgspec.Struct, frozen=True):
    """A TCP port to connect to or listen on; 0 listens on a free one."""

    host: str
    number: int = 0

    def connect(self):
        return asyncio.open_connection(self.host, self.number)

    def listen(self, serve):
        return asyncio.start_server(serve, self.host, self.number)


class Relay:
    """Forwards bytes until the cut; `passed` counts them from the marked message on, `seen` the marked messages."""

    def __init__(self, behind):
        self.behind = behind
        self.cut = None
        self.seen = 0
        self.passed = {}
        self.was_cut = False
        self.connections = 0
        self.mute = False
        self.open, self.dropped = set(), set()

    def drop(self):
        """Silently drop all traffic of the present connections, as a firewall does after a long idle time."""
        self.dropped |= self.open

    def arm(self, cut):
        """Set the next cut and reset the counters."""
        self.cut, self.seen, self.was_cut = cut, 0, False
        self.passed = {}

    async def serve(self, reader, writer):
        """Forward one client's connection to the server; a mute relay never answers."""
        if self.mute:
            await self.stopped.wait()
            writer.close()
            self.connections -= 1
            return
        server_reader, server_writer = await self.behind.connect()
        self.open.add(writer)
        pipes = [
            asyncio.create_task(self._pipe(TO_SERVER, reader, server_writer, writer)),
            asyncio.create_task(self._pipe(TO_CLIENT, server_reader, writer, writer)),
            asyncio.create_task(self.stopped.wait()),
        ]
        await asyncio.wait(pipes, return_when=asyncio.FIRST_COMPLETED)
        for pipe in pipes:
            pipe.cancel()
        await asyncio.gather(*pipes, return_exceptions=True)
        for each in (writer, server_writer):
            each.close()
            with suppress(OSError):
                await each.wait_closed()
        self.connections -= 1

    async def run(self, place, up):
        """Relay until stopped and the last connection is closed."""
        self.loop, self.stopped = asyncio.get_running_loop(), asyncio.Event()
        async with await place.listen(self._accept) as server:
            self.name = server.sockets[0].getsockname()
            up.set()
            await self.stopped.wait()
        while self.connections:
            await asyncio.sleep(0.01)

    async def _accept(self, reader, writer):
        self.connections += 1
        await self.serve(reader, writer)

    async def _pipe(self, direction, reader, writer, connection):
        while data := await reader.read(65_536):
            if connection in self.dropped:
                continue
            allowed = self._allowed(direction, data, connection)
            writer.write(data[:allowed])
            await writer.drain()
            if allowed is not None:
                self.was_cut = True
                return

    def _allowed(self, direction, data, connection):
        """Return how many bytes of this may pass; None for all."""
        cut = self.cut
        if cut is None or self.was_cut:
            return None
        if direction == TO_SERVER and cut.mark in data:
            self.seen += 1
            if self.seen == cut.nth:
                self.marked, self.passed = connection, {TO_SERVER: 0, TO_CLIENT: 0}
        if not self.passed or self.marked is not connection:
            return None
        before = self.passed[direction]
        self.passed[direction] += len(data)
        if direction == cut.direction and before + len(data) >= cut.after:
            return cut.after - before
        return None


@contextmanager
def relayed(url):
    """Run a relay in front of the server of a URL; yields the relay and the URL that leads through it."""
    place = urlsplit(url)
    folders = parse_qs(place.query).get("host")
    folder = Path(tempfile.mkdtemp(prefix="lurch-relay-"))
    if folders:
        relay, front = Relay(Socket(str(Path(folders[0]) / SOCKET))), Socket(str(folder / SOCKET))
    else:
        relay, front = Relay(Port(place.hostname, place.port)), Port("127.0.0.1")
    up = threading.Event()

    thread = threading.Thread(target=lambda: asyncio.run(relay.run(front, up)))
    thread.start()
    assert up.wait(60)
    try:
        if folders:
            yield relay, place._replace(query=f"host={quote(str(folder), safe='')}").geturl()
        else:
            who = place.netloc.rpartition("@")[0]
            yield relay, place._replace(netloc=f"{who}@127.0.0.1:{relay.name[1]}").geturl()
    finally:
        relay.loop.call_soon_threadsafe(relay.stopped.set)
        thread.join()
        shutil.rmtree(folder)
