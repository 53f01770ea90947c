"""With TLS a table starts without a network, and without TLS everything else is the same: both are tried."""

import re
import time

import pytest
from playwright.sync_api import Error

from service.web import worker
from tests.browser.conftest import open_match
from tests.browser.test_two_phones import tap
from tests.kit.phones import end_sign_ins, kept, until_settled
from tests.kit.service.revoke_scene import planted

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

CALLS = {"S": "♠ spades", "8": "Eight", "D": "♦ diamonds", "Q": "Queen"}
ANNIE, BENNY = "Annikki", "Benedikt"  # names that stand in no file of ours


@pytest.fixture
def phone(visitor):
    """Makes a phone with a table open on it, signed in over what it is told."""

    def begin(over):
        page, club = visitor(over)
        open_match(page, club, first=ANNIE, second=BENNY)
        page.click("text=Deal card by card")
        page.click("section.entry .calls button:has-text('clubs')")
        page.click("section.entry .calls button:has-text('Ace')")
        page.wait_for_selector("[data-key=SA]")
        return page

    return begin


def until(page, script):
    """Wait for a promise that comes true: a page's own way to wait takes any promise for true."""
    end = time.monotonic() + 60
    while not page.evaluate(script):
        assert time.monotonic() < end, script
        page.wait_for_timeout(100)


OFFERED = """await new Promise((done) => {
      const request = indexedDB.open("lurch");
      request.onsuccess = () => {
        const all = request.result.transaction("offers").objectStore("offers").getAll();
        all.onsuccess = () => (request.result.close(), done(Object.keys(all.result[0]?.taps ?? {})));
      };
    })"""


def offered(page):
    """The taps that the shell of a table offers, as they are said."""
    return page.evaluate(f"async () => {OFFERED}")


def prepared(page):
    """Wait until the worker has what it needs."""
    until(
        page,
        f"""async () => (await caches.keys()).length === 1 &&
            (await (await caches.open((await caches.keys())[0])).keys()).length === {len(worker.kept_files("en")) + 1}
            && navigator.serviceWorker.controller && ({OFFERED}).length > 0""",
    )


@pytest.mark.parametrize("over", ["plain", pytest.param("secure", marks=pytest.mark.extended)])
def test_taps_wait_and_are_recorded_once_with_and_without_a_secure_context(phone, over):
    table = phone(over)
    secure = over == "secure"
    assert table.evaluate("[isSecureContext, 'randomUUID' in crypto, !!crypto.subtle]") == [secure] * 3
    said = "a table that was opened once starts without a network" if secure else "keep a table's page open"
    assert said in table.inner_text("footer.foot")
    names = {each["name"]: each for each in table.context.cookies()}
    assert [(each["secure"], name) for name, each in names.items()] == [
        (secure, "__Host-lurch_sign_in" if secure else "lurch_sign_in")
    ]
    table.context.set_offline(True)
    tap(table, "HA", "H2", "H3", "H2")
    table.wait_for_selector("#unsent:not([hidden])")
    assert (table.inner_text("[data-unsent]"), table.locator(".grid52 .blank").count()) == ("3 unsent", 3)
    table.context.set_offline(False)
    table.wait_for_selector("[data-key=H3]", state="detached")
    assert kept(table) == [[], []]
    replay = table.evaluate("fetch(location.href + '/replay').then((answer) => answer.text())")
    assert replay.partition('class="timeline"')[2].count(" plays ") == 3


@pytest.mark.extended
def test_without_tls_a_page_does_not_start_and_nothing_is_lost(phone):
    table = phone("plain")
    assert table.evaluate("navigator.serviceWorker === undefined && window.caches === undefined")
    address = table.url
    table.context.set_offline(True)
    tap(table, "HA")
    table.wait_for_selector("#unsent:not([hidden])")
    asked = []
    table.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    table.click("[data-key=H2]")
    with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
        table.goto(address)
    assert asked == ["beforeunload"]
    table.context.set_offline(False)
    table.goto(address)
    table.wait_for_selector("[data-key=H2]", state="detached")
    assert kept(table) == [[], []]


