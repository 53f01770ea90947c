"""Tournaments over HTTP: whole evenings, and the situations that users of other programs reported."""

import pytest

from tests.kit.service.asking import House, a_problem
from tests.kit.service.club_evenings import Evening

CROSS = {"target": 11, "win_by": 2}


def single(**more):
    return {"format": {"kind": "single", **more}, "game": "cross_game", "race": CROSS}


def swiss(rounds=4, **more):
    return {"format": {"kind": "swiss", "rounds": rounds, **more}, "game": "cross_game", "race": CROSS}


def test_an_evening_of_eight_from_entries_to_a_prize_list(house):
    prizes = [{"first": 1, "last": 1, "what": "the cup"}, {"first": 2, "last": 3, "what": "chocolate"}]
    evening = Evening(house, [single(third_place=True)], plan={"date": "2026-11-21", "prizes": prizes})
    places = evening.to_the_end()
    assert [each["rank"] for each in places] == [1, 2, 3, 4, 5, 5, 5, 5]
    assert [each["prize"] for each in places[:4]] == ["the cup", "chocolate", "chocolate", None]
    assert evening.view["status"] == "finished"
    listed = house.get(f"{house.path}/tournaments").json()["items"]
    row = next(each for each in listed if each["id"] == evening.id)
    assert (row["winner"], row["entries"], row["date"]) == (places[0]["name"], 8, "2026-11-21")


