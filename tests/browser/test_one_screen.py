"""The table on one screen of a phone, and how many taps or keys an evening takes: the counts of the journeys."""

import random
import re

import pytest

from domain import codec
from tests.browser.conftest import open_match
from tests.browser.test_entry import open_with, value_at
from tests.browser.test_pages import deal_of_cross_purposes
from tests.kit.match.tables import find, random_deal, told
from tests.kit.phones import more
from tests.kit.service.revoke_scene import planted
from tests.kit.tournament.entries import some_entry

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(240)]
SIZES = (((390, 664), (48, 40)), ((360, 640), (44, 40)))  # a screen, and the least cell on it
STATES = [
    ("cross_purposes", {"variant": "two"}, 35),
    ("cross_purposes", {"variant": "alliance"}, 30),
    ("cross_purposes", {"variant": "fixed"}, 30),
    ("ristikontra", {}, 20),
    ("cross_game", {}, 12),
    ("parity", {}, 12),
    ("over_the_top", {}, 12),
    ("garbo", {"claims": "manual"}, 12),
    ("garbo", {"draw_schedule": "book"}, 8),
]
BOXES = """() => {
  const box = (each) => each.getBoundingClientRect();
  const cells = [...document.querySelectorAll(".grid52 button, .modifier span, .board button, .picks label")].map(box);
  const names = [".versus", ".felt", ".trick", ".counts", ".grid52", ".board", ".dock"];
  const parts = names.map((each) => document.querySelector(each)).filter(Boolean).map(box);
  const seen = (each) => each.checkVisibility();
  const dock = [...document.querySelectorAll(".dock > :not(output)")].filter(seen).map(box);
  return {
    top: Math.min(...parts.map((each) => each.top)),
    bottom: Math.max(...parts.map((each) => each.bottom)),
    low: Math.max(...cells.map((each) => each.bottom)),
    dock: parts.at(-1).top,
    half: [...document.querySelectorAll("#table :is(button, a, select, summary, label)")]
      .filter((each) => !each.closest(".dock") && seen(each)
        && box(each).top < parts.at(-1).top && box(each).bottom > parts.at(-1).top + 1)
      .map((each) => each.outerHTML.slice(0, 120)),
    rows: new Set(dock.map((each) => Math.round(each.top + each.height / 2))).size,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    width: Math.min(...cells.map((each) => each.width)),
    height: Math.min(...cells.map((each) => each.height)),
  };
}"""


def facts_by_lot(key, given, number):
    """So many facts of a deal that is played by lot, as a table with physical cards tells them."""
    game, options = find(key), codec.convert(given, find(key).options)
    lot, facts = random.Random(3), []
    states = [game.start(options, 0, random_deal(key, options, 3))]
    for _ in range(number):
        facts.append(lot.choice(list(game.legal(states[-1]))))
        states.append(game.evolve(states[-1], facts[-1]))
    return [codec.plain(each) for each in told(game, facts, states)]


def under_way(page, club, key, given, number):
    """A table with a deal under way, seen on a phone."""
    open_with(page, club[0], key, given)
    bearer, match = {"Authorization": f"Bearer {club[1]['scorer']}"}, page.url.rpartition("/")[2]
    bodies = {"deals": {"dealer": 0, "depth": "plays"}, "facts": {"facts": facts_by_lot(key, given, number)}}
    for act, body in bodies.items():
        answer = page.request.post(f"/api/v1/matches/{match}/{act}", headers=bearer, data=body)
        assert answer.status == 201, answer.text()
    page.reload()


@pytest.mark.parametrize("state", STATES, ids=lambda state: "-".join([state[0], *state[1].values()]))
def test_trick_counts_cards_and_buttons_are_in_view_together(page, club, state):
    under_way(page, club, *state)
    for size, least in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        seen = page.evaluate(BOXES)
        assert (seen["top"] >= 0, seen["bottom"] <= size[1], seen["low"] <= seen["dock"]) == (True, True, True), seen
        wanted = (40, 40) if state[0] == "garbo" else least
        assert (seen["width"] >= wanted[0] - 1, seen["height"] >= wanted[1] - 0.5) == (True, True), seen
        assert (seen["rows"], seen["wide"], seen["half"]) == (1, 0, []), seen


