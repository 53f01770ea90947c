"""Members in a real Chromium: a visitor by name and Enter, whom a name may mean while it is typed; phone and desk."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import open_match

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
SIZES = ((390, 844), (1280, 800))


def fine(page):
    """Axe finds nothing, and nothing is cut off, on a phone and on a desk."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found = Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], page.url
        assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"), (
            page.url
        )


@pytest.mark.extended
def test_enter_adds_a_visitor_and_similar_names_are_suggested(page, club):
    members = f"/clubs/{club[0]}/members"
    page.goto(members)
    page.fill("[name=name]", "Quentin Zollinger")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=is a visitor now")
    page.wait_for_load_state()  # a name that is typed before the script is none that it hears of
    page.wait_for_function("() => document.activeElement.name === 'name'")
    page.keyboard.type("Quentin Zolinger")
    page.wait_for_selector("#near a:has-text('Quentin Zollinger')")
    fine(page)
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:has-text('Who is meant?')")
    fine(page)
    page.click("label:has-text('Zollinger') input")
    page.click("main button")
    page.wait_for_selector("h1:has-text('Quentin Zollinger')")
    fine(page)
    page.goto(f"{members}/import")
    page.fill("textarea", "name,visitor\nQuentin Zollinger,no\nQuentin Zoller,\n")
    page.click("main button")
    page.wait_for_selector("text=1 new, 1 changed")
    fine(page)


def test_tapping_a_suggested_name_fills_the_seat_of_a_match(page, club):
    page.goto(f"/clubs/{club[0]}/members")
    page.fill("[name=name]", "Ottilie Brandt")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=is a visitor now")
    page.goto(f"/clubs/{club[0]}/new?game=parity")
    page.locator("[name=name0]").press_sequentially("Otilie")
    page.click("[data-name='Ottilie Brandt']")
    assert page.input_value("[name=name0]") == "Ottilie Brandt"


@pytest.mark.extended
def test_recent_players_are_seated_and_removed_by_a_tap_each(page, club):
    open_match(page, club[0], "parity", first="Ottilie Brandt", second="Oskar")
    page.goto(f"/clubs/{club[0]}/new?game=parity")
    chips = page.locator("[data-fill] button")
    assert sorted(chips.all_inner_texts()) == ["Oskar", "Ottilie Brandt"]
    fine(page)
    for chip in chips.all():
        chip.click()
    seats = [page.input_value(f"[name=name{seat}]") for seat in (0, 1)]
    assert seats == chips.all_inner_texts()
    chips.first.click()
    assert page.input_value("[name=name0]") == ""
    assert [chip.get_attribute("aria-pressed") for chip in chips.all()] == ["false", "true"]
    fine(page)
