"""Rulings in a case, over HTTP: who rules there, which case a ruling names, and the decision on an appeal."""

import json

import pytest

from domain.club.commands import GrantRole
from service.desk.requests import own_request
from service.store.kinds import CLUB
from tests.kit.service.asking import House
from tests.kit.service.case_scene import BY, RESULT, CaseScene


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@pytest.fixture
def scene(house):
    return CaseScene(house)


def body(**more):
    return {"code": "REV", "deal": 1, "scores": [0, 20], "reason": "It was a revoke.", **more}


def rule(scene, role, **more):
    """A ruling over HTTP; as the match says it."""
    scene.house.done(f"{scene.path}/rulings", body(**more), role)
    return last(scene)


def refused(scene, role, status, slug, **more):
    return scene.house.refused("POST", f"{scene.path}/rulings", body(**more), status, slug, role)


def last(scene):
    return scene.house.get(scene.path, "director").json()["rulings"][-1]


def case_of(scene):
    lines = map(json.loads, scene.house.get(f"{scene.path}/events", scene.as_dora).text.splitlines())
    return [each["data"].get("case") for each in lines if each["type"] == "RulingMade"]


def id_of(case):
    return case.rpartition("/")[2]


def test_a_ruling_names_its_case(scene):
    case = scene.call()
    rule(scene, scene.as_dora, case=id_of(case))
    assert case_of(scene) == [id_of(case)]
    (made,) = scene.read(case, scene.as_dirk)["view"]["rulings"]
    assert (made["case"], made["actor"]) == (id_of(case), scene.dora)


def test_a_ruling_joins_the_only_open_case_about_its_deal(scene):
    rule(scene, scene.as_dora)
    case = scene.call()
    rule(scene, scene.as_dora, supersedes=last(scene)["version"])
    assert case_of(scene) == [None, id_of(case)]


def test_of_two_open_cases_about_a_deal_none_is_meant(scene):
    scene.call()
    scene.call(matter="slow")
    rule(scene, scene.as_dora)
    assert case_of(scene) == [None]


def test_a_case_about_another_match_or_deal_is_not_there(scene):
    scene.house.done(f"{scene.path}/results", {"entry": RESULT})
    first = scene.path
    scene.path = scene.house.match(sides=[[{"id": scene.annie}], [{"id": scene.benny}]])
    scene.house.done(f"{scene.path}/results", {"entry": RESULT})
    other = scene.call()
    scene.path = first
    second = scene.call(deal=2)
    nowhere = "00000000-0000-4000-8000-000000000000"
    answers = [refused(scene, scene.as_dora, 404, "not-found", case=id_of(each)) for each in (other, second, nowhere)]
    assert len({each["detail"] for each in answers}) == 1
    players = [refused(scene, scene.as_annie, 403, "forbidden", case=each) for each in (id_of(second), nowhere)]
    assert players[0] == players[1], "a player learns whether there is a case"


def test_nobody_rules_in_a_case_that_is_closed(scene):
    case = scene.call()
    scene.step(case, "close", scene.as_dora, ended="stands")
    refused(scene, scene.as_dora, 409, "misfit", case=id_of(case))


def test_who_stepped_back_from_a_case_does_not_rule_on_its_deal(scene):
    case = scene.call()
    scene.step(case, "recusals", scene.as_dora, person=scene.dora, because="asked")
    refused(scene, scene.as_dora, 403, "recused", case=id_of(case))
    refused(scene, scene.as_dora, 403, "recused")
    rule(scene, scene.as_dirk)


def test_who_was_not_named_to_rule_is_told_who_was(scene):
    case = scene.call()
    scene.step(case, "ruler", scene.as_dora, person=scene.dirk)
    assert "somebody else was named" in refused(scene, scene.as_dora, 409, "changed")["detail"]
    assert rule(scene, scene.as_dirk)["instance"] == 1


def test_whom_the_secretary_named_rules_without_being_a_director(scene):
    sara, wes = scene.person(), scene.person()
    grant = GrantRole(sara, "secretary")
    scene.with_recorder(lambda recorder: recorder.on_stream(scene.house.id, CLUB, grant, own_request(BY)))
    as_wes = scene.token("player", wes)
    case = scene.call()
    refused(scene, as_wes, 403, "forbidden", case=id_of(case))
    scene.step(case, "ruler", scene.token("secretary", sara), person=wes)
    rule(scene, as_wes, case=id_of(case))
    (made,) = scene.read(case, scene.as_dirk)["view"]["rulings"]
    assert made["actor"] == wes


