"""In-process clients of event streams: many open streams of one application, and everything each has received."""

import asyncio
import json
import re
import time
from contextlib import asynccontextmanager, suppress

import httpx
from prometheus_client import REGISTRY

from service.desk.recording import Recorder
from service.live.hub import Hub
from service.live.room import PLACES, Room
from service.run.app import create_app
from service.store import tokens
from service.store.log import By
from service.store.streams import Streams

BODY = {"game": "parity", "sides": [["Annie"], ["Benny"]], "target": None, "deals": 1000}
RESULT = {"entry": {"parity": "odd", "tricks": [8]}}
PATIENCE = 60.0
NUMBERS = re.compile(rb"^id: (\d+)$", re.MULTILINE)


class Spectator:
    """One open stream: its status, the chunks it has received, and the final message once it has ended.

    `reads.clear()` makes it stop reading, `leave()` disconnects it.
    """

    def __init__(self, app, path, headers, address):
        self.app, self.path, self.address = app, path, address
        self.headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        self.status, self.pieces, self.left, self.reads = None, [], asyncio.Event(), asyncio.Event()
        self._text, self._ids, self._joined = b"", [], 0
        self.reads.set()
        self.task = asyncio.create_task(self._follow())

    async def _follow(self):
        path, _, query = self.path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(b"host", b"127.0.0.1"), *self.headers],
            "client": (self.address, 1),
            "server": ("127.0.0.1", 80),
            "state": {},
        }
        first = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive():
            if first:
                return first.pop()
            await self.left.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            await self.reads.wait()
            if message["type"] == "http.response.start":
                self.status = message["status"]
            elif message.get("body"):
                self.pieces.append(message["body"])
            if message["type"] == "http.response.body" and not message.get("more_body"):
                self.left.set()

        await self.app(scope, receive, send)

    @property
    def text(self):
        """Everything received so far."""
        self._join()
        return self._text

    def _join(self):
        """Join the chunks and parse the ids once for each state, since tests poll many streams."""
        if self._joined < len(self.pieces):
            self._text = b"".join((self._text, *self.pieces[self._joined :]))
            self._ids = [int(number) for number in NUMBERS.findall(self._text)]
            self._joined = len(self.pieces)

    def ids(self):
        """Return the ids of the events received so far."""
        self._join()
        return self._ids

    def over(self):
        """Return the problem that the stream ended with, or None while it is open."""
        _, found, rest = self.text.partition(b"event: end\ndata: ")
        return json.loads(rest) if found and self.task.done() else None

    async def told(self, mark):
        """Wait until these bytes have been received."""
        await until(lambda: mark in self.text)

    async def leave(self):
        self.left.set()
        with suppress(asyncio.CancelledError):
            await self.task


class Hall:
    """The application running in this event loop, a club with a token for each role, and its open streams."""

    def __init__(self, app, client, club, tokens):
        self.app, self.client, self.club, self.tokens = app, client, club, tokens
        self.services, self.there = app.state.services, []

    def bearer(self, token):
        return {"Authorization": f"Bearer {self.tokens.get(token, token)}"}

    def stream(self, path, token=None, address="127.0.0.1", **headers):
        """Open an event stream of the API."""
        sent = {"Accept": "text/event-stream", **(self.bearer(token) if token else {}), **headers}
        return self.page(f"/api/v1{path}", address, **sent)

    def page(self, path, address="127.0.0.1", **headers):
        """Open the event stream of a page."""
        self.there.append(Spectator(self.app, path, headers, address))
        return self.there[-1]

    async def post(self, path, body, token="director"):
        answer = await self.client.post(f"/api/v1{path}", json=body, headers=self.bearer(token))
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def match(self):
        """Open a match of a thousand deals and return its path."""
        return f"/matches/{(await self.post(f'/clubs/{self.club}/matches', BODY))['match']['id']}"

    async def play(self, match, times=1):
        """Record results, two events each, and return the version of the match afterwards."""
        for _ in range(times):
            version = (await self.post(f"{match}/results", RESULT))["version"]
        return version


async def until(happened):
    """Wait until a condition holds and return its first true value."""
    end = time.monotonic() + PATIENCE
    while not (value := happened()):
        assert time.monotonic() < end, f"waited {PATIENCE:.0f} s in vain"
        await asyncio.sleep(0.005)
    return value


def counted(name):
    """Return the value of a metric."""
    return REGISTRY.get_sample_value(name)


@asynccontextmanager
async def hall(database, public=True, places=PLACES):
    """Run an application of its own with a new club, a token for each role and this many places for streams."""
    app = create_app(database, hub_factory=lambda: Hub(Room(places)))
    async with (
        app.lifespan(),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client,
    ):
        pool = app.state.services.pool
        club = await Recorder(Streams(pool)).found_club("Hall", public, By(None, "owner"))
        made = {role: await tokens.create_token(pool, club, role, role) for role in tokens.ROLES}
        found = Hall(app, client, club, made)
        try:
            yield found
        finally:
            for each in found.there:
                await each.leave()
