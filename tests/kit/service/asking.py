"""A club with a token for each role, in-process requests to it, and assertions about refusals."""

import json
import re
from contextlib import contextmanager
from datetime import timedelta

import anyio
import psycopg

from service.desk.recording import Recorder
from service.http.kinds import KINDS
from service.store import tokens
from service.store.log import By
from service.store.streams import Streams
from tests.conftest import with_pool

NO_TRACE = re.compile(r"Traceback|File \"|psycopg|msgspec|litestar|<[a-z_.]+ object|[\x00-\x1f]")

NOWHERE = "http://[::1]:65535/hook"  # a webhook address that reaches nothing, however it is mutated


BLOCK = (
    r"html|head|title|meta|link|script|body|header|main|nav|section|article|footer|div|p|h[1-6]|ul|ol|li|dl|dt|dd|form|"
    r"fieldset|legend|label|select|optgroup|option|datalist|details|summary|table|caption|thead|tbody|tr|th|td|br"
)


def squeezed(page):
    """Return a page as one line without insignificant white space."""
    text = re.sub(r"\s+", " ", page)
    text = re.sub(rf" ?(</?(?:{BLOCK})\b[^>]*>) ?", r"\1", text)
    text = re.sub(r" (?=</button>)|(<button\b[^>]*>) ", r"\1", text)
    return re.sub(r"(<[^>]*?) >", r"\1>", text)


def drawn(page):
    """Return a page as one line without the templates for offline use."""
    return re.sub(r"<template.*?</template>", "", squeezed(page))


class House:
    """A new club with a token for each role, and requests to it through the in-process client."""

    def __init__(self, client, database, public=False, name="House"):
        self.client, self.database, self.name = client, database, name
        self.id, self.tokens = with_pool(database, lambda pool: self._found(pool, public))
        self.log = psycopg.connect(database.url, autocommit=True)
        self.path = f"/api/v1/clubs/{self.id}"

    def next_name(self):
        """Return an unused name."""
        self.named = getattr(self, "named", 0) + 1
        return f"n{self.named}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.log.close()

    async def _found(self, pool, public):
        club = await Recorder(Streams(pool)).found_club(self.name, public, By(None, "owner"))
        return club, {role: await tokens.create_token(pool, club, role, role) for role in tokens.ROLES}

    def token(self, role, **bound):
        """Create a token of a role, bound to a player, match or tournament."""
        return with_pool(self.database, lambda pool: tokens.create_token(pool, self.id, role, role, **bound))

    def bearer(self, role="scorer"):
        """Return the header of a role or a token; none for None."""
        return {} if role is None else {"Authorization": f"Bearer {self.tokens.get(role, role)}"}

    def position(self):
        """Return the head position of the club's log."""
        return self.log.execute("select position from logs where club_id = %s and log = 0", [self.id]).fetchone()[0]

    def asked_for(self):
        """Count the events recorded by requests, without those of the automation."""
        count = "select count(*) from events where club_id = %s and cause is null"
        return self.log.execute(count, [self.id]).fetchone()[0]

    def ask(self, method, path, body=None, role="scorer", headers=None):
        """Send a request as a role. Bytes are sent unchanged, anything else as JSON."""
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        sent = {"Content-Type": "application/json", **self.bearer(role), **(headers or {})}
        return self.client.request(method, path, content=content, headers=sent, follow_redirects=False)

    def get(self, path, role="scorer"):
        return self.ask("GET", path, role=role)

    def post(self, path, body, role="scorer", **headers):
        return self.ask("POST", path, body, role, headers)

    def done(self, path, body, role="scorer"):
        """Send a write that must succeed and return its answer."""
        answer = self.post(path, body, role)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def match(self, game="parity", sides=(("Annie",), ("Benny",)), **more):
        """Open a match and return its path."""
        body = {"game": game, "sides": sides, **more}
        return f"/api/v1/matches/{self.done(f'{self.path}/matches', body)['match']['id']}"

    def webhook(self):
        """Create a webhook that reaches nothing, delete the club's others, and return its id."""
        for each in self.get(f"{self.path}/webhooks", "owner").json()["items"]:
            assert self.ask("DELETE", f"{self.path}/webhooks/{each['id']}", role="owner").status_code == 200
        return self.done(f"{self.path}/webhooks", {"url": NOWHERE}, "owner")["id"]

    def refused(self, method, path, body, status, slug, role="scorer", headers=None):
        """Send a request that must be refused, assert that nothing is recorded, and return the problem."""
        before = self.asked_for()
        answer = self.ask(method, path, body, role, headers)
        problem = a_problem(answer, status, slug)
        assert self.asked_for() == before, "something was recorded all the same"
        return problem


