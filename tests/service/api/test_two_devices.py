"""Two devices at one table: one deal has one result, whoever sends it first, again, or with another figure."""

import json

import pytest

from tests.kit.service.asking import House

NINE, TEN = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [5, 10]}


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        found.other = found.token("scorer")
        found.table = found.match("parity", target=300)
        yield found


def entered(house, entry, role="scorer", **more):
    return house.post(f"{house.table}/results", {"entry": entry, **more}, role)


def totals(house):
    return house.get(house.table).json()["totals"]


def test_the_same_result_from_a_second_device_changes_nothing(house):
    assert entered(house, NINE, deal=1).status_code == 201
    before = house.position()
    again = entered(house, NINE, house.other, deal=1)
    assert (again.status_code, again.json()["events"]) == (200, [])
    assert (house.position(), totals(house)) == (before, [19, 0])


def test_the_second_device_with_another_figure_is_told_both(house):
    entered(house, NINE, deal=1)
    answer = house.refused("POST", f"{house.table}/results", {"entry": TEN, "deal": 1}, 409, "already-entered")
    assert (answer["recorded"], answer["yours"]) == ([19, 0], [0, 20])


def test_a_result_means_the_deal_that_was_on_at_its_version(house):
    started = house.done(f"{house.table}/deals", {"dealer": 0})["version"]
    assert entered(house, NINE, expected_version=started).status_code == 201
    assert entered(house, NINE, house.other, expected_version=started).status_code == 200
    wrong = {"entry": TEN, "expected_version": started}
    house.refused("POST", f"{house.table}/results", wrong, 409, "already-entered", house.other)
    assert totals(house) == [19, 0]


def test_a_result_without_a_deal_number_after_another_device_needs_confirmation(house):
    entered(house, NINE)
    answer = house.refused("POST", f"{house.table}/results", {"entry": TEN}, 409, "confirm-needed", house.other)
    assert "deal 2" in answer["detail"]
    assert entered(house, TEN, house.other, it_happened=True).status_code == 201
    assert totals(house) == [19, 20]


def test_who_may_enter_no_result_is_not_told_what_another_device_did(house):
    entered(house, NINE)
    for role in ("spectator", house.token("player"), house.token("scorer", match=house.match().rpartition("/")[2])):
        house.refused("POST", f"{house.table}/results", {"entry": TEN}, 403, "forbidden", role)


def test_the_same_device_goes_on_with_the_next_deal_unasked(house):
    assert [entered(house, each).status_code for each in (NINE, TEN, NINE)] == [201, 201, 201]
    assert totals(house) == [38, 20]


def test_a_player_on_one_device_continues_without_a_question(house):
    annie, benny = (house.done(f"{house.path}/players", {"name": name}, "owner")["id"] for name in ("Ann", "Ben"))
    house.table = house.match("parity", target=300, sides=[[{"id": annie}], [{"id": benny}]])
    player = house.token("player", player=annie)
    assert [entered(house, each, player).status_code for each in (NINE, TEN)] == [201, 201]


def test_a_repeated_result_is_answered_as_the_first_time(house):
    sent = {"entry": NINE}
    first = house.post(f"{house.table}/results", sent, "scorer", **{"Idempotency-Key": "once"})
    entered(house, TEN, it_happened=True)
    again = house.post(f"{house.table}/results", sent, "scorer", **{"Idempotency-Key": "once"})
    assert (again.status_code, again.json()["version"]) == (201, first.json()["version"])
    assert totals(house) == [19, 20]


def test_confirming_a_changed_result_is_refused_with_both_figures(house):
    version = entered(house, NINE, deal=1).json()["version"]
    fixed = {"version": version, "now": TEN, "reason": "misread"}
    house.done(f"{house.table}/corrections", fixed)
    signed = {"deal": 1, "side": 1, "scores": [19, 0]}
    answer = house.refused("POST", f"{house.table}/confirmations", signed, 409, "changed")
    assert (answer["recorded"], answer["yours"]) == ([0, 20], [19, 0])


def test_a_confirmation_names_the_event_that_it_stands_on(house):
    version = entered(house, NINE, deal=1).json()["version"]
    house.done(f"{house.table}/confirmations", {"deal": 1, "side": 1})
    events = house.get(f"{house.table}/events", "director").text.splitlines()

    before, signed = json.loads(events[-2]), json.loads(events[-1])
    assert before["version"] == version
    assert signed["data"]["head"] == {"version": version, "hash": before["hash"]}
    assert signed["data"]["scores"] == [19, 0]


def test_a_scorer_does_not_wipe_a_directors_dispute(house):
    version = entered(house, NINE, deal=1).json()["version"]
    house.done(f"{house.table}/disputes", {"deal": 1, "reason": "a revoke"}, "director")
    house.refused("POST", f"{house.table}/undo", {}, 409, "window-closed")
    fixed = {"version": version, "now": TEN, "reason": "misread"}
    house.refused("POST", f"{house.table}/corrections", fixed, 409, "window-closed")
    assert house.get(house.table).json()["disputes"] == [{"version": version + 1, "deal": 1, "side": None}]
    assert "revoke" not in house.get(f"{house.table}/events").text
    assert "revoke" in house.get(f"{house.table}/events", "director").text
    house.done(f"{house.table}/settlements", {"how": "upheld"}, "director")
    house.done(f"{house.table}/undo", {})


def test_a_void_deal_is_brought_back_over_http(house):
    entered(house, NINE, deal=1)
    house.done(f"{house.table}/void-deal", {})
    assert totals(house) == [0, 0]
    house.done(f"{house.table}/restore-deal", {"reason": "the wrong table"})
    assert totals(house) == [19, 0]
