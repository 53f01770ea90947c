"""Results without cards in a real Chromium, for every game and every shape of its form, on a phone and on a desk."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from domain import codec
from projections.games import variants
from tests.kit.match.tables import find
from tests.kit.tournament.entries import some_entry

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(240)]
SHAPES = [
    (key, given)
    for key in ("cross_purposes", "cross_game", "parity", "over_the_top", "get_stuck", "garbo", "ristikontra")
    for given in variants(find(key))
]


def open_with(page, club, key, given):
    """Open a match of a game with these options through the form."""
    variant = f"&variant={given['variant']}" if "variant" in given else ""
    page.goto(f"/clubs/{club}/new?game={key}{variant}")
    for place, name in enumerate(("Annie", "Benny", "Carla", "Denny")):
        if page.locator(f"[name=name{place}]").count():
            page.fill(f"[name=name{place}]", name)
    for name, value in given.items():
        control = page.locator(f'select[name="option.{name}"]')
        if control.count():
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            control.select_option(str(value).lower() if isinstance(value, bool) else str(value))
    page.click("text=Open the match")
    page.wait_for_url("**/matches/*")


def value_at(entry, path):
    """What stands in an entry at a path like `phases.0.0`."""
    for step in path.split("."):
        entry = entry[int(step)] if isinstance(entry, list) else entry[step]
    return entry


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "-".join([shape[0], *map(str, shape[1].values())]))
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=["phone", "desk"])
def test_a_result_entered_through_the_controls_scores_by_the_rules(page, club, shape, size):
    key, given = shape
    game, options = find(key), codec.convert(given, find(key).options)
    entry = some_entry(game, options)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_with(page, club[0], key, given)
    page.click("text=Enter result")
    for control in game.sheet.form(options):
        value = value_at(entry, control.path)
        if control.kind == "number":
            page.fill(f'[name="{control.path}"]', str(value))
        else:
            page.check(f'[name="{control.path}"][value="{value}"]', force=True)
    page.wait_for_selector("#preview b")
    found = Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    page.click("text=Close deal")
    page.wait_for_selector("td:has-text('reported')")
    wanted = game.sheet.score(options, codec.convert(entry, game.sheet.entry(options)))
    sides = game.sides(options)
    whole = len(wanted.scores) == len(sides)
    scores = list(wanted.scores) if whole else [wanted.scores[side[0]] for side in sides]
    places = page.locator(".versus .total")
    shown = [places.nth(place).inner_text() for place in range(places.count())]
    assert shown == [str(score) for score in scores]
