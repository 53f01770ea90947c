"""Taps that wait on a phone survive reload, closing and an expired sign-in, and are sent once by the same person."""

import re

import pytest

from domain import codec
from service.desk.recording import Recorder
from service.store.log import By
from service.store.streams import Streams
from tests.browser.conftest import open_match
from tests.browser.test_pages import deal_of_cross_purposes
from tests.browser.test_two_phones import cards, tap
from tests.conftest import with_pool
from tests.kit.games.strategies import played_out
from tests.kit.phones import (
    change_kept,
    end_sign_ins,
    kept,
    open_shelf,
    phone,
    sign_in,
    slow_shelf,
    until_kept,
    until_signed_out,
)

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


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


def test_unsent_taps_survive_a_reload_and_are_sent_once(table, annie):
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


@pytest.mark.extended
def test_a_tap_before_the_phone_has_opened_its_shelf_is_kept_too(table):
    away(table)
    slow_shelf(table)
    table.reload()
    tap(table, "HA")
    open_shelf(table)
    until_kept(table)
    table.reload()
    open_shelf(table)
    table.wait_for_selector("#unsent li:has-text('Ace of hearts')")
    back(table)
    table.wait_for_selector("[data-key=HA]", state="detached")
    assert kept(table) == [[], []]


@pytest.mark.extended
def test_a_shelf_that_the_browser_closes_under_a_page_is_opened_again(table):
    # some browsers close the database of a phone that slept; here it is deleted, and later taps must last
    away(table)
    tap(table, "HA")
    until_kept(table)
    table.evaluate("() => new Promise((done) => (indexedDB.deleteDatabase('lurch').onsuccess = () => done()))")
    tap(table, "H2")
    until_kept(table)
    table.reload()
    table.wait_for_selector("#unsent li:has-text('of hearts')")
    back(table)


@pytest.mark.extended
def test_a_tap_whose_answer_was_lost_is_recorded_once(table):
    def lose(route):
        route.fetch()
        route.abort()

    table.route("**/facts", lose)
    tap(table, "HA", "H2")
    table.wait_for_selector("#unsent:not([hidden])")
    table.unroute_all()
    table.reload()
    table.wait_for_selector("[data-key=H2]", state="detached")
    until_kept(table, 0)  # both may have been recorded from the page that was left, which did not hear of it
    assert (cards(table), kept(table)) == (2, [[], []])


@pytest.mark.extended
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


@pytest.mark.extended
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


@pytest.mark.extended
def test_an_expired_sign_in_keeps_the_taps_of_that_person(table, annie, site, database, club):
    end_sign_ins(database, "Annie")
    until_signed_out(annie)
    tap(table, "HA")
    tap(table, "H2")
    table.wait_for_selector("#unsent:has-text('You are not signed in on this phone any more')")
    assert "sign in as Annie" in table.inner_text("#unsent")
    sign_in(annie, site, database, "Annie", club=club[0])
    table.click("text=Try again")
    table.wait_for_selector("[data-key=H2]", state="detached")
    assert (cards(table), kept(table)) == (2, [[], []])


@pytest.mark.extended
def test_signing_out_asks_about_taps_that_wait_and_drops_them(chromium, site, database):
    async def found(pool):
        return await Recorder(Streams(pool)).found_club("Open to whoever signs out", True, By(None, "owner"))

    club = with_pool(database, found)
    with phone(chromium, site, database, "Annie", club=club) as annie:
        table = annie.new_page()
        address = open_match(table, club)
        away(table)
        table.click("text=Deal card by card")
        table.wait_for_selector("#unsent:not([hidden])")
        table.goto("/")
        table.wait_for_selector("#waits:has-text('1 tap of yours waits on this phone')")
        asked = []
        table.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
        table.click("text=Sign out")
        assert asked == ["1 tap not sent yet: signing out drops it. Sign out?"]
        assert (table.url, len(kept(table)[1])) == (f"{site}/", 1)
        table.once("dialog", lambda dialog: dialog.accept())
        table.click("text=Sign out")
        table.wait_for_selector("text=Sign in")
        back(table)
        table.goto(address)
        table.wait_for_selector("#table")
        assert (table.locator("#others").is_visible(), kept(table)) == (False, [[], []])


@pytest.mark.extended
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


@pytest.mark.extended
def test_facts_of_a_hidden_hand_are_kept_for_the_session_only(page, annie, site, club):
    address = open_match(page, club[0])
    *_, dealer, deal, _, _ = played_out(("cross_purposes", {}), 7)
    answer = page.request.post(
        f"{site}/api/v1/matches/{address.rsplit('/', 1)[1]}/deals",
        headers={"Authorization": f"Bearer {club[1]['scorer']}"},
        data={"dealer": dealer, "deal": codec.plain(deal)},
    )
    assert answer.status == 201
    table = annie.new_page()
    table.goto(address)
    away(table)
    table.click("section.entry .calls button:has-text('clubs')")
    table.wait_for_selector("#unsent:not([hidden])")
    assert [len(each) for each in kept(table)] == [1, 0]
    table.reload()
    table.wait_for_selector("#unsent li:has-text('clubs')")
    table.close()
    again = annie.new_page()
    again.goto(address)
    again.wait_for_selector("section.entry .calls button:has-text('clubs')")
    assert kept(again) == [[], []]


def age(page, days):
    """Everything that the browser keeps was tapped so many days earlier, and the page is loaded anew."""
    change_kept(
        page,
        """(entries, shelf, days) => entries.forEach((item) =>
            shelf.put({ ...item, at: item.at - days * 86400000 }))""",
        days,
    )


@pytest.mark.extended
def test_what_waited_for_more_than_14_days_is_dropped_with_a_word(table):
    away(table)
    tap(table, "HA", "H2")
    table.wait_for_selector("#unsent:not([hidden])")
    age(table, 13)
    table.wait_for_selector("#unsent:has-text('2 taps not sent yet')")
    age(table, 2)
    table.wait_for_selector("#refused:has-text('2 taps kept on this phone for more than 14 days: dropped')")
    assert kept(table) == [[], []]


@pytest.mark.extended
def test_a_phone_that_keeps_500_says_that_it_can_keep_no_more(table):
    away(table)
    tap(table, "HA")
    table.wait_for_selector("#unsent:not([hidden])")
    change_kept(
        table,
        """([item], shelf) => { for (let at = 1; at < 500; at += 1)
            shelf.put({ ...item, key: item.key + at, match: "another", order: item.order + at }); }""",
    )
    table.wait_for_selector("#unsent:not([hidden])")
    tap(table, "H2")
    table.wait_for_selector("#refused:has-text('500 taps wait on this phone')")
    assert len(kept(table)[1]) == 500


@pytest.mark.extended
def test_what_somebody_elses_page_answers_in_between_is_no_answer(table):
    """A hot spot that asks to sign in answers everything with a page of its own."""
    table.route("**/facts", lambda route: route.fulfill(status=200, content_type="text/html", body="<p>Welcome!"))
    tap(table, "HA")
    table.wait_for_selector("#unsent:not([hidden])")
    assert len(kept(table)[1]) == 1
    back(table)
    table.unroute_all()
    table.wait_for_selector("[data-key=HA]", state="detached")
    assert cards(table) == 1
