"""Settings of a club and its house rules over HTTP: who changes them, what they do at once, what two who change them
together lose."""

import pytest

from domain.tournament.formats import all_formats
from tests.kit.service.asking import House
from tests.kit.service.club_evenings import Evening

SINGLE = {"format": {"kind": "single"}, "game": "parity"}
PAIR = [["Annie"], ["Benny"]]
HOUSE = {"game": "parity", "target": 33, "win_by": 4, "options": {"open_hands": False}}


@pytest.fixture
def club(client, database):
    """A club of its own: its settings are changed."""
    with House(client, database) as found:
        yield found


@pytest.fixture(scope="module")
def unchanged(client, database):
    """A club in which nothing is ever changed."""
    with House(client, database) as found:
        yield found


def settings(club, role="spectator"):
    return club.get(f"{club.path}/settings", role).json()


def change(club, role="secretary", **body):
    return club.done(f"{club.path}/settings", body, role)


def rules(club, role="secretary", **body):
    return club.done(f"{club.path}/house-rules", body, role)["rules"]


def opened(club, role="scorer", **more):
    return club.done(f"{club.path}/matches", {"game": "parity", "sides": PAIR, **more}, role)["match"]


def test_a_settings_change_records_only_the_given_settings(club):
    before = settings(club)
    assert (before["zone"], before["opens"], before["games"], before["house_rules"]) == ("UTC", "scorer", [], [])
    answer = change(club, zone="Europe/Vienna", games=["garbo", "parity"])
    assert answer["changed"] == {
        "zone": {"was": "UTC", "now": "Europe/Vienna"},
        "games": {"was": [], "now": ["garbo", "parity"]},
    }
    assert answer["settings"] == {**before, "version": 2, "zone": "Europe/Vienna", "games": ["garbo", "parity"]}
    assert settings(club) == answer["settings"]
    event = club.get(f"{club.path}/events?after=1", "director").text
    assert "SettingsChanged" in event
    assert settings(club, "owner")["version"] == 2
    assert club.get(f"{club.path}/settings?as_of=1").json() == before


def test_what_stands_already_is_no_event(club):
    change(club, name="Friday club")
    position = club.position()
    for body in ({"name": "Friday  club"}, {}, {"zone": "UTC"}, {"expected_version": 1}):
        answer = club.post(f"{club.path}/settings", body, "secretary")
        assert (answer.status_code, answer.json()["changed"]) == (200, {})
    assert club.post(f"{club.path}/house-rules", {"game": "parity"}, "secretary").json()["rules"] is None
    assert club.position() == position


def test_a_repeat_with_the_same_key_is_answered_as_the_first_time(club):
    first, again = [
        club.post(f"{club.path}/settings", {"zone": "Asia/Tokyo"}, "secretary", **{"Idempotency-Key": "one"}).json()
        for _ in range(2)
    ]
    assert first == again
    assert first["changed"]["zone"]["now"] == "Asia/Tokyo"


@pytest.mark.parametrize("role", ["director", "deputy", "scorer", "player", "spectator"])
def test_others_read_them_and_change_nothing(unchanged, role):
    assert settings(unchanged, role)["version"] == 1
    unchanged.refused("POST", f"{unchanged.path}/settings", {"zone": "Asia/Tokyo"}, 403, "forbidden", role)
    unchanged.refused("POST", f"{unchanged.path}/house-rules", HOUSE, 403, "forbidden", role)


@pytest.mark.parametrize(
    "body",
    [
        {"zone": "Europe/Nowhere"},
        {"zone": "../../etc/passwd"},
        {"zone": "Factory"},
        {"name": "   "},
        {"name": "x" * 200},
        {"name": "one\ntwo"},
        {"games": ["whist"]},
        {"games": ["parity", "parity"]},
        {"opens": "everybody"},
        {"confirms": "timeout"},
        {"signals": "deaf"},
        {"public": "yes"},
        {"colour": "red"},
    ],
)
def test_what_is_no_setting_is_refused_with_nothing_recorded(unchanged, body):
    answer = unchanged.post(f"{unchanged.path}/settings", body, "secretary")
    assert answer.status_code in (400, 422), answer.text
    assert settings(unchanged)["version"] == 1


