"""Two ids as one person over HTTP: everything that is read resolves them, and nothing is written anew."""

import random

import pytest

from domain.standings.ratings import RatedMatch, replay
from service.projector import Projector
from tests.conftest import with_pool
from tests.kit.service.asking import House
from tests.service.api.test_seasons import evening_of, people
from tests.service.api.test_standings import ODD, match, read
from tests.service.api.test_tournaments import CROSS, Evening, single

SECRETARY = "secretary"


@pytest.fixture
def house(client, database):
    """A club of its own for every test: what it adds up to is all that was played in it."""
    with House(client, database) as found:
        yield found


def person(house, name):
    """A member; its id."""
    return house.done(f"{house.path}/players", {"name": name}, "owner")["id"]


def ids_of(house):
    """The ids of the people of the club by name."""
    return {row["name"]: row["id"] for row in house.get(f"{house.path}/players?limit=200").json()["items"]}


def merge(house, player, other, **more):
    return house.done(f"{house.path}/players/{player}/merge", {"other": other, **more}, SECRETARY)


def part(house, player, other):
    return house.done(f"{house.path}/players/{player}/part", {"other": other}, SECRETARY)


def refused(house, player, other, slug="misfit", status=409, **more):
    path = f"{house.path}/players/{player}/merge"
    return house.refused("POST", path, {"other": other, **more}, status, slug, SECRETARY)


def preview(house, player, other):
    answer = house.get(f"{house.path}/players/{player}/merge?with={other}", SECRETARY)
    assert answer.status_code == 200, answer.text
    return answer.json()


def mus(house, **query):
    return {row["players"][0]: row["mu"] for row in read(house, "/ratings", game="parity", **query)["rows"]}


def test_a_merge_counts_as_one_person_and_parting_restores_both(house):
    match(house, ["Annie"], ["Cleo"])
    match(house, ["Anny"], ["Cleo"], first=False)
    match(house, ["Cleo"], ["Dag"])
    ids = ids_of(house)
    before = read(house, "/ratings", game="parity")["rows"]
    answer = merge(house, ids["Annie"], ids["Anny"])
    assert (answer["id"], answer["name"], answer["ids"]) == (ids["Annie"], "Annie", [ids["Annie"], ids["Anny"]])
    assert {row["names"][0]: row["matches"] for row in read(house, "/ratings", game="parity")["rows"]} == {
        "Annie": 2,
        "Cleo": 3,
        "Dag": 1,
    }
    log = [(0, "Annie", "Cleo"), (1, "Annie", "Cleo"), (0, "Cleo", "Dag")]
    results = [
        RatedMatch(at, str(at), "parity", "", ((ids[one],), (ids[other],)), winner)
        for at, (winner, one, other) in enumerate(log, start=1)
    ]
    careers = replay(results, "players")
    assert mus(house) == {who[0]: each.rating.mu for who, each in careers.items()}
    part(house, ids["Annie"], ids["Anny"])
    assert read(house, "/ratings", game="parity")["rows"] == before


def test_lists_show_the_merged_person_and_events_the_recorded_one(house):
    path = match(house, ["Annie"], ["Cleo"])
    ids = ids_of(house)
    first = person(house, "Annie Smith")
    events = house.get(f"{path}/events").text
    merge(house, first, ids["Annie"])
    (row,) = house.get(f"{house.path}/matches").json()["items"]
    assert row["sides"][0] == {"names": ["Annie Smith"], "players": [first]}
    shown = house.get(path).json()
    assert [side["names"] for side in shown["sides"]] == [["Annie Smith"], ["Cleo"]]
    assert shown["sides"][0]["players"] == [first]
    assert house.get(f"{path}/events").text == events, "no event is rewritten"
    history = read(house, f"/ratings/{ids['Annie']}")
    assert (history["player"], history["name"], history["matches"]) == (first, "Annie Smith", 1)


