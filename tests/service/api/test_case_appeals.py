"""Appeals over HTTP, erasure while a case is open, corrections while it is heard, and who is told that one began."""

import json
from datetime import datetime, timedelta

import pytest

from domain.log.decider import decided
from domain.match import commands as c
from service.desk.cases.around import around_of
from service.desk.moments import moment_of
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.steward.disputes import Disputes
from service.store.ids import now
from service.store.log import By
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.service.asking import House, a_problem, first_of_stream
from tests.kit.service.case_scene import RESULT, CaseScene
from tests.kit.service.leaving import erase, foreseen


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@pytest.fixture
def scene(house):
    return CaseScene(house)


@pytest.fixture
def ruled(scene):
    scene.case = scene.call()
    scene.ruling = scene.rule()
    return scene


def appeal(scene, role, **more):
    return scene.step(scene.case, "appeals", role, ruling=scene.ruling, grounds="The rule is another.", **more)


def test_a_side_appeals_and_a_panel_decides_that_has_not_ruled(ruled):
    version = appeal(ruled, ruled.as_annie)["version"]
    (row,) = ruled.house.get(f"{ruled.house.path}/cases", ruled.as_dirk).json()["items"]
    assert row["state"] == "open"
    decision = {"outcome": "changed", "grounds": "Two tricks, not one."}
    where = f"appeals/{version}/decision"
    ruled.refused(ruled.case, where, ruled.as_dora, 403, "recused", panel=[ruled.dirk], **decision)
    ruled.refused(ruled.case, where, ruled.as_dirk, 403, "recused", panel=[ruled.dora], **decision)
    ruled.refused(ruled.case, where, ruled.as_benny, 403, "forbidden", panel=[ruled.dirk], **decision)
    ruled.step(ruled.case, where, ruled.as_dirk, panel=[ruled.dirk], **decision)
    told = ruled.read(ruled.case, ruled.as_benny)
    (found,) = told["view"]["appeals"]
    assert (found["outcome"], found["panel"]) == ("changed", [ruled.dirk])
    assert "Two tricks, not one." in told["words"].values()


def test_an_appeal_on_a_closed_case_is_in_the_queue(ruled):
    ruled.step(ruled.case, "close", ruled.as_dora, ended="ruled")
    appeal(ruled, ruled.as_annie)
    (row,) = ruled.house.get(f"{ruled.house.path}/cases", ruled.as_dirk).json()["items"]
    assert row["state"] == "appeal"


def test_a_second_appeal_and_one_against_no_ruling_are_refused(ruled):
    ruled.refused(ruled.case, "appeals", ruled.as_annie, 409, "misfit", ruling=1)
    ruled.refused(ruled.case, "appeals", ruled.as_annie, 403, "forbidden", ruling=ruled.ruling, side=1)
    ruled.refused(ruled.case, "appeals", ruled.as_annie, 409, "misfit", ruling=ruled.ruling, match=ruled.case[-36:])
    appeal(ruled, ruled.as_annie)
    ruled.refused(ruled.case, "appeals", ruled.as_annie, 409, "misfit", ruling=ruled.ruling)


def test_a_case_names_its_ruler_its_times_and_who_may_hear_it(ruled):
    async def act(pool):
        streams = Streams(pool)
        loaded = await streams.case(ruled.case.rpartition("/")[2])
        return await around_of(streams, loaded, now(), ())

    around = with_pool(ruled.house.database, act)
    (found,) = around.rulings
    assert (found.version, found.person, found.deal, found.late) == (ruled.ruling, ruled.dora, 1, False)
    assert ruled.dirk in around.hearers
    assert ruled.dora not in around.hearers
    assert not {ruled.annie, ruled.benny} & set(around.hearers)