def test_a_club_cannot_take_a_visible_name_or_detect_a_private_one(club, client, database):
    with House(client, database) as other:
        change(other, name="Lantern club of two", public=True)
        body = {"name": "LANTERN club  of two"}
        club.refused("POST", f"{club.path}/settings", body, 400, "malformed", "secretary")
        club.refused("POST", f"{club.path}/settings", body, 403, "forbidden", "scorer")
        change(other, public=False)
        change(club, **body)
        change(other, name="Lantern club of three")


def test_of_two_secretaries_who_change_different_settings_neither_loses(club):
    change(club, zone="Europe/Vienna", expected_version=1)
    change(club, opens="member", expected_version=1)
    rules(club, **HOUSE, expected_version=1)
    now = settings(club)
    assert (now["zone"], now["opens"], now["house_rules"]) == ("Europe/Vienna", "member", ["parity"])


def test_a_conflicting_settings_change_shows_both_values(club):
    change(club, zone="Europe/Vienna", expected_version=1)
    club.done(f"{club.path}/players", {"name": "Nora"}, "director")
    body = {"zone": "Asia/Tokyo", "opens": "member", "expected_version": 1}
    problem = club.refused("POST", f"{club.path}/settings", body, 409, "lost-race", "secretary")
    assert problem["changed"] == {"zone": {"now": "Europe/Vienna", "yours": "Asia/Tokyo"}}
    assert problem["current_version"] == 3
    assert change(club, zone="Asia/Tokyo", expected_version=3)["settings"]["zone"] == "Asia/Tokyo"


def test_a_conflicting_house_rules_change_shows_both_versions(club):
    rules(club, game="parity", target=60, expected_version=1)
    body = {"game": "parity", "target": 80, "expected_version": 1}
    problem = club.refused("POST", f"{club.path}/house-rules", body, 409, "lost-race", "secretary")
    assert problem["changed"] == {"race": {"now": {"target": 60}, "yours": {"target": 80}}}
    rules(club, game="garbo", best_of=3, expected_version=1)


def test_a_new_match_takes_the_house_rules_and_what_is_said_wins(club):
    before = opened(club)
    made = rules(club, **HOUSE)
    taken, said = opened(club), opened(club, target=21, options={"open_hands": True})
    assert (taken["target"], taken["win_by"], taken["options"]) == (33, 4, {"open_hands": False})
    assert taken["house"] == made["version"]
    assert (said["target"], said["win_by"], said["options"]) == (21, 4, {})
    assert before["house"] is None
    read = club.get(f"/api/v1/matches/{before['id']}").json()
    assert (read["target"], read["options"]) == (before["target"], {}), "an old match has the defaults of then"
    rules(club, game="parity", target=50)
    again = club.get(f"/api/v1/matches/{taken['id']}").json()
    assert (again["target"], again["house"]) == (33, made["version"])


def test_house_rules_are_listed_with_the_time_from_which_they_held(club):
    first = rules(club, **HOUSE)
    rules(club, game="garbo", best_of=3)
    second = rules(club, game="parity", lurch=None)
    listed = club.get(f"{club.path}/house-rules?game=parity", "spectator").json()["items"]
    assert listed == [second, {**first, "in_force": False}]
    assert listed[0]["adopted_at"].endswith("Z")
    assert (second["options"], second["race"], second["in_force"]) == ({}, {"lurch": None}, True)
    past = club.get(f"{club.path}/house-rules?as_of={first['version']}").json()["items"]
    assert [(each["game"], each["in_force"]) for each in past] == [("parity", True)]


@pytest.mark.parametrize(
    "body",
    [
        {"game": "whist"},
        {"game": "cross_purposes", "options": {"variant": "fixed"}},
        {"game": "parity", "options": {"colour": "red"}},
        {"game": "parity", "options": {"open_hands": 7}},
        {"game": "parity", "target": 60, "cap": 50},
        {"game": "parity", "best_of": 2},
        {"game": "parity", "lurch": {"lines": ["1/0"], "win_points": [1, 2]}},
        {"game": "parity", "lurch": {"lines": [50, 60], "win_points": [1, 2, 3]}},
    ],
)
def test_rules_that_nobody_could_play_by_are_refused(unchanged, body):
    answer = unchanged.post(f"{unchanged.path}/house-rules", body, "secretary")
    assert answer.status_code in (400, 422), answer.text
    assert settings(unchanged)["version"] == 1


