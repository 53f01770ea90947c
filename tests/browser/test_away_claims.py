"""Modifiers of a card, claims of the rest and their answers without a network: offered in the page that was open and in
the one that a worker starts, and recorded once in their order. What tells of a hidden hand outlives no session."""

import pytest

from tests.browser.conftest import open_match
from tests.browser.test_away_boards import come_back, recorded
from tests.browser.test_entry import open_with
from tests.browser.test_offline import prepared
from tests.kit.phones import kept, until_offered

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(240)]

FACTS = [
    {"do": "play", "card": "HK"},
    {"do": "dark", "card": "SA"},
    {"do": "play", "card": "D7"},
    {"do": "rest", "hands": True},
    {"do": "agree", "yes": True},
    {"do": "agree", "yes": True},
]


@pytest.fixture
def table(visitor):
    """Makes a table of four at which one card has been played."""

    def begin(over):
        page, club = visitor(over)
        page.set_viewport_size({"width": 390, "height": 664})
        open_with(page, club, "ristikontra", {})
        page.click("[data-key=deal0]")
        page.wait_for_selector(".grid52")
        page.click("[data-key=HK]")
        page.wait_for_selector("[data-key=HK]", state="detached")
        until_offered(page)
        return page, club

    return begin


def called(page, text):
    page.get_by_role("button", name=text, exact=True).first.click()


def told(database, club, address):
    """The facts as they are compared: whether cards were faced, not whose."""
    return [
        {name: bool(value) if name == "hands" else value for name, value in fact.items() if name != "tricks"}
        for fact in recorded(database, club, address)
    ]


@pytest.mark.parametrize("over", ["plain", "secure"])
def test_a_dark_card_and_a_claim_of_the_rest_without_a_network(table, over, database):
    page, club = table(over)
    address = page.url
    if over == "secure":
        prepared(page)
    page.context.set_offline(True)
    if over == "secure":
        page.goto(address)
        page.wait_for_selector("text=The table, without a connection")
    page.click(".modifier")
    page.click("[data-key=SA]")
    assert not page.is_checked(".modifier input")
    page.wait_for_selector("[data-key=SA].blank")
    if over == "plain":
        page.wait_for_selector(".offered")
    page.click("[data-key=D7]")
    page.click(".claim > summary")
    page.click("summary:has-text('The hand is faced')")
    assert page.locator("[name='faced.SA']").is_visible() is False
    page.check("[name='faced.CQ']", force=True)
    page.click("[data-key=rest]")
    assert not page.locator(".claim[open]").count()
    called(page, "agrees to the claim")
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 1100; }")
    called(page, "agrees to the claim")
    assert page.inner_text("[data-unsent]") == "5 unsent"
    come_back(page, address)
    assert told(database, club, address) == FACTS


@pytest.mark.parametrize("over", ["plain", "secure"])
def test_a_card_that_was_drawn_is_kept_for_the_session_only(visitor, over):
    page, club = visitor(over)
    address = open_match(page, club, "over_the_top")
    page.click("text=Deal card by card")
    page.wait_for_selector(".grid52")
    if over == "secure":
        prepared(page)
    else:
        until_offered(page)
    page.context.set_offline(True)
    if over == "secure":
        page.goto(address)
        page.wait_for_selector("text=The table, without a connection")
    page.click("[data-key=SA]")
    page.click("[data-key=HA]")
    page.wait_for_selector("[data-part=modifiers], .offered [data-part=modifiers]")
    page.click("[data-part=modifiers] .modifier")
    page.click("[data-key=D5]")
    page.wait_for_selector("[data-unsent]:has-text('3 unsent')")
    assert page.locator("[data-key=D5].blank").count() == 0, "it lies in a hand"
    session, lasting = kept(page)
    assert ([item["said"] for item in session], len(lasting)) == (["Five of diamonds draw"], 2)
