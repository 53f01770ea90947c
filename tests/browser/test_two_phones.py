"""Two phones at one table: what one could not send is shown beside what the other recorded, and a person decides."""

from contextlib import suppress

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error

from tests.browser.conftest import open_match
from tests.browser.test_pages import deal_of_cross_purposes, on_the_table
from tests.kit.phones import kept, more, phone

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


def tap(page, *cards):
    """Tap cards one after the other, as fast as can be."""
    page.evaluate(
        "(cards) => cards.forEach((card) => document.querySelector(`[data-key=${card}]`).click())", list(cards)
    )


def tap_again(page, card, *behind):
    """Tap a card that lies on the table already, as a finger that was faster than the page, and others behind it."""
    page.evaluate(
        """(card) => { const form = document.querySelector(".grid52").closest("form");
            const button = document.createElement("button");
            Object.assign(button, { name: "card", value: card, ariaLabel: card });
            button.dataset.key = card;
            form.append(button); }""",
        card,
    )
    tap(page, card, *behind)


def cards(page):
    """How many cards the match's log holds."""
    replay = page.request.get(f"{page.url}/replay").text()
    return replay.partition('class="timeline"')[2].count(" plays ")


@pytest.fixture
def table(page, context, chromium, site, database, club):
    """A deal at a table, and a second phone that looks at it: Benny's, with no connection."""
    address = deal_of_cross_purposes(page, club[0])
    with phone(chromium, site, database, "Benny", club=club[0]) as second:
        other = second.new_page()
        other.goto(address)
        other.wait_for_selector("[data-key=SA]")
        yield page, other


def test_unsent_taps_are_shown_with_what_another_phone_recorded(table):
    first, second = table
    second.context.set_offline(True)
    tap(second, "HA", "H2", "H3")
    second.wait_for_selector("#unsent:not([hidden])")
    first.click("[data-key=D5]")
    first.wait_for_selector(".trick [aria-label='Five of diamonds']")
    second.context.set_offline(False)
    second.wait_for_selector("#held:not([hidden])")
    said = second.inner_text("#held")
    assert "plays the five of diamonds" in said
    assert [card in said for card in ("Ace of hearts", "Two of hearts", "Three of hearts")] == [True] * 3
    assert "3 taps" in said
    second.wait_for_selector(".trick [aria-label='Five of diamonds']")  # the table goes on meanwhile
    second.click("#held button:has-text('Send after that')")
    second.wait_for_selector("#held", state="hidden")
    second.wait_for_selector(".trick li:nth-child(2)")
    second.wait_for_selector("[data-key=H3]", state="detached")
    assert kept(second) == [[], []]
    first.wait_for_selector("[data-key=H3]", state="detached")
    assert cards(first) == 4


@pytest.mark.extended
def test_unsent_taps_are_dropped_singly_or_all_together(table):
    first, second = table
    second.context.set_offline(True)
    tap(second, "HA", "H2", "H3")
    first.click("[data-key=HA]")
    first.wait_for_selector(".trick [aria-label='Ace of hearts']")
    second.context.set_offline(False)
    second.wait_for_selector("#held:not([hidden])")
    second.click("#held li:has-text('Ace of hearts') button")
    second.wait_for_selector("#held li:has-text('Ace of hearts')", state="detached")
    second.click("#held li:has-text('Three of hearts') button")
    second.click("#held button:has-text('Send after that')")
    names, lie = on_the_table(second)
    assert (sorted(names), lie) == (["Annie", "Benny"], ["Ace of hearts", "Two of hearts"])
    assert kept(second) == [[], []]
    second.context.set_offline(True)
    tap(second, "S3", "S4")
    first.click("[data-key=C9]")
    first.wait_for_selector("[data-key=C9]", state="detached")
    second.context.set_offline(False)
    second.wait_for_selector("#held:not([hidden])")
    second.click("#held button:has-text('Drop them')")
    second.wait_for_selector("#held", state="hidden")
    assert kept(second) == [[], []]
    second.wait_for_selector("[data-key=C9]", state="detached")
    assert second.locator("[data-key=S3]").count() == 1


