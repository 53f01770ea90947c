"""Scorers: threads that write concurrently, retry under the same key until answered, and record every call."""

import asyncio
import itertools
import random
import threading
import time
from collections import Counter
from contextlib import contextmanager

import httpx
import psycopg

from domain.match import commands as c
from service.cli import clerk
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.run.database import Database
from service.run.pool import make_pool
from service.store import tokens
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.faults.checker import Call, Row, violations
from tests.kit.faults.processes import until
from tests.kit.logs import verify

RESULT = {"entry": {"phases": [[6, 7], [8, 5]]}}
BATCH = [
    {"seat": 1, "do": "declare", "dim": "trump", "value": "S"},
    {"seat": 0, "do": "declare", "dim": "top", "value": "3"},
    {"seat": 1, "do": "play", "card": "SA"},
    {"seat": 0, "do": "play", "card": "S9"},
    {"seat": 1, "do": "play", "card": "H2"},
]
GIVE_UP = 30.0


class Club:
    """A club of one test: its id, a scorer's token, and the calls that its scorers made."""

    def __init__(self, database_url, public=False):
        self.database_url = database_url

        async def make(pool):
            self.id = await clerk.club_named(pool, f"Club {random.random()}", public)
            self.token = await tokens.create_token(pool, self.id, "scorer", "tablet")

        with_pool(Database(database_url, database_url), make)
        self.calls = []
        self.before = frozenset(row.key for row in self.rows())

    def client(self, url, **more):
        """Return a client that sends the club's token."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.Client(base_url=f"{url}/api/v1", headers=headers, timeout=30, **more)

    def open_match(self, url, names=("Annie", "Benny")):
        """Open a match that takes very long to finish; return its id."""
        body = {"game": "cross_purposes", "sides": [[name] for name in names], "target": 100_000}
        key = {"Idempotency-Key": f"open-{random.random()}"}

        def opened():
            """Return the answer, or None while the database still recovers from the test before."""
            answer = client.post(f"/clubs/{self.id}/matches", json=body, headers=key)
            return answer if answer.status_code != 503 else None

        with self.client(url) as client:
            answer = until(opened)
        assert answer.status_code == 201, answer.text
        self.before |= {row.key for row in self.rows()}
        return answer.json()["match"]["id"]

    def webhook(self, url, to):
        """Create a webhook of the club; return the position at which it begins."""
        owner = with_pool(
            Database(self.database_url, self.database_url),
            lambda pool: tokens.create_token(pool, self.id, "owner", "desk"),
        )
        headers = {"Authorization": f"Bearer {owner}"}
        answer = httpx.post(f"{url}/api/v1/clubs/{self.id}/webhooks", json={"url": to}, headers=headers, timeout=30)
        assert answer.status_code == 201, answer.text
        return answer.json()["position"]

    def rows(self):
        """Return the rows of the club's open log."""
        with psycopg.connect(self.database_url) as connection:
            found = connection.execute(
                "select stream_id::text, version, command_id, command_index from events"
                " where club_id = %s and log = 0 order by position",
                [self.id],
            ).fetchall()
        return [Row(*row) for row in found]

    def positions(self):
        with psycopg.connect(self.database_url) as connection:
            found = connection.execute(
                "select position from events where club_id = %s and log = 0 order by position", [self.id]
            ).fetchall()
        return [row[0] for row in found]

    def check(self):
        """Check the log against every recorded call, and its hash chain."""
        rows = self.rows()
        assert violations(self.calls, rows, self.before) == []
        assert self.positions() == list(range(1, len(rows) + 1))
        database = Database(self.database_url, self.database_url)
        assert with_pool(database, verify)[1] == ""

    def acknowledged(self):
        return sum(call.kind == "write" and call.answer == "yes" for call in self.calls)


