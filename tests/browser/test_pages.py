"""The pages in a real Chromium, as a secretary, a scorer, a director and a spectator use them."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from service.store.tokens import make_link
from tests.browser.conftest import open_match
from tests.conftest import with_pool
from tests.kit.phones import until_settled

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
SIZES = ((1280, 800), (1920, 1080))  # phones are in test_looks.py


@pytest.mark.extended
def test_a_one_time_link_signs_in_once_with_one_tap(chromium, site, database):
    phone = chromium.new_context(base_url=site)
    page = phone.new_page()
    link = with_pool(database, make_link)
    page.goto(f"/sign-in?link={link}")
    page.click("main button")
    page.wait_for_selector("text=Create the club")
    page.goto(f"/sign-in?link={link}")
    page.click("main button")
    page.wait_for_selector("[role=alert]:has-text('used already')")
    phone.close()


def test_a_secretary_founds_a_club_and_keeps_tonights_score(page):
    page.goto("/")
    page.fill("[name=name]", "Tuesday club")
    page.click("text=Create the club")
    page.wait_for_selector("h1:has-text('Tuesday club')")
    page.click("text=New match")
    page.click("text=Cross Purposes")
    page.fill("[name=name0]", "Carla")
    page.fill("[name=name1]", "Denny")
    page.click("text=Open the match")
    page.click("text=Enter result")
    taps = 0
    for control in ('[name="phases.0.0"][value="7"]', '[name="phases.1.0"][value="6"]'):
        page.check(control, force=True)
        taps += 1
    page.wait_for_selector("#preview b")
    assert re.findall(r"\d+", page.inner_text("#preview")) == ["48", "49"]
    page.click("text=Close deal")
    taps += 1
    page.click("text=Denny confirms")
    page.wait_for_selector("td:has-text('confirmed')")
    assert (taps, re.findall(r"\d+", page.inner_text("h1"))) == (3, ["48", "49"])


@pytest.mark.extended
def test_an_entered_result_is_corrected_with_its_reason(page, club):
    table = open_match(page, club[0])
    page.click("text=Enter result")
    page.check('[name="phases.0.0"][value="7"]', force=True)
    page.check('[name="phases.1.0"][value="6"]', force=True)
    page.click("text=Close deal")
    page.click("td a:has-text('correct')")
    assert page.is_checked('[name="phases.0.0"][value="7"]')
    page.check('[name="phases.1.0"][value="7"]', force=True)
    page.fill("[name=reason]", "the piles were counted again")
    page.click("main button:has-text('Correct')")
    page.wait_for_url(table)
    assert re.findall(r"\d+", page.inner_text("h1")) == ["56", "42"]


def deal_of_cross_purposes(page, club):
    """A deal with trumps and tops named; the table's address."""
    table = open_match(page, club)
    page.click("text=Deal card by card")
    page.click("section.entry .calls button:has-text('clubs')")
    page.click("section.entry .calls button:has-text('Ace')")
    page.wait_for_selector("[data-key=SA]")
    return table


def place_of(page, card):
    """Return the horizontal position of a card's button, in one call since the table may be redrawn at any moment."""
    return page.evaluate(
        """(card) => { const box = document.querySelector(`[data-key=${card}]`).getBoundingClientRect();
           return [box.x, box.width]; }""",
        card,
    )


def test_a_second_screen_follows_by_itself(page, context, club):
    table = open_match(page, club[0])
    second = context.new_page()
    second.goto(table)
    page.click("text=Deal card by card")
    second.wait_for_selector("text=Deal 1")
    page.click("section.entry .calls button:has-text('clubs')")
    second.wait_for_selector("text=trumps ♣ clubs")


