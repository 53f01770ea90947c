"""Seasons and the ladder over HTTP, and the pages of what a club's results add up to."""

import re

import pytest

from tests.kit.service.asking import House, squeezed
from tests.service.api.test_standings import figures, match, read
from tests.service.api.test_tournaments import CROSS, Evening, single


@pytest.fixture
def house(client, database):
    """A club of its own for every test: what it adds up to is all that was played in it."""
    with House(client, database) as found:
        yield found


def people(house, *names):
    return [{"do": "enter", "players": [name]} for name in names]


def evening_of(house, season, date, *names, stage=None):
    """A tournament that went by seed: the first-named won it."""
    evening = Evening(house, [stage or single()], entries=people(house, *names), plan={"season": season, "date": date})
    evening.to_the_end()
    return evening


def test_a_season_adds_up_the_places_of_its_finished_tournaments(house):
    evening_of(house, "2026", "2026-11-05", "Annie", "Benny", "Cleo", "Dag")
    evening_of(house, "2026", "2026-11-12", "Benny", "Annie")
    evening_of(house, "2027", "2027-01-07", "Dag", "Cleo")
    Evening(house, [single()], players=2, plan={"season": "2026", "date": "2026-11-19"})
    labels = read(house, "/seasons")
    assert [(each["season"], each["tournaments"], each["finished"]) for each in labels] == [
        ("2027", 1, 1),
        ("2026", 3, 2),
    ]
    assert (labels[1]["first"], labels[1]["last"]) == ("2026-11-05", "2026-11-19")
    found = read(house, "/seasons/standings", season="2026")
    assert (found["finished"], found["tournaments"], found["table"][:3]) == (2, 3, [25, 18, 15])
    rows = [(row["rank"], row["name"], row["points"]) for row in found["rows"]]
    assert {rows[0], rows[1]} == {(1, "Annie", 43), (1, "Benny", 43)}
    assert {rows[2], rows[3]} == {(3, "Cleo", 13.5), (3, "Dag", 13.5)}, "15 and 12 between the two of the semi-finals"
    working = next(row for row in found["rows"] if row["name"] == "Cleo")["tournaments"]
    assert [(each["rank"], each["shared"], each["exact"]) for each in working] == [(3, 2, "27/2")]
    assert read(house, "/seasons/standings")["season"] == "2027", "the latest"


def test_the_best_results_and_another_table_can_be_asked_for(house):
    evening_of(house, "2026", "2026-11-05", "Annie", "Benny")
    evening_of(house, "2026", "2026-11-12", "Benny", "Annie")
    (one, other) = read(house, "/seasons/standings", season="2026", best=1, points="3,1")["rows"]
    assert (one["points"], other["points"]) == (3, 3)
    assert sorted(each["counts"] for each in one["tournaments"]) == [False, True]


def test_a_tournament_that_was_opened_again_counts_no_more(house):
    evening = evening_of(house, "2026", "2026-11-05", "Annie", "Benny")
    evening.act({"do": "reopen"})
    assert read(house, "/seasons/standings", season="2026")["rows"] == []


def test_a_ladder_goes_on_where_the_last_one_ended(house):
    stage = {"format": {"kind": "ladder", "rounds": 1}, "game": "cross_game", "race": CROSS}
    first = Evening(house, [stage], entries=people(house, "Annie", "Benny", "Cleo"))
    first.act({"do": "pair_round"})
    first.act({"do": "report", "fixture": "R1.1", "winner": 0}, {"do": "finish"})  # Benny challenged Annie
    assert [row["names"] for row in read(house, "/ladder")["rows"]] == [["Benny"], ["Annie"], ["Cleo"]]
    second = Evening(house, [stage], entries=people(house, "Dag", "Cleo", "Annie"))
    ladder = read(house, "/ladder", game="cross_game", tournament=second.id)
    names = {each["id"]: each["name"] for each in second.view["entries"]}
    assert [names[entry] for entry in ladder["order"]] == ["Annie", "Cleo", "Dag"]
    second.act({"do": "seed", "how": "given", "order": ladder["order"]}, {"do": "pair_round"})
    second.act({"do": "report", "fixture": "R1.1", "winner": 0}, {"do": "finish"})  # Cleo challenged Annie
    assert [row["names"] for row in read(house, "/ladder")["rows"]] == [["Benny"], ["Cleo"], ["Annie"], ["Dag"]]


