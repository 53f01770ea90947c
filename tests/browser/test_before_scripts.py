"""Taps before a page's scripts have come: they count, or come back with the page, and are never lost without a word."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error

from tests.browser.conftest import open_match
from tests.browser.test_pages import deal_of_cross_purposes
from tests.kit.phones import until_kept

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


@pytest.fixture
def slow(context):
    """Scripts come when they are let: the function that lets them."""
    held, free, scripts = [], [], re.compile(r"/static/.*\.js")

    def take(route):
        (free or held).append(route)
        if free:  # what a script that was let asks for itself is not held either
            go_on(route)

    def let():
        free.append(None)
        while held:
            go_on(held.pop(0))
        context.unroute(scripts)

    def go_on(route):
        with suppress(Error):  # of a page that was left meanwhile
            route.continue_()

    context.route(scripts, take)
    return let


def test_a_card_that_is_tapped_before_the_script_is_sent_as_a_form_and_the_table_comes_back(
    page, context, club, request
):
    table = deal_of_cross_purposes(page, club[0])
    let = request.getfixturevalue("slow")
    page.goto(table, wait_until="commit")
    page.click("[data-key=HA]", no_wait_after=True)
    page.wait_for_selector(".trick [aria-label='Ace of hearts']")
    let()
    page.wait_for_selector("[data-key=HA]", state="detached")
    assert page.locator("[data-key=HK]").count() == 1


def test_a_result_that_is_tapped_before_the_script_is_kept_once_it_has_come(page, context, club, request):
    table = open_match(page, club[0])
    let = request.getfixturevalue("slow")
    page.goto(f"{table}/result", wait_until="commit")
    for path, value in (("phases.0.0", 7), ("phases.1.0", 6)):
        page.wait_for_selector(f'[name="{path}"][value="{value}"]', state="attached")
        page.eval_on_selector(f'[name="{path}"][value="{value}"]', "(each) => each.click()")
    let()
    page.wait_for_selector("#preview b")
    until_kept(page)
    page.reload()
    page.wait_for_selector("text=Filled in as you typed it before")
    page.click("text=Close deal")
    page.wait_for_selector("td:has-text('48')")


def test_a_result_is_sent_whole_without_any_script(page, context, club, request):
    table = open_match(page, club[0])
    let = request.getfixturevalue("slow")
    page.goto(f"{table}/result", wait_until="commit")
    for path, value in (("phases.0.0", 7), ("phases.1.0", 6)):
        page.wait_for_selector(f'[name="{path}"][value="{value}"]', state="attached")
        page.eval_on_selector(f'[name="{path}"][value="{value}"]', "(each) => each.click()")
    page.click("text=Close deal", no_wait_after=True)
    page.wait_for_selector("td:has-text('48')")
    let()