def test_the_other_name_stays_findable_and_seats_the_first(house):
    match(house, ["Annie"], ["Cleo"])
    ids = ids_of(house)
    first = person(house, "Annie Smith")
    merge(house, first, ids["Annie"])
    rows = {row["name"]: row for row in house.get(f"{house.path}/players").json()["items"]}
    assert (rows["Annie"]["counts_for"], rows["Annie Smith"]["counts_for"]) == (first, None)
    assert house.get(house.path).json()["players"] == 2
    for who in ("annie", {"id": ids["Annie"]}):
        opened = house.get(house.match(sides=[[who], ["Cleo"]])).json()
        assert opened["sides"][0]["players"] == [first]
    body = {"game": "parity", "sides": [["Annie"], ["Annie Smith"]]}
    problem = house.refused("POST", f"{house.path}/matches", body, 400, "malformed")
    assert "two chairs" in problem["detail"]


def test_as_of_before_the_merge_the_two_are_two(house):
    match(house, ["Annie"], ["Cleo"])
    match(house, ["Anny"], ["Cleo"])
    ids, before = ids_of(house), house.position()
    merge(house, ids["Annie"], ids["Anny"])
    assert set(mus(house, as_of=before)) == set(ids.values())
    assert set(mus(house)) == {ids["Annie"], ids["Cleo"]}
    merged_at = house.position()
    part(house, ids["Annie"], ids["Anny"])
    assert set(mus(house, as_of=merged_at)) == {ids["Annie"], ids["Cleo"]}


def test_a_season_adds_merged_people_and_counts_the_better_place(house):
    evening_of(house, "2026", "2026-11-05", "Annie", "Benny")
    evening_of(house, "2026", "2026-11-12", "Anny", "Benny")
    evening_of(house, "2026", "2026-11-19", "Benny", "Cleo", "Annie", "Anny")  # 3rd and 4th share, and never met
    ids = ids_of(house)
    shown = preview(house, ids["Annie"], ids["Anny"])
    assert shown["refused"] is None
    assert shown["seasons"] == [{"title": "2026", "before": 2, "after": 1}]
    merge(house, ids["Annie"], ids["Anny"])
    rows = {row["name"]: row for row in read(house, "/seasons/standings", season="2026")["rows"]}
    assert set(rows) == {"Annie", "Benny", "Cleo"}
    assert [each["points"] for each in rows["Annie"]["tournaments"]] == [25, 25, 13.5]


def test_the_ladder_has_one_place_for_both(house):
    stage = {"format": {"kind": "ladder", "rounds": 1}, "game": "cross_game", "race": CROSS}
    for names in (("Benny", "Annie"), ("Benny", "Cleo"), ("Cleo", "Anny")):
        evening = Evening(house, [stage], entries=people(house, *names))
        evening.act({"do": "pair_round"})
        evening.act({"do": "report", "fixture": "R1.1", "winner": 1}, {"do": "finish"})
    ids = ids_of(house)
    before = [row["names"][0] for row in read(house, "/ladder", game="cross_game")["rows"]]
    shown = preview(house, ids["Annie"], ids["Anny"])
    merge(house, ids["Annie"], ids["Anny"])
    after = [row["names"][0] for row in read(house, "/ladder", game="cross_game")["rows"]]
    assert sorted([*after, "Anny"]) == sorted(before)
    (moved,) = shown["ladders"]
    assert (moved["before"], moved["after"]) == (before.index("Annie") + 1, after.index("Annie") + 1)


def test_a_merged_person_has_one_name_and_cannot_enter_twice(house):
    evening = Evening(house, [single()], entries=people(house, "Annie", "Benny"))
    ids = ids_of(house)
    first = person(house, "Annie Smith")
    merge(house, first, ids["Annie"])
    entry = evening.read()["entries"][0]
    assert (entry["name"], entry["players"]) == ("Annie Smith", [first])
    evening.refused({"do": "enter", "players": ["Annie Smith"]})
    evening.refused({"do": "enter", "players": ["Annie"]})
    refused_csv = house.ask(
        "POST", f"{evening.path}/entries.csv", b"name\nAnnie Smith\n", "director", {"Content-Type": "text/csv"}
    )
    assert refused_csv.status_code in (400, 409), refused_csv.text
    evening.act({"do": "pair_round"})
    assert "Annie Smith" in [
        name for each in evening.round()["pairings"] for side in each["sides"] for name in [side["name"]]
    ]


