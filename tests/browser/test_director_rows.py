"""The director's board at a desk and on a phone, and standings on a phone: what is in view, and what stays in view."""

import pytest

from service.cli import clerk
from tests.browser.test_tournament_pages import announce, choose, clean, report
from tests.conftest import with_pool
from tests.kit.faults.processes import until
from tests.kit.phones import until_settled

pytestmark = [pytest.mark.browser, pytest.mark.extended]

NAMES = "\n".join(f"{name}, {1900 - 10 * at}" for at, name in enumerate("ABCDEFGHIJKLMNOPQRSTUVWX"))
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
IN_VIEW = """(all) => all.filter((each) => {
  const box = each.getBoundingClientRect();
  return box.width > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
}).length"""


@pytest.fixture
def club(database, request):
    return with_pool(database, lambda pool: clerk.club_named(pool, f"{request.node.name}", True))


@pytest.fixture
def cup(page, club, site):
    """A round of twelve tables on the clock: the first has a result, the second is disputed."""
    path = announce(page, club, players=NAMES, target="11")
    for form in (
        {"do": "pair_round"},
        {"do": "start_round", "round": "1", "minutes": "30"},
        {"do": "report", "fixture": "R1.1", "score0": "12", "score1": "10"},
        {"do": "report", "fixture": "R1.2", "score0": "12", "score1": "10"},
        {"do": "dispute", "fixture": "R1.2", "stage": "1"},
    ):
        answer = page.request.post(f"{path}/actions", form=form, headers={"Origin": site}, max_redirects=0)
        assert answer.status == 303
    return path


def beside(page, row):
    """Whether details stand beside the rows; else they stand below their own."""
    details, chosen = page.locator(".beside").bounding_box(), page.locator(row).bounding_box()
    return details["x"] >= chosen["x"] + chosen["width"] and details["y"] <= chosen["y"] + chosen["height"]


def test_a_desktop_shows_ten_tables_the_clock_and_the_next_step(page, cup):
    page.set_viewport_size(DESK)
    page.goto(f"{cup}/director")
    assert page.locator(".pick").evaluate_all(IN_VIEW) >= 10
    assert set(page.locator(".pick").evaluate_all("(all) => all.map((each) => each.offsetHeight)")) == {44}
    assert page.locator("[data-until], [aria-labelledby=now] button").evaluate_all(IN_VIEW) == 2
    first = page.locator(".pick").first
    assert "Table 2" in first.inner_text(), "who wants attention stands first"
    assert "⚑ disputed" in first.inner_text()
    assert "○ not begun" in page.locator(".pick:has(b:text-is('Table 3'))").inner_text()
    assert page.locator(".beside button:text-is('The result stands')").evaluate_all(IN_VIEW) == 1
    page.click(".pick:has(b:text-is('Table 9'))")
    page.wait_for_selector(".beside:has-text('Table 9:')")
    assert beside(page, ".pick[aria-current]")
    clean(page)


def test_the_chosen_table_and_what_is_typed_there_survive_what_others_do(page, context, cup, site):
    page.set_viewport_size(DESK)
    page.goto(f"{cup}/director")
    typing = choose(page, 7).locator("[name=score0]")
    other = context.new_page()
    other.goto(f"{cup}/director")
    report(other, 5, 12, 10)
    page.wait_for_selector(".pick:has(b:text-is('Table 5')):has-text('✓')")
    assert "Table 7:" in page.inner_text(".beside h3"), "the board was drawn anew, the table is the same"
    typing.fill("9")
    report(other, 6, 12, 10)
    other.wait_for_selector("text=9 of 12 tables still on")
    until_settled(page)
    assert typing.input_value() == "9"
    page.locator(".beside [name=score1]").fill("11")
    page.click(".beside >> text=Record the score")
    page.wait_for_selector("text=8 of 12 tables still on")
    assert "9–11" in page.locator(".pick:has(b:text-is('Table 7'))").inner_text()


def test_the_preselected_table_stays_when_other_tables_need_attention(page, context, cup, site):
    page.set_viewport_size(DESK)
    page.goto(f"{cup}/director")
    assert "Table 2:" in page.inner_text(".beside h3")
    form = {"do": "uphold", "fixture": "R1.2", "stage": "1"}
    page.request.post(f"{cup}/actions", form=form, headers={"Origin": site}, max_redirects=0)
    page.wait_for_selector(".pick:has(b:text-is('Table 2')):has-text('✓')")
    assert "Table 2:" in page.inner_text(".beside h3"), "nothing moves under a hand"


def test_on_a_phone_the_details_open_below_the_row_and_close_again(page, cup):
    page.goto(f"{cup}/director")
    assert not page.locator(".beside").is_visible()
    choose(page, 9)
    assert not beside(page, ".pick[aria-current]")
    row, details = page.locator(".pick[aria-current]").bounding_box(), page.locator(".beside").bounding_box()
    assert 0 <= details["y"] - row["y"] - row["height"] < 8
    clean(page)
    page.click(".pick[aria-current]")
    page.wait_for_selector(".beside", state="hidden")


def test_a_board_without_scripts_is_chosen_from_by_links(chromium, context, cup, site):
    bare = chromium.new_context(java_script_enabled=False, viewport=DESK, storage_state=context.storage_state())
    page = bare.new_page()
    page.goto(f"{site}{cup.removeprefix(site)}/director")
    report(page, 4, 12, 10)
    assert "✓" in page.locator(".pick:has(b:text-is('Table 4'))").inner_text()
    bare.close()


def test_standings_on_a_phone_show_three_columns_and_others_on_demand(page, cup):
    page.set_viewport_size(PHONE)
    page.goto(f"{cup}/standings")
    headings = page.locator("thead th")
    seen = [each.inner_text() for each in headings.all() if each.is_visible()]
    assert seen == ["Place", "Name", "Points"]
    assert page.locator("tbody tr:first-child > *:visible").evaluate_all(IN_VIEW) == 3
    assert "1–24" in page.inner_text("tbody tr:nth-child(3) th")
    clean(page)
    page.click("text=All columns, and why")
    assert page.locator("tbody tr:first-child >> text=why").is_visible()
    page.locator(".overflow").evaluate("(each) => { each.scrollLeft = 500; }")
    assert page.locator("tbody tr:first-child th").evaluate_all(IN_VIEW) == 1, (
        "the name stays while the rest is looked at"
    )
    clean(page)
    page.set_viewport_size(DESK)
    assert page.locator("tbody tr:first-child >> text=why").is_visible()
    assert not page.locator("text=All columns, and why").is_visible()


def test_the_countdown_of_a_round_uses_the_clock_of_the_service(page, cup):
    page.add_init_script("const own = Date.now; Date.now = () => own() + 600_000;")
    page.goto(f"{cup}/director")
    until(lambda: 21 <= int(page.inner_text("[data-until]").partition(":")[0]) <= 30)
