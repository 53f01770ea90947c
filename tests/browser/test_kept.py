"""What waits on a phone survives reload, closing and an expired sign-in, and is sent once, as nobody else."""

import re

import pytest

from tests.browser.conftest import open_match
from tests.browser.phones import end_sign_ins, kept, phone, sign_in
from tests.browser.test_pages import deal_of_cross_purposes
from tests.browser.test_two_phones import cards, tap
from tests.service.asking import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


def away(page):
    """The service is not reached from this phone, though its pages are."""
    page.context.route(re.compile(r"/(facts|result|undo|void|deals)$"), lambda route: route.abort())


def back(page):
    page.context.unroute_all()


@pytest.fixture
def annie(chromium, site, database, club):
    """Annie's phone."""
    with phone(chromium, site, database, "Annie", club=club[0]) as found:
        yield found


@pytest.fixture
def table(page, annie, club):
    """A deal at a table, as Annie's phone sees it."""
    address = deal_of_cross_purposes(page, club[0])
    other = annie.new_page()
    other.goto(address)
    other.wait_for_selector("[data-key=SA]")
    return other


def test_waiting_taps_survive_a_reload_and_a_closed_tab_and_are_sent_once(table, annie):
    away(table)
    tap(table, "HA", "H2")
    table.wait_for_selector("#unsent:not([hidden])")
    keys = [item["key"] for item in sorted(kept(table)[1], key=lambda item: item["order"])]
    table.reload()
    table.wait_for_selector("#unsent li:has-text('Ace of hearts')")
    address = table.url
    table.close()
    again = annie.new_page()
    sent = []
    back(again)
    again.on("request", lambda request: sent.append(request.headers.get("idempotency-key")))
    again.goto(address)
    again.wait_for_selector("[data-key=H2]", state="detached")
    assert [key for key in sent if key] == keys
    assert (cards(again), kept(again)) == (2, [[], []])


def test_a_tap_whose_answer_was_lost_is_not_recorded_twice_after_a_reload(table):
    def lose(route):
        route.fetch()
        route.abort()

    table.route("**/facts", lose)
    tap(table, "HA", "H2")
    table.wait_for_selector("#unsent:not([hidden])")
    table.unroute_all()
    table.reload()
    table.wait_for_selector("[data-key=H2]", state="detached")
    assert (cards(table), kept(table)) == (2, [[], []])


def test_what_waits_is_sent_as_nobody_else_and_named_to_whoever_comes(table, annie, site, database, club):
    away(table)
    tap(table, "HA", "H2")
    table.wait_for_selector("#unsent:not([hidden])")
    sign_in(annie, site, database, "Dora", club=club[0])
    back(table)
    table.wait_for_selector("#unsent:has-text('Somebody else is signed in')")  # the page was not even loaded again
    assert cards(table) == 0
    table.click("text=Show the page anew")
    table.wait_for_selector("#others:has-text('2 taps of Annie wait on this phone')")
    assert table.locator("#others button").count() == 0
    tap(table, "D5")
    table.wait_for_selector("[data-key=D5]", state="detached")
    assert "Ace" not in table.inner_text("#kept")
    sign_in(annie, site, database, "Annie", club=club[0])
    table.reload()
    table.click("#held button:has-text('Send after that')")
    table.wait_for_selector("[data-key=H2]", state="detached")
    assert (cards(table), kept(table)) == (3, [[], []])


def test_a_director_drops_what_somebody_left_on_a_phone(table, annie, site, database, club):
    away(table)
    tap(table, "HA", "H2")
    table.wait_for_selector("#unsent:not([hidden])")
    sign_in(annie, site, database, "Dee", "director", club[0])
    back(table)
    table.reload()
    table.click("#others button:has-text('Drop what Annie tapped')")
    table.wait_for_selector("#others", state="hidden")
    assert (cards(table), kept(table)) == (0, [[], []])


def test_an_expired_sign_in_keeps_the_taps_until_the_same_person_is_back(table, annie, site, database, club):
    end_sign_ins(database, "Annie")
    tap(table, "HA")
    tap(table, "H2")
    table.wait_for_selector("#unsent:has-text('You are not signed in on this phone any more')")
    assert "sign in as Annie" in table.inner_text("#unsent")
    sign_in(annie, site, database, "Annie", club=club[0])
    table.click("text=Try again")
    table.wait_for_selector("[data-key=H2]", state="detached")
    assert (cards(table), kept(table)) == (2, [[], []])


def test_signing_out_tells_whoever_looks_that_taps_wait(page, table, annie, site, database, club):
    address = open_public(page)
    table.goto(address)
    away(table)
    table.click("text=Deal card by card")
    table.wait_for_selector("#unsent:not([hidden])")
    table.goto("/")
    table.wait_for_selector("#waits:has-text('1 tap of yours waits')")
    table.click("text=Sign out")
    table.wait_for_selector("#waits:has-text('1 tap of Annie waits')")
    back(table)
    table.goto(address)
    table.wait_for_selector("#others:has-text('1 tap of Annie waits on this phone')")
    assert table.locator("#others button").count() == 0


def open_public(page):
    """A match of a club that everybody may read, which Annie does not belong to but may keep score in."""
    page.goto("/")
    page.fill("[name=name]", "Open club")
    page.check("[name=public]")
    page.click("text=Found the club")
    page.wait_for_selector("h1:has-text('Open club')")
    return open_match(page, page.url.rsplit("/", 1)[1])


def test_leaving_with_taps_that_wait_warns_and_without_does_not(table):
    asked = []
    table.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    table.click("h1")
    table.reload()
    assert asked == []
    away(table)
    table.click("[data-key=HA]")
    table.wait_for_selector("#unsent:not([hidden])")
    table.reload()
    assert asked == ["beforeunload"]


def test_facts_of_a_hidden_hand_are_kept_for_the_session_only(page, annie, client, database, club):
    with House(client, database) as house:
        match = house.open_match(game="cross_purposes")
        hands = [[f"{suit}{rank}" for suit in "SHDC" for rank in ranks] for ranks in ("AKQJT98", "765432")]
        assert hands and match
