"""Attacks on what stands between a match and its tournament: contests, disputes, withdrawals, stale reports."""

import pytest

from domain.match import commands as mc
from domain.tournament import commands as c
from domain.tournament.orders import Orders
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.ids import new_id
from service.store.log import By
from tests.kit.service.asking import House
from tests.service.api.test_claims_and_contests import LEFT, RIGHT, Night, corrected_late


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


def disputes_and_takes_back(night, side=1):
    night.house.done(f"{night.match}/disputes", {"deal": 1, "side": side, "reason": "hm"}, night.sides[side])
    night.house.done(f"{night.match}/settlements", {"how": "withdrawn"}, night.sides[side])


def test_a_player_cannot_reopen_a_contest_the_director_ended(house):
    night = corrected_late(house)
    assert night.first()["contested"]
    night.evening.act({"do": "uphold", "fixture": "W1.1"})
    assert night.first()["contested"] is None
    disputes_and_takes_back(night)  # the record says what it said
    assert night.first()["contested"] is None


def test_a_signature_is_no_change_of_the_record(house):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    night.first()
    night.evening.act({"do": "report", "fixture": "W1.1", "score": [0, 21]}, reason="the wrong chairs")
    assert night.first()["contested"] is None
    house.done(f"{night.match}/confirmations", {"deal": 1, "side": 0}, night.sides[0])
    assert night.first()["contested"] is None


def test_a_dispute_of_a_contested_match_reaches_the_tournament(house):
    night = corrected_late(house)
    assert night.first()["contested"]
    house.done(f"{night.match}/disputes", {"deal": 1, "side": 0, "reason": "hm"}, night.sides[0])
    assert night.first()["disputed"]


def test_a_dispute_during_a_lock_reaches_the_tournament_after_it(house):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    night.evening.read()
    night.evening.play()
    night.evening.act({"do": "lock_round", "round": 1})
    house.done(f"{night.match}/disputes", {"deal": 1, "side": 1, "reason": "hm"}, night.sides[1])
    night.first()
    night.evening.act({"do": "lock_round", "round": 1, "locked": False})
    assert night.first()["disputed"]


def test_a_result_upheld_in_a_locked_round_stays_after_unlocking(house):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    night.evening.read()
    night.evening.play()
    night.evening.act({"do": "lock_round", "round": 1})
    version = house.get(night.match).json()["deals"][0]["entry_version"]
    house.done(f"{night.match}/corrections", {"version": version, "now": RIGHT, "reason": "misread"}, "director")
    assert night.first()["contested"]
    night.evening.act({"do": "uphold", "fixture": "W1.1"})
    night.evening.act({"do": "lock_round", "round": 1, "locked": False})
    assert (night.first()["winner"], night.first()["contested"]) == (0, None)


def test_a_dispute_does_not_restore_a_retracted_result(house):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    assert night.first()["winner"] == 0
    night.evening.act({"do": "retract", "fixture": "W1.1"})
    assert night.first()["winner"] is None
    house.done(f"{night.match}/disputes", {"deal": 1, "side": 1, "reason": "hm"}, night.sides[1])
    assert night.first()["winner"] is None


def test_a_player_does_not_end_the_other_sides_dispute(house):
    night = Night(house, "played")
    night.evening.act({"do": "report", "fixture": "W1.1", "winner": 1})
    night.evening.act({"do": "dispute", "fixture": "W1.1"}, role=night.sides[0])  # nothing is recorded: only here
    assert night.first()["disputed"]
    house.done(f"{night.match}/results", {"entry": RIGHT, "deal": 1}, night.sides[1])
    disputes_and_takes_back(night, 1)
    assert night.first()["disputed"]


@pytest.mark.parametrize("do", ["dispute", "uphold"])
def test_an_action_succeeds_when_the_automation_was_faster(house, monkeypatch, do):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    night.first()
    if do == "uphold":
        night.evening.act({"do": "dispute", "fixture": "W1.1"}, role=night.sides[1])
    steward, plain = house.client.app.state.services.steward, Recorder.match

    async def with_steward(self, stream, command, request):
        done = await plain(self, stream, command, request)
        if isinstance(command, mc.DisputeResult | mc.SettleDispute):
            await steward.catch_up(done.loaded.club)
        return done

    monkeypatch.setattr(Recorder, "match", with_steward)
    role = night.sides[1] if do == "dispute" else "director"
    night.evening.act({"do": do, "fixture": "W1.1"}, role=role)


def test_a_report_that_lost_a_race_settles_no_dispute(house, monkeypatch):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    night.first()
    night.evening.act({"do": "dispute", "fixture": "W1.1"}, role=night.sides[1])
    plain = Recorder.match
    other = {"do": "pay", "entry": night.evening.view["entries"][0]["id"], "amount": 100}
    version = night.evening.read()["version"]
    services = house.client.app.state.services

    async def somebody_else(self, stream, command, request):
        done = await plain(self, stream, command, request)
        if isinstance(command, mc.SettleDispute):
            pay = c.Pay(other["entry"], 100)
            await services.recorder.tournament(night.evening.id, Orders((pay,)), own_request(By(None, "director")))
        return done

    monkeypatch.setattr(Recorder, "match", somebody_else)
    sent = {"actions": [{"do": "report", "fixture": "W1.1", "score": [0, 21]}], "expected_version": version}
    answer = house.post(f"{night.evening.path}/actions", sent, "director")
    monkeypatch.undo()
    first = night.first()
    assert answer.status_code == 201 or first["disputed"], (answer.status_code, first["winner"], first["disputed"])


def test_a_replaced_match_does_not_decide_its_replacement(house, monkeypatch):
    night = Night(house, "played")
    night.evening.act(
        {"do": "report", "fixture": "W1.1", "winner": 0}, {"do": "report", "fixture": "W1.2", "winner": 0}
    )
    night.evening.act({"do": "pair_round"})
    final = night.evening.read()["rounds"][1]["pairings"][0]["match"]
    plain, again = Recorder.tournament, []

    async def slower(self, stream, orders, request):
        if isinstance(orders.commands[0], c.TakeMatchResult) and not again:
            again.append(c.Report("W1.1", 1, repair="again", knowingly=True))
            chance = c.Chance(tuple(new_id() for _ in range(8)))
            await plain(self, stream, Orders(tuple(again), chance), own_request(By(None, "director")))
        return await plain(self, stream, orders, request)

    monkeypatch.setattr(Recorder, "tournament", slower)
    house.done(f"/api/v1/matches/{final}/results", {"entry": LEFT, "deal": 1})
    night.evening.read()
    put = night.evening.read()["rounds"][1]["pairings"][0]
    assert again
    assert put["match"] != final
    assert put["winner"] is None
