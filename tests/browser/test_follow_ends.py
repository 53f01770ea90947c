"""A page whose event stream ends for good says why."""

import re
import time

import pytest

from tests.browser.conftest import open_match
from tests.kit.phones import until_settled
from tests.kit.service.asking import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
LIVE = re.compile("/live([?]|$)")
AWAY = ": open\nretry: 100\n\n"  # a stream that ends immediately, so the browser reconnects
OURS = {"X-Away": "1"}  # marks the answers of these streams


@pytest.fixture(scope="module")
def open_club(client, database):
    with House(client, database, public=True, name="Open to guests") as house:
        yield house.id


def cut_off_until_signed_out(page, path):
    """Open the page at a path and end its sign-in while its stream is interrupted."""
    asked = []

    def over(route):
        asked.append(route)
        route.fulfill(content_type="text/event-stream", headers=OURS, body=AWAY)

    page.route(LIVE, over)
    page.goto(path)
    while len(asked) < 2:
        page.wait_for_timeout(20)
    page.context.clear_cookies()
    page.unroute(LIVE)


@pytest.mark.extended
def test_a_table_reports_a_sign_out_in_another_tab(page, club):
    open_match(page, club[0])
    other = page.context.new_page()
    other.goto("/")
    other.click("text=Sign out")
    page.wait_for_selector("#ended:visible >> text=signed out")
    assert "Load it anew" in page.inner_text("#ended")


@pytest.mark.extended
@pytest.mark.parametrize("public", [False, True])
def test_a_reconnecting_table_whose_sign_in_ended_asks_to_sign_in_again(page, club, open_club, public):
    table = open_match(page, open_club if public else club[0])
    cut_off_until_signed_out(page, table)
    page.wait_for_selector("#ended:visible >> text=sign in again")
    assert not page.is_visible("#age")
    heard = []  # but for a script that the page has only just come to
    page.on(
        "request",
        lambda request: None if "/static/" in request.url or "/health/" in request.url else heard.append(request.url),
    )
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until_settled(page)
    assert heard == [], "it asks for nothing more"


def test_a_reconnecting_wall_whose_sign_in_ended_asks_to_sign_in_again(page, club):
    cut_off_until_signed_out(page, f"/clubs/{club[0]}/wall")
    page.wait_for_selector("#ended:visible >> text=sign in again")


@pytest.mark.extended
def test_a_guest_of_a_public_club_continues_to_follow(page, open_club):
    table = open_match(page, open_club)
    page.goto("about:blank")  # with a stream of its own no more
    page.context.clear_cookies()
    heard = []

    def hear(answer):
        if LIVE.search(answer.url) and "x-away" not in answer.headers:
            heard.append(answer.url)

    page.on("response", hear)
    cut_off_until_signed_out(page, table)
    end = time.monotonic() + 60
    while not heard:
        assert time.monotonic() < end, "the stream is not asked for again"
        page.wait_for_timeout(50)
    until_settled(page)
    assert len(heard) == 1, "the stream is asked for again, and goes on"
    assert not page.is_visible("#ended")