def test_who_sat_in_one_match_beside_or_against_is_not_merged(house):
    house.match(sides=[["Annie"], ["Benny"]])  # nothing was dealt
    house.match("cross_purposes", [["Annie", "Cleo"], ["Dag", "Eve"]], options={"variant": "fixed"}, deals=1)
    ids = ids_of(house)
    for other in ("Benny", "Cleo", "Dag"):
        problem = refused(house, ids["Annie"], ids[other])
        assert "sat in one match" in problem["detail"]
        assert preview(house, ids["Annie"], ids[other])["refused"]


def test_an_id_that_was_merged_before_brings_its_matches_along(house):
    match(house, ["Annie"], ["Benny"])
    third = person(house, "Anny")
    ids = ids_of(house)
    merge(house, third, ids["Annie"])
    assert "sat in one match" in refused(house, third, ids["Benny"])["detail"]


def test_who_stands_in_one_tournament_is_merged_once_it_is_over(house):
    evening = Evening(house, [single()], entries=people(house, "Annie", "Benny", "Cleo", "Anny"))
    ids = ids_of(house)
    assert "not over" in refused(house, ids["Annie"], ids["Anny"])["detail"]
    evening.to_the_end()
    pairings = [each for at in evening.read()["rounds"] for each in at["pairings"]]
    met = [{side["name"] for side in each["sides"]} for each in pairings]
    together = {"Annie", "Anny"} in met
    assert together, "the first and the last seed"
    assert "sat in one match" in refused(house, ids["Annie"], ids["Anny"])["detail"]
    assert {"Cleo", "Anny"} not in met
    merge(house, ids["Cleo"], ids["Anny"])


def test_a_result_that_was_only_reported_is_a_meeting_too(house):
    evening = Evening(house, [single()], entries=people(house, "Annie", "Benny"))
    evening.to_the_end()
    ids = ids_of(house)
    assert "sat in one match" in refused(house, ids["Annie"], ids["Benny"])["detail"]


def test_a_player_of_both_ids_acts_at_the_tables_of_both(house):
    path = house.match(sides=[["Anny"], ["Benny"]], target=15)
    ids = ids_of(house)
    first = person(house, "Annie")
    house.tokens["annie"] = house.token("player", player=first)
    house.tokens["anny"] = house.token("player", player=ids["Anny"])
    assert house.post(f"{path}/results", ODD, "annie").status_code == 403
    merge(house, first, ids["Anny"])
    assert house.post(f"{path}/results", ODD, "anny").status_code == 401, "what was the second's has ended"
    house.done(f"{path}/results", ODD, "annie")
    part(house, first, ids["Anny"])
    assert house.post(f"{path}/confirmations", {"deal": 1, "side": 0}, "annie").status_code == 403
    assert house.post(f"{path}/confirmations", {"deal": 1, "side": 0}, "anny").status_code == 401, (
        "nor does it come back"
    )


def test_the_preview_says_what_moves_and_records_nothing(house):
    match(house, ["Annie"], ["Cleo"])
    match(house, ["Anny"], ["Cleo"])
    ids = ids_of(house)
    house.token("player", player=ids["Anny"])
    position = house.position()
    shown = preview(house, ids["Annie"], ids["Anny"])
    assert (shown["name"], shown["other_name"], shown["matches"]) == ("Annie", "Anny", 1)
    (rating,) = shown["ratings"]
    now = {row["players"][0]: row["rating"] for row in read(house, "/ratings", game="parity")["rows"]}
    assert (rating["title"], rating["before"]) == ("Parity", now[ids["Annie"]])
    assert shown["doors"] == {"sign_ins": 0, "tables": 0, "tokens": 1}
    assert house.position() == position
    merge(house, ids["Annie"], ids["Anny"])
    then = {row["players"][0]: row["rating"] for row in read(house, "/ratings", game="parity")["rows"]}
    assert rating["after"] == then[ids["Annie"]]
    assert preview(house, ids["Annie"], ids["Anny"])["refused"] == "these two are one person already"


