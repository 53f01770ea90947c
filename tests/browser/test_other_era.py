"""A service that came back from a copy: what waits on a phone is sent into the new era by nobody but a person."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.test_kept import away, back
from tests.browser.test_pages import deal_of_cross_purposes
from tests.browser.test_two_phones import cards, tap
from tests.kit.faults.processes import until
from tests.kit.phones import change_kept, kept, until_settled
from tests.kit.service.eras import SECOND, THIRD, of_eras

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(240)]
ASKED = "#held:has-text('brought back from a copy')"


@pytest.fixture
def eras(page, database):
    """Begins an era, and waits until the service knows it."""
    with of_eras(database) as begin:

        def begun(era):
            begin(era)
            until(lambda: f'data-era="{era}"' in page.request.get(page.url).text())

        yield begun


@pytest.fixture
def table(page, club, eras):
    """A deal at a table with two taps that wait, of before the restore."""
    deal_of_cross_purposes(page, club[0])
    away(page)
    tap(page, "HA", "H2")
    page.wait_for_selector("#unsent:not([hidden])")
    eras(SECOND)
    return page


def test_unsent_taps_are_sent_after_a_restore_if_the_user_agrees(table):
    back(table)
    table.wait_for_selector(ASKED)
    assert "Your 2 taps are kept here" in table.inner_text("#held")
    assert Axe().run(table, context="#held").response["violations"] == []
    assert (cards(table), len(kept(table)[1])) == (0, 2)
    table.reload()
    table.wait_for_selector(ASKED)
    until_settled(table)
    assert (cards(table), len(kept(table)[1])) == (0, 2)
    table.focus("#held button:text-is('Send')")
    table.keyboard.press("Enter")
    table.wait_for_selector("[data-key=H2]", state="detached")
    assert (cards(table), kept(table)) == (2, [[], []])


def test_unsent_taps_are_dropped_after_a_restore_if_the_user_agrees(table):
    table.reload()  # the page is of the new era, the taps are not
    back(table)
    table.wait_for_selector(ASKED)
    table.click("#held button:has-text('Drop them')")
    table.wait_for_selector("#held", state="hidden")
    until_settled(table)
    assert (cards(table), kept(table)) == (0, [[], []])
    tap(table, "H3")
    table.wait_for_selector("[data-key=H3]", state="detached")
    assert (cards(table), kept(table)) == (1, [[], []])


def test_another_restore_before_the_answer_is_asked_about_again(table, eras):
    back(table)
    table.wait_for_selector(ASKED)
    eras(THIRD)
    with table.expect_response(lambda answer: answer.status == 409):
        table.click("#held button:text-is('Send')")
    table.wait_for_selector(ASKED)
    assert (cards(table), len(kept(table)[1])) == (0, 2)
    table.click("#held button:text-is('Send')")
    table.wait_for_selector("[data-key=H2]", state="detached")
    assert (cards(table), kept(table)) == (2, [[], []])


def test_a_page_that_was_open_all_the_time_shows_what_came_back(table):
    """The log that came back is shorter than what the page has seen: it is shown all the same, and tapped on."""
    table.evaluate("() => (document.querySelector('[data-live] h1').dataset.version = 99)")
    back(table)
    table.wait_for_selector(ASKED)
    assert table.get_attribute("[data-live] h1", "data-version") != "99"
    table.click("#held button:text-is('Send')")
    table.wait_for_selector("[data-key=H2]", state="detached")
    assert (cards(table), kept(table)) == (2, [[], []])


def test_taps_on_a_version_lost_by_a_restore_ask_once(table):
    later = "each.body.replace(/version=[0-9]+/, 'version=99')"
    change_kept(table, f"(entries, shelf) => entries.forEach((each) => shelf.put({{ ...each, body: {later} }}))")
    back(table)
    table.wait_for_selector(ASKED)
    assert all("version=99" in item["body"] for item in kept(table)[1])
    table.click("#held button:text-is('Send')")
    table.wait_for_selector("[data-key=H2]", state="detached")
    assert (cards(table), kept(table)) == (2, [[], []])


def test_a_tap_without_an_era_is_sent_as_usual(table):
    change_kept(table, "(entries, shelf) => entries.forEach(({ era, ...each }) => shelf.put(each))")
    back(table)
    table.wait_for_selector("[data-key=H2]", state="detached")
    assert (cards(table), kept(table)) == (2, [[], []])
