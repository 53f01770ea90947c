"""Deals that are closed to whoever writes, over HTTP: an appeal one second late, a deal about which a case is heard, a
proposal that the table's own time has left behind, an insertion that leaves ten later facts without a place."""

from datetime import datetime, timedelta

import pytest

from tests.kit.service.asking import House, at, later
from tests.kit.service.case_scene import RESULT, CaseScene
from tests.kit.service.people import Phone

OTHER = {"parity": "even", "tricks": [7, 8]}
RULED = {"code": "REV", "deal": 1, "scores": [0, 20], "reason": "It was a revoke."}


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@pytest.fixture
def scene(house):
    return CaseScene(house)


def pass_of(seat):
    return {"seat": seat, "do": "pass"}


def card(seat, code):
    return {"seat": seat, "do": "play", "card": code}


def test_an_appeal_is_accepted_up_to_the_last_second(scene, client):
    sides = [[{"id": scene.annie}], [{"id": scene.benny}]]
    scene.path = scene.house.match(sides=sides, target=15)
    scene.house.done(f"{scene.path}/results", {"entry": RESULT})
    case = scene.call()
    with later(client, minutes=15):
        scene.house.done(f"{scene.path}/rulings", RULED, scene.as_dora)
        (ruling,) = scene.read(case, scene.as_annie)["view"]["rulings"]
    until = datetime.fromisoformat(ruling["appeal_until"])
    asked = {"ruling": ruling["version"], "grounds": "The rule is another."}
    with at(client, until + timedelta(seconds=1)):
        problem = scene.refused(case, "appeals", scene.as_annie, 409, "window-closed", **asked)
    assert "within 30 minutes" in problem["detail"]
    assert scene.read(case, scene.as_dora)["view"]["appeals"] == []
    with at(client, until):
        scene.step(case, "appeals", scene.as_annie, **asked)


def test_only_the_director_corrects_a_deal_with_an_open_case(scene):
    case, house = scene.call(deal=1), scene.house
    wrong = {"version": 3, "now": OTHER, "reason": "misread"}
    tried = [(what, "scorer") for what in ("corrections", "proposals", "undo", "void-deal")]
    for what, role in (*tried, ("proposals", scene.as_annie)):
        body = wrong if what in ("corrections", "proposals") else {}
        problem = house.refused("POST", f"{scene.path}/{what}", body, 409, "window-closed", role)
        assert problem["detail"] == "a case about deal 1 is heard: the director can change it"
    house.refused("POST", f"{scene.path}/corrections/preview", wrong, 409, "window-closed")
    assert house.post(f"{scene.path}/corrections/preview", wrong, scene.as_dora).json()["how"] == "correct"
    house.done(f"{scene.path}/corrections", wrong, scene.as_dora)
    view = house.get(scene.path).json()
    assert view["deals"][0]["result"]["scores"] == [0, 18], "the director's correction counts"
    scene.step(case, "close", scene.as_dora, ended="corrected")
    house.done(f"{scene.path}/corrections", {"version": 4, "now": RESULT, "reason": "it was right"})


def test_a_case_about_another_deal_closes_none(scene):
    scene.house.done(f"{scene.path}/results", {"entry": RESULT})
    scene.call(deal=1)
    last = scene.house.get(scene.path).json()["deals"][1]["entry_version"]
    scene.house.done(f"{scene.path}/corrections", {"version": last, "now": OTHER, "reason": "misread"})


def test_under_a_silent_policy_no_refusal_tells_that_a_case_is_heard(scene):
    sides = [[{"id": scene.annie}], [{"id": scene.benny}]]
    scene.path = scene.house.match(sides=sides, signals="silent")
    scene.house.done(f"{scene.path}/results", {"entry": RESULT})
    scene.call(role=scene.as_dora, matter="finding", deal=1)
    scene.house.done(f"{scene.path}/corrections", {"version": 3, "now": OTHER, "reason": "misread"})


def test_a_proposal_that_is_answered_after_t1_waits_for_the_director(scene):
    house = scene.house
    house.done(f"{scene.path}/confirmations", {"deal": 1, "side": 1})
    asked = {"version": 3, "now": OTHER, "reason": "misread"}
    proposal = house.done(f"{scene.path}/proposals", asked, scene.as_annie)["version"]
    house.done(f"{scene.path}/results", {"entry": RESULT})  # the next deal's first word ends T1
    answer = f"{scene.path}/proposals/{proposal}/answer"
    problem = house.refused("POST", answer, {"yes": True}, 409, "window-closed", scene.as_benny)
    assert "the proposal waits for the director" in problem["detail"]
    before = house.position()
    page = scene.path.removeprefix("/api/v1")
    told = Phone(house, scene.benny).post(f"{page}/answer", proposal=proposal, yes=1)
    assert (told.status_code, "the proposal waits for the director" in told.text) == (409, True)
    assert house.position() == before
    assert [each["waits"] for each in house.get(scene.path).json()["proposals"]] == ["director"]
    house.done(answer, {"yes": True}, scene.as_dora)
    view = house.get(scene.path).json()
    assert (view["deals"][0]["result"]["scores"], view["proposals"]) == ([0, 18], [])


def test_only_a_director_inserts_what_displaces_ten_later_facts(scene):
    house = scene.house
    path = house.match("cross_game", sides=[[{"id": scene.annie}], [{"id": scene.benny}]])
    house.done(f"{path}/deals", {"dealer": 1})
    house.done(f"{path}/facts", {"facts": [pass_of(0), {"seat": 1, "do": "bid", "bid": 1}]})
    plays = ["HA", "HK", "HQ", "HJ", "CA", "CK", "CQ", "CJ", "DA"]
    house.done(f"{path}/facts", {"facts": [card(1 - n % 2, each) for n, each in enumerate(plays)], "it_happened": True})
    body = {"version": 3, "now": pass_of(1), "insert": True, "reason": "he passed"}
    before = house.get(path, "director").json()
    lost = house.refused("POST", f"{path}/corrections", body, 409, "misfit")["misfits"]
    assert lost == list(range(4, 14)), "ten facts, by their versions"
    assert house.post(f"{path}/corrections/preview", body, "director").json()["preview"]["misfits"] == lost
    asked = house.refused("POST", f"{path}/corrections", body, 409, "confirm-needed", "director")
    assert asked["accepts"] == 10
    house.refused("POST", f"{path}/corrections", {**body, "accepts": 9}, 409, "confirm-needed", "director")
    assert house.get(path, "director").json()["table"] == before["table"]
    done = house.done(f"{path}/corrections", {**body, "accepts": 10}, "director")
    inserted = done["match"]["version"]
    house.done(f"{path}/corrections", {"version": inserted, "now": None, "reason": "he did not"}, "director")
    assert house.get(path, "director").json()["table"] == before["table"], "taken out again, all ten fit as they did"
