"""Watching in a browser: the live table and the wall fill a projector's screen, and the replay stands on one."""

import pytest

from domain import codec
from tests.kit.games.strategies import played_out
from tests.kit.phones import put_away
from tests.kit.service.asking import House
from tests.kit.service.club_evenings import Evening
from tests.recorded.tables import Table

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
HALL = {"width": 1920, "height": 1080}


@pytest.fixture(scope="module")
def watched(client, database):
    with House(client, database, public=True, name="Watched") as house:
        cup = Evening(house, [{"format": {"kind": "swiss", "rounds": 3}, "game": "parity"}], players=12)
        cup.act({"do": "pair_round"})
        _, _, dealer, deal, facts, _ = played_out(("parity", {}), 3)
        table = Table(house, "parity", [["Annie"], ["Benny"]])
        table.deal(dealer=dealer, deal=codec.plain(deal), depth="full")
        table.facts(facts)
        yield house, cup, table


@pytest.fixture
def page(chromium, site):
    """A browser in which nobody has signed in."""
    context = chromium.new_context(viewport=HALL, base_url=site)
    yield context.new_page()
    put_away(context)


def box(page, chosen):
    return page.locator(chosen).first.bounding_box()


@pytest.mark.extended
def test_a_projector_shows_two_columns_six_rows_and_no_controls(page, watched):
    house, cup, table = watched
    page.goto(f"/matches/{table.id}")
    felt, beside = box(page, ".felt"), box(page, ".beside")
    assert felt["width"] + beside["width"] > 1700
    assert beside["x"] > felt["x"] + felt["width"]
    page.goto(f"/tournaments/{cup.id}/show")
    size = "each => parseFloat(getComputedStyle(each).fontSize)"
    assert round(page.locator("#follow tbody td").first.evaluate(size)) == 64
    rows = box(page, "#follow table")
    assert rows["height"] > 780
    assert rows["y"] + rows["height"] <= 1080
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    controls = page.locator(".controls")
    assert controls.evaluate("each => getComputedStyle(each).opacity") == "0"
    page.mouse.move(500, 500)
    assert controls.evaluate("each => getComputedStyle(each).opacity") == "1"
    page.click("text=pause")
    assert page.locator("[aria-pressed=true]").inner_text() == "go on"
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"/clubs/{house.id}/wall")
    assert page.locator(".turn-over button").inner_text() == "go on", "it does not turn where less motion is wanted"
    first = page.url
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/wall?slide=*")
    assert page.url != first


def test_the_replay_stands_beside_its_course_and_its_link_is_copied(page, watched):
    _, _, table = watched
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"/matches/{table.id}/replay?at=9")
    steps, felt, course = box(page, ".steps"), box(page, ".felt"), box(page, ".course")
    assert course["x"] > felt["x"] + felt["width"]
    assert course["y"] + course["height"] <= 800
    assert steps["y"] < felt["y"]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("text=Copy the link to this moment")
    page.wait_for_function("() => document.querySelector('#copied').textContent === 'Copied.'")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**at=10")