def test_cards_are_tapped_or_typed_and_keep_their_places(page, club):
    deal_of_cross_purposes(page, club[0])
    before = place_of(page, "HK")
    page.click("[data-key=HA]")
    page.wait_for_selector(".trick [aria-label='Ace of hearts']")
    assert page.locator("[data-key=HA]").count() == 0
    page.keyboard.press("2")  # the suit that was led
    page.wait_for_selector(".trick [aria-label='Two of hearts']")
    page.keyboard.press("s")
    page.keyboard.press("t")
    page.wait_for_selector(".trick [aria-label='Ten of spades']")
    assert place_of(page, "HK") == before
    page.keyboard.press("u")
    page.wait_for_selector("[data-key=ST]")
    assert page.inner_text("#said").endswith("Annie 0, Benny 0")


@pytest.mark.extended
def test_a_card_that_breaks_a_rule_is_recorded_without_comment(page, club):
    deal_of_cross_purposes(page, club[0])
    first = page.input_value("[name=seat]")
    for card in ("HA", "S2"):  # not following suit may be a revoke, which is not shown during the deal
        page.click(f"[data-key={card}]")
        page.wait_for_selector(f"[data-key={card}]", state="detached")
    page.select_option("[name=seat]", "1" if page.input_value("[name=seat]") == "0" else "0")
    page.click("[data-key=H3]")  # out of turn
    page.wait_for_selector("[data-key=H3]", state="detached")
    assert page.locator("[role=alert]").count() == 0
    assert page.locator(".finding").count() == 0
    assert first in ("0", "1")


@pytest.mark.extended
def test_a_tap_without_a_connection_is_sent_when_it_is_back(page, context, club):
    deal_of_cross_purposes(page, club[0])
    context.set_offline(True)
    page.click("[data-key=HA]")
    page.wait_for_selector("#unsent:not([hidden])")
    context.set_offline(False)
    page.wait_for_selector(".trick [aria-label='Ace of hearts']")
    page.wait_for_selector("#unsent", state="hidden")


@pytest.mark.extended
def test_a_table_that_has_not_changed_is_not_drawn_again(page, club):
    """The first message of the stream tells what the page shows already: a tap must find its button."""
    open_match(page, club[0])
    page.evaluate("document.querySelector('.entry').marked = true")
    page.evaluate(
        """() => new Promise((done) => {
            const source = new EventSource(document.querySelector('[data-live]').dataset.live);
            source.onmessage = () => { source.close(); setTimeout(done, 300); };
        })"""
    )
    assert page.evaluate("document.querySelector('.entry').marked")


@pytest.mark.extended
def test_a_tap_during_which_somebody_else_records_is_not_lost(page, context, club):
    table = open_match(page, club[0])
    second = context.new_page()
    second.goto(table)
    page.locator("text=Enter result").hover()
    page.mouse.down()
    second.click("text=Deal card by card")
    second.wait_for_selector("text=Deal 1")
    until_settled(page)
    page.mouse.up()
    page.wait_for_url("**/result")


def on_the_table(page):
    """The trick as it lies: names, then spoken cards."""
    page.wait_for_selector(".felt .trick li:nth-child(2)")
    cards = page.locator(".felt .trick li")
    names = [cards.nth(place).locator("bdi").inner_text() for place in range(2)]
    return names, [cards.nth(place).locator(".card").get_attribute("aria-label") for place in range(2)]


@pytest.mark.extended
def test_a_second_card_tapped_during_the_request_belongs_to_the_opponent(page, club):
    deal_of_cross_purposes(page, club[0])
    held = []
    page.route(re.compile("/facts$"), lambda route: held.insert(0, route))
    page.click("[data-key=HA]")
    page.locator("[data-key=H2]").hover()
    page.mouse.down()
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()  # the answer comes now: the table is not drawn anew under the finger
    page.unroute(re.compile("/facts$"))
    until_settled(page)
    page.mouse.up()
    names, cards = on_the_table(page)
    assert (sorted(names), cards) == (["Annie", "Benny"], ["Ace of hearts", "Two of hearts"])
    assert page.locator("[role=alert]").count() == 0


@pytest.mark.extended
def test_two_cards_tapped_at_once_are_of_the_two_players(page, club):
    deal_of_cross_purposes(page, club[0])
    page.evaluate("for (const card of ['HA', 'H2']) document.querySelector(`[data-key=${card}]`).click()")
    names, cards = on_the_table(page)
    assert (sorted(names), cards) == (["Annie", "Benny"], ["Ace of hearts", "Two of hearts"])


