"""An evening at which a phone loses its network: tables by scripts, two phones that tap, one of them cut off, and a
projector. Nothing is lost, nothing is there twice, and the projector is never late.

Three tables and no pause here; `make evening` plays ten tables, and the phone is cut off for ten minutes."""

import json
import os
import threading
import time
from statistics import median

import httpx
import pytest

from domain import codec
from tests.browser.test_pages import deal_of_cross_purposes
from tests.browser.test_two_phones import tap
from tests.conftest import with_pool
from tests.kit.games.strategies import played_out
from tests.kit.logs import tail, verify
from tests.kit.phones import kept, phone

TABLES, SECONDS = map(int, os.environ.get("LURCH_EVENING", "3 0").split())
LARGE = TABLES > 3
pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(SECONDS + 280)]

PACE = 2.0 if LARGE else 0.3  # between two facts of a script
LATE = 1000  # ms, of `make evening`
CARDS = [f"{suit}{rank}" for suit in "SH" for rank in "AKQJT98765432"][:24]
WALL = {"width": 1920, "height": 1080}
WATCH = """() => { window.seen = [];
    const look = () => {
      const version = Number(document.querySelector("#table h1").dataset.version);
      if (window.seen.at(-1)?.[0] !== version) window.seen.push([version, Date.now()]);
    };
    look();
    new MutationObserver(look).observe(document.querySelector("#table"), { childList: true, subtree: true }); }"""


class Table(threading.Thread):
    """A table whose scorer is a program: deal after deal, and some answers are lost, so that it asks again."""

    def __init__(self, site, club, token, number, over):
        super().__init__()
        self.client = httpx.Client(base_url=f"{site}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=30)
        self.number, self.over, self.sent, self.told, self.fault = number, over, [], [], None
        names = [[f"North {number}"], [f"South {number}"]]
        body = {"game": "cross_purposes", "sides": names, "target": 10_000}
        self.match = self.post(f"/clubs/{club}/matches", body, "open")["match"]["id"]

    def post(self, path, body, key):
        """A write under a key; every seventh is sent again, as if its answer had been lost."""
        headers = {"Idempotency-Key": f"{self.number} {key}"}
        answer = self.client.post(path, json=body, headers=headers)
        assert answer.status_code == 201, answer.text
        if hash(key) % 7 == 0:
            assert self.client.post(path, json=body, headers=headers).json()["version"] == answer.json()["version"]
        return answer.json()

    def run(self):
        try:
            dealer = 0
            while not self.over.is_set():
                self.deal(dealer)
                dealer = 1 - dealer
        except Exception as error:  # told by the test, in its own thread
            self.fault = error
        finally:
            self.client.close()

    def deal(self, dealer):
        """One deal, until it or the evening is over."""
        seeds = (self.number * 1000 + len(self.sent) + each for each in range(1000))
        facts = next(
            made[4] for seed in seeds if (made := played_out(("cross_purposes", {}), seed, False))[2] == dealer
        )
        self.post(f"/matches/{self.match}/deals", {"dealer": dealer}, f"deal {len(self.sent)}")
        for fact in map(codec.plain, facts):
            if self.over.wait(PACE):
                return
            answer = self.post(f"/matches/{self.match}/facts", {"facts": [fact]}, f"fact {len(self.sent)}")
            self.sent.append(fact)
            self.told.append((answer["version"], time.time() * 1000))


def stored(database, club):
    """The facts that the log holds, by match and in their order."""

    async def read(pool):
        return [each async for each in tail(pool, club, 0)]

    found = {}
    for each in with_pool(database, read):
        data = json.loads(each.event.text)
        if "do" in data and "seat" in data:
            found.setdefault(each.event.stream, []).append(data)
    return found


def lateness(told, seen):
    """How much later than its answer each version stood on the wall, in ms."""
    return [min((at for shown, at in seen if shown >= version), default=float("inf")) - when for version, when in told]


def test_an_evening_at_which_a_phone_loses_its_network(page, chromium, site, database, club):
    over = threading.Event()
    tables = [Table(site, club[0], club[1]["scorer"], number, over) for number in range(1, TABLES + 1)]
    cut = deal_of_cross_purposes(page, club[0])
    steady_table = deal_of_cross_purposes(page, club[0])
    with (
        phone(chromium, site, database, "Annie", club=club[0]) as annie,
        phone(chromium, site, database, "Benny", club=club[0]) as benny,
        phone(chromium, site, database, "Wall", club=club[0]) as wall,
    ):
        lost, steady, projector = annie.new_page(), benny.new_page(), wall.new_page()
        projector.set_viewport_size(WALL)
        for each, address in ((lost, cut), (steady, steady_table)):
            each.goto(address)
            each.wait_for_selector("[data-key=SA]")
        projector.goto(f"/matches/{tables[0].match}")
        projector.evaluate(WATCH)
        for each in tables:
            each.start()
        try:
            tapped(lost, steady)
        finally:
            over.set()
            for each in tables:
                if each.ident is not None:  # one that never began has nothing to end
                    each.join()
        assert [each.fault for each in tables] == [None] * TABLES
        for each in (lost, steady):
            each.wait_for_selector(f"[data-key={CARDS[-1]}]", state="detached", timeout=60_000)
            assert kept(each) == [[], []]
        last = tables[0].told[-1][0]
        projector.wait_for_function("(last) => window.seen.at(-1)[0] >= last", arg=last)
        late = lateness(tables[0].told, projector.evaluate("window.seen"))
    found = stored(database, club[0])
    for each in tables:
        assert found[each.match] == each.sent
    for address in (cut, steady_table):
        played = [each["card"] for each in found[address.rsplit("/", 1)[1]] if each["do"] == "play"]
        assert played == CARDS
    worst = sorted(zip(late, (time.strftime("%X", time.gmtime(at / 1000)) for _, at in tables[0].told), strict=True))
    if LARGE:  # a measurement on a machine of its own
        assert max(late) < LATE and median(late) < LATE, f"of {len(late)}, the latest and when: {worst[-8:]}"
    assert with_pool(database, verify)[1] == ""


def tapped(lost, steady):
    """Both phones tap their cards; one of them is cut off after the fourth, for as long as the evening lasts."""
    pause = SECONDS * 1000 / (len(CARDS) - 4)
    for at, card in enumerate(CARDS):
        if at == 4:
            lost.wait_for_selector(f"[data-key={CARDS[3]}]", state="detached")
            lost.context.set_offline(True)
        tap(lost, card)
        tap(steady, card)
        if at >= 4:
            assert lost.inner_text("[data-unsent]") == f"{at - 3} unsent"
            lost.wait_for_timeout(pause)
    lost.context.set_offline(False)
