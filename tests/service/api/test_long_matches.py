"""Long matches: a match takes 5,000 events and says so in time; longer ones that stand are read, by pages of 100."""

import re
from pathlib import Path

import msgspec
import pytest

from domain.log.decider import New
from domain.match import commands as c
from domain.match import events as e
from domain.match.capacity import FOR_THE_END, MOST, TOLD_FROM
from domain.match.opening import open_match
from domain.match.state import NoMatch
from service.cli import clerk, intake
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.logs import verify
from tests.kit.service.asking import House

FACT = {"seat": 0, "do": "trump", "suit": "S"}
ENTRY = {"entry": {"parity": "odd", "tricks": [8]}}


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


def standing(house, events):
    """A match that stands in the log with so many events, its second deal is on; its path."""
    remark = New(e.ScoreStated(1, "total", msgspec.Raw(b"12")))
    news = [New(e.DealStarted(1, 0, "plays", e.UNKNOWN)), *[remark] * (events - 2)]

    async def put(pool):
        recorder = Recorder(Streams(pool))
        request = own_request(clerk.CLERK)
        sides = await recorder.players(house.id, (("Annie",), ("Benny",)), request)
        command = c.OpenMatch(game="parity", options={}, race={"target": 100_000}, sides=sides)
        return (await recorder.import_match(house.id, [*open_match(NoMatch(), command), *news], request)).loaded.stream

    return f"/api/v1/matches/{with_pool(house.database, put)}"


def test_a_match_says_in_time_how_many_more_events_it_takes(house):
    match = standing(house, TOLD_FROM - 1)
    assert house.get(match).json()["events_left"] is None
    page = match.removeprefix("/api/v1")
    assert "has room for" not in house.client.get(page).text
    told = house.done(f"{match}/facts", {"facts": [FACT]})
    assert told["match"]["events_left"] == MOST - TOLD_FROM
    assert f"has room for {MOST - TOLD_FROM} more entries" in house.client.get(page).text


def test_the_last_events_are_kept_for_the_end_of_the_match(house):
    match = standing(house, MOST - FOR_THE_END)
    problem = house.refused("POST", f"{match}/facts", {"facts": [FACT]}, 409, "misfit")
    assert "enter the result" in problem["detail"]
    assert "new match" in problem["detail"]
    house.done(f"{match}/results", ENTRY)
    house.done(f"{match}/confirmations", {"deal": 1, "side": 0})
    house.refused("POST", f"{match}/deals", {"depth": "plays"}, 409, "misfit")
    assert house.done(f"{match}/results", ENTRY)["version"] == MOST - FOR_THE_END + 4


def test_a_full_match_refuses_events_but_answers_a_repeated_request(house):
    match = standing(house, MOST - 1)
    key = {"Idempotency-Key": f"last {match}"}
    first = house.post(f"{match}/results", ENTRY, **key)
    assert (first.status_code, first.json()["version"]) == (201, MOST)
    assert first.json()["match"]["events_left"] == 0
    problem = house.refused("POST", f"{match}/confirmations", {"deal": 1, "side": 0}, 409, "misfit")
    assert f"takes {MOST:,}" in problem["detail"]
    assert house.post(f"{match}/results", ENTRY, **key).json()["version"] == MOST


def test_a_longer_match_that_stands_is_read_by_pages_and_verified(house):
    match = standing(house, MOST + 250)
    assert house.get(match).json()["version"] == MOST + 250
    seen, after = [], 0
    while after is not None:
        said = house.get(f"{match}/projections/timeline?after={after}").json()
        assert len(said["view"]) <= 100
        seen += [moment["version"] for moment in said["view"]]
        after = said["next"]
    assert seen == list(range(1, MOST + 251))
    assert len(house.get(f"{match}/events").text.splitlines()) == MOST + 250
    problem = house.refused("POST", f"{match}/results", ENTRY, 409, "misfit")
    assert "new match" in problem["detail"]
    count, fault = with_pool(house.database, verify)
    assert count > MOST
    assert house.id not in fault


def test_a_past_timeline_ends_then_and_marks_what_was_superseded(house):
    match = house.match()
    house.done(f"{match}/deals", {"dealer": 1})
    house.done(f"{match}/facts", {"facts": [FACT]})
    house.done(f"{match}/undo", {})
    house.done(f"{match}/facts", {"facts": [FACT]})

    def timeline(query=""):
        said = house.get(f"{match}/projections/timeline{query}").json()
        return said["version"], [(each["version"], each["superseded_by"]) for each in said["view"]], said["next"]

    assert timeline() == (5, [(1, None), (2, None), (3, 4), (4, None), (5, None)], None)
    assert timeline("?as_of=3") == (3, [(1, None), (2, None), (3, None)], None)
    assert timeline("?after=3") == (5, [(4, None), (5, None)], None)
    assert timeline("?after=5") == (5, [], None)
    house.refused("GET", f"{match}/projections/tricks?after=1", None, 400, "malformed")


def test_a_replay_shows_a_hundred_events_with_links_to_the_others(house):
    page = standing(house, 250).removeprefix("/api/v1")

    def shown(at):
        text = house.client.get(f"{page}/replay?at={at}").text
        values = [int(found) for found in re.findall(r'<li value="(\d+)"', text)]
        return values, set(re.findall(r'href="\?at=(\d+)">(earlier|later)<', text))

    assert shown(250) == (list(range(201, 251)), {("200", "earlier")})
    assert shown(200) == (list(range(101, 201)), {("100", "earlier"), ("201", "later")})
    assert shown(1) == (list(range(1, 101)), {("101", "later")})


def test_a_record_that_is_too_long_is_refused_with_advice(house, monkeypatch):
    monkeypatch.setattr("domain.match.capacity.MOST", 50)
    text = (Path(__file__).parents[3] / "examples" / "notation.ctn").read_text(encoding="utf-8")
    told = []
    with_pool(house.database, lambda pool: intake.import_ctn(pool, "Long records", True, text, told.append))
    assert any(not each.good and "divide it into several" in each.text for each in told)
