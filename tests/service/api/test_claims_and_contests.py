"""A result that both sides have to confirm is claimed first; one that its record contradicts is contested."""

import pytest

from tests.kit.service.asking import House
from tests.kit.service.club_evenings import Evening

LEFT, RIGHT = {"parity": "odd", "tricks": [11, 4]}, {"parity": "odd", "tricks": [4, 11]}
SHORT = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


class Night:
    """A bracket of four whose players have phones; its first match."""

    def __init__(self, house, counts="confirmed", plan=None, **stage):
        self.house = house
        self.people = [
            house.done(f"{house.path}/players", {"name": house.next_name()}, "owner")["id"] for _ in range(4)
        ]
        entries = [{"do": "enter", "players": [{"id": person}]} for person in self.people]
        self.evening = Evening(house, [{**SHORT, **stage}], entries=entries, plan={"counts": counts, **(plan or {})})
        self.evening.act({"do": "pair_round"})
        first = self.first()
        self.match = f"/api/v1/matches/{first['match']}"
        players = {each["id"]: each["players"][0] for each in self.evening.view["entries"]}
        self.sides = [house.token("player", player=players[side["entries"][0]]) for side in first["sides"]]

    def first(self):
        return self.evening.read()["rounds"][0]["pairings"][0]

    def claims(self, side, **said):
        return self.evening.act({"do": "report", "fixture": "W1.1", **said}, role=self.sides[side])


@pytest.fixture
def night(house):
    return Night(house)


def test_what_one_player_reports_is_a_claim_that_decides_nothing(night):
    answer = night.claims(0, winner=0, score=[21, 0])
    assert [each["type"] for each in answer["events"]] == ["OutcomeClaimed"]
    first = night.first()
    assert (first["status"], first["winner"]) == ("open", None)
    assert first["claims"] == [{"side": 0, "winner": 0, "score": [21, 0], "games": None}]
    night.evening.refused({"do": "report", "fixture": "W1.1", "winner": 0, "score": [21, 0]}, role=night.sides[0])


def test_the_same_from_the_other_side_is_the_result(night):
    night.claims(0, winner=0, score=[21, 0])
    answer = night.claims(1, score=[21, 0])
    assert [each["type"] for each in answer["events"]] == ["OutcomeClaimed", "OutcomeReported"]
    first = night.first()
    assert (first["status"], first["winner"], first["claims"]) == ("decided", 0, [])


def test_something_else_from_the_other_side_is_disputed_and_the_director_decides(night):
    night.claims(0, score=[21, 0])
    answer = night.claims(1, score=[0, 21])
    assert [each["type"] for each in answer["events"]] == ["OutcomeClaimed", "OutcomeDisputed"]
    assert (night.first()["disputed"], night.first()["winner"]) == (True, None)
    night.evening.act({"do": "report", "fixture": "W1.1", "score": [0, 21]})
    assert (night.first()["disputed"], night.first()["winner"]) == (False, 1)


def test_where_play_decides_one_report_is_enough(house):
    night = Night(house, "played")
    night.claims(0, score=[21, 0])
    assert night.first()["winner"] == 0


def test_a_match_that_is_recorded_takes_its_claims_from_the_record(night):
    night.house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1}, night.sides[0])
    first = night.first()
    assert [(each["side"], each["winner"]) for each in first["claims"]] == [(0, 0)]
    night.evening.refused({"do": "report", "fixture": "W1.1", "score": [0, 21]}, role=night.sides[1])
    night.house.done(f"{night.match}/confirmations", {"deal": 1, "side": 1}, night.sides[1])
    assert (night.first()["winner"], night.first()["status"]) == (0, "decided")


def test_a_player_reports_no_match_of_others(night):
    night.evening.refused(
        {"do": "report", "fixture": "W1.2", "score": [21, 0]}, role=night.sides[0], status=403, slug="forbidden"
    )


def test_a_recorded_dispute_begins_and_ends_one_in_the_tournament(house):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    house.done(f"{night.match}/disputes", {"deal": 1, "side": 1, "reason": "a revoke"}, night.sides[1])
    assert night.first()["disputed"]
    house.done(f"{night.match}/settlements", {"how": "withdrawn"}, night.sides[1])
    assert not night.first()["disputed"]


def test_a_dispute_in_the_tournament_is_one_in_the_record(house):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    night.first()
    night.evening.act({"do": "dispute", "fixture": "W1.1"}, role=night.sides[1])
    assert [each["side"] for each in house.get(night.match).json()["disputes"]] == [1]
    house.refused("POST", f"{night.match}/undo", {}, 409, "window-closed")
    night.evening.act({"do": "uphold", "fixture": "W1.1"})
    assert house.get(night.match).json()["disputes"] == []


