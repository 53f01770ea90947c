"""Two phones agree about a result, or do not: what one is shown follows what the other says."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import open_match
from tests.kit.phones import more, phone

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(240)]


def enter(page):
    """Close a deal with 48–49."""
    page.click("text=Enter result")
    for control in ('[name="phases.0.0"][value="7"]', '[name="phases.1.0"][value="6"]'):
        page.check(control, force=True)
    page.click("text=Close deal")
    page.wait_for_selector("td:has-text('48')")


@pytest.fixture
def table(page, chromium, site, database, club):
    """A table with a result that the owner keeps, and Benny's phone, a scorer's."""
    address = open_match(page, club[0])
    enter(page)
    with phone(chromium, site, database, "Benny", club=club[0]) as second:
        other = second.new_page()
        other.goto(address)
        other.wait_for_selector("button:has-text('Benny confirms 48–49')")
        yield page, other


def test_a_dispute_hides_the_corrections_on_the_other_phone_until_settled(table):
    director, scorer = table
    scorer.click(".more > summary")
    scorer.select_option("details select[name=side]", label="Benny")
    scorer.fill("details input[name=reason]", "the piles were counted wrongly")
    director.click("button:has-text('Annie confirms 48–49')")
    scorer.wait_for_selector("td:has-text('confirmed by Annie')")
    assert (
        scorer.input_value("details input[name=reason]") == "the piles were counted wrongly"
    )  # a redrawn table keeps it
    scorer.click("button:has-text('Dispute it')")
    scorer.wait_for_selector("text=Deal 1 is disputed by")
    assert scorer.locator("[data-key=undo], td a:has-text('correct')").count() == 0
    assert "the director can change it" in scorer.inner_text(".entry")
    director.wait_for_selector("button:has-text('The result stands')")
    for theme in ("light", "dark"):
        for page in table:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa"]}, context="#table").response["violations"]
            assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
            assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    director.click("button:has-text('The result stands')")
    scorer.wait_for_selector("text=is disputed", state="detached")
    director.wait_for_selector("[data-key=undo]")  # Annie has confirmed: the scorer alone takes nothing back


def test_a_choice_that_was_made_stays_when_the_table_is_drawn_anew(table):
    director, scorer = table
    scorer.click(".more > summary")
    scorer.select_option("details select[name=side]", label="Benny")
    director.click("button:has-text('Annie confirms 48–49')")
    scorer.wait_for_selector("td:has-text('confirmed by Annie')")
    scorer.click("button:has-text('Dispute it')")
    scorer.wait_for_selector("text=Deal 1 is disputed by")


def test_a_deal_that_was_void_is_brought_back_on_the_other_phone(table):
    director, scorer = table
    more(director, "text=Deal card by card")
    more(scorer, "[data-key=void]")
    assert "You can bring it back until the next deal has begun" in scorer.inner_text("#asked")
    scorer.click("dialog button:has-text('Deal is void')")
    more(director, "text=Bring deal 2 back")
    scorer.wait_for_selector("[data-key=void]", state="attached")
    assert scorer.locator("td:has-text('void')").count() == 0


def test_the_error_for_a_wrong_pin_stays_when_the_table_is_redrawn(table):
    tablet, _ = table
    tablet.click("summary:has-text('Benny confirms by PIN')")
    tablet.fill("details[open] [name=pin]", "0000")
    tablet.click("details[open] button:has-text('by PIN')")
    tablet.wait_for_selector("[role=alert]:has-text('PIN is not right')")
    tablet.wait_for_function("() => document.querySelector('#said').textContent")  # the table was drawn again
    assert "PIN is not right" in tablet.inner_text("#table > [role=alert]")