def test_card_cells_of_two_hand_play_are_48_by_44_pixels(page, club):
    deal_of_cross_purposes(page, club[0])
    page.set_viewport_size({"width": 390, "height": 664})
    page.click("[data-key=HA]")
    page.wait_for_selector(".trick")
    seen = page.evaluate(BOXES)
    assert (seen["bottom"] <= 664, seen["width"] >= 48, seen["height"] >= 44) == (True, True, True), seen


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
    ("key", "given", "most", "derived"),
    [
        ("cross_purposes", {"variant": "two"}, 3, 0),
        ("cross_purposes", {"variant": "fixed"}, 4, 1),
        ("cross_purposes", {"variant": "alliance"}, 5, 1),
        ("parity", {}, 3, 0),
        ("cross_game", {}, 5, 0),
    ],
    ids=["two-hand", "fixed", "alliance", "parity", "cross game"],
)
def test_a_result_takes_few_taps_and_a_confirmation_takes_one(page, club, key, given, most, derived):
    game, options = find(key), codec.convert(given, find(key).options)
    wanted = with_the_first(some_entry(game, options))
    open_with(page, club[0], key, given)
    page.click("text=Enter result")
    page.wait_for_load_state()  # what follows from other counts is filled in by the script
    taps, follows = 0, 0
    for field in game.sheet.form(options):
        value = value_at(wanted, field.path)
        tap = page.locator(f'[name="{field.path}"][value="{value}"]')
        follows += page.locator(f'fieldset[data-follows]:has([name="{field.path}"])').count()
        if not tap.is_checked():
            tap.check(force=True)
            taps += 1
    assert follows == derived, "the fourth count follows from three"
    page.wait_for_selector("#preview b")
    page.click("text=Close deal")
    page.wait_for_selector("td:has-text('reported')")
    assert taps + 1 <= most
    confirm = page.locator(".dock .next button")
    assert (confirm.count(), "confirms" in confirm.inner_text()) == (1, True)
    confirm.click()
    page.wait_for_selector("td:has-text('confirmed')")


def test_both_sides_confirm_and_the_next_deal_has_the_other_dealer(page, club):
    open_match(page, club[0])
    page.set_viewport_size({"width": 360, "height": 640})
    page.click("text=Deal card by card: dealer by lot")
    page.wait_for_selector("[data-key=pause]", state="attached")
    first = dealer_of(page)
    more(page, "[data-key=pause]")
    page.click(".dock .next [data-key=result]")
    for path in ("phases.0.0", "phases.1.0"):
        page.check(f'[name="{path}"][value="7"]', force=True)
    page.click("text=Close deal")
    primary = ".dock .next :is(a, button):not(.secondary)"
    for name in ("Annie", "Benny"):
        page.click(f"{primary}:has-text('{name} confirms 48–48'), {primary}:has-text('{name} confirms 56–42')")
        page.wait_for_selector(f".dock .next:has-text('{name}')", state="detached")
        assert page.evaluate(ROWS_OF_DOCK) == 1
    assert page.locator(primary).count() == 1
    more(page, "[data-key=deal]")
    page.wait_for_selector("h2:has-text('Deal 2')")
    assert {first, dealer_of(page)} == {"Annie", "Benny"}


ROWS_OF_DOCK = """() => new Set([...document.querySelectorAll(".dock > :not(output)")]
  .map((each) => each.getBoundingClientRect()).map((each) => Math.round(each.top + each.height / 2))).size"""


def dealer_of(page):
    return re.search(r"dealer (Annie|Benny)", page.inner_text(".felt h2"))[1]


def test_a_dispute_and_a_call_of_the_director_are_two_taps_each(page, club):
    open_match(page, club[0])
    page.click("text=Enter result")
    for path in ("phases.0.0", "phases.1.0"):
        page.check(f'[name="{path}"][value="7"]', force=True)
    page.click("text=Close deal")
    page.click(".more > summary")
    page.click("button:has-text('Dispute it')")
    page.wait_for_selector("text=Deal 1 is disputed")
    page.click(".more > summary")
    page.click("[data-key=call0]")
    page.wait_for_url(re.compile("called|/cases/"))


def test_a_claim_takes_two_taps_and_agreeing_takes_one(page, club):
    under_way(page, club, "cross_purposes", {"variant": "two"}, 26)
    page.set_viewport_size({"width": 390, "height": 664})
    page.click("summary:text-is('Claim')")
    page.click("summary:has-text('The hand is faced')")
    left = page.locator(".drawer .tap .card")
    faced = left.first.get_attribute("class")
    left.first.click()
    page.click("[data-key=rest]")
    page.wait_for_selector(".turn:has-text('trick that is left')")
    said = page.request.get(f"{page.url}/replay").text()
    assert ("claims the rest and faces" in said, faced.startswith("card")) == (True, True)
    assert page.evaluate(BOXES)["rows"] == 1
    page.click(".dock [data-key=agrees]")
    page.wait_for_selector("h2:has-text('phase 2')")


def test_a_deal_takes_58_taps_and_a_phase_at_most_50_keys(page, club):
    open_match(page, club[0])
    page.click("text=Enter result")
    for path in ("phases.0.0", "phases.1.0"):
        page.check(f'[name="{path}"][value="7"]', force=True)
    page.click("text=Close deal")
    page.wait_for_selector("td:has-text('reported')")
    more(page, "text=Deal card by card")
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
    page.click(".dock .next [data-key^=confirm]")
    page.wait_for_selector("td:has-text('confirmed by')")
    assert 1 + len(facts) + 1 == 58, "the deal is opened, it closes by itself, the other side confirms"


def test_a_play_in_the_dark_is_one_more_tap(page, club):
    open_with(page, club[0], "ristikontra", {})
    page.locator(".entry button, .dock .next button").first.click()
    page.wait_for_selector(".grid52")
    page.click(".modifier")
    page.click("[data-key=SA]")
    page.wait_for_selector("[data-key=SA]", state="detached")
    assert not page.is_checked(".modifier input")
    assert "dark" in page.request.get(f"{page.url}/replay").text()
