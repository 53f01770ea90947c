"""Another era: who names one that is over is refused before anything is recorded, and reads from the beginning."""

import json

import pytest

from tests.kit.faults.processes import until
from tests.kit.service.asking import FORM, House
from tests.kit.service.eras import SECOND, THIRD, of_eras

RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        found.table = found.match("parity", target=300)
        yield found


def era_now(house):
    return house.get(f"{house.table}/events", "director").headers["x-era"]


@pytest.fixture
def eras(house, database):
    """Begins an era, and waits until the service knows it."""
    with of_eras(database) as begin:

        def begun(era):
            begin(era)
            until(lambda: era_now(house) == era)

        yield begun
    until(lambda: era_now(house) == "0")


def versions(house, after):
    answer = house.get(f"{house.table}/events?after={after}", "director")
    assert answer.status_code == 200, answer.text
    return [json.loads(line)["version"] for line in answer.text.splitlines()]


def entered(house, era, key):
    headers = {**house.bearer("scorer"), "Idempotency-Key": key} | ({"X-Era": era} if era else {})
    return house.client.post(f"{house.table}/results", json=RESULT, headers=headers)


def test_a_write_for_a_past_era_is_refused(house, eras):
    assert entered(house, "0", "before").status_code == 201
    before = house.position()
    eras(SECOND)
    for over in ("0", THIRD, ""):
        answer = entered(house, over or "-", "one")
        assert (answer.status_code, answer.json()["type"]) == (409, "/problems/other-era")
        assert answer.headers["x-era"] == SECOND
    assert entered(house, "0", "before").status_code == 409, "also what is recorded already"
    assert house.position() == before
    assert entered(house, SECOND, "before").status_code == 201, "under its key it is recorded once"
    assert house.position() == before
    assert house.client.get("/problems/other-era").status_code == 200


def test_a_write_that_names_no_era_goes_on_as_before(house, eras):
    eras(SECOND)
    answer = entered(house, None, "two")
    assert (answer.status_code, "x-era" in answer.headers) == (201, False)


def test_a_tap_of_another_era_is_answered_with_the_current_table(house, eras, owner):
    eras(SECOND)
    page = house.table.rpartition("/")[2]
    sent = {**FORM, **owner, "X-Table": "1", "X-Era": "0", "Idempotency-Key": "tap"}
    before = house.position()
    answer = house.client.post(f"/matches/{page}/deals", data={"version": "1"}, headers=sent)
    assert (answer.status_code, answer.json()["refused"]["slug"]) == (409, "other-era")
    assert (answer.headers["x-era"], answer.json()["head"]) == (SECOND, 1)
    assert 'data-version="1"' in answer.json()["table"]
    assert house.position() == before
    assert f'data-era="{SECOND}"' in house.client.get(f"/matches/{page}", headers=owner).text


def test_lines_behind_a_place_of_another_era_begin_again(house, eras):
    assert entered(house, None, "three").status_code == 201
    every = versions(house, 0)
    behind = every[1:]
    assert versions(house, 1) == versions(house, "1-0") == behind
    assert versions(house, f"1-{SECOND}") == every
    eras(SECOND)
    assert versions(house, 1) == versions(house, f"1-{SECOND}") == behind
    assert versions(house, "1-0") == versions(house, f"1-{THIRD}") == every


@pytest.mark.parametrize("after", ["-1", "1-", "x", "1-E3B0C442", "99999999999999999", "1.5"])
def test_what_is_no_place_is_refused(house, after):
    answer = house.get(f"{house.table}/events?after={after}", "director")
    assert (answer.status_code, answer.json()["type"]) == (400, "/problems/malformed")


def test_a_stranger_is_refused_without_learning_the_era(house, eras):
    eras(SECOND)
    for headers in ({}, {"Authorization": "Bearer lurch_nobody"}):
        answer = house.client.post(f"{house.table}/results", json=RESULT, headers={**headers, "X-Era": "0"})
        assert answer.status_code in (401, 404)
        assert "x-era" not in answer.headers