def test_the_deals_of_an_open_case_are_heard_and_others_are_not(scene):
    scene.house.done(f"{scene.path}/results", {"entry": RESULT})

    def heard():
        async def act(pool):
            streams = Streams(pool)
            return (await moment_of(streams, await streams.match(scene.match), now())).heard

        return with_pool(scene.house.database, act)

    assert heard() == frozenset()
    case = scene.call(deal=1)
    assert heard() == {1}
    scene.call(matter="slow")
    assert heard() == {1}
    scene.step(case, "close", scene.as_dora, ended="stands")
    assert heard() == frozenset()
    scene.house.done(f"{scene.path}/disputes", {"side": 0, "reason": "All of it."}, scene.as_annie)

    async def act(pool):
        await Disputes(Recorder(Streams(pool))).catch_up(scene.house.id)

    with_pool(scene.house.database, act)
    assert heard() == {1, 2}


def test_an_open_case_prevents_erasure_and_is_named(scene):
    case = scene.call()
    scene.step(case, "statements", scene.as_annie, words="Words of Annie's.")
    path = f"{scene.house.path}/players/{scene.annie}/erasure"
    assert foreseen(scene.house, scene.annie)["disputed"] == [{"stream": case.rpartition("/")[2], "kind": "case"}]
    problem = scene.house.refused("POST", path, {"reason": "asked"}, 409, "misfit", "secretary")
    assert case.rpartition("/")[2] in problem["detail"]
    scene.step(case, "close", scene.as_dora, ended="stands")
    erase(scene.house, scene.annie)
    left = scene.house.log.execute(
        "select count(*) from private where club_id = %s and data like %s", [scene.house.id, "%Words of Annie%"]
    )
    assert left.fetchone()[0] == 0
    told = scene.read(case, scene.as_dora)
    assert "Words of Annie" not in str(told)
    assert told["words"] == {}


def test_statements_of_others_stay_theirs(scene):
    case = scene.call(role=scene.as_benny)
    scene.step(case, "statements", scene.as_benny, words="Words of Benny's.")
    scene.step(case, "statements", scene.as_annie, words="Words of Annie's.")
    scene.step(case, "close", scene.as_dora, ended="stands")
    erase(scene.house, scene.annie)
    told = str(scene.read(case, scene.as_dora))
    assert "Words of Benny's." in told
    assert "Words of Annie's." not in told


def test_directors_hear_at_once_that_a_case_began_and_nobody_else(scene, client):
    path = f"{scene.house.path}/cases"
    accept = {"Accept": "text/event-stream"}
    for role in ("spectator", scene.as_annie, "scorer"):
        a_problem(scene.house.ask("GET", path, role=role, headers=accept), 403, "forbidden")

    headers = {**scene.house.bearer(scene.as_dora), **accept}
    status, _, got = first_of_stream(client, path, headers, b'"matter":"call"', wait=60, then=scene.call)
    assert status == 200
    assert [json.loads(each[6:])["items"] == [] for each in got.decode().splitlines() if each.startswith("data: ")] == [
        True,
        False,
    ]


def test_a_view_at_two_earlier_positions_is_the_view_of_then(ruled):
    told = ruled.read(ruled.case, ruled.as_dora)
    at = told["view"]["at"]
    where = f"?open={told['open']}&closed={told['closed']}&at={at}"
    appeal(ruled, ruled.as_annie)
    ruled.step(ruled.case, "statements", ruled.as_annie, words="And another thing.")
    ruled.house.done(f"{ruled.path}/results", {"entry": RESULT, "deal": 2})
    assert ruled.read(ruled.case, ruled.as_dora, where)["view"] == told["view"]
    assert ruled.read(ruled.case, ruled.as_dora)["view"] != told["view"]


def test_the_club_says_how_long_a_statement_stays_sealed(scene):
    scene.house.done(f"{scene.house.path}/settings", {"statement_minutes": 12}, "secretary")
    case = scene.call()
    scene.step(case, "statements", scene.as_annie, words="He had the ten.")
    view = scene.read(case, scene.as_dora)["view"]
    said, opens = view["statements"]["said"][0]["at"], view["statements"]["opens_at"]
    assert datetime.fromisoformat(opens) - datetime.fromisoformat(said) == timedelta(minutes=12)
    for minutes in (-1, 61):
        scene.house.refused(
            "POST", f"{scene.house.path}/settings", {"statement_minutes": minutes}, 400, "malformed", "secretary"
        )


