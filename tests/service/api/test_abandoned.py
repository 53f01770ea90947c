"""A match that was opened by mistake is abandoned: by whoever keeps the score while nothing was recorded in it, then by
a director; never one of a tournament, and never one that is over."""

import pytest

from tests.kit.service.asking import House
from tests.kit.service.club_evenings import Evening


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database) as found:
        yield found


def test_an_empty_match_is_abandoned_by_whoever_keeps_the_score(house):
    path = house.match("parity")
    house.done(f"{path}/deals", {"dealer": 0})  # a deal that is merely dealt is nothing that was recorded
    house.refused("POST", f"{path}/abandon", {}, 403, "forbidden", "player")
    house.done(f"{path}/abandon", {"reason": "the wrong game"})
    assert house.get(path).json()["status"] == "void"
    house.refused("POST", f"{path}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}}, 409, "misfit")
    events = house.get(f"{path}/events", "director").text
    assert ("MatchVoided" in events, "the wrong game" in events) == (True, True)


def test_once_something_was_recorded_a_director_abandons_it(house):
    path = house.match("parity")
    house.done(f"{path}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    problem = house.refused("POST", f"{path}/abandon", {}, 403, "forbidden")
    assert "ask a director" in problem["detail"]
    house.done(f"{path}/abandon", {}, "director")
    assert house.get(path).json()["status"] == "void"


def test_a_match_that_is_over_counts(house):
    path = house.match("parity", target=10)
    house.done(f"{path}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    assert house.get(path).json()["status"] == "finished"
    house.refused("POST", f"{path}/abandon", {}, 409, "misfit", "director")


def test_a_pairing_of_a_tournament_is_taken_back_by_its_director(house):
    stage = {"format": {"kind": "single"}, "game": "parity"}
    cup = Evening(house, [stage], entries=[{"do": "enter", "players": [name]} for name in ("Ann", "Ben")])
    cup.act({"do": "pair_round"})
    match = cup.open()[0]["match"]
    problem = house.refused("POST", f"/api/v1/matches/{match}/abandon", {}, 403, "forbidden", "director")
    assert "takes the pairing back" in problem["detail"]