def corrected_late(house, **stage):
    """A night on which the record of a match is corrected after the next round was paired on it."""
    night = Night(house, "played", **stage)
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    night.evening.read()
    night.evening.play()
    night.evening.act({"do": "pair_round"})
    version = house.get(night.match).json()["deals"][0]["entry_version"]
    wrong = {"version": version, "now": RIGHT, "reason": "misread"}
    house.done(f"{night.match}/corrections", wrong, "director")
    return night


def test_a_correction_that_changes_the_winner_too_late_contests_the_result_everywhere(house):
    night = corrected_late(house)
    first = night.first()
    assert (first["winner"], first["status"]) == (0, "decided")
    assert (first["contested"]["winner"], first["contested"]["score"], first["contested"]["because"]) == (
        1,
        [0, 21],
        "corrected",
    )
    page = house.client.get(f"/tournaments/{night.evening.id}?round=1").text
    assert "⚑ contested" in page
    assert "OutcomeContested" in house.get(f"{night.evening.path}/events").text


def test_a_contested_result_stops_the_finish_and_nothing_else(house):
    night = corrected_late(house)
    night.evening.read()
    night.evening.play()
    assert "says something else" in night.evening.refused({"do": "finish"})["detail"]
    night.evening.act({"do": "uphold", "fixture": "W1.1"})
    assert night.first()["contested"] is None
    night.evening.act({"do": "finish"})


def test_a_contested_result_is_put_right_by_the_same_repairs_as_any(house):
    night = corrected_late(house)
    night.evening.read()
    night.evening.act({"do": "report", "fixture": "W1.1", "score": [0, 21], "repair": "again", "knowingly": True})
    first = night.first()
    assert (first["winner"], first["contested"]) == (1, None)


def test_a_correction_after_the_tournament_was_finished_contests_its_result(house):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    night.evening.read()
    night.evening.play()
    night.evening.to_the_end()
    version = house.get(night.match).json()["deals"][0]["entry_version"]
    house.done(f"{night.match}/corrections", {"version": version, "now": RIGHT, "reason": "misread"}, "director")
    assert night.first()["contested"]["winner"] == 1
    night.evening.act({"do": "uphold", "fixture": "W1.1"})
    assert night.first()["contested"] is None


def test_a_record_that_comes_back_to_the_result_contests_it_no_more(house):
    night = corrected_late(house)
    assert night.first()["contested"]
    version = house.get(night.match).json()["deals"][0]["entry_version"]
    house.done(f"{night.match}/corrections", {"version": version, "now": LEFT, "reason": "it was right"}, "director")
    assert night.first()["contested"] is None


def test_what_the_record_said_before_a_director_decided_otherwise_contests_nothing(house):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    night.first()
    night.evening.act({"do": "report", "fixture": "W1.1", "score": [0, 21]}, reason="the wrong chairs")
    assert (night.first()["winner"], night.first()["contested"]) == (1, None)
    house.done(f"{night.match}/void-deal", {}, "director")
    house.done(f"{night.match}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}, "deal": 2}, "director")
    assert night.first()["contested"]["winner"] == 0


def test_a_winner_entered_by_hand_needs_a_score_where_a_lurch_counts(house):
    lurch = {"lines": [66], "win_points": [1, 2]}
    night = Night(house, "played", race={"target": 100, "lurch": lurch}, terms={"points": "win"})
    told = night.evening.refused({"do": "report", "fixture": "W1.1", "winner": 0}, status=400, slug="malformed")
    assert "score" in told["detail"]
    night.evening.act({"do": "report", "fixture": "W1.1", "score": [110, 20]})
    assert night.first()["worth"] == [2, 0]


def test_a_match_of_several_games_lists_them_and_scores_by_them(house):
    night = Night(house, "played", race={"target": 15, "win_by": 2, "best_of": 3})
    night.evening.refused({"do": "report", "fixture": "W1.1", "games": [[15, 3], [15, 14]]}, status=409, slug="misfit")
    night.evening.refused(
        {"do": "report", "fixture": "W1.1", "games": [[15, 3], [15, 3], [15, 3]]}, status=400, slug="malformed"
    )
    night.evening.act({"do": "report", "fixture": "W1.1", "games": [[15, 3], [15, 13]]})
    first = night.first()
    assert (first["score"], first["games"], first["winner"]) == ([2, 0], [[15, 3], [15, 13]], 0)


def test_the_board_does_not_call_a_record_another_that_says_the_same(client, house, owner):
    night = Night(house, "played")
    house.done(f"{night.match}/results", {"entry": LEFT, "deal": 1})
    night.first()
    page = client.get(f"/tournaments/{night.evening.id}/director", headers=owner)
    assert page.status_code == 200
    assert "The record of the match has" not in page.text
    assert "confirmed <b>1</b>" not in page.text
