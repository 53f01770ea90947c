"""Typed results: what is typed survives reload, closing and an expired sign-in, and is sent once."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import open_match
from tests.browser.test_kept import away, back
from tests.kit.phones import (
    end_sign_ins,
    kept,
    open_shelf,
    phone,
    sign_in,
    slow_shelf,
    until_lasts,
    until_settled,
    until_signed_out,
)

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


def choose(page, first, second):
    """The tricks of both phases, once the page listens."""
    page.wait_for_load_state()
    page.check(f'[name="phases.0.0"][value="{first}"]', force=True)
    page.check(f'[name="phases.1.0"][value="{second}"]', force=True)


def until_typed(page, first, second, *more):
    """Waits until both choices last, and what else was typed: it goes to the shelf beside what is done."""
    wanted = [["phases.0.0", str(first)], ["phases.1.0", str(second)], *more]
    until_lasts(page, lambda entries: any(all(each in entry["typed"] for each in wanted) for entry in entries))


def totals(page):
    """The scores as they stand at the table."""
    return re.findall(r"\d+", page.inner_text("h1"))


@pytest.fixture
def annie(page, chromium, site, database, club):
    """Annie's phone on the form for the result of deal 1."""
    address = open_match(page, club[0])
    with phone(chromium, site, database, "Annie", club=club[0]) as found:
        form = found.new_page()
        form.goto(f"{address}/result")
        yield form


def test_typed_values_survive_a_reload_and_appear_in_another_tab(annie):
    choose(annie, 7, 6)
    until_typed(annie, 7, 6)
    annie.reload()
    annie.wait_for_selector("text=Filled in as you typed it before")
    assert annie.is_checked('[name="phases.0.0"][value="7"]')
    annie.wait_for_selector("#preview b")
    address, context = annie.url, annie.context
    annie.close()
    table = context.new_page()
    table.goto(address.removesuffix("/result"))
    table.click("#typed a:has-text('Go on with it')")
    table.wait_for_selector("text=Filled in as you typed it before")
    table.click("text=Close deal")
    table.wait_for_selector("td:has-text('reported')")
    assert (totals(table), kept(table)) == (["48", "49"], [[], []])


@pytest.mark.extended
def test_values_typed_before_storage_opens_replace_the_earlier_ones(annie):
    choose(annie, 6, 6)
    until_typed(annie, 6, 6)
    slow_shelf(annie)
    annie.reload()
    choose(annie, 7, 6)
    assert annie.is_hidden("text=Filled in as you typed it before")
    open_shelf(annie)
    until_typed(annie, 7, 6)
    until_settled(annie)
    assert annie.is_checked('[name="phases.0.0"][value="7"]')
    annie.reload()
    open_shelf(annie)
    annie.wait_for_selector("text=Filled in as you typed it before")
    assert annie.is_checked('[name="phases.0.0"][value="7"]')
    assert len(kept(annie)[1]) == 1


@pytest.mark.extended
def test_what_is_typed_is_there_again_in_another_language(annie):
    choose(annie, 7, 6)
    until_typed(annie, 7, 6)
    annie.context.add_cookies([{"name": "lurch_language", "value": "fi", "url": annie.url}])
    annie.reload()
    annie.wait_for_selector("html[lang=fi] [data-typed]:not([hidden])")
    assert annie.is_checked('[name="phases.0.0"][value="7"]')
    annie.goto(annie.url.removesuffix("/result"))
    annie.wait_for_selector("#typed:has-text('Result of deal 1')")


@pytest.mark.extended
def test_a_typed_result_is_dropped_when_its_typist_begins_anew(annie):
    choose(annie, 7, 6)
    until_typed(annie, 7, 6)
    annie.reload()
    annie.click("text=Begin anew")
    annie.wait_for_selector("text=Filled in as you typed it before", state="hidden")
    assert not annie.is_checked('[name="phases.0.0"][value="7"]')
    assert kept(annie) == [[], []]


@pytest.mark.extended
def test_a_result_entered_offline_is_sent_once_after_a_reload(annie):
    away(annie)
    choose(annie, 7, 6)
    annie.wait_for_selector("#preview b")
    annie.click("text=Close deal")
    annie.wait_for_selector("#unsent:has-text('Result of deal 1: 48 – 49')")
    annie.goto(annie.url.removesuffix("/result"))
    annie.wait_for_selector("#unsent:has-text('Result of deal 1: 48 – 49')")
    back(annie)
    annie.wait_for_selector("td:has-text('reported')")
    annie.wait_for_selector("#unsent", state="hidden")
    assert (totals(annie), kept(annie)) == (["48", "49"], [[], []])
    assert annie.locator("tbody tr:not(.told)").count() == 1


