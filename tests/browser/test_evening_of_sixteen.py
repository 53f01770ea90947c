"""A whole evening: sixteen players, two phones a table, one that loses its network, a dispute, a ruling after the next
round was paired, and two hundred who watch. At its end everything that is shown agrees, and nothing is missing."""

import asyncio
import json
import threading
from urllib.parse import urlsplit

import httpx
import pytest

from domain.log.actor import Actor
from domain.match import commands as mc
from domain.registry import event_types
from service.cli import clerk
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store import tokens
from service.store.log import By
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.logs import tail, verify
from tests.kit.phones import phone

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(300)]

PLAYERS = [
    "Annie",
    "Benny",
    "Carla",
    "Deniz",
    "Edith",
    "Fadil",
    "Greta",
    "Hanno",
    "Ilona",
    "Jussi",
    "Karin",
    "Lauri",
    "Mirja",
    "Niels",
    "Olena",
    "Petra",
]
WATCHERS = 200
FIRST_WINS, SECOND_WINS = {"parity": "odd", "tricks": [11, 4]}, {"parity": "odd", "tricks": [4, 11]}


class Watchers:
    """Two hundred spectators of the club, each with a stream of its own, in a loop of their own."""

    def __init__(self, address):
        self.address, self.seen, self.refused = address, [set() for _ in range(WATCHERS)], []
        self.loop, self.open, self.over = asyncio.new_event_loop(), threading.Semaphore(0), asyncio.Event()
        self.thread = threading.Thread(target=self.loop.run_forever)

    def __enter__(self):
        self.thread.start()
        self.task = asyncio.run_coroutine_threadsafe(self._watch(), self.loop)
        for _ in range(WATCHERS):
            assert self.open.acquire(timeout=120)
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.over.set)
        self.task.result(60)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    async def _watch(self):
        await asyncio.gather(*(self._one(seen) for seen in self.seen))

    async def _one(self, seen):
        """A stream by hand, so that what is opened here is closed here."""
        place = urlsplit(self.address)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        asked = f"GET {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\nAccept: text/event-stream\r\n\r\n"
        writer.write(asked.encode())
        if b" 200 " not in await reader.readline():
            self.refused.append(place.path)
        self.open.release()
        reading, over = asyncio.ensure_future(self._read(reader, seen)), asyncio.ensure_future(self.over.wait())
        await asyncio.wait({reading, over}, return_when=asyncio.FIRST_COMPLETED)
        reading.cancel()
        await asyncio.wait({reading})
        writer.close()
        await writer.wait_closed()

    async def _read(self, reader, seen):
        while line := await reader.readline():
            if line.startswith(b"data:") and b'"position"' in line:
                seen.add(json.loads(line[5:])["position"])

    def all_have(self, positions, wait=60.0):
        """Whether every watcher has been told all of these, soon."""
        done = threading.Event()

        async def look():
            while not all(positions <= seen for seen in self.seen):
                await asyncio.sleep(0.05)
            done.set()

        asyncio.run_coroutine_threadsafe(look(), self.loop)
        return done.wait(wait)


class Night:
    """The club, its programs, and its tournament of sixteen."""

    def __init__(self, site, database):
        self.site, self.database = site, database
        self.http = httpx.Client(base_url=site, timeout=30, limits=httpx.Limits(max_keepalive_connections=0))
        self.club = with_pool(database, lambda pool: clerk.club_named(pool, "The sixteen", public=True))
        self.director, self.scorer = self.token("director"), self.token("scorer")
        entries = [{"do": "enter", "players": [name]} for name in PLAYERS]
        stage = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
        body = {"name": "Sixteen", "stages": [stage], "entries": entries, "plan": {"counts": "confirmed"}}
        self.id = self.done(f"/clubs/{self.club}/tournaments", body)["tournament"]["id"]
        self.players = {
            each["name"]: each["id"] for each in self.read(f"/clubs/{self.club}/players?limit=200")["items"]
        }
        self.phones = {name: self.token("player", player) for name, player in self.players.items()}
        self.recorded = 0

    def token(self, role, player=None):
        return with_pool(self.database, lambda pool: tokens.create_token(pool, self.club, role, role, player))

    def ask(self, method, path, body=None, token=None):
        headers = {"Authorization": f"Bearer {token or self.director}"}
        return self.http.request(method, f"/api/v1{path}", json=body, headers=headers)

    def done(self, path, body, token=None):
        answer = self.ask("POST", path, body, token)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def read(self, path, token=None):
        answer = self.ask("GET", path, None, token)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def act(self, *actions):
        return self.done(f"/tournaments/{self.id}/actions", {"actions": list(actions)})["tournament"]

    def view(self):
        return self.read(f"/tournaments/{self.id}")

    def open(self):
        rounds = self.view()["rounds"]
        return [each for at in rounds for each in at["pairings"] if each["status"] == "open"]

    def names(self, pairing):
        return [side["name"] for side in pairing["sides"]]

    def play(self, pairing, entry):
        """A table with two phones: one says what came of it, the other says the same."""
        first, second = self.names(pairing)
        path = f"/matches/{pairing['match']}"
        self.done(f"{path}/results", {"entry": entry, "deal": 1}, self.phones[first])
        self.done(f"{path}/results", {"entry": entry, "deal": 1}, self.phones[second])

    def rules(self, pairing, scores):
        """A ruling of the director on the deal of a match."""

        async def rule(pool):
            ruling = mc.Rule(code="REV", deal=1, scores=scores, note="a revoke was proven")
            asked = own_request(By(None, "director"), actor=Actor("director"))
            return await Recorder(Streams(pool)).match(pairing["match"], ruling, asked)

        with_pool(self.database, rule)

    def stored(self):
        """Every event of the club, as the log holds it."""

        async def read(pool):
            return [each async for each in tail(pool, self.club, 0)]

        return with_pool(self.database, read)


