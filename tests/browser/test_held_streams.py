"""A page behind a proxy that holds streams back follows all the same, in a real Chromium."""

import re
import time

import pytest

from tests.kit.faults.holding import holding
from tests.kit.phones import put_away, until_settled
from tests.kit.service.asking import House

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(240)]
HELD = 21_000  # milliseconds after which a page that was told nothing asks otherwise
LIVE = re.compile(r"/live(\?|$)")
SHOWN = "#table:has-text('19')"
# How often the page has asked, and has been told that its stream failed. It asks again by the clock, and only when it
# was told: while it waits for an answer the clock must not be put forward. On a busy machine it may have asked again.
TOLD = """
window.asked = 0;
window.told = 0;
window.EventSource = class extends EventSource {
  constructor(place) {
    super(place);
    window.asked++;
    this.addEventListener("error", () => window.told++);
  }
};
"""
HEARD = "told > 0 && told === asked"


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database, public=True, name="Held") as found:
        yield found


@pytest.fixture
def proxy(site):
    with holding(site) as found:
        yield found


@pytest.fixture
def page(chromium, proxy):
    """A spectator whose clock is ours, behind the proxy."""
    context = chromium.new_context(base_url=proxy.address, service_workers="block")
    context.set_default_timeout(60_000)
    context.clock.install()
    yield context.new_page()
    put_away(context)


def wait_for(true, page):
    """Wait until something is so while the page goes on."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "waited a minute in vain"
        page.wait_for_timeout(50)


def result(house, match):
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})


def test_a_table_uses_short_streams_when_a_proxy_buffers_long_ones(house, proxy, page):
    match = house.match()
    page.goto(match.removeprefix("/api/v1"))
    result(house, match)
    wait_for(lambda: proxy.held, page)  # else the stream went another way
    until_settled(page)
    assert not page.locator(SHOWN).count(), "the proxy lets streams through"
    page.clock.fast_forward(HELD)
    page.wait_for_selector(SHOWN)
    assert page.locator("#age").is_hidden()


def test_a_page_whose_proxy_found_no_service_for_a_while_follows_again(house, site, chromium):
    """A service that is updated, or brought back from a copy, is away for minutes, and a proxy says 502 for it: no
    stream, which a browser does not ask for again by itself."""
    match, refused = house.match(), []

    def no_service(route):
        refused.append(route.request.url)
        route.fulfill(status=502, body="Bad Gateway")

    context = chromium.new_context(base_url=site, service_workers="block")
    context.set_default_timeout(60_000)
    context.clock.install()
    page = context.new_page()
    page.add_init_script(TOLD)
    page.route(LIVE, no_service)
    page.goto(match.removeprefix("/api/v1"))
    for _ in range(5):
        wait_for(lambda: page.evaluate(HEARD), page)
        page.clock.fast_forward(61_000)
    wait_for(lambda: page.evaluate(HEARD), page)
    page.unroute(LIVE)
    page.clock.fast_forward(61_000)
    result(house, match)
    page.wait_for_selector(SHOWN)
    page.wait_for_selector("#age", state="hidden")
    assert all("short" not in each for each in refused), "it would ask every few seconds from now on"
    put_away(context)


def test_a_page_that_may_not_follow_asks_less_and_less(house, site, chromium):
    match, refused = house.match(), []
    context = chromium.new_context(base_url=site, service_workers="block")
    context.clock.install()
    page = context.new_page()
    page.add_init_script(TOLD)
    page.route(LIVE, lambda route: (refused.append(1), route.fulfill(status=403, body="")))
    page.goto(match.removeprefix("/api/v1"))
    wait_for(lambda: refused, page)
    for _ in range(60):
        wait_for(lambda: page.evaluate(HEARD), page)
        page.clock.run_for(10_000)
    assert 5 <= len(refused) <= 25, "in ten minutes"
    put_away(context)


def test_a_short_stream_ends_behind_news_and_says_what_it_told(house):
    match = house.match()
    live = f"{match.removeprefix('/api/v1')}/live?short=1"

    def told(last=None):
        headers = {"Last-Event-ID": last} if last else {}
        lines = house.client.get(live, headers=headers).text.splitlines()
        assert "event: end" not in lines
        return next(line.removeprefix("id: ") for line in lines if line.startswith("id: ")), len(lines)

    first, lines = told()
    assert lines > 10
    assert told() == (first, lines)
    result(house, match)
    assert told(first)[0] != first