@pytest.fixture
def changed(scene):
    """An appeal that Dirk has decided: the ruling of Dora's is to be another one."""
    scene.case = scene.call()
    scene.ruling = rule(scene, scene.as_dora)["version"]
    appeal = scene.step(scene.case, "appeals", scene.as_annie, ruling=scene.ruling, grounds="Two tricks.")["version"]
    scene.appeal = appeal
    return scene


def heard(scene, outcome="changed"):
    where = f"appeals/{scene.appeal}/decision"
    scene.step(scene.case, where, scene.as_dirk, panel=[scene.dirk], outcome=outcome, grounds="Two tricks.")


def test_a_different_director_rules_on_an_appeal(changed):
    scene = changed
    decision = {"case": id_of(scene.case), "supersedes": scene.ruling, "scores": [0, 22]}
    refused(scene, scene.as_dirk, 409, "misfit", instance=2, **decision)
    heard(scene)
    (appeal,) = scene.read(scene.case, scene.as_annie)["view"]["appeals"]
    assert (appeal["owed"], appeal["made"]) == (True, None)
    (row,) = scene.house.get(f"{scene.house.path}/cases", scene.as_dirk).json()["items"]
    assert row["owed"]
    assert scene.refused(scene.case, "close", scene.as_dirk, 409, "misfit", ended="ruled")
    refused(scene, scene.as_dora, 403, "recused", instance=2, **decision)
    refused(scene, scene.as_dirk, 409, "misfit", instance=1, **decision)
    made = rule(scene, scene.as_dirk, instance=2, **decision)
    assert (made["instance"], made["scores"], made["supersedes"]) == (2, [0, 22], scene.ruling)
    (appeal,) = scene.read(scene.case, scene.as_annie)["view"]["appeals"]
    assert (appeal["owed"], appeal["made"]) == (False, made["version"])
    (row,) = scene.house.get(f"{scene.house.path}/cases", scene.as_dirk).json()["items"]
    assert not row["owed"]
    refused(scene, scene.as_dirk, 409, "misfit", supersedes=made["version"])
    scene.step(scene.case, "close", scene.as_dirk, ended="ruled")


def test_while_an_appeal_waits_nobody_rules_in_the_place_of_its_ruling(changed):
    refused(changed, changed.as_dora, 409, "misfit", supersedes=changed.ruling)
    heard(changed, "stands")
    refused(changed, changed.as_dirk, 409, "misfit", supersedes=changed.ruling, instance=2)


def test_the_decision_on_an_appeal_in_a_closed_case_is_still_ruled(scene):
    scene.case = scene.call()
    scene.ruling = rule(scene, scene.as_dora)["version"]
    scene.step(scene.case, "close", scene.as_dora, ended="ruled")
    scene.appeal = scene.step(scene.case, "appeals", scene.as_annie, ruling=scene.ruling)["version"]
    heard(scene)
    (row,) = scene.house.get(f"{scene.house.path}/cases", scene.as_dirk).json()["items"]
    assert (row["state"], row["owed"]) == ("appeal", True)
    made = rule(scene, scene.as_dirk, instance=2, case=id_of(scene.case), supersedes=scene.ruling)
    assert made["instance"] == 2
    (row,) = scene.house.get(f"{scene.house.path}/cases", scene.as_dirk).json()["items"]
    assert (row["state"], row["owed"]) == ("closed", False)


def test_a_decision_on_appeal_names_its_case_and_ruling(scene):
    refused(scene, scene.as_dora, 400, "malformed", instance=2)
    refused(scene, scene.as_dora, 400, "malformed", instance=3)
    refused(scene, scene.as_dora, 400, "malformed", case="x")


def doubts(scene):
    """What everybody is told of the result: in the match, and in the club's list."""
    (row,) = scene.house.get(f"{scene.house.path}/matches", "spectator").json()["items"]
    said = scene.house.get(scene.path, "spectator").json()["doubt"]
    assert said == row["doubt"]
    word = {"disputed": "result not yet final"}.get(said, said)
    for page in ("/", f"/clubs/{scene.house.id}", f"/matches/{scene.match}"):
        shown = scene.house.client.get(page).text
        if page == "/":  # the clubs of other tests are there too
            shown = shown[shown.index(f"/matches/{scene.match}") :].partition("</li>")[0]
        assert word is None or f"⚑ {word}" in shown, page
        assert word is not None or "⚑" not in shown, page
    return said


def test_that_a_result_is_under_appeal_is_told_wherever_it_is_shown(changed):
    assert doubts(changed) == "under appeal"
    heard(changed, "stands")
    assert doubts(changed) is None


def test_that_a_result_is_disputed_is_told_wherever_it_is_shown(scene):
    assert doubts(scene) is None
    scene.house.done(f"{scene.path}/disputes", {"deal": 1, "side": 0, "reason": "Ten!"}, scene.as_annie)
    assert doubts(scene) == "disputed"