@pytest.fixture(scope="module")
def night(site, database):
    made = Night(site, database)
    yield made
    made.http.close()


def two_phones_in_browsers(night, chromium, pairing):
    """A table at which two browsers keep the score; one loses its network with a tap on its way."""
    address = f"/matches/{pairing['match']}"
    with (
        phone(chromium, night.site, night.database, "left", "scorer", night.club) as left,
        phone(chromium, night.site, night.database, "right", "scorer", night.club) as right,
    ):
        one, other = left.new_page(), right.new_page()
        one.goto(f"{address}/result")
        other.goto(address)
        left.set_offline(True)
        one.click("label:has-text('odd')")
        one.click("fieldset:has(input[name='tricks.0']) label:has(input[value='11'])")
        one.click("button:has-text('Close deal')")
        one.wait_for_selector("#unsent:not([hidden])")
        left.set_offline(False)
        other.wait_for_selector(".total:has-text('21')")
        one.wait_for_url(f"**{address}")
        one.click("[data-key=confirm0]")
        other.wait_for_selector("[data-key=confirm0]", state="detached")
        other.click("[data-key=confirm1]")
        for page in (one, other):
            page.wait_for_selector("[data-key=confirm1]", state="detached")
    return address


def agreed(night, page):
    """What everybody is shown of the tournament, from five places."""
    view, found = night.view(), {}
    pairings = [each for at in view["rounds"] for each in at["pairings"]]
    for each in pairings:
        match = night.read(f"/matches/{each['match']}")
        found[each["fixture"]] = (match["winner"], tuple(match["totals"]))
        assert (match["winner"], list(match["totals"])) == (each["winner"], each["score"]), each["fixture"]
        page.goto(f"/matches/{each['match']}")
        assert match["sides"][match["winner"]]["names"][0] in page.inner_text(".standing")
        assert "nconfirmed" not in page.inner_text("main")
    boxes = {each["id"]: each for each in night.read(f"/tournaments/{night.id}/bracket")["boxes"]}
    for each in pairings:
        assert [slot["won"] for slot in boxes[each["fixture"]]["slots"]].index(True) == each["winner"]
    places = {each["rank"]: each["name"] for each in view["places"]}
    (final,) = [each for each in pairings if each["fixture"] == max(boxes, key=lambda name: boxes[name]["round"])]
    assert places[1] == final["sides"][final["winner"]]["name"]
    first = night.read(f"/tournaments/{night.id}/standings")["rows"][0]
    assert first["name"] == places[1]
    ratings = night.read(f"/clubs/{night.club}/ratings?game=parity")
    rows = {row["names"][0]: row for row in ratings["rows"]}
    wins = dict.fromkeys(PLAYERS, 0)
    for each in pairings:
        wins[each["sides"][each["winner"]]["name"]] += 1
    assert {name: row["won"] for name, row in rows.items()} == wins
    return found


def test_an_evening_of_sixteen_is_the_same_wherever_one_looks(night, chromium, context, page):
    with Watchers(f"{night.site}/api/v1/clubs/{night.club}/events") as watchers:
        night.act({"do": "pair_round"})
        first, *others = night.open()
        assert len(others) == 7
        two_phones_in_browsers(night, chromium, first)
        for at, pairing in enumerate(others):
            night.play(pairing, FIRST_WINS if at % 2 else SECOND_WINS)
        disputed = others[0]
        reason = {"side": 0, "reason": "the last trick was mine"}
        night.done(f"/matches/{disputed['match']}/disputes", reason, night.phones[night.names(disputed)[0]])
        assert [each["fixture"] for each in flat(night) if each["disputed"]] == [disputed["fixture"]]
        night.done(f"/matches/{disputed['match']}/settlements", {"how": "upheld"})
        night.act({"do": "pair_round"})  # and the case of the dispute is closed by then
        wrong = others[1]
        night.rules(wrong, (0, 20))  # after the next round was paired on the other winner
        (contested,) = [each for each in flat(night) if each["contested"]]
        assert (contested["fixture"], contested["contested"]["because"]) == (wrong["fixture"], "ruled")
        again = {"do": "report", "fixture": wrong["fixture"], "score": [0, 20], "repair": "again", "knowingly": True}
        night.act(again)
        while True:
            for pairing in night.open():
                night.play(pairing, FIRST_WINS)
            if sum(each["status"] == "decided" for each in flat(night)) == 15:
                break
            night.act({"do": "pair_round"})
        night.act({"do": "finish"})
        agreed(night, page)
        stored = night.stored()
        assert [each.event.position for each in stored] == list(range(1, len(stored) + 1))
        assert {each.event.type for each in stored} <= set(event_types())
        assert watchers.refused == []
        assert watchers.all_have({each.event.position for each in stored if each.event.stream != night.club})
    assert with_pool(night.database, verify)[1] == ""


def flat(night):
    return [each for at in night.view()["rounds"] for each in at["pairings"]]
