"""A network that fails: cards go blank when tapped, a renewed service takes nothing away, and age is told."""

import json

import pytest

from service.http import code
from tests.browser.conftest import open_match
from tests.browser.test_boards import key, shuffled
from tests.browser.test_kept import away, back
from tests.browser.test_pages import deal_of_cross_purposes
from tests.browser.test_two_phones import cards, tap
from tests.kit.phones import kept, phone, until_kept

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(240)]


@pytest.fixture
def table(page, club):
    """A deal at a table."""
    deal_of_cross_purposes(page, club[0])
    page.wait_for_selector("[data-key=SA]")
    return page


def test_cards_go_blank_when_tapped_are_counted_and_tapped_once(table):
    away(table)
    tap(table, "HA", "H2", "HA", "H3", "H2")
    table.wait_for_selector("#unsent:not([hidden])")
    assert table.locator(".grid52 .blank").count() == 3
    assert table.inner_text("[data-unsent]") == "3 unsent"
    entries = sorted(kept(table)[1], key=lambda item: item["order"])
    assert [(item["said"], item["code"]) for item in entries] == [
        ("Ace of hearts", "1"),
        ("Two of hearts", "1"),
        ("Three of hearts", "1"),
    ]
    assert (len({item["on"] for item in entries}), len({item["key"] for item in entries})) == (1, 3)
    table.reload()
    table.wait_for_selector(".grid52 .blank >> nth=2")
    back(table)
    table.wait_for_selector("[data-key=H3]", state="detached")
    assert (cards(table), kept(table)) == (3, [[], []])
    assert table.inner_text("[data-unsent]") == ""


def renewed(route):
    """The page as the renewed service makes it."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace('data-code="1"', 'data-code="2"'))


def test_a_renewed_service_says_so_and_nothing_that_waits_is_lost(table, monkeypatch):
    away(table)
    tap(table, "HA", "H2")
    table.wait_for_selector("#unsent:not([hidden])")
    monkeypatch.setattr(code, "KNOWN", {"2"})
    with table.expect_response(lambda answer: answer.status == 426) as refused:
        back(table)
    assert refused.value.json()["type"] == "/problems/upgrade-required"
    assert "what waits on this phone is kept" in table.request.get("/problems/upgrade-required").text()
    table.wait_for_selector("#unsent:has-text('The service was renewed')")
    assert len(kept(table)[1]) == 2
    table.route(table.url, renewed)
    table.click("#unsent button:has-text('Show the page anew')")
    table.wait_for_selector("#held:has-text('Tapped before the service was renewed')")
    assert (cards(table), len(kept(table)[1])) == (0, 2)
    table.click("#held button:has-text('Send')")
    table.wait_for_selector("[data-key=H2]", state="detached")
    assert (cards(table), kept(table)) == (2, [[], []])


def test_what_an_older_page_kept_elsewhere_is_taken_over(table):
    away(table)
    tap(table, "HA")
    table.wait_for_selector("#unsent:not([hidden])")
    table.evaluate(
        """() => new Promise((done) => { const request = indexedDB.open("lurch");
            request.onsuccess = () => {
              const shelf = request.result.transaction("entries", "readwrite").objectStore("entries");
              shelf.getAll().onsuccess = ({ target }) => {
                const { code, on, card, ...item } = target.result[0];
                localStorage[`lurch.kept.${item.key}`] = JSON.stringify({ ...item, order: 1 });
                shelf.clear().onsuccess = () => (request.result.close(), done());
              };
            }; })"""
    )
    table.reload()
    table.wait_for_selector("#unsent li:has-text('Ace of hearts')")
    assert table.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('lurch.kept'))") == []
    back(table)
    table.wait_for_selector("[data-key=HA]", state="detached")
    assert (cards(table), kept(table)) == (1, [[], []])


def test_recorders_that_went_apart_are_compared_on_one_page(table, chromium, site, database, club):
    with phone(chromium, site, database, "Benny", club=club[0]) as second:
        other = second.new_page()
        other.goto(table.url)
        other.wait_for_selector("[data-key=SA]")
        away(other)
        tap(other, "HA", "H5", "H3")
        other.wait_for_selector("#unsent:not([hidden])")
        tap(table, "HA", "H2")
        table.wait_for_selector("[data-key=H2]", state="detached")
        back(other)
        other.wait_for_selector("#held .compared")
        theirs, ours = other.locator(".compared > div").all_inner_texts()
        assert [card in theirs for card in ("ace of hearts", "two of hearts")] == [True, True]
        assert [card in ours for card in ("Ace of hearts", "Five of hearts", "Three of hearts")] == [True] * 3
        assert other.locator(".compared .same").inner_text().endswith("Ace of hearts Drop")
        other.click("text=Drop 1 tap that is recorded already")
        other.click("#held button:has-text('Send after that')")
        other.wait_for_selector("[data-key=H3]", state="detached")
        assert (cards(other), kept(other)) == (4, [[], []])


def test_whoever_follows_is_told_how_old_is_what_they_see(table, chromium, site, database, club):
    with phone(chromium, site, database, "Carla", club=club[0]) as second:
        other = second.new_page()
        other.clock.install()
        other.goto(table.url)
        other.wait_for_selector("[data-key=SA]")
        assert not other.is_visible("#age")
        other.context.set_offline(True)
        other.wait_for_selector("#age:has-text('No connection: what you see is of')")
        other.clock.run_for(180_000)
        other.wait_for_selector("#age:has-text('3 min ago')")
        other.context.set_offline(False)
        other.clock.run_for(5_000)
        tap(table, "HA")
        other.wait_for_selector("[data-key=HA]", state="detached")
        other.wait_for_selector("#age", state="hidden")


def test_a_layout_without_a_connection_waits_and_begins_its_deal_once(page, club):
    address = open_match(page, club[0], "get_stuck")
    _, laid = shuffled("get_stuck", 5)
    page.goto(f"{address}/layout")
    page.wait_for_selector(".board:not([hidden])")
    away(page)
    for card in laid[:48]:
        page.click(key(card))
    page.click(key("laid"))
    page.wait_for_selector("#unsent:has-text('1 layout not sent yet')")
    page.goto(address)
    page.wait_for_selector("#unsent:has-text('Layout of deal 1')")
    back(page)
    page.wait_for_selector(".on-board")
    page.wait_for_selector("#unsent", state="hidden")
    assert kept(page) == [[], []]


def test_a_phone_waits_as_long_as_retry_after_says_and_drops_nothing(table):
    tried = []

    def refused_once(route):
        tried.append(route)
        if len(tried) > 1:
            return route.continue_()
        said = {"type": "/problems/too-many-requests", "title": "Too many requests", "status": 429, "detail": "wait"}
        return route.fulfill(
            status=429, content_type="application/problem+json", headers={"Retry-After": "600"}, body=json.dumps(said)
        )

    table.clock.install()
    table.reload()
    table.wait_for_selector("[data-key=H2]")
    table.route("**/facts", refused_once)
    tap(table, "HA", "H2")
    table.wait_for_function("() => document.querySelectorAll('.grid52 .blank').length === 2")
    until_kept(table, 2)
    table.clock.fast_forward(300_000)
    assert table.evaluate("fetch('/health/live').then((answer) => answer.status)") == 200
    assert len(tried) == 1
    table.clock.fast_forward(301_000)
    table.wait_for_selector("[data-key=H2]", state="detached")
    assert (cards(table), kept(table), len(tried)) == (2, [[], []], 3)
