"""A dispute has its case, once: after a crash between, with two services at once, beside a call that is heard."""

import asyncio

import pytest

from domain.match import commands as mc
from service.desk.recording import Recorder
from service.desk.requests import BusyError, own_request
from service.steward.disputes import Disputes
from service.store import cases
from service.store.log import By
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.faults.processes import until
from tests.kit.service.asking import House
from tests.kit.service.case_scene import CaseScene


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@pytest.fixture
def scene(house):
    return CaseScene(house)


def caught_up(scene, services=1):
    """Let new services catch up at the same time; return the cases of the match."""

    async def act(pool):
        recorders = [Recorder(Streams(pool)) for _ in range(services)]
        await asyncio.gather(*(Disputes(each).catch_up(scene.house.id) for each in recorders))
        found = await cases.about_match(pool, scene.house.id, scene.match)
        return [(await recorders[0].streams.case(each)).state for each in found]

    return with_pool(scene.house.database, act)


def disputes(scene, side=0, deal=1, reason="Eleven? Ten!"):
    scene.house.done(
        f"{scene.path}/disputes", {"deal": deal, "side": side, "reason": reason}, (scene.as_annie, scene.as_benny)[side]
    )


def test_a_dispute_opens_one_case_with_its_words_and_person(scene):
    disputes(scene)
    (case,) = caught_up(scene)
    (call,) = case.calls
    assert (call.matter, call.side, call.person, call.place.deal) == ("dispute", 0, scene.annie, 1)
    assert call.dispute is not None
    assert caught_up(scene) == [case]
    (row,) = scene.house.get(f"{scene.house.path}/cases", scene.as_dora).json()["items"]
    assert row["disputed"] is True
    told = scene.read(scene.at(row["id"]), scene.as_dora)
    assert told["words"] == {"1": "Eleven? Ten!"}
    assert "Ten!" not in str(scene.read(scene.at(row["id"]), scene.as_benny))


@pytest.fixture
def often_noted(monkeypatch):
    """It is noted after every event how far disputes have their cases, not after a thousand."""
    monkeypatch.setattr("service.steward.disputes.FAR", 1)


@pytest.fixture
def looked_at(monkeypatch, scene):
    """The disputes that were looked at, by the versions at which they began. The service that runs beside looks at
    none meanwhile: what it had noted nobody would look at again."""
    found, asked = [], cases.disputes

    async def disputes_between(pool, *given):
        rows = await asked(pool, *given)
        found.extend(each.version for each in rows)
        return rows

    async def waits(club):
        return None

    monkeypatch.setattr(scene.house.client.app.state.services.steward, "catch_up", waits)
    monkeypatch.setattr(cases, "disputes", disputes_between)
    return found


def test_a_later_service_skips_disputes_that_have_a_case(scene, often_noted, looked_at):
    disputes(scene)
    (case,) = caught_up(scene)
    first = len(looked_at)
    assert first
    assert caught_up(scene) == [case]
    assert len(looked_at) == first
    disputes(scene, 1)
    (both,) = caught_up(scene)
    assert [each.side for each in both.calls] == [0, 1]
    assert len(looked_at) == first + 1


def test_a_case_that_could_not_be_opened_is_opened_later(scene, often_noted, looked_at, monkeypatch):
    async def busy(*given):
        raise BusyError("case")

    with monkeypatch.context() as patch:
        patch.setattr("service.steward.disputes.heard", busy)
        disputes(scene)
        assert caught_up(scene) == []
    (case,) = caught_up(scene)
    assert case.is_open
    assert len(looked_at) >= 2


def test_a_case_that_could_not_be_closed_is_closed_later(scene, often_noted, monkeypatch):
    disputes(scene)
    caught_up(scene)

    async def closed(self, club, loaded):
        return False

    with monkeypatch.context() as patch:
        patch.setattr("service.steward.settlements.Settlements._closed", closed)
        scene.house.done(f"{scene.path}/settlements", {"how": "withdrawn"}, scene.as_annie)
        assert [each.is_open for each in caught_up(scene)] == [True]
    assert [each.is_open for each in caught_up(scene)] == [False]


def test_concurrent_services_open_one_case(scene):
    disputes(scene)
    (case,) = caught_up(scene, services=4)
    assert len(case.calls) == 1


def test_disputes_of_both_sides_about_one_deal_are_one_case(scene):
    disputes(scene, 0)
    disputes(scene, 1)
    (case,) = caught_up(scene, services=3)
    assert sorted(each.side for each in case.calls) == [0, 1]


def test_a_dispute_joins_the_open_case_about_its_deal(scene):
    path = scene.call()
    disputes(scene, 1)
    (case,) = caught_up(scene)
    assert [each.matter for each in case.calls] == ["call", "dispute"]
    assert [each["matter"] for each in scene.read(path, scene.as_dora)["view"]["calls"]] == ["call", "dispute"]


