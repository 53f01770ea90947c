"""Sheets for paper: who may have which, what stands on them, and whose name does not any more."""

import re

import pytest

from domain.games import all_games
from tests.kit.service.asking import House, squeezed
from tests.service.api.test_standings import EVEN, ODD
from tests.service.api.test_tournaments import Evening, single


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@pytest.mark.parametrize("key", sorted(all_games()))
def test_every_way_of_a_game_has_a_blank_sheet(client, key):
    page = client.get(f"/games/{key}/sheet")
    ways = re.findall(rf"/games/{key}/sheet\?way=(\d)", page.text)
    for way in ways or ["1"]:
        shown = client.get(f"/games/{key}/sheet?way={way}")
        assert shown.status_code == 200
        assert shown.text.count('class="deal"') >= 1
    for wrong in ("0", "99", "x"):
        assert client.get(f"/games/{key}/sheet?way={wrong}").status_code == 404
    assert client.get("/games/whist/sheet").status_code == 404


def test_a_score_sheet_shows_scores_and_reasons_by_permission(client, house, owner):
    path = house.match(sides=[["Annie"], ["Benny <3"]], target=100)
    house.done(f"{path}/results", ODD)
    version = house.get(path).json()["deals"][0]["entry_version"]
    house.done(f"{path}/corrections", {"version": version, "now": EVEN["entry"], "reason": "piles swapped"}, "director")
    page = f"{path.removeprefix('/api/v1')}/sheet"
    shown = squeezed(client.get(page, headers=owner).text)
    assert "Benny &lt;3" in shown
    assert "piles swapped" in shown
    assert re.search(r"=\s*<span class=\"w \">4</span>\s*–\s*<span class=\"w \">11</span>", shown)
    public = client.get(page).text
    assert ("Annie" in public, "piles swapped" in public) == (True, False)
    blank = client.get(f"{page}?blank=1").text
    assert ("Annie" in blank, ">11<" in blank) == (True, False)


def test_an_erased_name_is_on_no_paper(client, house):
    path = house.match(sides=[["Xaver Quill"], ["Cleo"]], target=15)
    house.done(f"{path}/results", ODD)
    people = {row["name"]: row["id"] for row in house.get(f"{house.path}/players?limit=200").json()["items"]}
    page = f"{path.removeprefix('/api/v1')}/sheet"
    assert "Xaver Quill" in client.get(page).text
    gone = people["Xaver Quill"]
    house.done(f"{house.path}/players/{gone}/erasure", {"reason": "asked"}, "secretary")
    for each in (page, f"{page}?blank=1"):
        shown = client.get(each).text
        assert ("Xaver" in shown, "(name removed)" in shown) == (False, True)


def test_slips_have_the_codes_and_are_for_directors(client, house, owner):
    evening = Evening(house, [single()], entries=[{"do": "enter", "players": [n]} for n in ("Ann", "Bob", "Cy", "Di")])
    page = f"{evening.path.removeprefix('/api/v1')}"
    evening.act({"do": "pair_round"})
    shown = client.get(f"{page}/slips", headers=owner).text
    assert shown.count('class="code"') == 2
    assert "First deal:" in shown
    code = re.search(r'class="code">\s*(\w{3} \w{3})', shown)[1]
    assert client.get(f"{page}/slips").status_code == 401
    paper = client.get(f"{page}/paper")
    assert (paper.status_code, code in paper.text, "/slips" in paper.text) == (200, False, False)
    assert "/slips" in client.get(f"{page}/paper", headers=owner).text


def test_an_onlooker_who_is_behind_the_table_has_no_later_paper(client, house, owner):
    path = house.match(sides=[["Ewa"], ["Fred"]], delay="deal")
    house.done(f"{path}/deals", {"dealer": 0})
    house.done(f"{path}/facts", {"facts": [{"seat": 1, "do": "trump", "suit": "H"}]})
    page = f"{path.removeprefix('/api/v1')}/sheet"
    assert "B:H" in client.get(page, headers=owner).text
    assert "B:H" not in client.get(page).text
