"""Rulings over HTTP, and what follows from them in a tournament: match, bracket, standings and ratings agree, or the
result is contested."""

import pytest

from tests.kit.service.asking import House
from tests.service.api.test_claims_and_contests import LEFT, RIGHT, Night


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


def ruled(house, match, scores, role="director", **more):
    return house.done(f"{match}/rulings", {"code": "REV", "deal": 1, "scores": scores, **more}, role)


def previewed(house, match, body):
    answer = house.post(f"{match}/rulings/preview", body, "director")
    assert answer.status_code == 200, answer.text
    return answer.json()


def read(house, match):
    return house.get(match, "director").json()


def late(house, rounds=2, **stage):
    """A night whose second round was paired on the first match's result."""
    night = Night(house, "played", **stage)
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    night.evening.read()
    night.evening.play()
    night.evening.act({"do": "pair_round"})
    return night


def standings(house, night):
    return house.get(f"{night.evening.path}/standings").json()


def test_a_ruling_before_the_next_round_moves_match_result_and_places_together(house):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    assert night.first()["winner"] == 0
    asked = {"code": "REV", "deal": 1, "scores": [0, 15]}
    preview = previewed(house, night.match, asked)
    assert (preview["under"]["winner"], preview["winner_moves"], preview["contested"]) == (1, True, False)
    assert [each["what"] for each in preview["pairings"]] == ["stage 1, W1.1"]
    assert {each["after"] > each["before"] for each in preview["ratings"]} == {True, False}
    before = house.get(f"{night.evening.path}/events").text
    assert house.get(night.match).json()["version"] == preview["version"], "nothing was written"
    ruled(house, night.match, [0, 15])
    first = night.first()
    assert (first["winner"], first["score"], first["contested"]) == (1, [0, 15], None)
    assert read(house, night.match)["winner"] == 1
    after = house.get(f"{night.evening.path}/events").text
    assert after.startswith(before)
    (told,) = [line for line in after[len(before) :].splitlines() if "OutcomeReported" in line]
    assert f'"ruling":{read(house, night.match)["rulings"][0]["version"]}' in told


def test_a_ruling_after_the_next_round_was_paired_contests_the_result_everywhere(house):
    night = late(house)
    asked = {"code": "REV", "deal": 1, "scores": [0, 15]}
    preview = previewed(house, night.match, asked)
    assert preview["contested"]
    ways = {each["repair"]: each for each in preview["repairs"]}
    assert set(ways) == {"uphold", "keep", "again"}
    assert ways["keep"]["refused"]
    assert any("W2.1" in each["what"] for each in ways["again"]["pairings"])
    assert preview["ratings"] == [], "the result that stands counts until the director has chosen"
    ruled(house, night.match, [0, 15])
    first = night.first()
    version = read(house, night.match)["rulings"][0]["version"]
    assert (first["winner"], first["contested"]["winner"], first["contested"]["because"]) == (0, 1, "ruled")
    assert first["contested"]["ruling"] == version
    assert read(house, night.match)["contested"]
    assert standings(house, night)["provisional"]
    pages = [f"/tournaments/{night.evening.id}?round=1", f"/tournaments/{night.evening.id}/bracket"]
    for page in pages:
        assert "contested" in house.client.get(page).text, page
    night.evening.act({"do": "report", "fixture": "W1.1", "score": [0, 15], "repair": "again"})
    first = night.first()
    assert (first["winner"], first["contested"]) == (1, None)
    assert not read(house, night.match)["contested"]
    events = house.get(f"{night.evening.path}/events").text
    told = [line for line in events.splitlines() if "OutcomeReported" in line][-1]
    assert f'"ruling":{version},"repair":"again"' in told


def test_a_ruling_after_the_finish_contests_the_result(house):
    night = late(house)
    night.evening.play()
    night.evening.read()
    night.evening.act({"do": "finish"})
    ruled(house, night.match, [0, 15])
    assert night.first()["contested"]["winner"] == 1


def test_under_counts_confirmed_a_ruling_counts_by_itself(house):
    night = Night(house, "confirmed")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    assert night.first()["winner"] is None
    ruled(house, night.match, [0, 15])
    assert (night.first()["winner"], night.first()["score"]) == (1, [0, 15])


def test_a_ruling_that_opens_a_finished_match_takes_its_result_back(house):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    assert night.first()["winner"] == 0
    ruled(house, night.match, [0, 11])
    assert read(house, night.match)["status"] == "open"
    assert (night.first()["status"], night.first()["winner"]) == ("open", None)


def test_a_ruling_that_reopens_a_paired_on_match_contests_it(house):
    night = late(house)
    preview = previewed(house, night.match, {"code": "REV", "deal": 1, "scores": [0, 11]})
    assert {each["repair"] for each in preview["repairs"]} == {"uphold", "open-again"}
    ruled(house, night.match, [0, 11])
    first = night.first()
    assert (first["winner"], first["contested"]["winner"], first["contested"]["because"]) == (0, None, "reopened")