def test_with_tls_a_table_opens_offline_and_play_continues(phone):
    table = phone("secure")
    prepared(table)
    address = table.url
    stored = table.evaluate(
        """async () => { const cache = await caches.open((await caches.keys())[0]);
            return Promise.all((await cache.keys()).map(async (each) =>
              [new URL(each.url).pathname, await (await cache.match(each)).text()])); }"""
    )
    assert {path.split("/")[1] for path, _ in stored} == {"look.css", "shell", "static", "texts.js"}
    assert [path for path, text in stored if ANNIE in text or BENNY in text or "Wilhelmina" in text] == []
    table.context.set_offline(True)
    table.goto(address)
    table.wait_for_selector("text=The table, without a connection")
    table.wait_for_selector("[data-key=H2]")  # its script draws what was offered later
    tap(table, "HA", "H2")
    table.wait_for_selector("#unsent li >> nth=1")
    table.reload()
    table.wait_for_selector("[data-unsent]:has-text('2 unsent')")
    assert table.locator(".grid52 .blank").count() == 2
    tap(table, "H3")
    assert table.inner_text("[data-unsent]") == "3 unsent"
    table.context.set_offline(False)
    table.wait_for_selector("#table")  # the page itself is back when everything is recorded
    table.wait_for_selector("[data-key=H3]", state="detached")
    replay = table.evaluate("fetch(location.href + '/replay').then((answer) => answer.text())")
    assert (replay.partition('class="timeline"')[2].count(" plays "), kept(table)) == (3, [[], []])


@pytest.mark.extended
def test_a_table_that_never_showed_a_card_starts_with_its_pack(visitor):
    table, club = visitor("secure")
    open_match(table, club, "parity")
    table.click("text=Deal card by card")
    table.wait_for_selector("section.entry .calls")
    prepared(table)
    said = offered(table)
    assert said[:2] == ["Ace of spades", "King of spades"]
    assert {"Deal card by card", "odd", "even", "♥ hearts", "Ace of clubs"} <= set(said)
    address = table.url
    table.context.set_offline(True)
    table.goto(address)
    for key in ("♥ hearts", "even", "SA"):
        table.click(f"[data-key='{key}']")
    table.context.set_offline(False)
    table.wait_for_selector("#table")
    table.wait_for_selector(".trick [aria-label='Ace of spades']")
    assert kept(table) == [[], []]


def caches_of(page):
    """The caches of this browser."""
    return page.evaluate("caches.keys()")


@pytest.mark.extended
def test_a_sign_in_revoked_elsewhere_empties_the_cache_and_keeps_unsent_taps(phone, database):
    table = phone("secure")
    prepared(table)
    table.route("**/facts", lambda route: route.abort())
    tap(table, "HA")
    table.wait_for_selector("#unsent:not([hidden])")
    end_sign_ins(database, "Wilhelmina")
    until(table, "async () => !(await caches.keys()).length")
    assert len(kept(table)[1]) == 1


@pytest.mark.extended
def test_signing_out_oneself_asks_and_leaves_nothing_behind(phone):
    table = phone("secure")
    prepared(table)
    table.route("**/facts", lambda route: route.abort())
    tap(table, "HA")
    table.wait_for_selector("#unsent:not([hidden])")
    asked = []
    table.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    table.click("text=Sign out")
    table.wait_for_selector("header >> text=Sign in")
    assert asked[0] == "1 tap not sent yet: signing out drops it. Sign out?"
    assert (caches_of(table), kept(table)) == ([], [[], []])


