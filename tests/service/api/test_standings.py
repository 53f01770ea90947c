"""Ratings over HTTP: a result counts once, and a correction anywhere gives another answer."""

import pytest

from domain.standings.ratings import RatedMatch, replay
from service.bookkeeper import Bookkeeper
from tests.kit.service.asking import House
from tests.service.api.test_tournaments import CROSS, Evening, single

ODD = {"entry": {"parity": "odd", "tricks": [11, 4]}}  # 21 to nothing
EVEN = {"entry": {"parity": "odd", "tricks": [4, 11]}}


@pytest.fixture
def house(client, database):
    """A club of its own for every test: what it adds up to is all that was played in it."""
    with House(client, database) as found:
        yield found


def match(house, *sides, first=True, **more):
    """A match that is over; its path."""
    path = house.match(sides=[list(side) for side in sides], **{"target": 15, **more})
    house.done(f"{path}/results", ODD if first else EVEN)
    return path


def read(house, what, **query):
    text = "&".join(f"{name}={value}" for name, value in query.items())
    answer = house.get(f"{house.path}{what}{'?' + text if text else ''}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def figures(house, kind="players", game="parity"):
    return {" & ".join(row["names"]): row for row in read(house, "/ratings", kind=kind, game=game)["rows"]}


def fresh(*results, game="parity"):
    """The ratings of a log without any correction, by name."""
    log = [RatedMatch(at, str(at), game, "", sides, winner) for at, (winner, *sides) in enumerate(results, start=1)]
    return {who[0]: career.rating for who, career in replay(log, "players").items()}


def test_a_club_without_results_has_empty_tables(house):
    assert read(house, "/ratings")["rows"] == []
    assert read(house, "/ratings")["game"] is None
    assert read(house, "/seasons") == []
    assert read(house, "/seasons/standings")["rows"] == []
    assert read(house, "/ladder")["rows"] == []


def test_a_finished_match_rates_both_and_one_that_is_on_rates_nobody(house):
    house.match(sides=[["Cleo"], ["Dag"]])
    match(house, ["Annie"], ["Benny"])
    table = read(house, "/ratings")
    assert (table["game"], table["kind"], table["games"]) == ("parity", "players", {"parity": 1})
    one, other = table["rows"]
    assert (one["names"], one["rank"], one["won"], one["lost"]) == (["Annie"], 1, 1, 0)
    assert (other["names"], other["rank"], other["won"], other["lost"]) == (["Benny"], 2, 0, 1)
    for row in (one, other):
        assert row["rating"] == 1000 + round(40 * (row["mu"] - 3 * row["sigma"]))
    assert "1000 + 40" in table["formula"]


def test_a_corrected_result_changes_what_followed_and_equals_a_fresh_replay(house):
    path = match(house, ["Annie"], ["Benny"])
    match(house, ["Benny"], ["Cleo"])
    before = figures(house)
    version = house.get(path).json()["deals"][0]["entry_version"]
    house.done(f"{path}/corrections", {"version": version, "now": EVEN["entry"], "reason": "misread"}, "director")
    after = figures(house)
    assert after["Cleo"]["mu"] != before["Cleo"]["mu"], "what came later follows too"
    expected = fresh((1, ("Annie",), ("Benny",)), (0, ("Benny",), ("Cleo",)))
    for name, row in after.items():
        assert (row["mu"], row["sigma"]) == (expected[name].mu, expected[name].sigma)


def test_an_undone_result_rates_nobody_any_more(house):
    path = match(house, ["Annie"], ["Benny"])
    house.done(f"{path}/undo", {})
    assert read(house, "/ratings", game="parity")["rows"] == []


def test_matches_count_in_the_order_in_which_they_were_opened(house):
    first = house.match(sides=[["Annie"], ["Benny"]], target=15)
    match(house, ["Benny"], ["Cleo"])
    house.done(f"{first}/results", ODD)
    expected = fresh((0, ("Annie",), ("Benny",)), (0, ("Benny",), ("Cleo",)))
    found = figures(house)
    assert {name: row["mu"] for name, row in found.items()} == {name: each.mu for name, each in expected.items()}


def test_a_drawn_match_counts_as_a_draw(house):
    path = house.match(sides=[["Annie"], ["Benny"]], deals=2)
    house.done(f"{path}/results", ODD)
    house.done(f"{path}/results", EVEN)
    assert house.get(path).json()["totals"] == [21, 21]
    rows = figures(house)
    assert {(row["won"], row["drawn"], row["lost"]) for row in rows.values()} == {(0, 1, 0)}
    assert {row["rank"] for row in rows.values()} == {1}


def test_partners_are_rated_each_and_together(house):
    body = {"options": {"variant": "fixed"}, "deals": 1}
    for sides in ([["Annie", "Benny"], ["Cleo", "Dag"]], [["Dag", "Cleo"], ["Benny", "Annie"]]):
        path = house.match("cross_purposes", sides, **body)
        house.done(f"{path}/results", {"entry": {"tricks": [3, 4, 6, 0]}})
        assert house.get(path).json()["status"] == "finished"
    pairs = read(house, "/ratings", kind="partners", game="cross_purposes")["rows"]
    assert sorted((sorted(row["names"]), row["matches"]) for row in pairs) == [
        (["Annie", "Benny"], 2),
        (["Cleo", "Dag"], 2),
    ]
    players = figures(house, game="cross_purposes")
    assert players["Annie"]["mu"] == players["Benny"]["mu"]
    assert players["Annie"]["mu"] != players["Cleo"]["mu"]


def test_a_tournament_match_counts_once_whether_it_was_dealt_or_reported(house):
    evening = Evening(house, [{"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}], players=4)
    evening.act({"do": "pair_round"})
    dealt, told = evening.round()["pairings"]
    house.done(f"/api/v1/matches/{dealt['match']}/results", ODD)
    evening.act({"do": "report", "fixture": told["fixture"], "winner": 1})
    rows = figures(house)
    assert sorted(row["matches"] for row in rows.values()) == [1, 1, 1, 1]
    assert {name for name, row in rows.items() if row["won"]} == {dealt["sides"][0]["name"], told["sides"][1]["name"]}


def test_walkovers_absences_and_byes_rate_nobody(house):
    evening = Evening(
        house, [{"format": {"kind": "swiss", "rounds": 3}, "game": "cross_game", "race": CROSS}], players=5
    )
    evening.act({"do": "pair_round"})
    one, other = evening.round()["pairings"]
    evening.act(
        {"do": "report", "fixture": one["fixture"], "winner": 0, "how": "walkover"},
        {"do": "report", "fixture": other["fixture"], "how": "absent"},
    )
    assert figures(house, game="cross_game") == {}


def test_a_result_that_was_reported_wrong_is_rated_as_it_stands_now(house):
    evening = Evening(house, [single()], players=2)
    evening.act({"do": "pair_round"})
    evening.act({"do": "report", "fixture": "W1.1", "winner": 0})
    (before,) = [name for name, row in figures(house, game="cross_game").items() if row["won"]]
    evening.act({"do": "report", "fixture": "W1.1", "winner": 1})
    (after,) = [name for name, row in figures(house, game="cross_game").items() if row["won"]]
    assert before != after


def test_partners_of_one_round_are_rated_as_players_and_as_no_pair(house):
    stage = {"format": {"kind": "individual"}, "game": "cross_purposes", "options": {"variant": "fixed"}}
    evening = Evening(house, [stage], players=8)
    evening.act({"do": "pair_round"})
    evening.play()
    assert len(figures(house, game="cross_purposes")) == 8
    assert figures(house, "partners", "cross_purposes") == {}


def test_a_substitute_is_rated_for_what_the_substitute_played(house):
    evening = Evening(
        house, [{"format": {"kind": "swiss", "rounds": 2}, "game": "cross_game", "race": CROSS}], players=2
    )
    leaver = evening.view["entries"][0]
    evening.act({"do": "pair_round"}, {"do": "report", "fixture": "R1.1", "winner": 0})
    evening.act({"do": "substitute", "entry": leaver["id"], "players": ["Stella"]})
    rows = figures(house, game="cross_game")
    assert leaver["name"] in rows
    assert "Stella" not in rows


def test_a_history_leads_from_1000_to_the_rating(house):
    paths = [match(house, ["Annie"], ["Benny"]), match(house, ["Cleo"], ["Annie"])]
    annie = figures(house)["Annie"]
    (player,) = annie["players"]
    found = read(house, f"/ratings/{player}", game="parity")
    assert [step["match"] for step in found["history"]] == [path.rpartition("/")[2] for path in paths]
    assert [step["outcome"] for step in found["history"]] == ["won", "lost"]
    assert (found["history"][0]["before"], found["history"][-1]["after"]) == (1000, annie["rating"])
    assert (found["rating"], found["rank"], found["matches"]) == (annie["rating"], annie["rank"], 2)
    assert found["history"][0]["opponents"] == [["Benny"]]
    assert read(house, f"/ratings/{player}")["game"] == "parity", "the game that the player plays"


def test_who_never_played_has_the_rating_of_a_newcomer(house):
    player = house.done(f"{house.path}/players", {"name": "Nora"}, "director")["id"]
    match(house, ["Annie"], ["Benny"])
    found = read(house, f"/ratings/{player}")
    assert (found["rating"], found["rank"], found["history"]) == (1000, None, [])


@pytest.mark.parametrize(
    ("where", "status", "slug"),
    [
        ("/ratings?game=chess", 422, "unknown-option"),
        ("/ratings?kind=teams", 400, "malformed"),
        ("/ratings/01a1fea4-0000-7000-8000-000000000000", 404, "not-found"),
        ("/seasons/standings?season=none", 404, "not-found"),
        ("/seasons/standings?best=-1", 400, "malformed"),
        ("/seasons/standings?points=1,2,3", 400, "malformed"),
        ("/seasons/standings?points=x", 400, "malformed"),
        ("/ladder?tournament=01a1fea4-0000-7000-8000-000000000000", 404, "not-found"),
    ],
)
def test_what_cannot_be_asked_is_refused(house, where, status, slug):
    house.refused("GET", f"{house.path}{where}", None, status, slug)


def test_a_read_without_news_works_nothing_out(house, monkeypatch):
    match(house, ["Annie"], ["Benny"])
    before = figures(house)
    monkeypatch.setattr("service.bookkeeper.folded", lambda *_: pytest.fail("worked out again"))
    monkeypatch.setattr(Bookkeeper, "_news", lambda *_: pytest.fail("read again"))
    assert figures(house) == before


def test_news_that_is_no_result_keeps_the_ratings(house, monkeypatch):
    match(house, ["Annie"], ["Benny"])
    before = figures(house)
    path = house.match(sides=[["Annie"], ["Benny"]])
    house.done(f"{path}/deals", {})
    monkeypatch.setattr("service.bookkeeper.folded", lambda *_: pytest.fail("worked out again"))
    assert figures(house) == before


def test_a_repaired_bracket_rates_those_who_meet_now(house):
    evening = Evening(house, [single()], players=4)
    evening.act({"do": "pair_round"})
    evening.play()
    evening.act({"do": "pair_round"})
    loser = evening.view["rounds"][0]["pairings"][0]["sides"][1]["name"]
    evening.act({"do": "report", "fixture": "W1.1", "winner": 1, "repair": "again"})
    assert {row["matches"] for row in figures(house, game="cross_game").values()} == {1}
    evening.act({"do": "report", "fixture": "W2.1", "winner": 0})
    rows = figures(house, game="cross_game")
    assert (rows[loser]["won"], rows[loser]["matches"]) == (2, 2)
    assert sum(row["matches"] for row in rows.values()) == 6
