"""Rounds that are on side by side, over HTTP and on the pages of directors and players."""

import re

from tests.kit.service.asking import FORM
from tests.kit.service.club_evenings import Evening
from tests.service.api.test_tournaments import swiss
from tests.service.web.test_tournament_pages import Desk

DOUBLE = {"format": {"kind": "double"}, "game": "cross_game"}


def two_rounds_on(house):
    evening = Evening(house, [DOUBLE], players=8)
    evening.act({"do": "pair_round"})
    evening.play()
    evening.act({"do": "pair_round"})
    return evening


def report(evening, *fixtures):
    evening.act(*({"do": "report", "fixture": each, "winner": 0} for each in fixtures))


def test_winners_and_losers_are_on_at_once_each_with_clock_and_lock(house):
    evening = two_rounds_on(house)
    rounds = evening.view["rounds"]
    assert [(each["round"], each["title"], each["status"]) for each in rounds] == [
        (1, "Quarter-finals", "decided"),
        (2, "Semi-finals", "paired"),
        (3, "Losers bracket, round 1", "paired"),
    ]
    evening.act({"do": "start_round", "round": 2, "minutes": 20}, {"do": "start_round", "round": 3, "minutes": 40})
    assert [each["minutes"] for each in evening.view["rounds"]] == [None, 20, 40]
    report(evening, "L1.1", "L1.2")
    evening.act({"do": "lock_round", "round": 3})
    assert [each["status"] for each in evening.view["rounds"]] == ["decided", "on", "locked"]


def test_tables_that_are_added_stand_in_the_round_they_belong_to(house):
    evening = Evening(house, [{**DOUBLE, "format": {"kind": "single"}}], players=8)
    evening.act({"do": "pair_round"})
    report(evening, "W1.1", "W1.2")
    evening.act({"do": "pair_round"})
    assert [each["to_pair"] for each in evening.view["rounds"]] == [[], ["W2.2"]]
    report(evening, "W2.1")
    assert evening.view["rounds"][1]["status"] == "on", "a match of it is still to be paired"
    report(evening, "W1.3", "W1.4")
    (added,) = evening.act({"do": "pair_round"})["events"]
    assert (added["type"], added["data"]["round"], added["data"]["added"]) == ("RoundPaired", 2, True)
    match = evening.view["rounds"][1]["pairings"][1]["match"]
    assert house.get(f"/api/v1/matches/{match}").json()["status"] == "open"


def test_terms_say_that_a_round_waits_for_the_one_before(house):
    evening = Evening(house, [{**DOUBLE, "terms": {"rounds": "strict"}}], players=8)
    evening.act({"do": "pair_round"})
    report(evening, "W1.1", "W1.2")
    assert "round 1 is on" in evening.refused({"do": "pair_round"})["detail"]
    assert evening.view["stages"][0]["terms"]["rounds"] == "strict"


def test_pairing_again_when_nothing_is_ready_makes_nothing(house):
    evening = two_rounds_on(house)
    before = evening.view["rounds"]
    said = evening.refused({"do": "pair_round"})["detail"]
    assert said == "nothing more can be paired: nothing is decided yet at table 1, 2, 3, 4"
    evening.read()
    assert evening.view["rounds"] == before


def test_a_wrong_winner_is_put_right_in_both_brackets(house):
    evening = two_rounds_on(house)
    first = evening.view["rounds"][0]["pairings"][0]
    wrong = {"do": "report", "fixture": first["fixture"], "winner": 1 - first["winner"]}
    assert "W2.1, L1.1 were paired on the result of W1.1" in evening.refused(wrong, slug="window-closed")["detail"]
    evening.act({**wrong, "repair": "again"})
    winner, loser = (first["sides"][at]["entries"][0] for at in (wrong["winner"], first["winner"]))
    where = {
        each["fixture"]: {entry for side in each["sides"] for entry in side["entries"]}
        for at in evening.view["rounds"]
        for each in at["pairings"]
    }
    assert winner in where["W2.1"]
    assert loser in where["L1.1"]


