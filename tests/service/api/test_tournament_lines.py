"""Who is level on the qualifying line, over HTTP and on the pages: named, asked about, parted, told."""

import pytest

from tests.kit.service.club_evenings import Evening
from tests.service.web.test_tournament_pages import Desk

ROBIN = {"format": {"kind": "round-robin"}, "game": "cross_game", "go_on": 2, "name": "League"}
FINAL = {"format": {"kind": "single"}, "game": "cross_game", "name": "Final"}
WINS = {(0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (3, 1)}  # the first beats all others, and of those each beats one


@pytest.fixture
def level(house):
    """A league of four with three level for one place in the final."""
    evening = Evening(house, [ROBIN, FINAL], players=4)
    ids = [each["id"] for each in evening.view["entries"]]
    for _ in range(3):
        evening.act({"do": "pair_round"})
        for each in evening.open():
            pair = tuple(ids.index(side["entries"][0]) for side in each["sides"])
            evening.act({"do": "report", "fixture": each["fixture"], "winner": 0 if pair in WINS else 1})
    return evening


def names(evening):
    return [each["name"] for each in evening.view["entries"]]


def test_the_next_stage_waits_and_says_by_name_for_whom(level):
    one, *others = names(level)
    said = level.refused({"do": "pair_round"})["detail"]
    assert all(name in said for name in others)
    assert one not in said
    assert "{" not in said
    assert [len(each) for each in level.view["stages"][0]["level"]] == [3]


def test_a_lot_is_recorded_with_its_number_and_told(level, house, owner):
    pages = Desk(house, owner, level)
    board = pages.get("/director")
    assert "Level on the qualifying line" in board
    assert "Draw a lot" in board
    assert "Final waits for a lot" in pages.get("/standings").replace("\n", " ")
    assert pages.send(do="seed", how="lot").status_code == 303
    level.read()
    parted = level.view["stages"][0]["parted"]
    assert (parted["how"], sorted(parted["order"])) == ("lot", sorted(each["id"] for each in level.view["entries"][1:]))
    assert level.view["stages"][0]["level"] == []
    assert f"by lot number {parted['lot']}" in pages.get("/standings")
    assert "Begin Final" in pages.get("/director")
    level.act({"do": "pair_round"})
    seeds = {each["seed"]: each["id"] for each in level.view["entries"] if each["seed"]}
    assert seeds[2] == parted["order"][0]


def test_the_director_writes_who_goes_first(level, house, owner):
    pages = Desk(house, owner, level)
    _, b, c, d = names(level)
    wrong = pages.send(do="seed", how="given", order=f"{d}\n{c}")
    assert wrong.status_code == 400
    assert b in wrong.text
    assert "{" not in wrong.text.split('role="alert"')[1].split("</p>")[0]
    assert pages.send(do="seed", how="given", order=f"{d}\n{c}\n{b}", reason="the house rule").status_code == 303
    level.act({"do": "pair_round"})
    seated = {side["name"] for each in level.round()["pairings"] for side in each["sides"]}
    assert seated == {names(level)[0], d}


def test_nobody_but_a_director_parts_them(level):
    level.refused({"do": "seed", "how": "lot", "lot": 3}, role="scorer", status=403, slug="forbidden")