def test_the_end_of_a_paired_match_is_the_result_of_its_pairing(house):
    evening = Evening(house, [{"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}], players=2)
    evening.act({"do": "pair_round"})
    pairing = evening.round()["pairings"][0]
    match = f"/api/v1/matches/{pairing['match']}"
    view = house.get(match).json()
    assert (view["tournament"], view["target"], view["win_by"]) == (evening.id, 15, 2)
    assert view["next_dealer"] == 0, "the first-named deals first"
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    evening.read()
    outcome = evening.round()["pairings"][0]
    assert (outcome["status"], outcome["winner"], outcome["score"]) == ("decided", 0, [21, 0])
    house.done(f"{match}/undo", {})
    evening.read()
    assert evening.round()["pairings"][0]["status"] == "open"


def test_where_results_count_once_confirmed_nothing_is_reported_before(house):
    stage = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
    evening = Evening(house, [stage], players=2, plan={"counts": "confirmed"})
    evening.act({"do": "pair_round"})
    match = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    evening.read()
    assert evening.open()
    for side in (0, 1):
        house.done(f"{match}/confirmations", {"deal": 1, "side": side})
    evening.read()
    assert not evening.open()


def test_a_round_that_is_taken_back_leaves_its_matches_void(house):
    evening = Evening(house, [single()], players=4)
    evening.act({"do": "pair_round"})
    match = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
    evening.act({"do": "unpair_round"}, reason="somebody came late")
    assert house.get(match).json()["status"] == "void"
    assert "void" in house.refused("POST", f"{match}/deals", {}, 409, "misfit")["detail"]
    assert evening.view["rounds"] == []


def test_1_a_bye_counts_as_a_win_and_the_loser_has_none(house):
    evening = Evening(house, [swiss(3)], players=3)
    evening.act({"do": "pair_round"})
    assert [each["kind"] for each in evening.round()["byes"]] == ["bye"]
    evening.play()
    assert sorted(row["values"][0] for row in evening.read("/standings")["rows"]) == [0, 1, 1]


def test_2_pairing_twice_makes_no_second_set(house):
    evening = Evening(house, [swiss(3)], players=3)
    evening.act({"do": "pair_round", "number": 1})
    evening.play()
    again = evening.refused({"do": "pair_round", "number": 1})
    assert "round 2 is the next one" in again["detail"]
    assert len(evening.read()["rounds"]) == 1
    assert sorted(row["values"][0] for row in evening.read("/standings")["rows"]) == [0, 1, 1]


def test_3_nobody_has_a_second_bye_while_another_had_none(house):
    evening = Evening(house, [swiss(5)], players=5)
    resting = []
    for _ in range(5):
        evening.act({"do": "pair_round"})
        resting += [each["entry"] for each in evening.round()["byes"]]
        evening.play()
    assert len(set(resting)) == 5


def test_5_late_rounds_of_a_small_field_leave_nobody_over(house):
    evening = Evening(house, [swiss(5)], players=6)
    for _ in range(5):
        evening.act({"do": "pair_round"})
        assert len(evening.round()["pairings"]) == 3
        evening.play()
    met = [
        frozenset(side["entries"][0] for side in each["sides"])
        for at in evening.view["rounds"]
        for each in at["pairings"]
    ]
    assert len(set(met)) == 15, "everybody met everybody"


def test_6_a_result_is_for_a_pairing_that_there_is(house):
    evening = Evening(house, [swiss(3)], players=4)
    evening.act({"do": "pair_round"})
    evening.refused({"do": "report", "fixture": "R1.3", "winner": 0}, status=404, slug="not-found")
    evening.refused({"do": "report", "fixture": "R1.1", "winner": 2}, status=400, slug="malformed")


@pytest.mark.parametrize(
    ("score", "said"), [([10, 11], "plays on"), ([11, 10], "two ahead wins"), ([60, 12], "cannot be"), ([12, 10], None)]
)
def test_7_a_match_is_won_by_two(house, score, said):
    evening = Evening(house, [single()], players=2)
    evening.act({"do": "pair_round"})
    report = {"do": "report", "fixture": "W1.1", "score": score}
    if said is None:
        assert evening.act(report)["tournament"]["rounds"][0]["pairings"][0]["winner"] == 0
    else:
        assert said in evening.refused(report)["detail"]


def test_8_a_corrected_winner_shows_in_the_next_round(house):
    evening = Evening(house, [single()], players=4)
    evening.act({"do": "pair_round"})
    evening.play()
    evening.act({"do": "pair_round"})
    loser = evening.view["rounds"][0]["pairings"][0]["sides"][1]
    wrong = {"do": "report", "fixture": "W1.1", "winner": 1}
    evening.refused(wrong, slug="window-closed")
    moved = evening.preview({**wrong, "repair": "again"})
    assert any(loser["name"] in (each["after"] or "") for each in moved["pairings"])
    evening.act({**wrong, "repair": "again"}, reason="the slip was read upside down")
    final = evening.round()["pairings"][0]
    assert final["sides"][0]["name"] == loser["name"]
    evening.act({"do": "report", "fixture": "W2.1", "winner": 0})
    evening.refused({"do": "report", "fixture": "W1.1", "winner": 0}, slug="window-closed")


def test_9_the_score_alone_may_always_be_corrected(house):
    evening = Evening(house, [single()], players=4)
    evening.act({"do": "pair_round"})
    evening.act(
        {"do": "report", "fixture": "W1.1", "score": [12, 10]}, {"do": "report", "fixture": "W1.2", "winner": 0}
    )
    evening.act({"do": "pair_round"}, {"do": "report", "fixture": "W2.1", "winner": 0})
    evening.act({"do": "report", "fixture": "W1.1", "score": [13, 11]})
    assert evening.view["rounds"][0]["pairings"][0]["score"] == [13, 11]


def test_10_where_both_are_absent_the_next_has_a_walkover(house):
    evening = Evening(house, [single()], players=4)
    evening.act({"do": "pair_round"})
    evening.act({"do": "report", "fixture": "W1.1", "how": "absent"}, {"do": "report", "fixture": "W1.2", "winner": 0})
    assert evening.view["stages"][0]["status"] == "over"
    places = evening.act({"do": "finish"})["tournament"]["places"]
    assert [each["rank"] for each in places] == [1, 2, 3, 3]
    assert places[0]["entry"] == evening.view["rounds"][0]["pairings"][1]["sides"][0]["entries"][0]


def test_11_who_leaves_a_double_elimination_leaves_no_hole(house):
    evening = Evening(house, [{"format": {"kind": "double"}, "game": "cross_game", "race": CROSS}], players=4)
    evening.act({"do": "pair_round"})
    evening.play()
    first = next(each["id"] for each in evening.view["entries"] if each["seed"] == 1)
    evening.act({"do": "withdraw", "entry": first})
    while evening.view["stages"][0]["status"] != "over":
        evening.act({"do": "pair_round"})
        evening.play()
    places = evening.act({"do": "finish"})["tournament"]["places"]
    assert len(places) == 4
    assert sum(each["rank"] == 1 for each in places) == 1


def test_12_the_final_is_played_again_only_if_needed(house):
    evening = Evening(house, [{"format": {"kind": "double"}, "game": "cross_game", "race": CROSS}], players=4)
    while evening.view["at"] < 0 or evening.view["stages"][0]["status"] != "over":
        evening.act({"do": "pair_round"})
        evening.play()
    fixtures = [each["fixture"] for at in evening.view["rounds"] for each in at["pairings"]]
    assert "F1.1" in fixtures
    assert "F2.1" not in fixtures
    assert "F2.1" not in [box["id"] for box in evening.read("/bracket")["boxes"]]
    evening.refused({"do": "pair_round"})


def test_standings_explain_themselves_and_can_be_asked_as_of_any_version(house):
    evening = Evening(house, [swiss(3)], players=6)
    evening.act({"do": "pair_round"})
    evening.play()
    version = evening.view["version"]
    evening.act({"do": "pair_round"})
    provisional = evening.read("/standings")
    assert provisional["provisional"]
    assert any(row["best"] < row["worst"] for row in provisional["rows"])
    evening.play()
    then = evening.read("/standings", as_of=version)
    assert (then["version"], then["provisional"]) == (version, False)
    now = evening.read("/standings")["rows"]
    why = evening.read(f"/standings/{now[1]['entry']}")
    assert [each["code"] for each in why["values"]] == ["PTS", "DE", "BH/C1", "BH", "SB", "WON"]
    total = sum(float(term["value"]) for term in why["values"][0]["terms"] if term["counts"])
    assert total == now[1]["values"][0]
    assert now[0]["name"] in why["ahead"]


def test_two_directors_who_pair_the_same_round_make_one(house):
    evening = Evening(house, [swiss(3)], players=4)
    version = evening.view["version"]
    evening.act({"do": "pair_round"}, expected_version=version)
    problem = evening.refused({"do": "pair_round"}, expected_version=version, slug="lost-race")
    assert problem["current_version"] == evening.view["version"]


def test_the_same_key_answers_as_the_first_time(house):
    evening = Evening(house, [swiss(3)], players=4)
    body = {"actions": [{"do": "pair_round"}]}
    first = house.post(f"{evening.path}/actions", body, "director", **{"Idempotency-Key": evening.id})
    again = house.post(f"{evening.path}/actions", body, "director", **{"Idempotency-Key": evening.id})
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json()["events"] == again.json()["events"]
    assert len(again.json()["tournament"]["rounds"]) == 1


@pytest.mark.parametrize(
    ("body", "status", "slug"),
    [
        ({"name": "Cup", "stages": []}, 400, "malformed"),
        ({"name": "Cup", "stages": [{"format": {"kind": "swim"}, "game": "parity"}]}, 422, "unknown-option"),
        ({"name": "Cup", "stages": [{"format": {"kind": "single"}, "game": "chess"}]}, 422, "unknown-option"),
        ({"name": "Cup", "stages": [{"format": {"kind": "individual"}, "game": "parity"}]}, 422, "unknown-option"),
        ({"name": "", "stages": [{"format": {"kind": "single"}, "game": "parity"}]}, 400, "malformed"),
    ],
)
def test_what_cannot_be_announced_is_refused(house, body, status, slug):
    house.refused("POST", f"{house.path}/tournaments", body, status, slug, "director")


def test_one_person_enters_once_and_one_entry_is_no_tournament(house):
    evening = Evening(house, [single()], players=1)
    name = evening.view["entries"][0]["name"]
    evening.refused({"do": "enter", "players": [name]})
    assert "enter somebody" in evening.refused({"do": "pair_round"})["detail"]


def test_a_player_directs_the_own_entry_alone(house):
    evening = Evening(house, [single()], players=2)
    mine, other = evening.view["entries"]
    token = house.token("player", player=mine["players"][0])
    evening.act({"do": "check_in", "entry": mine["id"]}, role=token)
    evening.refused({"do": "check_in", "entry": other["id"]}, role=token, status=403, slug="forbidden")
    evening.refused({"do": "pair_round"}, role=token, status=403, slug="forbidden")
    evening.act({"do": "pair_round"})
    evening.act({"do": "report", "fixture": "W1.1", "score": [12, 10]}, role=token)
    evening.refused({"do": "report", "fixture": "W1.1", "winner": 1}, role=token, status=403, slug="forbidden")
    evening.act({"do": "dispute", "fixture": "W1.1"}, role=token, reason="we had 10")
    assert evening.round()["pairings"][0]["disputed"]


def test_a_reason_is_read_by_directors_only(house):
    evening = Evening(house, [single()], players=2)
    evening.act({"do": "pair_round"}, reason="the hall closes at ten")
    lines = house.get(f"{evening.path}/events", "director").text
    assert "the hall closes at ten" in lines
    assert "the hall closes at ten" not in house.get(f"{evening.path}/events", "spectator").text


def test_a_tournament_of_another_club_is_not_there(house, client, database):
    evening = Evening(house, [single()], players=2)
    with House(client, database) as other:
        a_problem(other.get(evening.path, "owner"), 404, "not-found")
        a_problem(other.post(f"{evening.path}/actions", {"actions": [{"do": "finish"}]}, "owner"), 404, "not-found")


def test_4_the_bye_goes_to_the_lowest_who_had_none(house):
    evening = Evening(house, [swiss(4)], players=17)
    rested = set()
    for number in range(1, 5):
        points = {row["entry"]: row["values"][0] for row in evening.read("/standings")["rows"]} if number > 1 else {}
        evening.act({"do": "pair_round"})
        (bye,) = evening.round()["byes"]
        if points:
            lower = [entry for entry, score in points.items() if score < points[bye["entry"]] and entry not in rested]
            assert lower == [], "somebody lower had none yet, and the others could be paired"
        rested.add(bye["entry"])
        evening.play()
    assert len(rested) == 4


def recorded_match(house):
    """A match of a tournament whose record has decided it; the evening, and the path of the match."""
    evening = Evening(house, [{"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}], players=2)
    evening.act({"do": "pair_round"})
    match = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    assert evening.read()["rounds"][0]["pairings"][0]["winner"] == 0
    return evening, match


def test_the_same_record_does_not_report_a_reopened_pairing(house):
    evening, match = recorded_match(house)
    evening.act({"do": "retract", "fixture": "W1.1"})
    assert evening.read()["rounds"][0]["pairings"][0]["status"] == "open"
    house.done(f"{match}/corrections", {"version": 3, "now": {"parity": "odd", "tricks": [4, 11]}, "reason": "misread"})
    outcome = evening.read()["rounds"][0]["pairings"][0]
    assert (outcome["winner"], outcome["score"]) == (1, [0, 21])


def test_a_result_by_hand_that_is_withdrawn_gives_way_to_the_record(house):
    evening, _ = recorded_match(house)
    evening.act({"do": "report", "fixture": "W1.1", "winner": 1}, reason="ruled at the table")
    evening.act({"do": "retract", "fixture": "W1.1"})
    assert evening.read()["rounds"][0]["pairings"][0]["winner"] == 0


def test_a_record_that_is_corrected_settles_no_dispute(house):
    evening, match = recorded_match(house)
    evening.act({"do": "dispute", "fixture": "W1.1"})
    wrong = {"version": 3, "now": {"parity": "odd", "tricks": [4, 11]}, "reason": "misread"}
    house.refused("POST", f"{match}/corrections", wrong, 409, "window-closed")
    house.done(f"{match}/corrections", wrong, "director")
    outcome = evening.read()["rounds"][0]["pairings"][0]
    assert (outcome["winner"], outcome["disputed"]) == (1, True)
    house.done(f"{match}/settlements", {"how": "corrected"}, "director")
    assert not evening.read()["rounds"][0]["pairings"][0]["disputed"]


def test_a_record_reports_after_the_round_was_taken_back(house):
    stage = {"format": {"kind": "swiss", "rounds": 3}, "game": "parity", "race": {"target": 15}}
    evening = Evening(house, [stage], players=4)
    evening.act({"do": "pair_round"})
    first = evening.round()["pairings"][0]
    match = f"/api/v1/matches/{first['match']}"
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    evening.read()
    evening.play()
    evening.act({"do": "pair_round"})
    right = {"version": 3, "now": {"parity": "odd", "tricks": [4, 11]}, "reason": "misread"}
    house.done(f"{match}/corrections", right)
    assert evening.read()["rounds"][0]["pairings"][0]["winner"] == 0, "a later round hangs on it: the director decides"
    evening.act({"do": "unpair_round"})
    assert evening.read()["rounds"][0]["pairings"][0]["winner"] == 1


def test_taking_back_a_round_in_play_needs_confirmation(house):
    stage = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 100}}
    evening = Evening(house, [stage], players=2)
    evening.act({"do": "pair_round"})
    match = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    assert "table 1" in evening.refused({"do": "unpair_round"}, slug="confirm-needed")["detail"]
    evening.act({"do": "unpair_round", "knowingly": True})
    assert house.get(match).json()["status"] == "void"


def test_who_is_refused_is_not_registered(house):
    evening = Evening(house, [single()], players=2)
    evening.act({"do": "pair_round"})
    evening.refused({"do": "enter", "players": ["Never Entered"]}, slug="window-closed")
    evening.refused({"do": "substitute", "entry": evening.id, "players": ["Never Sat"]}, status=404, slug="not-found")
    names = house.get(f"{house.path}/players?limit=200").text
    assert "Never" not in names


def test_a_players_repeat_is_answered_as_the_first_time(house):
    evening = Evening(house, [single()], players=2)
    token = house.token("player", player=evening.view["entries"][0]["players"][0])
    evening.act({"do": "pair_round"})
    body = {"actions": [{"do": "report", "fixture": "W1.1", "score": [12, 10]}]}
    answers = [
        house.post(f"{evening.path}/actions", body, token, **{"Idempotency-Key": f"mine {evening.id}"})
        for _ in range(2)
    ]
    assert [each.status_code for each in answers] == [201, 201]


def test_a_scorer_reports_the_own_match_and_corrects_nothing(house):
    evening = Evening(house, [single()], players=4)
    evening.act({"do": "pair_round"})
    one, other = evening.round()["pairings"]
    bound = house.token("scorer", match=one["match"])
    report = {"do": "report", "fixture": other["fixture"], "winner": 0}
    evening.refused(report, role=bound, status=403, slug="forbidden")
    evening.act({"do": "report", "fixture": one["fixture"], "winner": 0}, role=bound)
    wrong = {"do": "report", "fixture": one["fixture"], "winner": 1}
    evening.refused(wrong, role="scorer", status=403, slug="forbidden")


def test_a_reported_and_a_recorded_match_of_games_count_the_same(house):
    race = {"target": 15, "best_of": 3}
    stage = {"format": {"kind": "round-robin"}, "game": "parity", "race": race, "terms": {"tiebreaks": ["WP", "PTS"]}}
    worth = []
    for recorded in (True, False):
        evening = Evening(house, [stage], players=2)
        evening.act({"do": "pair_round"})
        match = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
        if recorded:
            for _ in range(2):
                house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
        else:
            evening.act({"do": "report", "fixture": "R1.1", "score": [2, 0]})
        worth.append(evening.read()["rounds"][0]["pairings"][0]["worth"])
    assert worth[0] == worth[1]


def test_an_announcement_that_is_refused_registers_nobody(house):
    entries = [{"do": "enter", "players": ["Twice Named"]}, {"do": "enter", "players": ["Twice Named"]}]
    body = {"name": "Cup", "stages": [single()], "entries": entries}
    house.refused("POST", f"{house.path}/tournaments", body, 409, "misfit", "director")
    assert "Twice" not in house.get(f"{house.path}/players?limit=200").text


def test_the_page_on_directing_names_every_action_and_no_other():
    import re
    from pathlib import Path
    from typing import get_args

    from service.desk.tournament_bodies import Action

    text = (Path(__file__).parents[3] / "docs" / "tournaments.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    told = {word for row in rows for word in re.findall(r"`([a-z_]+)`", row)}
    assert told == {str(kind.__struct_config__.tag) for kind in get_args(Action)}


def swiss_of_parity(house, target=15):
    stage = {"format": {"kind": "swiss", "rounds": 3}, "game": "parity", "race": {"target": target}}
    return Evening(house, [stage], players=4)


def record(house, pairing, tricks):
    house.done(f"/api/v1/matches/{pairing['match']}/results", {"entry": {"parity": "odd", "tricks": tricks}})


def test_the_record_of_another_match_of_the_same_name_counts(house):
    evening = swiss_of_parity(house)
    evening.act({"do": "pair_round"})
    evening.play()
    evening.act({"do": "pair_round"})
    record(house, evening.round()["pairings"][0], [11, 4])
    evening.read()
    evening.act({"do": "retract", "fixture": "R2.1"}, {"do": "unpair_round", "knowingly": True}, {"do": "pair_round"})
    record(house, evening.round()["pairings"][0], [11, 4])
    assert evening.read()["rounds"][-1]["pairings"][0]["score"] == [21, 0]


def test_pairing_again_with_tables_in_play_needs_confirmation(house):
    evening = swiss_of_parity(house, 100)
    evening.act({"do": "pair_round"})
    evening.play()
    evening.act({"do": "pair_round"})
    for each in evening.round()["pairings"]:
        record(house, each, [11, 4])
    wrong = 1 - evening.view["rounds"][0]["pairings"][0]["winner"]
    report = {"do": "report", "fixture": "R1.1", "winner": wrong, "repair": "again"}
    assert "deals are recorded" in evening.refused(report, slug="confirm-needed")["detail"]
    evening.act({**report, "knowingly": True})


def test_a_scorer_corrects_no_earlier_stage_either(house):
    groups = {"format": {"kind": "groups", "groups": 2}, "game": "cross_game", "race": CROSS, "go_on": 4}
    evening = Evening(house, [groups, single()], players=4)
    evening.act({"do": "pair_round"})
    evening.play()
    evening.act({"do": "pair_round"})
    report = {"do": "report", "fixture": "GA1.1", "winner": 0, "how": "walkover"}
    evening.refused(report, role="scorer", status=403, slug="forbidden")


def test_a_substitute_and_the_next_round_go_together(house):
    evening = swiss_of_parity(house)
    evening.act({"do": "pair_round"})
    evening.play()
    entry = evening.view["entries"][0]["id"]
    evening.act({"do": "substitute", "entry": entry, "players": ["Stand In"]}, {"do": "pair_round"})
    assert len(evening.view["rounds"]) == 2


def test_fewer_entries_than_groups_were_thought_of_are_no_accident(house):
    evening = Evening(house, [{"format": {"kind": "groups", "groups": 4}, "game": "cross_game"}], players=5)
    evening.act({"do": "pair_round"})
    assert len(evening.round()["pairings"]) == 2
