"""A case holds the next pairing of its own match, and no other, unless the director pairs provisionally."""

import json

import pytest

from tests.kit.service.asking import House, a_problem
from tests.kit.service.club_evenings import Evening

KNOCKOUT = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
SWISS = {"format": {"kind": "swiss", "rounds": 2}, "game": "parity", "race": {"target": 15}}


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


def begun(house, stage=KNOCKOUT, players=8):
    evening = Evening(house, [stage], players=players)
    evening.act({"do": "pair_round"})
    return evening


def call(evening, fixture, role="director", **more):
    body = {"fixture": fixture, "reason": "They quarrel.", **more}
    return f"/api/v1/cases/{evening.house.done(f'{evening.path}/cases', body, role)['case']}"


def paired(evening, **more):
    """The matches that are paired by one pairing."""
    before = {each["fixture"] for at in evening.view["rounds"] for each in at["pairings"]}
    evening.act({"do": "pair_round", **more})
    return {each["fixture"] for at in evening.view["rounds"] for each in at["pairings"]} - before


def decided(evening):
    for each in evening.open():
        evening.act({"do": "report", "fixture": each["fixture"], "winner": 0})


def test_a_case_blocks_only_the_match_that_depends_on_its_match(house):
    evening = begun(house)
    case = call(evening, "W1.1")
    decided(evening)
    assert paired(evening) == {"W2.2"}
    said = evening.refused({"do": "pair_round"})["detail"]
    assert "a case is open about table" in said
    house.done(f"{case}/close", {"ended": "stands"}, "director")
    assert paired(evening) == {"W2.1"}


def test_the_director_pairs_provisionally_and_the_round_says_so(house):
    evening = begun(house)
    call(evening, "W1.1")
    decided(evening)
    assert paired(evening, provisional=True) == {"W2.1", "W2.2"}
    events = [json.loads(line)["data"] for line in house.get(f"{evening.path}/events").text.splitlines()]
    assert [each["pending"] for each in events if "pending" in each][-1] == ["W1.1"]


def test_a_case_that_opens_when_it_was_paired_comes_too_late(house):
    evening = begun(house)
    decided(evening)
    assert paired(evening) == {"W2.1", "W2.2"}
    call(evening, "W1.1")
    decided(evening)
    assert paired(evening) == {"W3.1"}


def test_a_swiss_round_waits_for_an_open_case(house):
    evening = begun(house, SWISS, 4)
    fixture = evening.open()[0]["fixture"]
    case = call(evening, fixture)
    decided(evening)
    assert "a case is open about table" in evening.refused({"do": "pair_round"})["detail"]
    house.done(f"{case}/close", {"ended": "stands"}, "director")
    assert len(paired(evening)) == 2


def test_the_pairing_takes_no_word_of_the_sender_on_what_is_held(house):
    evening = begun(house)
    answer = house.post(f"{evening.path}/actions", {"actions": [{"do": "pair_round", "held": ["W1.1"]}]}, "director")
    a_problem(answer, 400, "malformed")


def test_no_show_cases_need_no_deal_and_walkover_cases_no_match(house):
    evening = begun(house)
    evening.act({"do": "report", "fixture": "W1.1", "winner": 0, "how": "walkover"})
    case = call(evening, "W1.1", reason="He came at nine.")
    view = house.get(case, "director").json()["view"]
    assert view["calls"][0]["place"]["deal"] is None
    assert (view["matches"][0]["fixture"], view["matches"][0]["table"]) == ("W1.1", 1)
    decided(evening)
    other = call(evening, "W2.2", reason="He has left already.")
    place = house.get(other, "director").json()["view"]["calls"][0]["place"]
    assert (place["match"], place["stage"], place["fixture"]) == (None, 0, "W2.2")
    assert call(evening, "W2.2") == other
    evening.house.refused(
        "POST", f"{evening.path}/cases", {"fixture": "W3.1"}, 409, "misfit", "director"
    )  # nobody is there yet
    evening.house.refused("POST", f"{evening.path}/cases", {"fixture": "X9"}, 404, "not-found", "director")
    evening.house.refused("POST", f"{evening.path}/cases", {"fixture": "W1.1", "stage": 2}, 409, "misfit", "director")
    evening.house.refused("POST", f"{evening.path}/cases", {"fixture": "W1.2"}, 403, "forbidden", "spectator")


def test_nothing_in_the_tournament_says_that_a_case_is_open(house):
    evening = begun(house)
    decided(evening)
    paths = [evening.path, f"{evening.path}/events", house.path + "/matches", house.path + "/events"]
    before = [house.get(path, "spectator").text for path in paths]
    call(evening, "W1.1")
    assert [house.get(path, "spectator").text for path in paths] == before


def queue(house):
    return house.get(f"{house.path}/cases", "director").json()["items"]


def test_a_disputed_result_that_no_record_tells_of_has_its_case_once(house):
    evening = begun(house)
    evening.act({"do": "report", "fixture": "W1.1", "winner": 0})
    evening.act({"do": "dispute", "fixture": "W1.1"})
    for _ in range(2):
        evening.read()
        (row,) = queue(house)
        assert (row["matter"], row["fixture"], row["deal"]) == ("dispute", "W1.1", None)
    calls = house.get(f"/api/v1/cases/{row['id']}", "director").json()["view"]["calls"]
    assert len(calls) == 1


def test_a_dispute_of_a_recorded_match_opens_one_case(house):
    evening = begun(house)
    match = next(each["match"] for each in evening.read()["rounds"][0]["pairings"] if each["fixture"] == "W1.1")
    house.done(f"/api/v1/matches/{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    evening.read()
    evening.act({"do": "dispute", "fixture": "W1.1"})
    evening.read()
    (row,) = queue(house)
    assert row["match"] == match


def test_a_ruling_after_the_finish_contests_the_result(house):
    evening = begun(house, players=2)
    (pairing,) = evening.read()["rounds"][0]["pairings"]
    match = f"/api/v1/matches/{pairing['match']}"
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    evening.read()
    case = house.done(f"{match}/cases", {"reason": "He revoked."}, "director")["case"]
    evening.act({"do": "finish"})
    ruling = {"code": "REV", "deal": 1, "scores": [0, 15], "reason": "So it was.", "case": case}
    house.done(f"{match}/rulings", ruling, "director")
    (pairing,) = evening.read()["rounds"][0]["pairings"]
    assert pairing["contested"]["winner"] == 1


def test_the_queue_says_that_a_late_case_was_paired_on(house):
    evening = begun(house)
    call(evening, "W1.1")
    decided(evening)
    assert not queue(house)[0]["paired_on"]
    paired(evening, provisional=True)
    call(evening, "W1.3")
    assert [each["paired_on"] for each in queue(house)] == [True, True]