@pytest.mark.extended
def test_a_result_for_a_closed_deal_opens_no_new_deal(annie, page):
    choose(annie, 7, 6)
    annie.wait_for_selector("#preview b")  # what it comes to is said of it
    page.goto(annie.url)
    choose(page, 7, 7)
    page.click("text=Close deal")
    page.wait_for_selector("td:has-text('reported')")
    annie.click("text=Close deal")
    annie.wait_for_selector("#refused [role=alert]:has-text('Not recorded: Result of deal 1: 48 – 49')")
    annie.goto(annie.url.removesuffix("/result"))
    assert (totals(annie), annie.locator("tbody tr:not(.told)").count()) == (["56", "42"], 1)
    annie.click("#typed button:has-text('Drop it')")
    annie.wait_for_selector("#typed", state="hidden")
    assert kept(annie) == [[], []]


@pytest.mark.extended
def test_the_same_result_from_two_phones_is_one(annie, page):
    choose(annie, 7, 6)
    page.goto(annie.url)
    choose(page, 7, 6)
    page.click("text=Close deal")
    page.wait_for_selector("td:has-text('reported')")
    annie.click("text=Close deal")
    annie.wait_for_selector("td:has-text('reported')")
    assert (totals(annie), annie.locator("tbody tr:not(.told)").count(), kept(annie)) == (["48", "49"], 1, [[], []])


@pytest.mark.extended
def test_a_result_after_events_from_another_phone_asks_the_user(annie, page):
    choose(annie, 7, 6)
    page.goto(annie.url.removesuffix("/result"))
    page.click("text=Deal card by card")
    page.wait_for_selector("text=Deal 1")
    annie.click("text=Close deal")
    annie.wait_for_selector("#held:has-text('Recorded meanwhile: deal 1 begins. Your result is kept here')")
    found = Axe().run(annie).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    annie.click("#held button:has-text('Send after that')")
    annie.wait_for_selector("td:has-text('reported')")
    assert (totals(annie), kept(annie)) == (["48", "49"], [[], []])


@pytest.mark.extended
def test_a_result_that_cannot_be_stays_in_the_form_with_the_reason(annie):
    choose(annie, 7, 6)
    annie.evaluate("document.querySelector('[name=\"phases.0.0\"]:checked').value = '14'")
    annie.click("text=Close deal")
    annie.wait_for_selector("#refused [role=alert]:has-text('Not recorded: Result of deal 1')")
    assert annie.is_checked('[name="phases.1.0"][value="6"]')
    choose(annie, 6, 6)
    annie.click("text=Close deal")
    annie.wait_for_selector("td:has-text('reported')")
    assert kept(annie) == [[], []]


@pytest.mark.extended
def test_an_expired_sign_in_keeps_a_typed_result_for_its_author(annie, site, database, club):
    choose(annie, 7, 6)
    end_sign_ins(database, "Annie")
    until_signed_out(annie.context)
    annie.click("text=Close deal")
    annie.wait_for_selector("#unsent:has-text('You are not signed in on this phone any more')")
    sign_in(annie.context, site, database, "Dora", club=club[0])
    annie.goto(annie.url.removesuffix("/result"))
    annie.wait_for_selector("#others:has-text('1 result of Annie waits on this phone')")
    assert "48" not in annie.inner_text("#kept")
    assert annie.locator("tbody tr:not(.told)").count() == 0
    sign_in(annie.context, site, database, "Annie", club=club[0])
    annie.reload()
    annie.wait_for_selector("td:has-text('reported')")
    assert (totals(annie), kept(annie)) == (["48", "49"], [[], []])


@pytest.mark.extended
def test_a_correction_that_is_typed_names_its_deal_and_is_kept_too(annie):
    choose(annie, 7, 6)
    annie.click("text=Close deal")
    annie.click("td a:has-text('correct')")
    choose(annie, 7, 7)
    annie.fill("[name=reason]", "counted again")
    until_typed(annie, 7, 7, ["reason", "counted again"])
    annie.reload()
    annie.wait_for_selector("text=Filled in as you typed it before")
    assert annie.input_value("[name=reason]") == "counted again"
    assert annie.input_value("form[data-result] [name=deal]") == "1"
    annie.click("main button:has-text('Correct')")
    annie.wait_for_selector("td:has-text('reported')")
    assert (totals(annie), kept(annie)) == (["56", "42"], [[], []])
