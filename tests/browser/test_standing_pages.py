"""Ratings and season in a real Chromium, on a phone and on a desk."""

import pytest
from axe_playwright_python.sync_playwright import Axe

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(240)]
LONG = "Wilhelmina-Charlotte von Hohenstaufen-Württemberg"


@pytest.fixture
def played(context, site, database, club):
    """A club with a finished tournament of a season and long names."""
    path = f"/api/v1/clubs/{club[0]}/tournaments"
    bearer = {"Authorization": f"Bearer {club[1]['director']}"}
    race = {"target": 11, "win_by": 2}
    stage = {"format": {"kind": "single"}, "game": "cross_game", "race": race}
    entries = [{"do": "enter", "players": [name]} for name in (LONG, "Benny")]
    body = {"name": "Thursday cup", "stages": [stage], "entries": entries, "plan": {"season": "2026"}}
    made = context.request.post(path, data=body, headers=bearer)
    assert made.status == 201, made.text()
    actions = [{"do": "pair_round"}, {"do": "report", "fixture": "W1.1", "winner": 0}, {"do": "finish"}]
    where = f"/api/v1/tournaments/{made.json()['tournament']['id']}/actions"
    assert context.request.post(where, data={"actions": actions}, headers=bearer).status == 201
    return f"/clubs/{club[0]}"


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=["phone", "desk"])
def test_axe_finds_nothing_and_nothing_is_cut_off(page, played, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{played}/ratings")
    page.click(f"table a:has-text('{LONG}')")
    history = page.url
    for address in (f"{played}/ratings", history, f"{played}/ratings?kind=partners", f"{played}/season"):
        page.goto(address)
        page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")
        found = Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], address
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, address


def test_a_season_can_count_the_best_results_only(page, played):
    page.goto(played)
    page.click("main a:has-text('Season')")
    page.fill("[name=best]", "1")
    page.click("main button")
    page.wait_for_selector("text=The best 1 of each player counts.")
    assert page.inner_text("tbody tr:first-child b") == "25"


def test_on_paper_a_season_shows_the_results_behind_its_points(page, played):
    page.goto(f"{played}/season")
    working = page.locator(".season tbody li").first
    assert not working.is_visible()
    page.emulate_media(media="print")
    assert working.is_visible()