def test_a_dispute_settled_before_the_restart_opens_no_case(scene):
    async def act(pool):
        recorder = Recorder(Streams(pool))
        dispute = mc.DisputeResult(deal=1, side=0)
        await recorder.match(scene.match, dispute, own_request(By(scene.annie, "player")))
        await recorder.match(scene.match, mc.SettleDispute(how="upheld"), own_request(By(scene.dora, "director")))

    with_pool(scene.house.database, act)
    assert caught_up(scene) == []


def the_row(scene):
    (row,) = scene.house.get(f"{scene.house.path}/cases", scene.as_dora).json()["items"]
    return row


def test_a_settled_dispute_closes_its_case_with_its_outcome(scene):
    disputes(scene)
    caught_up(scene)
    scene.house.done(f"{scene.path}/settlements", {"how": "withdrawn"}, scene.as_annie)
    (case,) = caught_up(scene)
    assert (case.is_open, case.ended) == (False, "withdrawn")
    row = the_row(scene)
    assert (row["state"], row["disputed"], row["settled"]) == ("closed", False, None)
    (match,) = scene.read(scene.at(row["id"]), scene.as_dora)["view"]["matches"]
    assert (match["disputes"], len(match["settled"])) == ([], 1)
    assert caught_up(scene) == [case]


@pytest.mark.parametrize(("how", "ended"), [("upheld", "stands"), ("corrected", "corrected")])
def test_a_decision_of_the_director_closes_the_case(scene, how, ended):
    disputes(scene)
    caught_up(scene)
    scene.house.done(f"{scene.path}/settlements", {"how": how}, scene.as_dora)
    (case,) = caught_up(scene)
    assert case.ended == ended


def test_concurrent_services_close_a_case_once(scene):
    disputes(scene)
    caught_up(scene)

    async def act(pool):
        settle = mc.SettleDispute(how="upheld")
        await Recorder(Streams(pool)).match(scene.match, settle, own_request(By(scene.dora, "director")))

    with_pool(scene.house.database, act)
    (case,) = caught_up(scene, services=4)
    assert (case.ended, case.version) == ("stands", 2)


def test_a_settled_case_with_statements_stays_open(scene):
    disputes(scene)
    caught_up(scene)
    at = scene.at(the_row(scene)["id"])
    scene.step(at, "statements", scene.as_benny, words="Ten it was.")
    assert the_row(scene)["settled"] is None
    scene.house.done(f"{scene.path}/settlements", {"how": "withdrawn"}, scene.as_annie)
    (case,) = caught_up(scene)
    row = the_row(scene)
    assert (case.is_open, row["state"], row["settled"], row["version"]) == (True, "open", "withdrawn", 2)


def test_a_case_that_a_director_opened_again_stays_open(scene):
    disputes(scene)
    caught_up(scene)
    scene.house.done(f"{scene.path}/settlements", {"how": "withdrawn"}, scene.as_annie)
    caught_up(scene)
    scene.step(scene.at(the_row(scene)["id"]), "reopen", scene.as_dora, reason="There is more to it.")
    (case,) = caught_up(scene)
    assert (case.is_open, the_row(scene)["settled"]) == (True, "withdrawn")


def test_a_ruling_settles_the_dispute_and_acceptance_closes_the_case(scene):
    disputes(scene)
    caught_up(scene)
    version = scene.rule()
    (case,) = caught_up(scene)
    row = the_row(scene)
    assert (case.is_open, row["disputed"], row["settled"]) == (True, False, "ruled"), "a side may appeal"
    view = scene.read(scene.at(row["id"]), scene.as_dora)["view"]
    assert [each["version"] for each in view["rulings"]] == [version]
    for side, role in enumerate((scene.as_annie, scene.as_benny)):
        scene.house.done(f"{scene.path}/acceptances", {"deal": 1, "side": side}, role)
    (case,) = caught_up(scene)
    assert (case.is_open, case.ended) == (False, "ruled")


def test_a_dispute_after_a_closed_case_opens_another(scene):
    disputes(scene)
    caught_up(scene)
    scene.house.done(f"{scene.path}/settlements", {"how": "withdrawn"}, scene.as_annie)
    caught_up(scene)
    disputes(scene)
    assert sorted(each.is_open for each in caught_up(scene)) == [False, True]


def test_the_running_service_opens_a_case(scene):
    disputes(scene)
    items = until(lambda: scene.house.get(f"{scene.house.path}/cases", scene.as_dora).json()["items"])
    assert [each["matter"] for each in items] == ["dispute"]
