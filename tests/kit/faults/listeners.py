"""Clients of event streams that reconnect with `Last-Event-ID` when they are cut off, as EventSource does."""

import json
import socket
import threading
from contextlib import contextmanager, suppress

import httpx

from tests.kit.faults.processes import until


class Listener(threading.Thread):
    """Follows one event stream; keeps the id and data of every event, how the stream ended, and its connections.

    `cut` returns the number of bytes after which the next connection is cut, possibly within an event.
    """

    def __init__(self, url, token, last=None, come_back=True, cut=lambda: None):
        super().__init__()
        self.url, self.token, self.last, self.come_back, self.cut = url, token, last, come_back, cut
        self.events = []
        self.connections = 0
        self.leave = threading.Event()
        self.end = self.socket = self.over = None

    def run(self):
        with httpx.Client(timeout=httpx.Timeout(10, read=40)) as client:
            while not self.leave.is_set():
                try:
                    self._follow(client)
                    self.end = "closed"
                except httpx.TransportError as error:
                    self.end = type(error).__name__
                if not self.come_back:
                    return
                self.leave.wait(0.02)

    def _follow(self, client):
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "text/event-stream"}
        if self.last is not None:
            headers["Last-Event-ID"] = str(self.last)
        with client.stream("GET", self.url, headers=headers) as response:
            if response.status_code == 503:
                return
            response.raise_for_status()
            self.connections += 1
            self.socket = response.extensions["network_stream"].get_extra_info("socket")
            self._read(response)

    def _read(self, response):
        number, data, name = None, None, None
        for line in self._lines(response):
            if line.startswith("id:"):
                number = int(line[3:])
            elif line.startswith("event:"):
                name = line[6:].strip()
            elif line.startswith("data:"):
                data = json.loads(line[5:])
            elif not line and name == "end":
                self.over, data, name = data, None, None
            elif not line and data is not None:
                self.events.append((number, data))
                self.last, data = number, None

    def _lines(self, response):
        rest, left = b"", self.cut()
        for chunk in response.iter_raw():
            if self.leave.is_set():
                return
            rest += chunk[:left]
            *whole, rest = rest.split(b"\n")
            yield from (line.decode().rstrip("\r") for line in whole)
            if left is not None:
                left -= len(chunk)
                if left <= 0:
                    return

    def ids(self):
        return [number for number, _ in self.events]

    def stop(self):
        """Disconnect, even while it waits for the next event."""
        self.leave.set()
        with suppress(OSError, AttributeError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.join()


@contextmanager
def listening(*listeners):
    """Run listeners while the block runs."""
    for listener in listeners:
        listener.start()
    try:
        yield listeners
    finally:
        for listener in listeners:
            listener.stop()


def followers(club, url, match, **more):
    """Return a listener of the match and one of its club."""
    paths = (f"matches/{match}", f"clubs/{club.id}")
    return [Listener(f"{url}/api/v1/{path}/events", club.token, **more) for path in paths]


def have_heard_everything(club, match, listeners, seconds=60):
    """Wait until alternating listeners of a match and its club have every event; check ids and order."""
    rows = club.rows()
    ends = [max(row.version for row in rows if row.stream == match), len(rows)] * (len(listeners) // 2)
    until(lambda: [listener.last for listener in listeners] == ends, seconds)
    for listener, end, id_ in zip(listeners, ends, ["version", "position"] * len(listeners), strict=False):
        assert listener.ids() == list(range(1, end + 1))
        assert listener.ids() == [event[id_] for _, event in listener.events]