@pytest.mark.extended
def test_two_calls_tapped_at_once_are_of_the_two_players(page, club):
    open_match(page, club[0])
    page.click("text=Deal card by card")
    page.wait_for_selector(".calls")
    page.evaluate(
        """() => { const calls = [...document.querySelectorAll(".calls button")];
           for (const call of ["clubs", "Ace"]) calls.find((each) => each.textContent.includes(call)).click(); }"""
    )
    page.wait_for_selector("[data-key=SA]")
    calls = page.text_content(".felt p:has-text('Calls:')")
    assert ("Annie" in calls, "Benny" in calls) == (True, True), calls


@pytest.mark.extended
def test_a_seat_that_was_chosen_stays_chosen(page, club):
    deal_of_cross_purposes(page, club[0])
    turn = page.input_value("[name=seat]")
    page.select_option("[name=seat]", "1" if turn == "0" else "0")
    page.evaluate("for (const card of ['HA', 'H2']) document.querySelector(`[data-key=${card}]`).click()")
    names, _ = on_the_table(page)
    assert len(set(names)) == 1


@pytest.mark.extended
def test_what_was_held_back_is_shown_when_the_finger_is_up(page, context, club):
    table = open_match(page, club[0])
    second = context.new_page()
    second.goto(table)
    page.locator("h1").hover()
    page.mouse.down()
    second.click("text=Deal card by card")
    second.wait_for_selector("text=Deal 1")
    until_settled(page)
    assert page.locator("text=Deal 1").count() == 0
    page.mouse.up()
    page.wait_for_selector("text=Deal 1")


@pytest.mark.extended
def test_the_replay_steps_by_entry_and_trick_and_has_links(page, match_of_examples):
    page.goto(f"/matches/{match_of_examples}/replay?at=41")
    assert "plays the ten of spades" in page.inner_text("p:has(> strong)")
    assert page.get_attribute("text=link to this moment", "href") == "?at=41"
    for key, at in (
        ("ArrowRight", 42),
        ("ArrowLeft", 41),
        ("ArrowDown", 43),
        ("ArrowUp", 40),
        ("End", 68),
        ("Home", 1),
    ):
        page.keyboard.press(key)
        page.wait_for_url(f"**at={at}")
    page.goto(f"/matches/{match_of_examples}")
    page.click("text=what shows it")
    assert page.inner_text("p > strong") == "52"


@pytest.mark.extended
def test_what_is_not_there_is_a_page_with_a_way_on(page, chromium, site):
    page.goto("/matches/01939f5e-0000-7000-8000-000000000000")
    assert "nothing that you may see" in page.inner_text("[role=alert]")
    page.click("text=Back to tonight’s matches")
    assert page.inner_text("h1") == "Card clubs"


@pytest.mark.extended
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_axe_finds_nothing_and_nothing_is_cut_off(page, club, match_of_examples, size):
    table = deal_of_cross_purposes(page, club[0])
    page.set_viewport_size({"width": size[0], "height": size[1]})
    paths = [
        table,
        f"{table}/replay?at=3",
        f"/clubs/{club[0]}",
        f"/clubs/{club[0]}/new",
        "/",
        "/games",
        "/sign-in",
        f"/clubs/{club[0]}/new?game=cross_purposes&variant=alliance",
        "/games/cross_purposes",
        "/games/parity",
        "/games/garbo#ga-g4",
        f"/matches/{match_of_examples}",
        f"/matches/{match_of_examples}/replay?at=41",
        "/problems/misfit",
        "/nowhere",
        f"/matches/{match_of_examples}/result",
        f"/matches/{match_of_examples}/result?deal=2",
    ]
    for path in paths if size[0] < 1920 else paths[:2] + paths[10:12]:  # what a projector shows
        page.goto(path)
        page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")
        found = Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], path
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, path
