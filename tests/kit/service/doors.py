"""Phones that take a seat at a table by its code, and guessers that try codes from many addresses."""

import re
import threading
from collections import Counter

import anyio

from tests.kit.service.asking import FORM


def door_of(house, match):
    """Return the table codes of a match."""
    answer = house.get(f"{match}/door", "director")
    assert answer.status_code == 200, answer.text
    return answer.json()


SCORE = "I keep the score"


class Phone:
    """A browser without a sign-in, at a table."""

    def __init__(self, client, cookie=None):
        self.client, self.headers, self.page = client, dict(cookie or {}), ""

    def get(self, path, **more):
        answer = self.client.get(path, headers={**self.headers, "Accept": "text/html"}, follow_redirects=False, **more)
        self.client.cookies.clear()
        return answer

    def post(self, path, data=None, **headers):
        sent = {**FORM, **self.headers, "Accept": "text/html", **headers}
        answer = self.client.post(path, data=data or {}, headers=sent, follow_redirects=False)
        self.client.cookies.clear()
        if "set-cookie" in answer.headers:
            self.headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]
        self.page = answer.text
        return answer

    def scan(self, door):
        """Scan a QR code and return the page of the table."""
        answer = self.post("/t", {"secret": door["secret"]})
        assert answer.status_code == 200, answer.text
        return answer.text

    def type(self, code):
        """Type a code and return the response."""
        return self.post("/t", {"code": code})

    def tap(self, name):
        """Tap a name, or `SCORE`, on the open page and return where it leads."""
        secret = re.search(r'name="secret" value="(\w+)"', self.page)[1]
        value = "score" if name == SCORE else r"[\w-]+"
        found = re.search(rf'name="as" value="({value})"\s*>(<bdi>)?{".*" if name == SCORE else name}<', self.page)
        answer = self.post("/t/in", {"secret": secret, "as": found[1]})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def come_in(self, door, name):
        """Scan, and tap."""
        self.scan(door)
        return self.tap(name)


def code_of(door):
    """Return a code as pages show it."""
    return f"{door['code'][:3]} {door['code'][3:]}"


async def typed(app, code, address):
    """Send a typed code from an address, in the application's event loop, and return the status."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/t",
        "raw_path": b"/t",
        "root_path": "",
        "query_string": b"",
        "client": (address, 1),
        "server": ("testserver.local", 80),
        "state": {},
        "headers": [
            (name.lower().encode(), value.encode()) for name, value in {"Host": "testserver.local", **FORM}.items()
        ],
    }
    told = []

    async def receive():
        await anyio.sleep(0)  # as from a network: others have their turn
        return {"type": "http.request", "body": f"code={code}".encode(), "more_body": False}

    async def send(message):
        told.append(message)

    await app(scope, receive, send)
    return told[0]["status"]


class Guesser:
    """Types codes from many addresses concurrently: at least `least` of them, and more until `stop`.

    `answers` counts responses by status; `shut` is set by the first response 429.
    """

    def __init__(self, client, least, addresses=40):
        self.client, self.least, self.addresses = client, least, addresses
        self.answers, self.shut, self._over = Counter(), threading.Event(), threading.Event()

    def __enter__(self):
        self._running = self.client.blocking_portal.start_task_soon(self._run)
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Stop after at least `least` codes."""
        self._over.set()
        self._running.result(60)

    @property
    def sent(self):
        """Return the number of answered requests."""
        return self.answers.total()

    async def _run(self):
        numbers = iter(range(10**6))
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(self._type, numbers)

    async def _type(self, numbers):
        for number in numbers:
            if number >= self.least and self._over.is_set():
                return
            code = "".join("ABCDEFGH"[number >> 3 * place & 7] for place in range(6))
            status = await typed(self.client.app, code, f"198.51.100.{number % self.addresses}")
            self.answers[status] += 1
            if status == 429:
                self.shut.set()