class Scorer(threading.Thread):
    """A thread that sends work to one address, or to several in turn, and records its calls."""

    numbers = itertools.count()

    def __init__(self, club, urls, work, stop):
        super().__init__(name=f"scorer-{next(self.numbers)}")
        self.club, self.urls, self.work, self.stop = club, itertools.cycle(urls), work, stop
        self.answers = Counter()
        self.odd = []

    def run(self):
        try:
            self.client = self.club.client(next(self.urls))
            for number in itertools.count():
                if self.stop.is_set():
                    return
                for match, what, body, size in self.work(number):
                    self.write(match, what, body, size, f"{self.name}-{number}-{what}")
                self.read(match)
        except Exception as error:  # told in the test's own thread
            self.odd.append(repr(error))
        finally:
            self.client.close()

    def write(self, match, what, body, size, key):
        """Send one command, with retries under its key, and record the call."""
        start = time.monotonic()
        while time.monotonic() < start + GIVE_UP:
            answer = self.ask("POST", f"/matches/{match}/{what}", json=body, headers={"Idempotency-Key": key})
            if answer is not None:
                break
            time.sleep(0.02)
        end = time.monotonic()
        if answer is None:
            call = Call("write", match, start, end, "unknown", key, size=size)
        elif answer.status_code == 201:
            told = answer.json()
            assert size in (None, len(told["events"]))
            call = Call("write", match, start, end, "yes", key, told["version"], len(told["events"]))
        else:
            call = Call("write", match, start, end, "no", key)
        self.club.calls.append(call)
        return answer

    def read(self, match):
        start = time.monotonic()
        answer = self.ask("GET", f"/matches/{match}")
        if answer is not None:
            end = time.monotonic()
            self.club.calls.append(Call("read", match, start, end, "yes", version=answer.json()["version"]))

    def ask(self, method, path, **more):
        """Send one request; return None if its outcome is unknown."""
        self.client.base_url = f"{next(self.urls)}/api/v1"
        try:
            answer = self.client.request(method, path, **more)
        except httpx.TransportError as error:
            self.answers[type(error).__name__] += 1
            return None
        self.answers[answer.status_code] += 1
        problem = answer.headers["content-type"].startswith("application/problem+json")
        if answer.status_code == 503 and problem and answer.headers.get("retry-after"):
            return None
        if answer.status_code not in (200, 201) and not (answer.status_code == 409 and problem):
            self.odd.append(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer


def results(match):
    """Work: results of one match, two events each."""
    return lambda number: [(match, "results", RESULT, 2)]


def batches(match):
    """Work: a deal, a batch of five facts, the voiding of the deal; repeatable without end."""
    return lambda number: [
        (match, "deals", {"dealer": 0}, 1),
        (match, "facts", {"facts": BATCH}, len(BATCH)),
        (match, "void-deal", {}, None),
    ]


@contextmanager
def scoring(club, urls, works):
    """Run scorers while the block runs; fails if one of them received an unexpected answer."""
    stop = threading.Event()
    scorers = [Scorer(club, urls, work, stop) for work in works]
    for scorer in scorers:
        scorer.start()
    try:
        yield scorers
    finally:
        stop.set()
        for scorer in scorers:
            scorer.join()
    assert [odd for scorer in scorers for odd in scorer.odd] == []


def all_answers(scorers):
    """Count the answers of all scorers by status or error."""
    return sum((scorer.answers for scorer in scorers), Counter())


def more(club, count, seconds=120):
    """Wait until `count` more calls were acknowledged."""
    goal = club.acknowledged() + count
    until(lambda: club.acknowledged() >= goal, seconds)


def append_elsewhere(club, match):
    """Append as another process does, with a notification."""

    async def act():
        async with make_pool(club.database_url, 2) as pool:
            recorder = Recorder(Streams(pool))
            await recorder.match(match, c.EnterResult(entry=RESULT["entry"]), own_request(clerk.CLERK))
            async with pool.connection() as connection:
                await connection.execute("select pg_notify('lurch', %s)", [f"elsewhere {club.id}"])

    asyncio.run(act())