def test_a_table_that_plays_on_is_opened_again_from_the_board(house, owner):
    evening = two_rounds_on(house)
    pages = Desk(house, owner, evening)
    asked = pages.send(do="retract", fixture="W1.1", stage="1")
    assert asked.status_code == 409
    assert "W2.1, L1.1 were paired on this result" in asked.text
    assert 'name="repair" value="again"' in asked.text
    match = next(each["match"] for each in evening.view["rounds"][1]["pairings"] if each["fixture"] == "W2.1")
    assert pages.send(do="retract", fixture="W1.1", stage="1", repair="again").status_code == 303
    evening.read()
    assert [each["to_pair"] for each in evening.view["rounds"]] == [[], ["W2.1"], ["L1.1"]]
    assert house.get(f"/api/v1/matches/{match}").json()["status"] == "void"


def test_a_late_comer_plays_whoever_has_the_bye(house):
    evening = Evening(house, [swiss(3)], players=5)
    evening.act({"do": "pair_round"})
    resting = evening.round()["byes"][0]["entry"]
    evening.act({"do": "enter", "players": [house.next_name()]}, {"do": "pair_round", "added": True})
    (round_,) = evening.view["rounds"]
    assert (len(round_["pairings"]), round_["byes"]) == (3, [])
    assert resting in {entry for side in round_["pairings"][2]["sides"] for entry in side["entries"]}


def test_the_pages_show_every_round_that_is_on(house, owner):
    evening = two_rounds_on(house)
    pages = Desk(house, owner, evening)
    text = pages.get()
    assert "round 2 (semi-finals)" in text.lower()
    assert "round 3 (losers bracket, round 1)" in text.lower()
    assert "round 1 (quarter-finals)</h2>" not in text.lower()
    board = pages.get("/director")
    assert "Rounds 2, 3: 4 of 4 tables still on" in board
    assert "Start round 2" in board
    report(evening, "W2.1", "W2.2", "L1.1")
    assert "Pair what is ready: 2 tables" in pages.get("/director"), "the final of the bracket, and L2.1"
    assert pages.send(do="pair_round").status_code == 303
    text = pages.get()
    assert "Still to be paired in this round: L2.2." in text.replace("\n", " ")
    entry = next(each for each in evening.read()["rounds"] if each["title"].endswith("round 2"))["pairings"][0]
    name, me = entry["sides"][0]["name"], entry["sides"][0]["entries"][0]
    assert f"Table {entry['table']} against" in pages.get(f"?me={me}"), name


def test_the_board_offers_tables_for_who_came_late(house, owner):
    evening = Evening(house, [swiss(3)], players=5)
    pages = Desk(house, owner, evening)
    evening.act({"do": "pair_round"})
    assert "Add tables" not in pages.get("/director")
    evening.act({"do": "enter", "players": [house.next_name()]})
    assert "Add tables for late entries" in pages.get("/director")
    assert pages.send(do="pair_round", added="true").status_code == 303
    assert re.search(r"Round 1: \d tables? added", pages.get("/log"))


def test_the_board_shows_a_contested_result_of_a_past_round(house, owner):
    evening = Evening(house, [{"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}], players=4)
    evening.act({"do": "pair_round"}, {"do": "report", "fixture": "W1.1", "score": [12, 25]})
    first = evening.view["rounds"][0]["pairings"][0]
    evening.act({"do": "report", "fixture": "W1.2", "score": [25, 12]}, {"do": "pair_round"})
    house.done(f"/api/v1/matches/{first['match']}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    evening.read()
    assert evening.view["rounds"][0]["pairings"][0]["contested"]
    board = Desk(house, owner, evening).get("/director")
    assert "⚑ contested:" in board
    assert "Rounds 1, 2:" in board


def test_the_form_of_a_new_tournament_asks_what_a_match_waits_for(house, owner):
    headers = {**owner, "Accept": "text/html", **FORM}
    given = {"name": "Cup", "template": "single", "game": "parity", "players": "Una\nDuo", "pace": "strict"}
    where = f"{house.path}/tournaments/new".removeprefix("/api/v1")
    made = house.client.post(where, data=given, headers=headers, follow_redirects=False)
    assert made.status_code == 303, made.text[:300]
    view = house.get(f"/api/v1{made.headers['location'].removesuffix('/director')}").json()
    assert view["stages"][0]["terms"]["rounds"] == "strict"