def test_the_ruler_cannot_replace_a_ruling_under_appeal_in_a_closed_case(ruled):
    ruled.step(ruled.case, "close", ruled.as_dora, ended="ruled")
    appeal(ruled, ruled.as_annie)
    other = ruled.call(role=ruled.as_benny)
    for more in ({}, {"case": other.rpartition("/")[2]}):
        again = {"deal": 1, "code": "REV", "remedy": "assigned", "scores": [20, 0], "reason": "r", **more}
        again["supersedes"] = ruled.ruling
        told = ruled.house.refused("POST", f"{ruled.path}/rulings", again, 409, "misfit", ruled.as_dora)
        assert "an appeal is about this ruling" in told["detail"]


def test_one_ruling_is_not_appealed_against_in_two_cases(ruled):
    ruled.step(ruled.case, "close", ruled.as_dora, ended="ruled")
    appeal(ruled, ruled.as_annie)
    other = ruled.call(role=ruled.as_annie)
    ruled.refused(other, "appeals", ruled.as_annie, 409, "misfit", ruling=ruled.ruling, grounds="Twice.")


def test_a_decision_applies_to_a_ruling_replaced_while_the_appeal_was_lodged(ruled):
    at = ruled.house.get(ruled.path).json()["version"]
    version = appeal(ruled, ruled.as_annie)["version"]
    ruled.with_recorder(lambda recorder: _ruled_again(recorder, ruled))
    ruled.step(ruled.case, f"appeals/{version}/decision", ruled.as_dirk, outcome="changed", panel=[ruled.dirk])
    ruling = {"deal": 1, "code": "REV", "remedy": "assigned", "scores": [11, 0], "reason": "r", "instance": 2}
    last = next(
        each["version"]
        for each in ruled.read(ruled.case, ruled.as_dirk)["view"]["rulings"]
        if each["in_force"] and each["version"] > at
    )
    where = {"supersedes": last, "case": ruled.case.rpartition("/")[2]}
    ruled.house.done(f"{ruled.path}/rulings", ruling | where, ruled.as_dirk)
    ruled.step(ruled.case, "close", ruled.as_dirk, ended="ruled")


async def _ruled_again(recorder, scene):
    """A ruling appended as a process does that has not seen the appeal."""
    loaded = await recorder.streams.match(scene.match)
    rule = c.Rule(code="REV", deal=1, scores=(20, 0), note="r", supersedes=scene.ruling)
    request = own_request(By(scene.dora, "director"))
    news, _ = decided(loaded.kind.decide, loaded.state, rule, request.actor.within(loaded.club))
    await recorder._append(loaded, news, request)


def test_whoever_stepped_back_from_a_case_corrects_nothing_of_its_deal(scene):
    scene.case = scene.call()
    scene.step(scene.case, "recusals", scene.as_dora, person=scene.dora, because="asked")
    right = {"version": 3, "now": {"parity": "even", "tricks": [7, 8]}, "reason": "Seven and eight."}
    scene.house.refused("POST", f"{scene.path}/corrections", right, 403, "recused", scene.as_dora)
    scene.house.refused("POST", f"{scene.path}/undo", {}, 403, "recused", scene.as_dora)
    scene.house.done(f"{scene.path}/corrections", right, scene.as_dirk)
    (words,) = scene.read(scene.case, scene.as_annie)["match_words"].values()
    assert list(words.values()) == ["Seven and eight."]


def test_a_record_that_time_has_sealed_is_not_disputed(client, scene):
    house, asked = scene.house, {"deal": 1, "side": 0, "reason": "Late."}
    path = house.match(sides=[[{"id": scene.annie}], [{"id": scene.benny}]], target=5)
    house.done(f"{path}/results", {"entry": RESULT})
    recorder = client.app.state.services.recorder
    usual, recorder.clock = recorder.clock, lambda: now() + timedelta(days=60)
    try:
        house.refused("POST", f"{path}/disputes", asked, 409, "window-closed", scene.as_annie)
        house.refused("POST", f"{path}/disputes", asked | {"deal": None}, 409, "window-closed", scene.as_annie)
    finally:
        recorder.clock = usual
