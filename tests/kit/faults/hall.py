"""Load behind one client address: phones that record and read with credentials, viewers of streams, an attacker."""

import asyncio
import itertools
import random
import re
import ssl
import time
from collections import Counter
from contextlib import asynccontextmanager

import httpx

from tests.kit.faults.checker import Call
from tests.kit.faults.scorers import BATCH

TAPS = [("deals", {"dealer": 0}), *(("facts", {"facts": [fact]}) for fact in BATCH), ("void-deal", {})]
KEPT_SECONDS = 3.0  # less than the keep-alive time of the service
IDS = re.compile(rb"^id: (\d+)$", re.MULTILINE)
TLS = ssl.create_default_context()  # unused; creating one per client takes longer than a request
LENGTH = re.compile(rb"content-length: (\d+)\r\n", re.IGNORECASE)
STREAM = {"Accept": "text/event-stream"}


def client(url, headers=()):
    """Return a client that uses one connection."""
    limits = httpx.Limits(max_connections=1, keepalive_expiry=KEPT_SECONDS)
    return httpx.AsyncClient(base_url=url, headers=dict(headers), limits=limits, timeout=60, verify=TLS)


@asynccontextmanager
async def there(*people):
    """Disconnect all of them at the end, also after a failure."""
    try:
        yield
    finally:
        await asyncio.gather(*(each.leave() for each in people))


class Phone:
    """A phone with a credential; `answers` counts the status codes and transport errors that it received."""

    def __init__(self, url, headers):
        self.client = client(url, headers)
        self.answers = Counter()

    async def ask(self, method, path, **more):
        """Send a request; return None if the transport failed."""
        try:
            answer = await self.client.request(method, path, **more)
        except httpx.TransportError as error:
            self.answers[type(error).__name__] += 1
            return None
        self.answers[answer.status_code] += 1
        return answer

    async def act(self):
        """Send one request; overridden by each kind of phone."""

    async def leave(self):
        await self.client.aclose()

    async def play(self, seconds, pace):
        """Act at once, then again and again, at a random offset, until `seconds` have passed."""
        loop = asyncio.get_running_loop()
        over = loop.time() + seconds
        await self.act()
        await asyncio.sleep(random.uniform(0, pace))
        while loop.time() < over:
            await self.act()
            await asyncio.sleep(pace)


class ScorersPhone(Phone):
    """A phone that records taps at its table with a token; its calls are kept in `club.calls`."""

    def __init__(self, club, url, token, match):
        super().__init__(url, {"Authorization": f"Bearer {token}"})
        self.club, self.match, self.taps = club, match, enumerate(itertools.cycle(TAPS))

    async def act(self):
        """Send the next tap: a deal, its facts one by one, then the voiding of the deal."""
        number, (what, body) = next(self.taps)
        key, begun = f"{self.match}-{number}", time.monotonic()
        path = f"/api/v1/matches/{self.match}/{what}"
        answer = await self.ask("POST", path, json=body, headers={"Idempotency-Key": key})
        told = answer.json() if answer is not None and answer.status_code == 201 else None
        kind = "yes" if told else "unknown"
        version, size = (told["version"], len(told["events"])) if told else (0, None)
        self.club.calls.append(Call("write", self.match, begun, time.monotonic(), kind, key, version, size))

    async def send_kept(self, count):
        """Send taps one after the other, as a phone does that was offline."""
        for _ in range(count):
            await self.act()


class ReadersPhone(Phone):
    """A phone that reads the page of its table with the cookie of its table code."""

    def __init__(self, url, cookie, match):
        super().__init__(url, cookie)
        self.path = f"/matches/{match}"

    async def act(self):
        await self.ask("GET", self.path)


class Viewer:
    """A follower of an event stream: the status of each connection and the text received on the last one."""

    def __init__(self, url, path, headers=()):
        self.client, self.path, self.headers = client(url, headers), path, STREAM
        self.statuses, self.text, self.over, self.task = [], b"", False, None

    def come(self):
        self.task = asyncio.create_task(self._follow())
        return self

    async def _follow(self):
        self.text, self.over = b"", False
        async with self.client.stream("GET", self.path, headers=self.headers, timeout=None) as answer:
            self.statuses.append(answer.status_code)
            async for piece in answer.aiter_raw():
                self.text += piece
        self.over = True  # the service has ended or refused the stream

    def ids(self):
        return [int(number) for number in IDS.findall(self.text)]

    async def look_away(self):
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    async def come_again(self):
        """Reconnect, as a phone does whose screen was off."""
        await self.look_away()
        self.come()

    async def leave(self):
        await self.look_away()
        await self.client.aclose()


class Line:
    """A raw connection for many cheap requests."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def ask(self, method, path, header=""):
        """Send a request; return its status, or 0 if the connection has ended."""
        try:
            if self.reader is None or self.reader.at_eof():
                await self.leave()
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
            self.writer.write(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}\r\n".encode())
            head = await self.reader.readuntil(b"\r\n\r\n")
            await self.reader.readexactly(int(LENGTH.search(head)[1]))
        except (OSError, asyncio.IncompleteReadError):
            await self.leave()
            return 0
        return int(head[9:12])

    async def leave(self):
        if self.writer is not None:
            self.writer.close()
            self.reader = self.writer = None


class Attacker:
    """An attacker: sends requests without pause, with invented credentials and with none, and opens ever more streams.

    `answers` counts the statuses.
    """

    def __init__(self, service, match, refused_a_second=100, streams_a_second=5):
        self.service, self.match = service, match
        self.pause, self.streams_pause = 4 / refused_a_second, 1 / streams_a_second
        self.answers, self.streams, self.refused = Counter(), [], asyncio.Event()

    async def flood(self):
        """Send requests as fast as possible until cancelled, with a short pause after each refusal."""
        lines = [Line(self.service.port) for _ in range(4)]
        try:
            async with asyncio.TaskGroup() as group:
                for line, what in zip(lines, (self._token, self._writing, self._cookie, self._nothing), strict=True):
                    group.create_task(self._ask(line, what))
                group.create_task(self._open_streams())
        finally:
            await asyncio.gather(*(each.leave() for each in [*lines, *self.streams]))

    def _token(self, number):
        return "GET", "/api/v1/me", f"Authorization: Bearer lurch_{number}\r\n"

    def _writing(self, number):
        headers = f"Authorization: Bearer lurch_w{number}\r\nContent-Length: 0\r\n"
        return "POST", f"/api/v1/matches/{self.match}/deals", headers

    def _cookie(self, number):
        return "GET", f"/matches/{self.match}/last", f"Cookie: lurch_sign_in=invented{number}\r\n"

    def _nothing(self, number):
        return "GET", "/api/v1/me", ""

    async def _ask(self, line, what):
        for number in itertools.count():
            status = await line.ask(*what(number))
            self.answers[status] += 1
            if status == 429:
                self.refused.set()
            await asyncio.sleep(self.pause if status == 429 else 0)

    async def _open_streams(self):
        while True:
            viewer = Viewer(self.service.url, f"/api/v1/matches/{self.match}/events").come()
            self.streams.append(viewer)
            await asyncio.sleep(self.streams_pause)

    def statuses(self):
        """Count the answers by status, of requests and of streams."""
        return self.answers + Counter(status for each in self.streams for status in each.statuses)
