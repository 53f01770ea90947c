"""Paper: pages as PDF on A4 have as many sheets as they should, and nothing on them is cut off.

What is measured is the page as it is printed: Chromium's own PDF for the sheets, the same styles at the width of the
paper for what would be cut.
"""

import re

import pytest

from domain.games import all_games
from tests.browser.test_looks import address_of, some_of
from tests.kit.phones import put_away

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
MARGIN = "10mm"
WIDE, HIGH = 718, 1047  # of A4 within its margins, in CSS pixels
SWISS = "tournament: swiss, disputed"
ENDED = "tournament: two stages, finished"
LONG = "tournament: single, long names"
CUT = """() => {
  const room = document.documentElement.clientWidth, found = [];
  for (const each of document.querySelectorAll("body *")) {
    const box = each.getBoundingClientRect(), style = getComputedStyle(each);
    if (!box.width || !box.height || each.closest(".hidden, .skip")) continue;
    const picture = each.matches("svg text") && each.ownerSVGElement.getBoundingClientRect();
    const across = style.overflowX !== "visible" && each.scrollWidth > each.clientWidth + 1;
    const down = style.overflowY !== "visible" && each.scrollHeight > each.clientHeight + 1;
    const beside = picture && (box.right > picture.right + 1 || box.bottom > picture.bottom + 1);
    if (box.right > room + 1 || box.left < -1 || beside || (!each.closest("svg") && (across || down)))
      found.push(each.outerHTML.slice(0, 100));
  }
  return found.slice(0, 3);
}"""


@pytest.fixture(scope="module")
def site(world_site):
    return world_site


@pytest.fixture(scope="module")
def sheet(chromium, site, world):
    """A page of the owner as paper has it."""
    context = chromium.new_context(base_url=site, reduced_motion="reduce", viewport={"width": WIDE, "height": HIGH})
    name, _, value = world.cookie("owner", world.house.id)["Cookie"].partition("=")
    context.add_cookies([{"name": name, "value": value, "url": site}])
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.emulate_media(media="print")
    yield page
    put_away(context)


def sheets(page):
    """How many sheets of A4 the page takes."""
    made = page.pdf(format="A4", margin=dict.fromkeys(("top", "right", "bottom", "left"), MARGIN))
    return len(re.findall(rb"/Type\s*/Page\b", made))


def ways():
    return [(key, way) for key in sorted(all_games()) for way in ((1, 2, 3) if key == "cross_purposes" else (1,))]


@pytest.mark.parametrize(("key", "way"), some_of(ways(), ("cross_purposes", 2)))
def test_a_blank_score_sheet_fills_one_page(sheet, key, way):
    sheet.goto(f"/games/{key}/sheet?way={way}")
    assert (sheets(sheet), sheet.evaluate(CUT)) == (1, [])
    high = sheet.evaluate("document.querySelector('.paper').getBoundingClientRect().height")
    assert 0.55 * HIGH < high < HIGH


@pytest.mark.parametrize(
    ("page", "count"),
    some_of(
        [
            ("match: playing/sheet", 1),
            ("match: corrected/sheet", 1),
            ("match: ruled on/sheet", 1),
            ("match: long names/sheet", 1),
            ("match: get_stuck, deal on/sheet", 1),
            ("match: garbo, deal on/sheet", 1),
            ("match: finished/sheet?blank=1", 1),
            (f"{SWISS}/slips", 1),
            (f"{SWISS}/doors/sheet", 1),
            (f"{SWISS}/paper", 3),
            (f"{SWISS}/standings", 1),
            (f"{SWISS}/crosstable", 1),
            (f"{LONG}/paper", 3),
            (f"{LONG}/bracket", 1),
            (f"{ENDED}/paper", 5),
        ],
        (f"{SWISS}/paper", 3),
    ),
)
def test_what_is_made_for_paper_takes_as_many_sheets_as_it_should(sheet, world, page, count):
    sheet.goto(address_of(world, page))
    assert (sheets(sheet), sheet.evaluate(CUT)) == (count, [])


@pytest.mark.parametrize(
    "page",
    some_of(
        [
            "/",
            "{club}",
            "{club}/members",
            "{club}/members/{person}",
            "{club}/players/{person}",
            "{club}/ratings",
            "{club}/season",
            "{club}/cases",
            "/games/parity",
            "case: ruled on",
            "match: long names",
            "match: corrected/replay?at=4",
            SWISS,
            f"{SWISS}/director",
            f"{SWISS}/log",
            f"{ENDED}/standings?stage=1",
        ],
        "match: long names",
    ),
)
def test_any_page_prints_without_controls_and_nothing_is_cut_off(sheet, world, page):
    sheet.goto(address_of(world, page))
    assert 1 <= sheets(sheet) <= 9
    assert sheet.evaluate(CUT) == []
    shown = "(each) => each.checkVisibility() && each.getBoundingClientRect().height > 2"
    assert sheet.locator("button, nav, header, footer").evaluate_all(f"(all) => all.filter({shown}).length") == 0


@pytest.mark.extended
def test_a_rating_plot_has_a_description_and_a_table(sheet, world):
    rated = world.house.get(f"{world.house.path}/ratings").json()["rows"]
    best = max(rated, key=lambda row: row["matches"])
    assert best["matches"] > 1, "a line of several matches, or this would show little"
    sheet.goto(f"/clubs/{world.house.id}/players/{best['players'][0]}")
    plot = sheet.locator("svg.plot")
    title, said = (plot.locator(each).text_content() for each in ("title", "desc"))
    assert (title.startswith("Rating in "), str(best["rating"]) in said) == (True, True)
    figures = sheet.locator(".beside tbody td.total").all_text_contents()
    assert (len(figures), figures[0]) == (best["matches"], str(best["rating"]))
    assert plot.locator("circle").count() == len(figures) + 1
    assert plot.locator(".curve text").text_content() == figures[0]
    sheet.emulate_media(media="screen", forced_colors="active")
    line = "(each) => getComputedStyle(each).stroke === getComputedStyle(document.body).color"
    assert plot.locator("polyline").evaluate(line), "in forced colours it is drawn as text is"
    sheet.emulate_media(media="print", forced_colors="none")


@pytest.mark.extended
def test_the_audit_of_a_match_has_its_own_look(sheet, world):
    """The page needs nothing else, so that its style stands in it: the browser must be told that it may."""
    said = []
    sheet.on("console", lambda message: said.append(message.text))
    sheet.goto(address_of(world, "match: corrected/audit"))
    assert sheet.evaluate("getComputedStyle(document.querySelector('h1')).fontSize") == "22.4px"
    assert not said
    assert sheets(sheet) == 1