def a_problem(answer, status=None, slug=None):
    """Assert that an answer is a well-formed problem of this status and kind, and return its body."""
    assert answer.headers["content-type"] == "application/problem+json", (answer.status_code, answer.text[:300])
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    body = answer.json()
    found = well_formed(answer.status_code, body)
    assert (answer.status_code, found) == (status or answer.status_code, slug or found), body
    return body


def well_formed(status, body):
    """Assert that problem details have a known kind and plain sentences, and return the kind."""
    found = body["type"].removeprefix("/problems/")
    assert body["type"] == f"/problems/{found}"
    assert found in KINDS, "this problem has no page"
    assert body["title"]
    assert body["status"] == status
    for sentence in (body["detail"], *(each["detail"] for each in body.get("errors", ()))):
        assert 8 <= len(sentence) <= 500, sentence
        assert not NO_TRACE.search(sentence), sentence
    return found


@contextmanager
def at(client, moment):
    """Stop the service's clock at a moment."""
    recorder = client.app.state.services.recorder
    clock = recorder.clock
    recorder.clock = lambda: moment
    try:
        yield
    finally:
        recorder.clock = clock


@contextmanager
def later(client, **more):
    """Put the service's clock forward."""
    recorder = client.app.state.services.recorder
    clock = recorder.clock
    recorder.clock = lambda: clock() + timedelta(**more)
    try:
        yield
    finally:
        recorder.clock = clock


def is_text(operation):
    """Return True if the body of an operation is plain text."""
    return all(each["schema"].get("type") == "string" for each in operation["requestBody"]["content"].values())


EVENT = re.compile(rb"^data: .*?\n\n", re.M | re.S)


def first_of_stream(client, path, headers=None, enough=None, wait=30.0, then=None):
    """Return status, headers and first bytes of a stream, then disconnect.

    Reads up to `enough`, or to the end of the first event with data, for at most `wait` seconds after the response
    started. `then` is called in a thread after the first event.
    """

    async def inside():
        path_only, _, query = path.partition("?")
        sent = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path_only,
            "raw_path": path_only.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(b"host", b"testserver.local"), *sent],
            "client": ("testclient", 1),
            "server": ("testserver.local", 80),
            "state": {},
        }
        begun, left, after = [], anyio.Event(), [then] if then else []
        got = bytearray()
        first = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive():
            if first:
                return first.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            if message["type"] == "http.response.start":
                begun.append(message)
                patience.deadline = anyio.current_time() + wait
            else:
                got.extend(message.get("body", b""))
                if after and EVENT.search(got):
                    group.start_soon(anyio.to_thread.run_sync, after.pop())
                if (bytes(enough) in got) if enough else EVENT.search(got):
                    left.set()

        async with anyio.create_task_group() as group:
            with anyio.move_on_after(60) as patience:
                await client.app(scope, receive, send)
        names = {name.decode().lower(): value.decode() for name, value in begun[0]["headers"]}
        return begun[0]["status"], names, bytes(got)

    return client.blocking_portal.call(inside)


FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}


def sign_in(client, database):
    """Sign the owner in by link and return the cookie header."""
    link = with_pool(database, tokens.make_link)
    answer = client.post("/sign-in", data={"link": link}, headers=FORM, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    client.cookies.clear()
    return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
