"""Taps before a page's scripts have come: they count, or come back with the page, and are never lost without a word."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error

from tests.browser.conftest import open_match
from tests.browser.test_pages import deal_of_cross_purposes
from tests.kit.phones import until_kept, until_settled

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(240)]


@pytest.fixture
def slow(context):
    """Scripts come when they are let, but the one that holds keys for them: the function that lets them."""
    held, free, scripts = [], [], re.compile(r"/static/(?!early).*\.js")

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


def test_a_card_tapped_before_the_script_loads_is_sent_as_a_form(page, context, club, request):
    table = deal_of_cross_purposes(page, club[0])
    let = request.getfixturevalue("slow")
    page.goto(table, wait_until="commit")
    page.click("[data-key=HA]", no_wait_after=True)
    page.wait_for_selector(".trick [aria-label='Ace of hearts']")
    let()
    page.wait_for_selector("[data-key=HA]", state="detached")
    assert page.locator("[data-key=HK]").count() == 1


def test_keys_that_are_typed_before_the_script_wait_for_it(page, context, club, request):
    table = deal_of_cross_purposes(page, club[0])
    let = request.getfixturevalue("slow")
    page.goto(table, wait_until="commit")
    page.wait_for_selector("[data-key=HA]")
    while not page.evaluate("'heldKeys' in window"):
        page.wait_for_timeout(50)
    for key in "haz":
        page.keyboard.press(key)
    let()
    page.wait_for_selector(".trick [aria-label='Ace of hearts']")
    page.wait_for_selector(".entry[data-led=H]")
    page.keyboard.press("2")
    page.wait_for_selector("[data-key=H2]", state="detached")
    assert page.locator("[data-key=HK]").count() == 1


def test_nothing_is_drawn_before_keys_are_held(page, context, club, request):
    """A key that is typed at the first sight of a card is none too early: what holds it is there before the card."""
    table = deal_of_cross_purposes(page, club[0])
    let, held = request.getfixturevalue("slow"), []

    def hold(route):
        held.append(route)

    context.route(re.compile(r"/static/early.*\.js"), hold)
    page.goto(table, wait_until="commit")
    while not held:
        page.wait_for_timeout(50)
    until_settled(page)
    assert (len(held), page.locator("[data-key=HA]").count()) == (1, 0)
    held[0].continue_()
    page.wait_for_selector("[data-key=HA]")
    page.keyboard.press("h")
    page.keyboard.press("a")
    let()
    page.wait_for_selector(".trick [aria-label='Ace of hearts']")


def test_a_tap_behind_keys_comes_behind_them(page, context, club, request):
    table = deal_of_cross_purposes(page, club[0])
    let = request.getfixturevalue("slow")
    page.goto(table, wait_until="commit")
    page.wait_for_selector("[data-key=HA]")
    page.keyboard.press("h")
    page.keyboard.press("a")
    page.click("[data-key=H2]")
    assert page.locator("[data-key=HA]").count() == 1, "it waits for the script"
    let()
    page.wait_for_selector("[data-key=H2]", state="detached")
    replay = page.request.get(f"{table}/replay").text().partition('class="timeline"')[2]
    assert replay.index("plays the ace of hearts") < replay.index("plays the two of hearts")


def test_keys_behind_a_tap_are_played_on_the_page_that_answers_it(page, context, club, request):
    table = deal_of_cross_purposes(page, club[0])
    let = request.getfixturevalue("slow")
    page.goto(table, wait_until="commit")
    page.wait_for_selector("[data-key=HA]")
    waits = []

    def hold(route):
        waits.append(route)

    context.route("**/facts", hold)
    page.click("[data-key=HA]", no_wait_after=True)
    page.keyboard.press("h")
    page.keyboard.press("2")
    while not waits:
        page.wait_for_timeout(50)
    context.unroute("**/facts")
    waits[0].continue_()
    page.wait_for_selector(".trick [aria-label='Ace of hearts']")
    let()
    page.wait_for_selector("[data-key=H2]", state="detached")
    assert page.locator("[data-key=HA]").count() == 0


def test_a_result_tapped_before_the_script_loads_is_kept(page, context, club, request):
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