def test_one_who_merges_twice_with_one_key_merges_once(house):
    one, other = person(house, "Annie"), person(house, "Anny")
    path, key = f"{house.path}/players/{one}/merge", {"Idempotency-Key": "merge-1"}
    first = house.post(path, {"other": other}, SECRETARY, **key)
    position = house.position()
    again = house.post(path, {"other": other}, SECRETARY, **key)
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert house.position() == position


def test_crosswise_the_second_is_told_that_they_are_one_already(house):
    one, other = person(house, "Annie"), person(house, "Anny")
    merge(house, one, other)
    assert "one person already" in refused(house, other, one)["detail"]


@pytest.mark.parametrize("role", ["director", "scorer", "player", "spectator"])
def test_whoever_is_no_secretary_learns_nothing(house, role):
    one = person(house, "Annie")
    path = f"{house.path}/players/{one}"
    unknown = "01a1fea4-0000-7000-8000-000000000000"
    for other in (one, unknown):
        house.refused("POST", f"{path}/merge", {"other": other}, 403, "forbidden", role)
        house.refused("POST", f"{path}/part", {"other": other}, 403, "forbidden", role)
        house.refused("GET", f"{path}/merge?with={other}", None, 403, "forbidden", role)


def test_random_evenings_merges_and_partings_equal_what_is_worked_out_anew(house, client, database):
    lot = random.Random(11)
    names = [f"p{number}" for number in range(7)]
    ids = {name: person(house, name) for name in names}
    joined, log = {}, []

    def whom(name):
        return whom(joined[name]) if name in joined else name

    def expected():
        results = [
            RatedMatch(at, str(at), "parity", "", tuple((ids[whom(each)],) for each in sides), winner)
            for at, (winner, *sides) in enumerate(log, start=1)
        ]
        return {who[0]: each.rating.mu for who, each in replay(results, "players").items()}

    for step in range(60):
        one, other = lot.sample(names, 2)
        what = lot.choice(["match", "match", "merge", "part"])
        met = any({whom(one), whom(other)} <= {whom(each) for each in sides} for _, *sides in log)
        if what == "match" and whom(one) != whom(other):
            first = lot.random() < 0.5
            match(house, [one], [other], first=first)
            log.append((0 if first else 1, whom(one), whom(other)))  # who is seated is the one who counts
        elif what == "merge":
            answer = house.post(f"{house.path}/players/{ids[one]}/merge", {"other": ids[other]}, SECRETARY)
            roots = whom(one) == one and whom(other) == other
            assert answer.status_code == (201 if (roots and not met) or joined.get(other) == one else 409), answer.text
            if answer.status_code == 201:
                joined[other] = one
        elif what == "part":
            answer = house.post(f"{house.path}/players/{ids[one]}/part", {"other": ids[other]}, SECRETARY)
            there = other in joined and whom(one) == whom(other)
            assert answer.status_code == (201 if there else 409), answer.text
            if there:
                del joined[other]
        if step % 6 == 5:
            assert mus(house) == expected(), (step, what)
    assert joined, "the lot has merged somebody"
    shown = mus(house), read(house, "/matches", limit=100), read(house, "/players")
    house.log.execute("delete from books where club_id = %s", [house.id])
    with_pool(database, lambda pool: Projector(pool).rebuild(house.id))
    assert (mus(house), read(house, "/matches", limit=100), read(house, "/players")) == shown
    assert mus(house, as_of=house.position()) == expected()