def test_a_tournament_uses_the_ladder_of_its_game(house):
    for _ in range(2):
        match(house, ["Annie"], ["Benny"])  # the club plays Parity most
    stage = {"format": {"kind": "ladder", "rounds": 1}, "game": "cross_game", "race": CROSS}
    first = Evening(house, [stage], entries=people(house, "Annie", "Benny"))
    first.act({"do": "pair_round"})
    first.act({"do": "report", "fixture": "R1.1", "winner": 0}, {"do": "finish"})
    second = Evening(house, [stage], entries=people(house, "Annie", "Benny"))
    alone = read(house, "/ladder", tournament=second.id)
    assert (alone["game"], [row["names"] for row in alone["rows"]]) == ("cross_game", [["Benny"], ["Annie"]])
    names = {each["id"]: each["name"] for each in second.view["entries"]}
    assert [names[entry] for entry in alone["order"]] == ["Benny", "Annie"]
    assert read(house, "/ladder", tournament=second.id, game="cross_game") == alone
    asked = f"{house.path}/ladder?tournament={second.id}&game=parity"
    problem = house.refused("GET", asked, None, 400, "malformed")
    assert "is played in Cross Game, not in Parity" in problem["detail"]


def test_a_tournament_of_several_games_uses_its_ladder_stage(house):
    ladder = {"format": {"kind": "ladder", "rounds": 1}, "game": "cross_game", "race": CROSS}
    evening = Evening(house, [{**single(), "game": "parity"}, ladder], entries=people(house, "Annie", "Benny"))
    assert read(house, "/ladder", tournament=evening.id)["game"] == "cross_game"
    assert read(house, "/ladder", tournament=evening.id, game="parity")["game"] == "parity"
    house.refused("GET", f"{house.path}/ladder?tournament={evening.id}&game=garbo", None, 400, "malformed")


def test_a_book_that_was_forgotten_is_the_same_again(house, client):
    evening_of(house, "2026", "2026-11-05", "Annie", "Benny", "Cleo")
    match(house, ["Annie"], ["Benny"])
    before = figures(house), figures(house, game="cross_game"), read(house, "/seasons/standings")
    house.log.execute("delete from books where club_id = %s", [house.id])
    assert (figures(house), figures(house, game="cross_game"), read(house, "/seasons/standings")) == before


def test_pages_say_so_when_there_is_nothing(house, owner):
    where = f"/clubs/{house.id}"
    assert "No match has been played to its end yet" in house.client.get(f"{where}/ratings", headers=owner).text
    assert "No tournament counts for a season yet" in house.client.get(f"{where}/season", headers=owner).text
    assert "No match" in house.client.get(f"{where}/ratings?kind=partners&game=parity", headers=owner).text


def test_pages_show_the_table_a_history_and_the_working(house, owner):
    evening_of(house, "Winter & spring", "2026-11-05", "Annie", "Benny", "Cleo", "Dag")
    where = f"/clubs/{house.id}"
    table = house.client.get(f"{where}/ratings", headers=owner).text
    assert all(f"<bdi>{name}</bdi>" in table for name in ("Annie", "Benny", "Cleo", "Dag"))
    assert table.count("<caption") == 1
    (player,) = figures(house, game="cross_game")["Annie"]["players"]
    history = squeezed(house.client.get(f"{where}/ratings?game=cross_game&player={player}", headers=owner).text)
    assert history.count("<caption") == 2
    assert "2 matches: 2 won, 0 drawn, 0 lost; rank 1." in history
    season = squeezed(house.client.get(f"{where}/season?best=1", headers=owner).text)
    assert "13½" in season
    assert "place 3, shared by 2" in season
    assert "Winter &amp; spring" in season


@pytest.mark.parametrize(
    ("where", "status"),
    [
        ("ratings?kind=x", 400),
        ("ratings?game=chess", 422),
        ("ratings?player=x", 400),
        ("season?best=x", 400),
        ("season?best=0", 400),
        ("season?season=none", 404),
        ("ratings?game=%00", 400),
    ],
)
def test_a_page_that_cannot_be_asked_for_is_refused(house, owner, where, status):
    assert house.client.get(f"/clubs/{house.id}/{where}", headers=owner).status_code == status


def test_a_name_that_turns_text_around_is_kept_apart_on_every_page(house, owner):
    name = "Annie\u202e gnp.exe"
    evening_of(house, "2026\u202e", "2026-11-05", name, "Benny")
    (player,) = figures(house, game="cross_game")[name]["players"]
    for where in ("ratings", f"ratings?game=cross_game&player={player}", "season"):
        text = house.client.get(f"/clubs/{house.id}/{where}", headers=owner).text
        shown = re.sub(r"<option[^>]*>[^<]*</option>|<input[^>]*>", "", text)
        assert "\u202e" in shown
        assert shown.count("\u202e") == len(re.findall("<bdi>[^<]*\u202e[^<]*</bdi>", shown)), where
