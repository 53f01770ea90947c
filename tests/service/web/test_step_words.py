"""The steps of a tournament, as its director reads them: rounds, tables and people, no names of events."""

import html
import re

import pytest

from tests.kit.service.asking import squeezed
from tests.kit.service.club_evenings import Evening
from tests.service.api.test_tournaments import single, swiss
from tests.service.web.test_tournament_pages import Desk


@pytest.fixture
def desk(house, owner):
    def made(stages, players=4, **more):
        evening = Evening(house, stages, players, **more)
        return evening, Desk(house, owner, evening)

    return made


def steps(pages):
    """The steps, the first one first."""
    found = re.findall(r"<li><b>\d+</b> (.*?) <small>", squeezed(pages.get("/log")))
    return [html.unescape(each) for each in reversed(found)]


def sides(evening):
    return [side["name"] for side in evening.round()["pairings"][0]["sides"]]


def test_the_steps_of_a_round_are_told_by_table_and_by_name(desk):
    evening, pages = desk([swiss(3)])
    name = evening.view["entries"][3]["name"]
    evening.act({"do": "pair_round"}, {"do": "start_round", "minutes": 30})
    evening.act({"do": "report", "fixture": "R1.1", "score": [15, 3]})
    ann, bob = sides(evening)
    evening.act({"do": "dispute", "fixture": "R1.1"}, {"do": "uphold", "fixture": "R1.1"})
    evening.act({"do": "retract", "fixture": "R1.1"}, {"do": "report", "fixture": "R1.1", "winner": 1})
    evening.act({"do": "report", "fixture": "R1.2", "winner": 0, "how": "walkover"}, {"do": "lock_round", "round": 1})
    evening.act({"do": "withdraw", "entry": evening.view["entries"][3]["id"]})
    walked = evening.round()["pairings"][1]["sides"][0]["name"]
    assert steps(pages)[0] == "Tournament created: Thursday cup"
    assert f"{name} entered" in steps(pages)
    assert steps(pages)[-11:] == [
        "Swiss begun with 4 entries",
        "Round 1 paired: 2 tables",
        "Round 1 started: 30 minutes",
        f"Round 1, table 1: {ann} 15 – {bob} 3",
        "Round 1, table 1: result disputed",
        "Round 1, table 1: the result stands",
        "Round 1, table 1: result withdrawn",
        f"Round 1, table 1: {bob} won",
        f"Round 1, table 2: walkover for {walked}",
        "Round 1 locked",
        f"{name} left the tournament",
    ]


def test_what_the_service_did_by_itself_says_so_and_why(desk, house):
    evening, pages = desk([{**single(), "game": "parity", "race": {"target": 15}}], 2)
    evening.act({"do": "pair_round"})
    match = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    evening.read()
    house.done(f"{match}/undo", {})
    ann, bob = sides(evening)
    told = steps(pages)
    assert told[-2:] == [
        f"Final of the bracket, table 1: {ann} 21 – {bob} 0",
        "Final of the bracket, table 1: result withdrawn (by the service, because the table undid it)",
    ]
    assert re.search(r"UTC</time> · the service", pages.get("/log"))
    assert "steward" not in pages.get("/log")


def test_third_place_and_withdrawn_pairings_have_plain_names(desk):
    evening, pages = desk([single(third_place=True)])
    evening.act({"do": "pair_round"})
    evening.play()
    evening.act({"do": "pair_round"}, {"do": "report", "fixture": "C1.1", "score": [15, 2]})
    third = next(each for at in evening.view["rounds"] for each in at["pairings"] if each["fixture"] == "C1.1")
    winner, loser = (side["name"] for side in third["sides"])
    assert steps(pages)[-1] == f"Third place, table {third['table']}: {winner} 15 – {loser} 2"
    other, board = desk([swiss(3)])
    other.act({"do": "pair_round"}, {"do": "unpair_round"})
    assert steps(board)[-1] == "Pairing of round 1 undone"


def test_no_step_is_called_by_the_name_of_its_event(desk):
    evening, pages = desk([{**swiss(2), "go_on": 2}, single()], 5, plan={"fee": 500})
    first, last = (evening.view["entries"][at]["id"] for at in (0, 4))
    evening.act(
        {"do": "seed", "how": "lot"},
        {"do": "check_in", "entry": first},
        {"do": "check_in", "entry": first, "here": False},
        {"do": "pay", "entry": first, "amount": 500},
    )
    evening.act({"do": "grant_bye", "entry": last, "round": 1, "kind": "zero"}, {"do": "pair_round"})
    evening.act(
        {"do": "withdraw", "entry": last},
        {"do": "reinstate", "entry": last},
        {"do": "substitute", "entry": last, "players": ["Una"]},
    )
    evening.act({"do": "assign_table", "fixture": "R1.1", "table": 7, "feature": True})
    evening.play()
    told = " ".join(steps(pages))
    assert not re.search(r"\b[A-Z][a-z]+[A-Z]", told), told
    assert "has paid 5.00 EUR in all" in told
    assert "is absent in round 1" in told
    assert "Swiss, round 1 paired: 2 tables" in told
    assert "table 7, the feature table" in told