@pytest.mark.extended
def test_a_newer_worker_waits_until_nothing_waits_on_this_phone(phone, monkeypatch):
    table = phone("secure")
    prepared(table)
    before = caches_of(table)
    table.route("**/facts", lambda route: route.abort())
    tap(table, "HA")
    table.wait_for_selector("#unsent:not([hidden])")
    newer = worker.text("en").replace(before[0].removeprefix("lurch-"), "newer")
    monkeypatch.setattr(worker, "text", lambda _: newer)
    table.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
    until(table, "() => navigator.serviceWorker.getRegistration().then((found) => !!found.waiting)")
    table.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.waiting.postMessage('renew'))")
    until_settled(table)
    assert sorted(caches_of(table)) == sorted([*before, "lurch-newer"])
    table.unroute_all()
    table.wait_for_selector("[data-key=HA]", state="detached")
    until(table, "async () => (await caches.keys()).join() === 'lurch-newer'")


@pytest.mark.extended
def test_with_tls_an_evening_of_an_hour_is_tapped_without_a_network(phone):
    """A match to its end, three deals of two phases, with the page opened anew in the middle of each: 170 taps, each
    sent by itself when the network is back, which takes the time."""
    table = phone("secure")
    prepared(table)
    assert {"Deal card by card", "♣ clubs", "Ace"} <= set(offered(table))
    for _ in range(2):
        at = table.get_attribute("h1", "data-version")
        table.click("button:has-text('Undo')")
        table.wait_for_selector(f"h1:not([data-version='{at}'])")
    facts = [fact for _, fact in planted().deals[0].facts]
    address = table.url
    table.context.set_offline(True)
    table.goto(address)
    table.wait_for_selector("text=The table, without a connection")
    for deal in range(3):
        if deal:
            table.click(".calls button:has-text('Deal card by card')")
        for at, fact in enumerate(facts):
            table.click(f"[data-key={fact.card}]" if hasattr(fact, "card") else f"[data-key='{CALLS[fact.value]}']")
            if at == 30:
                table.reload()
    assert table.inner_text("[data-unsent]") == "170 unsent"
    table.context.set_offline(False)
    table.wait_for_selector("#table", timeout=120_000)  # the page itself is back when everything is recorded
    assert kept(table) == [[], []]
    assert table.locator("tbody tr:has-text('reported')").count() == 3


@pytest.fixture
def raced(phone, visitor):
    """A page that has started without a network, and is reached again with two taps when somebody else has played."""
    table, (other, _) = phone("secure"), visitor("secure")
    prepared(table)
    other.goto(table.url)
    other.wait_for_selector("[data-key=SA]")
    table.context.set_offline(True)
    table.goto(table.url)
    table.wait_for_selector("[data-key=H2]")
    tap(table, "HA", "H2")
    table.wait_for_selector("#unsent li >> nth=1")
    tap(other, "SA")
    other.wait_for_selector("[data-key=SA]", state="detached")
    table.context.set_offline(False)
    table.wait_for_selector("#held:has-text('Ace of spades')")
    return table


def plays(table):
    """The cards that each seat has played, as the replay has them."""
    table.wait_for_selector("#table")
    replay = table.evaluate("fetch(location.href + '/replay').then((answer) => answer.text())")
    return re.findall(r"(\w+)\W plays the (\w+ of \w+)", replay.partition('class="timeline"')[2])


@pytest.mark.extended
def test_offline_taps_are_sent_after_what_was_recorded_meanwhile(raced):
    assert raced.locator("[data-key=SA].blank").count() == 1
    raced.click("#held button:text-is('Send after that')")
    told = plays(raced)
    assert [card for _, card in told] == ["ace of spades", "ace of hearts", "two of hearts"]
    assert [who for who, _ in told[:2]] in ([ANNIE, BENNY], [BENNY, ANNIE])
    assert kept(raced) == [[], []]


@pytest.mark.extended
def test_offline_taps_are_dropped_and_play_continues_from_the_log(raced):
    raced.click("#held button:text-is('Drop them')")
    tap(raced, "H4")
    assert [card for _, card in plays(raced)] == ["ace of spades", "four of hearts"]
    assert kept(raced) == [[], []]