@pytest.mark.extended
def test_a_tap_is_not_moved_after_a_tap_from_another_phone(table):
    """The answer to the first tap shows the other phone's card already: the second tap was not meant on top of that."""
    first, second = table

    waiting, over = [], []

    def late(route):  # all are kept, also where the page gave up after ten seconds and asks again
        if over:
            route.continue_()
        else:
            waiting.append(route)

    second.route("**/facts", late)
    tap(second, "HA", "H2")
    while not waiting:
        second.wait_for_timeout(20)
    assert "card=HA" in waiting[0].request.post_data
    waiting[0].fetch()
    first.wait_for_selector(".trick [aria-label='Ace of hearts']")  # else its card would be meant on an empty trick
    first.click("[data-key=D5]")
    first.wait_for_selector("[data-key=D5]", state="detached")
    over.append(True)
    for each in waiting:
        with suppress(Error):  # of a request that the page gave up
            each.abort()  # the answer is lost: the same is sent again under its key
    second.wait_for_selector("#held:not([hidden])")
    assert "plays the five of diamonds" in second.inner_text("#held")
    assert second.locator("#held li").all_inner_texts() != []
    assert second.locator("[data-key=H2]").count() == 1  # not recorded
    assert cards(second) == 2


@pytest.mark.extended
def test_what_waits_behind_a_question_is_kept_and_sent_after_the_answer(table):
    first, second = table
    first.click("[data-key=HA]")
    second.wait_for_selector(".trick [aria-label='Ace of hearts']")
    tap_again(second, "HA", "H3", "H4")
    second.wait_for_selector("#held:not([hidden])")
    said = second.inner_text("#held")
    assert "did it happen at the table?" in said
    assert [card in said for card in ("Three of hearts", "Four of hearts")] == [True, True]
    second.reload()
    second.wait_for_selector("#held button:has-text('A slip')")
    second.click("#held button:has-text('A slip')")
    second.wait_for_selector("#held button:has-text('Send')")
    assert second.locator("#held li").count() == 2
    second.click("#held button:has-text('Send')")
    second.wait_for_selector("[data-key=H4]", state="detached")
    assert (cards(second), kept(second)) == (3, [[], []])


@pytest.mark.extended
def test_a_question_that_did_happen_takes_those_behind_it_along(table):
    first, second = table
    first.click("[data-key=HA]")
    second.wait_for_selector(".trick [aria-label='Ace of hearts']")
    tap_again(second, "HA", "H3")
    second.click("#held button:has-text('It happened')")
    second.wait_for_selector("[data-key=H3]", state="detached")
    assert (cards(second), kept(second)) == (3, [[], []])


@pytest.mark.extended
def test_a_deal_is_void_only_when_the_question_was_answered(table):
    first, _ = table
    more(first, "[data-key=void]")
    first.wait_for_selector("dialog[open]")
    assert first.evaluate("document.activeElement.textContent") == "Keep it"
    first.keyboard.press("Escape")
    first.wait_for_selector("dialog[open]", state="detached")
    first.click("[data-key=HA]")
    first.wait_for_selector(".trick [aria-label='Ace of hearts']")
    more(first, "[data-key=void]")
    first.click("dialog button:has-text('Deal is void')")
    first.wait_for_selector("td:has-text('void')")


@pytest.mark.extended
def test_the_question_is_asked_without_a_script_too(chromium, site, database, club, page):
    address = open_match(page, club[0])
    with phone(chromium, site, database, "Annie", club=club[0], java_script_enabled=False) as plain:
        other = plain.new_page()
        other.goto(address)
        other.click("text=Deal card by card")
        more(other, "[data-key=void]")
        assert "Is this deal void?" in other.inner_text("[role=alert]")
        assert other.locator("td:has-text('void')").count() == 0
        other.click("[role=alert] button")
        other.wait_for_selector("td:has-text('void')")
        assert other.locator("td:has-text('void')").count() == 1


@pytest.mark.extended
def test_what_is_kept_is_shown_within_the_screen_and_axe_finds_nothing(table):
    first, second = table
    second.context.set_offline(True)
    tap(second, "HA", "H2", "H3")
    second.wait_for_selector("#unsent:not([hidden])")
    first.click("[data-key=D5]")
    first.wait_for_selector("[data-key=D5]", state="detached")
    second.context.set_offline(False)
    second.wait_for_selector("#held:not([hidden])")
    second.wait_for_selector("[data-key=D5]", state="detached")
    for theme in ("light", "dark"):
        first.emulate_media(color_scheme=theme)
        more(first, "[data-key=void]")
        first.wait_for_selector("dialog[open]")
        first.keyboard.press("Escape")
    for theme in ("light", "dark"):
        second.emulate_media(color_scheme=theme)
        found = Axe().run(second, options={"runOnly": ["wcag2a", "wcag2aa"]}, context="#kept").response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    assert not second.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
