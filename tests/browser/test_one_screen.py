"""The table on one screen of a phone, and how many taps or keys an evening takes: the counts of the journeys."""

import pytest

from domain import codec
from tests.browser.conftest import open_match
from tests.browser.test_entry import open_with, value_at
from tests.browser.test_pages import deal_of_cross_purposes
from tests.kit.match.tables import find
from tests.kit.service.revoke_scene import planted
from tests.kit.tournament.entries import some_entry

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
BOXES = """() => {
  const box = (each) => each.getBoundingClientRect();
  const cards = [...document.querySelectorAll(".grid52 button")].map(box);
  const names = [".versus", ".felt", ".trick", ".counts", ".grid52", ".dock"];
  const parts = names.map((each) => box(document.querySelector(each)));
  return {
    top: Math.min(...parts.map((each) => each.top)),
    bottom: Math.max(...parts.map((each) => each.bottom)),
    low: Math.max(...cards.map((each) => each.bottom)),
    dock: parts.at(-1).top,
    width: Math.min(...cards.map((each) => each.width)),
    height: Math.min(...cards.map((each) => each.height)),
  };
}"""


@pytest.mark.parametrize(
    ("size", "least"), [((390, 664), (48, 44)), ((360, 640), (44, 40))], ids=["390x664", "360x640"]
)
def test_trick_counts_grid_and_buttons_are_in_view_together(page, club, size, least):
    deal_of_cross_purposes(page, club[0])
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.click("[data-key=HA]")
    page.wait_for_selector(".trick")
    seen = page.evaluate(BOXES)
    assert (seen["top"] >= 0, seen["bottom"] <= size[1], seen["low"] <= seen["dock"]) == (True, True, True), seen
    assert (seen["width"] >= least[0], seen["height"] >= least[1]) == (True, True), seen


def test_undo_is_bottom_left_and_what_comes_next_bottom_right(page, club):
    open_match(page, club[0])
    page.set_viewport_size({"width": 390, "height": 664})
    right = page.locator(".dock .next :is(a, button)").last.bounding_box()
    assert right["x"] + right["width"] > 340
    page.click("text=Deal card by card")
    left = page.locator("[data-key=undo]").bounding_box()
    assert left["x"] < 30


def with_the_first(entry):
    """The same result, told by the pair of the first seat where it tells of a pair."""
    if "allies" in entry and 0 not in entry["allies"]:
        return {**entry, "allies": sorted({0, 1, 2, 3} - set(entry["allies"]))}
    return {**entry, "allies": sorted(entry["allies"])} if "allies" in entry else entry


@pytest.mark.parametrize(
    ("key", "given", "most"),
    [
        ("cross_purposes", {"variant": "two"}, 3),
        ("cross_purposes", {"variant": "fixed"}, 4),
        ("cross_purposes", {"variant": "alliance"}, 5),
        ("parity", {}, 3),
        ("cross_game", {}, 5),
    ],
    ids=["two-hand", "fixed", "alliance", "parity", "cross game"],
)
def test_a_result_takes_so_many_taps_before_the_other_side_confirms(page, club, key, given, most):
    game, options = find(key), codec.convert(given, find(key).options)
    wanted = with_the_first(some_entry(game, options))
    open_with(page, club[0], key, given)
    page.click("text=Enter result")
    taps = 0
    for field in game.sheet.form(options):
        value = value_at(wanted, field.path)
        tap = page.locator(f'[name="{field.path}"][value="{value}"]')
        if not tap.is_checked():
            tap.check(force=True)
            taps += 1
    page.wait_for_selector("#preview b")
    page.click("text=Close deal")
    page.wait_for_selector("td:has-text('reported')")
    assert taps + 1 <= most


def test_a_deal_of_two_phases_is_56_taps_and_a_phase_at_most_50_keys(page, club):
    open_match(page, club[0])
    page.click("text=Enter result")
    for path in ("phases.0.0", "phases.1.0"):
        page.check(f'[name="{path}"][value="7"]', force=True)
    page.click("text=Close deal")
    page.wait_for_selector("td:has-text('reported')")
    page.click("text=Deal card by card")
    facts = [fact for _, fact in planted().deals[0].facts]
    assert len(facts) == 56
    page.focus("body")
    keys, led, waits = [0, 0], None, 0
    for at, fact in enumerate(facts):
        call = getattr(fact, "value", None)
        if call is not None:
            page.wait_for_selector(f"[data-call='{call}']")
            pressed = call
        else:
            page.wait_for_selector(f"[data-key={fact.card}]")
            suit, rank = str(fact.card)
            led, waits = (suit, 1) if waits == 0 else (led, 0)
            if waits == 0:
                page.wait_for_selector(f".entry[data-led={led}]")
            pressed = rank if waits == 0 and suit == led else suit + rank
        for each in pressed:
            page.keyboard.press(each.lower())
        keys[at // 28] += len(pressed)
        if call is None:
            page.wait_for_selector(f"[data-key={fact.card}]", state="detached")
    page.wait_for_selector("td:has-text('48')")
    assert max(keys) <= 50, keys


def test_a_play_in_the_dark_is_one_more_tap(page, club):
    open_with(page, club[0], "ristikontra", {})
    page.locator(".entry button, .dock .next button").first.click()
    page.wait_for_selector(".grid52")
    page.click("label:has-text('dark')")
    page.click("[data-key=SA]")
    page.wait_for_selector("[data-key=SA]", state="detached")
    assert "dark" in page.request.get(f"{page.url}/replay").text()