def test_two_directors_at_once_one_rules_and_the_other_is_told_who(house):
    match = house.match()
    house.done(f"{match}/results", {"entry": LEFT, "deal": 1})
    dee = house.done(f"{house.path}/players", {"name": "Dee"}, "owner")["id"]
    first = ruled(house, match, [0, 15], house.token("director", player=dee))
    body = {"code": "REV", "deal": 1, "remedy": "stands"}
    told = house.refused("POST", f"{match}/rulings", body, 409, "changed", "director")
    assert "Dee has ruled on deal 1" in told["detail"]
    stale = {**body, "expected_version": first["version"] - 1}
    told = house.refused("POST", f"{match}/rulings", stale, 409, "changed", "director")
    assert "Dee" in told["detail"]
    last = read(house, match)["rulings"][0]["version"]
    house.done(f"{match}/rulings", {**body, "supersedes": last}, "director")
    view = read(house, match)
    assert ([each["in_force"] for each in view["rulings"]], view["totals"]) == ([False, True], [21, 0])


def test_bad_rulings_are_refused(house):
    match = house.match()
    house.done(f"{match}/results", {"entry": LEFT, "deal": 1})
    good = {"code": "REV", "deal": 1}
    for body, status, slug in (
        ({**good, "scores": [-1, 0]}, 400, "malformed"),
        ({**good, "scores": [0, 26]}, 400, "malformed"),
        ({**good, "scores": [0]}, 400, "malformed"),
        ({**good, "scores": [12, 12]}, 409, "confirm-needed"),
        ({**good, "scores": [0, 15], "at": 999}, 409, "misfit"),
        ({**good, "scores": [0, 15], "findings": [{"code": "REV", "at": 999}]}, 409, "misfit"),
        ({**good, "procedural": [1, 0]}, 400, "malformed"),
        ({**good, "deal": 7, "scores": [0, 15]}, 409, "misfit"),
        ({**good, "code": "revoke"}, 400, "malformed"),
    ):
        house.refused("POST", f"{match}/rulings", body, status, slug, "director")
    for role in ("scorer", "player"):
        house.refused("POST", f"{match}/rulings", {**good, "scores": [0, 15]}, 403, "forbidden", role)
        assert house.get(f"{match}/remedies?deal=1&code=REV", role).status_code == 403
    assert read(house, match)["rulings"] == []


def test_remedies_side_by_side(house):
    match = house.match("cross_game")
    house.done(f"{match}/results", {"entry": {"bidder": 0, "bid": 2, "cross_points": [3, 0]}, "deal": 1})
    seen = house.get(f"{match}/remedies?deal=1&code=REV", "director").json()
    keys = {each["key"]: each for each in seen["remedies"]}
    assert {"trick-with-points", "equity", "stands", "procedural", "assigned", "split", "void"} == set(keys)
    assert keys["trick-with-points"]["missing"]
    assert keys["stands"]["race"]["totals"] == [3, 0]
    assert keys["void"]["race"]["totals"] == [0, 0]
    assert (seen["title"], seen["least"], seen["now"]["totals"]) == ("Revoke", -3, [3, 0])
    house.refused("GET", f"{match}/equity?deal=1&at=3", None, 409, "misfit", "director")


def test_a_side_accepts_by_its_own_player(house):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": RIGHT, "deal": 1})
    ruled(house, night.match, [15, 0], exceptional=True, reason="as agreed")
    night.first()  # the tournament has heard of it
    house.refused("POST", f"{night.match}/acceptances", {"deal": 1, "side": 0}, 403, "forbidden", night.sides[1])
    house.done(f"{night.match}/acceptances", {"deal": 1, "side": 1}, night.sides[1])
    assert read(house, night.match)["rulings"][0]["accepted"] == [1]


def test_a_ruling_that_ends_a_match_earlier_ignores_later_deals(house):
    night = Night(house, "played", race={"target": 40})
    for deal, tricks in enumerate(([9, 6], [9, 6], [6, 9]), start=1):
        house.done(f"{night.match}/results", {"entry": {"parity": "odd", "tricks": tricks}, "deal": deal})
    assert (night.first()["winner"], read(house, night.match)["totals"]) == (None, [38, 19])
    preview = previewed(house, night.match, {"code": "REV", "deal": 1, "scores": [25, 0]})
    assert (preview["under"]["totals"], preview["under"]["winner"]) == ([44, 0], 0)
    ruled(house, night.match, [25, 0])
    view, first = read(house, night.match), night.first()
    assert (view["totals"], view["winner"], len(view["deals"])) == ([44, 0], 0, 3)
    assert (first["winner"], first["score"], first["contested"]) == (0, [44, 0], None)


def test_a_ruling_on_a_game_changes_the_best_of_three_too(house):
    night = Night(house, "played", race={"target": 15, "best_of": 3})
    for deal in (1, 2):
        house.done(f"{night.match}/results", {"entry": LEFT, "deal": deal})
    first = night.first()
    assert (first["winner"], read(house, night.match)["winner"]) == (0, 0)
    preview = previewed(house, night.match, {"code": "REV", "deal": 1, "scores": [0, 15]})
    assert (preview["under"]["finished"], preview["winner_moves"]) == (False, True)
    ruled(house, night.match, [0, 15])
    view = read(house, night.match)
    assert ([game["winner"] for game in view["games"]], view["status"]) == ([1, 0], "open")
    assert (night.first()["status"], night.first()["winner"]) == ("open", None)
    house.done(f"{night.match}/results", {"entry": RIGHT, "deal": 3})
    assert (night.first()["winner"], read(house, night.match)["winner"]) == (1, 1)
