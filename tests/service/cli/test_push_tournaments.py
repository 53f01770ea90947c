"""A tournament that went on in a copy of the club comes to its server with its matches: in one piece, and in order."""

from datetime import timedelta

import pytest

from service.store.ids import now
from tests.conftest import new_database
from tests.kit.service.away import both, evening_away, pushes, verified
from tests.kit.service.club_evenings import Evening
from tests.service.api.test_claims_and_contests import Night


@pytest.fixture(scope="module")
def server():
    with new_database() as found:
        yield found


@pytest.fixture
def cup(server, tmp_path):
    """A tournament whose first round was paired when the copy was taken."""

    def prepare(home):
        stage = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
        home.cup = Evening(home, [stage], players=4)
        home.cup.act({"do": "pair_round"})

    with evening_away(server, tmp_path, prepare) as found:
        yield found


def in_the_copy(away):
    """The tournament as the copy has it."""
    there = Evening.__new__(Evening)
    there.house, there.id, there.path = away.away, away.home.cup.id, away.home.cup.path
    there.read()
    return there


def played_on(away):
    """The tournament goes on in the copy, to its end; the streams that belong to it."""
    there = in_the_copy(away)
    there.play()
    there.act({"do": "pair_round"})
    there.play()
    there.act({"do": "finish"})
    there.read()
    return [there.id, *(each["match"] for at in there.view["rounds"] for each in at["pairings"])]


def test_a_tournament_comes_with_its_matches_in_one_piece(cup):
    streams = played_on(cup)
    cup.pushed()
    assert cup.home.get(cup.home.cup.path).json()["status"] == "finished"
    cup.home.get(f"{cup.home.path}/tournaments")
    for stream in streams:
        here, there = both(cup, stream)
        assert here == there, stream
    assert "nothing is new here" in cup.pushed()
    assert verified(cup.home.database) == ()


def test_events_of_a_tournament_keep_their_order_among_those_of_matches(cup):
    there = in_the_copy(cup)
    first, second = (each["match"] for each in there.round()["pairings"])
    cup.away.done(f"/api/v1/matches/{first}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    there.read()
    there.act({"do": "report", "fixture": "W1.1", "winner": 1, "score": [0, 21]})
    there.act({"do": "report", "fixture": "W1.2", "winner": 1, "score": [0, 21]})
    cup.away.done(f"/api/v1/matches/{second}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    own = there.read()
    assert [each["contested"] is None for each in own["rounds"][0]["pairings"]] == [True, False]
    cup.pushed()
    assert cup.home.get(there.path).json()["rounds"] == own["rounds"]
    for stream in (there.id, first, second):
        assert both(cup, stream)[0] == both(cup, stream)[1], stream
    assert "nothing is new here" in cup.pushed()
    order = "select stream_id::text, version from events where club_id = %s and position > 0 order by position"
    at_home, away = (
        [row for row in log.execute(order, [cup.home.id]).fetchall() if row[0] in (there.id, first, second)]
        for log in (cup.home.log, cup.away.log)
    )
    assert at_home == away


def test_a_tournament_continued_at_both_ends_is_refused_as_a_whole(cup):
    streams = played_on(cup)
    cup.home.cup.play()
    before = {stream: both(cup, stream)[0] for stream in streams}
    assert cup.push("--dry-run").exit_code == 1
    done = cup.push()
    assert done.exit_code == 1
    assert {stream: both(cup, stream)[0] for stream in streams} == before
    assert pushes(cup) == []
    assert len(cup.home.get(f"{cup.home.path}/pushes", "director").json()["forks"]) == 1


def half_an_hour_later(away):
    """Put the clocks of both services 31 minutes forward."""
    for application in (away.server.application, away.away.client.app):
        application.state.services.recorder.clock = lambda: now() + timedelta(minutes=31)


@pytest.mark.extended
def test_silence_that_began_before_the_copy_counts_at_home_only(server, tmp_path):
    def prepare(home):
        home.night = Night(home, plan={"timeout": 30})
        home.night.claims(0, score=[21, 0])

    with evening_away(server, tmp_path, prepare) as away:
        away.away.match(sides=(("Annie",), ("Dana",)))
        half_an_hour_later(away)
        path = away.home.night.evening.path
        (there, here) = (each.get(path).json()["rounds"][0]["pairings"][0] for each in (away.away, away.home))
        assert (there["status"], here["status"]) == ("open", "decided")
        assert "1 stream taken" in away.pushed()


def test_a_result_confirmed_by_silence_in_the_copy_is_pushed(server, tmp_path):
    def prepare(home):
        home.night = Night(home, plan={"timeout": 30})

    with evening_away(server, tmp_path, prepare) as away:
        night = signed_away(away)
        half_an_hour_later(away)
        assert away.away.get(night.evening.path).json()["rounds"][0]["pairings"][0]["status"] == "decided"
        away.pushed()
        assert both(away, night.evening.id)[0] == both(away, night.evening.id)[1]


@pytest.mark.extended
def test_time_to_answer_a_pushed_signature_starts_at_its_arrival(server, tmp_path):
    def prepare(home):
        home.night = Night(home, plan={"timeout": 30})

    def at_home():
        return away.home.get(night.evening.path).json()["rounds"][0]["pairings"][0]["status"]

    with evening_away(server, tmp_path, prepare) as away:
        night = signed_away(away)
        clock = away.server.application.state.services.recorder
        clock.clock = lambda: now() + timedelta(minutes=31)
        away.pushed()
        assert at_home() == "open"
        clock.clock = lambda: now() + timedelta(minutes=63)
        assert at_home() == "decided"


def signed_away(away):
    """Let one side sign a result in the copy; return the tournament."""
    night, claim = away.home.night, {"do": "report", "fixture": "W1.1", "score": [21, 0]}
    (first, *_) = away.away.get(night.evening.path).json()["rounds"][0]["pairings"][0]["sides"]
    playing = {each["id"]: each["players"][0] for each in night.evening.view["entries"]}
    own = away.away.token("player", player=playing[first["entries"][0]])
    away.away.client.app.state.services.recorder.clock = lambda: now() + timedelta(seconds=2)  # after the restore
    away.away.done(f"{night.evening.path}/actions", {"actions": [claim]}, own)
    return night