def token_of(club, name, member):
    """A token of a player who is a member, or came in with a match."""
    if member:
        return club.token("player", player=club.done(f"{club.path}/players", {"name": name}, "director")["id"])
    sides = opened(club, "director", sides=[[name], ["Somebody"]])["sides"]
    return club.token("player", player=sides[0]["players"][0])


def test_who_opens_matches_is_judged_as_the_club_stands(club):
    club.tokens |= {"member": token_of(club, "Nora", True), "visitor": token_of(club, "Otto", False)}
    ranks = ["director", "scorer", "member", "visitor"]
    body = {"game": "parity", "sides": PAIR}
    for allowed, opens in enumerate(("director", "scorer", "member", "anybody")):
        change(club, opens=opens)
        for at, role in enumerate(ranks):
            if at <= allowed:
                opened(club, role)
            else:
                club.refused("POST", f"{club.path}/matches", body, 403, "forbidden", role)
        club.refused("POST", f"{club.path}/matches", body, 403, "forbidden", "spectator")


def test_who_may_not_open_a_match_registers_nobody(club):
    body = {"game": "parity", "sides": [["Unheard"], ["Unseen"]]}
    club.refused("POST", f"{club.path}/matches", body, 403, "forbidden", "player")
    assert "Unheard" not in club.get(f"{club.path}/players").text


def test_a_stage_takes_the_house_rules_of_its_announcement(club):
    made = rules(club, **HOUSE)
    evening = Evening(club, [SINGLE], players=2)
    rules(club, game="parity", target=80)
    evening.act({"do": "pair_round"})
    stage = evening.read()["stages"][0]
    assert (stage["race"]["target"], stage["race"]["win_by"], stage["options"]) == (33, 4, {"open_hands": False})
    assert stage["house"] == made["version"]
    match = club.get(f"/api/v1/matches/{evening.open()[0]['match']}").json()
    assert (match["target"], match["options"], match["house"]) == (33, {"open_hands": False}, made["version"])
    started = club.get(f"{evening.path}/events", "director").text
    assert f'"house":{made["version"]}' in started.replace(" ", "")


def test_what_the_announcement_says_wins_over_the_house(club):
    rules(club, **HOUSE)
    said = {**SINGLE, "race": {"target": 15}, "options": {"open_hands": True}}
    stage = Evening(club, [said], players=2).view["stages"][0]
    assert (stage["race"]["target"], stage["race"]["win_by"], stage["options"]) == (15, 4, {"open_hands": True})
    plain = Evening(club, [{**SINGLE, "game": "cross_game"}], players=2).view["stages"][0]
    assert (plain["race"]["win_by"], plain["house"]) == (2, None), "a tournament without house rules is won by two"


def test_every_format_is_played_by_the_house(club):
    made = rules(club, **HOUSE)
    for kind in all_formats():
        if kind == "individual":
            continue  # it wants partners, whom this game has not
        evening = Evening(club, [{"format": {"kind": kind}, "game": "parity"}], players=4)
        evening.act({"do": "pair_round"})
        paired = evening.read()["rounds"][0]["pairings"]
        matches = [club.get(f"/api/v1/matches/{each['match']}").json() for each in paired]
        assert {(each["target"], each["house"]) for each in matches} == {(33, made["version"])}, kind


def test_a_report_file_is_taken_by_the_rules_of_the_house(club):
    made = rules(club, **HOUSE)
    text = b"001    1      Ahti\n001    2      Bea\n"
    answer = club.ask("POST", f"{club.path}/tournaments/trf?game=parity", text, "director")
    stage = answer.json()["tournament"]["stages"][0]
    assert (stage["race"]["target"], stage["house"]) == (33, made["version"])


def test_an_archive_brings_its_rules_and_no_place_in_another_log(club, client, database):
    rules(club, **HOUSE)
    evening = Evening(club, [SINGLE], players=2)
    evening.act({"do": "pair_round"})
    evening.read()
    club.done(f"/api/v1/matches/{evening.open()[0]['match']}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
    archive = club.get(f"{evening.path}/archive", "director").content
    with House(client, database) as other:
        answer = other.ask("POST", f"{other.path}/tournaments/archive", archive, "director")
        assert answer.status_code == 201, answer.text
        taken = answer.json()["tournament"]
        assert (taken["stages"][0]["race"]["target"], taken["stages"][0]["house"]) == (33, None)
        match = other.get(f"/api/v1/matches/{taken['rounds'][0]['pairings'][0]['match']}").json()
        assert (match["target"], match["house"]) == (33, None)
