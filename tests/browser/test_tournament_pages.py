"""A director's evening in a browser: from a template to the places, on a phone, and what others see meanwhile."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from service.cli import clerk
from tests.conftest import with_pool

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
PLAYERS = "\n".join(["Ahti, 1900", "Bea, 1850", "Cleo, 1800", "Dag", "Eero"])


@pytest.fixture
def club(database, request):
    return with_pool(database, lambda pool: clerk.club_named(pool, f"{request.node.name}", True))


def announce(page, club, template="swiss", name="Thursday cup", **fields):
    """A tournament from a template; its path."""
    page.goto(f"/clubs/{club}/tournaments/new")
    page.fill("[name=name]", name)
    page.check(f"[name=template][value={template}]")
    page.select_option("[name=game]", "cross_game")
    page.fill("[name=players]", PLAYERS)
    page.click("summary:text-is('More')")
    for field, value in fields.items():
        page.fill(f"[name={field}]", value)
    page.click("text=Create the tournament")
    page.wait_for_url("**/director")
    return page.url.removesuffix("/director")


def report(page, table, first, second):
    """The score of a table, on the director's board."""
    beside = choose(page, table)
    beside.locator("[name=score0]").fill(str(first))
    beside.locator("[name=score1]").fill(str(second))
    beside.get_by_text("Record the score").click()
    page.wait_for_load_state()


def choose(page, table):
    """The details of a table on the director's board, opened unless they are: what was refused stands open."""
    beside = page.locator(f".beside:has(h3:has-text('Table {table}:'))")
    if not beside.is_visible():
        page.click(f".pick:has(b:text-is('Table {table}'))")
        beside.wait_for()
    return beside


def clean(page):
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_swiss_from_a_template_to_the_second_round(page, club):
    path = announce(page, club, target="11")
    clean(page)
    page.click("text=Pair the first round")
    page.wait_for_selector("text=Round 1: 2 of 2 tables still on")
    report(page, 1, 15, 14)
    assert "plays on, two ahead wins" in page.inner_text("[role=alert]")
    report(page, 1, 12, 10)
    report(page, 2, 4, 11)
    page.wait_for_selector("text=Round 1 is over")
    page.click("text=Pair the next round")
    page.wait_for_selector("text=Round 2: 2 of 2 tables still on")
    page.goto(f"{path}/standings")
    assert page.locator("tbody tr").count() == 5
    clean(page)
    page.click("text=All columns, and why")
    page.click("tbody tr:first-child >> text=why")
    assert "Opponents’ points" in page.inner_text("main")
    clean(page)
    page.goto(path)
    page.select_option("#me", label="Bea")
    page.click("text=Find >> nth=-1")
    assert "Bea" in page.inner_text("#you")
    clean(page)


@pytest.mark.extended
def test_leaving_a_score_that_was_typed_and_not_sent_warns(page, club):
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    path = announce(page, club, target="11")
    page.click("text=Pair the first round")
    page.wait_for_selector("text=Round 1: 2 of 2 tables still on")
    report(page, 1, 12, 10)
    page.wait_for_selector("text=Round 1: 1 of 2 tables still on")
    page.goto(path)
    page.goto(f"{path}/director")
    assert asked == []
    choose(page, 2).locator("[name=score0]").fill("12")
    page.goto(path)
    assert asked == ["beforeunload"]


@pytest.mark.extended
def test_a_wrong_result_shows_what_it_would_move_before_anything_is_recorded(page, club):
    path = announce(page, club, "single", target="11")
    page.click("text=Pair the first round")
    page.wait_for_selector("text=Round 1")
    report(page, 1, 12, 10)
    page.click("text=Pair what is ready: 1 table")
    page.wait_for_selector("text=Round 2: 2 of 2")
    page.goto(f"{path}/director?round=1")
    version = page.get_attribute("#follow", "data-version")
    report(page, 1, 10, 12)
    page.wait_for_selector("text=What this changes")
    clean(page)
    assert page.get_attribute("#follow", "data-version") == version, "nothing is recorded yet"
    assert page.locator("section.felt tbody tr").count() > 1
    page.click("text=Correct the result and pair again")
    page.wait_for_url("**/director")
    assert "Eero" in page.inner_text("main"), "the new winner is in the second round"


def test_the_bracket_follows_a_result_without_being_asked(page, context, club):
    path = announce(page, club, "single", target="11")
    page.click("text=Pair the first round")
    page.wait_for_selector("text=Round 1")
    watching = context.new_page()
    watching.set_viewport_size({"width": 1280, "height": 800})
    watching.goto(f"{path}/bracket")
    assert watching.locator("svg text.won").count() == 0
    report(page, 1, 12, 10)
    watching.wait_for_selector("svg text.won")
    clean(watching)


def test_the_projector_turns_over_and_can_be_stopped(page, club):
    path = announce(page, club, "swiss")
    page.click("text=Pair the first round")
    page.wait_for_selector("text=Round 1")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{path}/show")
    assert page.locator("tbody tr").count() == 2
    page.click("text=pause")
    assert page.get_attribute("[data-next] button", "aria-pressed") == "true"
    clean(page)
    page.click("[data-next] a")
    assert "Standings" in page.inner_text("header")


@pytest.mark.extended
def test_a_form_that_cannot_be_taken_keeps_what_was_written(page, club):
    page.goto(f"/clubs/{club}/tournaments/new")
    page.fill("[name=name]", "Cup")
    page.fill("[name=players]", "Ahti\nAhti")
    page.click("text=Create the tournament")
    assert "Ahti is in the list twice (lines 1 and 2)" in page.inner_text("[role=alert]")
    assert page.input_value("[name=players]") == "Ahti\nAhti"
    clean(page)


@pytest.mark.extended
def test_what_is_empty_says_what_to_do(page, club):
    page.goto(f"/clubs/{club}/tournaments")
    assert "create the first" in page.inner_text("main")
    clean(page)


SIZES = [(1280, 800), (1920, 1080)]  # phones are in test_looks.py
PAGES = ("", "/standings", "/bracket", "/crosstable", "/entries", "/director", "/log", "/show")


@pytest.fixture
def cup(page, club):
    """Groups that are over and a knock-out that is on: every page has something to show."""
    path = announce(page, club, "groups", groups="2", go_on="4")
    for _ in range(3):
        page.request.post(f"{path}/actions", form={"do": "pair_round"}, headers={"Origin": page.url.split("/t")[0]})
        for group in "AB":
            for number in range(1, 4):
                for place in (1, 2):
                    form = {"do": "report", "fixture": f"G{group}{number}.{place}", "side": "0"}
                    page.request.post(f"{path}/actions", form=form, headers={"Origin": page.url.split("/t")[0]})
    page.request.post(f"{path}/actions", form={"do": "pair_round"}, headers={"Origin": page.url.split("/t")[0]})
    return path


@pytest.mark.extended
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_tournament_pages_pass_axe_and_nothing_is_cut_off(page, cup, width, height):
    page.set_viewport_size({"width": width, "height": height})
    for where in PAGES:
        page.goto(f"{cup}{where}")
        clean(page)
    page.goto(f"{cup}/standings")
    page.click("tbody tr:first-child >> text=why")
    clean(page)
