"""A page behind a proxy that holds streams back follows all the same, in a real Chromium."""

import pytest

from tests.kit.faults.holding import holding
from tests.kit.phones import put_away
from tests.kit.service.asking import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
HELD = 21_000  # milliseconds after which a page that was told nothing asks otherwise
SHOWN = "#table:has-text('19')"


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
    context.set_default_timeout(20_000)
    context.clock.install()
    yield context.new_page()
    put_away(context)


def result(house, match):
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})


def test_a_table_is_told_by_short_streams_where_long_ones_are_held_back(house, proxy, page):
    match = house.match()
    page.goto(match.removeprefix("/api/v1"))
    result(house, match)
    page.wait_for_timeout(1000)
    assert proxy.held, "the stream went another way"
    assert not page.locator(SHOWN).count(), "the proxy lets streams through"
    page.clock.fast_forward(HELD)
    page.wait_for_selector(SHOWN)
    assert page.locator("#age").is_hidden()


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
