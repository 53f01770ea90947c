"""What somebody won and lost, over HTTP: results as they stand now, people as they count now, nobody who was erased."""

import pytest

from tests.kit.service.asking import House
from tests.service.api.test_merging import ids_of, merge
from tests.service.api.test_seasons import evening_of
from tests.service.api.test_standings import EVEN, match, read

SECRETARY = "secretary"


@pytest.fixture
def house(client, database):
    """A club of its own for every test: what it adds up to is all that was played in it."""
    with House(client, database, public=True) as found:
        yield found


def record(house, name, **query):
    return read(house, f"/players/{ids_of(house)[name]}/record", **query)


def short(tally):
    return [tally[each] for each in ("matches", "won", "drawn", "lost", "run", "given", "taken")]


def test_a_record_follows_corrections_and_counts_lurches(house):
    path = match(house, ["Annie"], ["Benny"])
    match(house, ["Benny"], ["Annie"], first=False)
    match(house, ["Annie"], ["Cleo"], first=False)
    found = record(house, "Annie")
    assert short(found["record"])[:5] == [3, 2, 0, 1, 2]
    assert [(each["name"], each["record"]["matches"]) for each in found["opponents"]] == [("Benny", 2), ("Cleo", 1)]
    levels = house.get(path).json()["games"][0]["levels"]
    assert levels[1] > 0, "21 to nothing is a lurch, or this would show nothing"
    benny = record(house, "Benny")["record"]
    lost = short(benny)
    assert (lost[3], lost[6]) == (2, found["record"]["given"])
    version = house.get(path).json()["deals"][0]["entry_version"]
    house.done(f"{path}/corrections", {"version": version, "now": EVEN["entry"], "reason": "misread"}, "director")
    after = record(house, "Annie")["record"]
    assert (short(after)[:4], after["taken"] > 0) == ([3, 1, 0, 2], True)


def test_two_ids_of_one_person_have_one_record(house):
    match(house, ["Annie"], ["Cleo"])
    match(house, ["Anny"], ["Cleo"], first=False)
    ids = ids_of(house)
    merge(house, ids["Annie"], ids["Anny"])
    one, other = (read(house, f"/players/{ids[name]}/record") for name in ("Annie", "Anny"))
    assert one == other
    assert (one["player"], short(one["record"])[:4]) == (ids["Annie"], [2, 1, 0, 1])
    assert [(each["name"], each["record"]["matches"]) for each in record(house, "Cleo")["opponents"]] == [("Annie", 2)]


def test_records_hold_nothing_about_an_erased_person(house):
    match(house, ["Yolanda Frey"], ["Cleo"])
    ids = ids_of(house)
    before = house.position()
    path = f"{house.path}/players/{ids['Yolanda Frey']}"
    house.done(f"{path}/erasure", {"reason": "asked"}, SECRETARY)
    for moment in ("", f"?as_of={before}"):
        house.refused("GET", f"{path}/record{moment}", None, 404, "not-found", "owner")
    page = f"/clubs/{house.id}/players/"
    assert house.client.get(f"{page}{ids['Yolanda Frey']}").status_code == 404
    (opponent,) = record(house, "Cleo")["opponents"]
    assert (opponent["name"], opponent["record"]["lost"]) == (None, 1)
    shown = house.client.get(f"{page}{ids['Cleo']}").text
    assert ("(name removed)" in shown, "Yolanda" in shown, ids["Yolanda Frey"] in shown) == (True, False, False)


def test_an_unknown_game_is_refused_and_an_unplayed_one_empty(house):
    match(house, ["Annie"], ["Benny"])
    where = f"{house.path}/players/{ids_of(house)['Annie']}/record"
    house.refused("GET", f"{where}?game=whist", None, 422, "unknown-option", "owner")
    found = house.get(f"{where}?game=garbo").json()
    assert (found["record"]["matches"], found["opponents"], found["runs"]) == (0, [], [])
    assert [each["game"] for each in found["games"]] == ["parity"]


def test_the_way_of_a_season_ends_where_its_standings_do(house):
    evening_of(house, "2026", "2026-11-12", "Benny", "Annie")
    evening_of(house, "2026", "2026-11-05", "Annie", "Benny", "Cleo", "Dag")
    evening_of(house, "2027", "2027-01-07", "Dag", "Cleo")
    found, standings = (read(house, f"/seasons/{what}", season="2026") for what in ("record", "standings"))
    assert [stop["date"] for stop in found["stops"]] == ["2026-11-05", "2026-11-12"]
    assert {line["player"]: line["points"][-1] for line in found["lines"]} == {
        row["player"]: row["points"] for row in standings["rows"]
    }
    annie = next(line for line in found["lines"] if line["name"] == "Annie")
    assert annie["exact"] == ["25", "43"]
    won = {each["name"]: each["record"]["won"] for each in found["people"]}
    assert won == {"Annie": 2, "Benny": 2, "Cleo": 0, "Dag": 0}
    assert read(house, "/seasons/record")["season"] == "2027", "the latest"
