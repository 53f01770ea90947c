"""A tournament that went on in a copy of the club comes to its server with its matches: in one piece, and in order.

Each promise stands beside the mistake that its test finds.
"""

import pytest

from tests.conftest import migrated
from tests.kit.service.away import both, evening_away, pushes, verified
from tests.kit.service.club_evenings import Evening

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def server():
    with migrated() as found:
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
    """Mistake: a tournament before its matches, so that the steward opens them himself, and they part."""
    streams = played_on(cup)
    cup.pushed()
    assert cup.home.get(cup.home.cup.path).json()["status"] == "finished"
    cup.home.get(f"{cup.home.path}/tournaments")
    for stream in streams:
        here, there = both(cup, stream)
        assert here == there, stream
    assert "nothing is new here" in cup.pushed()
    assert verified(cup.home.database) == ()


def test_what_was_said_after_a_match_in_its_tournament_stands_after_it_here_too(cup):
    """Mistake: streams behind one another, so that the steward takes a record for newer than the director's word."""
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


def test_a_tournament_that_went_on_at_both_ends_waits_whole_with_its_matches(cup):
    """Mistake: half a tournament that is taken."""
    streams = played_on(cup)
    cup.home.cup.play()
    before = {stream: both(cup, stream)[0] for stream in streams}
    assert cup.push("--dry-run").exit_code == 1
    done = cup.push()
    assert done.exit_code == 1
    assert {stream: both(cup, stream)[0] for stream in streams} == before
    assert pushes(cup) == []
    assert len(cup.home.get(f"{cup.home.path}/pushes", "director").json()["forks"]) == 1
