"""An evening of 32: groups, a knock-out, somebody who leaves, a wrong result, a disputed one, to the prize list."""

import random

from tests.conftest import with_pool
from tests.kit.logs import verify
from tests.kit.service.club_evenings import Evening

RACE = {"target": 15, "win_by": 2}


def played(evening, pairing, winner):
    """A whole match recorded deal by deal in its own stream: the winner takes eleven odd tricks."""
    match = f"/api/v1/matches/{pairing['match']}"
    tricks = [11, 4] if winner == 0 else [4, 11]
    for _ in range(3):
        view = evening.house.get(match).json()
        if view["status"] == "finished":
            return
        evening.house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": tricks}})


def play_round(evening, chance, recorded=2):
    """Every open match: the first few are recorded at the table, the others reported at the desk."""
    for at, each in enumerate(evening.open()):
        if at < recorded:
            played(evening, each, chance.choice([0, 1]))
        else:
            evening.act({"do": "report", "fixture": each["fixture"], "winner": chance.choice([0, 1])})
    evening.read()
    for each in evening.open():  # what was recorded may not have had a winner yet
        evening.act({"do": "report", "fixture": each["fixture"], "winner": 0})


def test_an_evening_of_32_from_groups_to_prizes(house, database, owner):
    chance = random.Random(32)
    groups = {"format": {"kind": "groups", "groups": 8}, "game": "parity", "race": RACE, "go_on": 16}
    knock_out = {"format": {"kind": "single", "third_place": True}, "game": "parity", "race": RACE}
    prizes = [{"first": 1, "last": 3, "what": "a medal"}]
    evening = Evening(house, [groups, knock_out], players=32, plan={"prizes": prizes, "fee": 500})
    evening.act({"do": "seed", "how": "lot", "lot": 7})

    evening.act({"do": "pair_round"}, {"do": "start_round", "minutes": 40})
    assert len(evening.round()["pairings"]) == 16
    play_round(evening, chance)
    leaving = evening.round()["pairings"][5]["sides"][1]["entries"][0]
    walked = evening.act({"do": "withdraw", "entry": leaving}, reason="feels ill")
    assert [each["type"] for each in walked["events"]] == ["EntryWithdrawn", "OutcomeReported", "OutcomeReported"]

    evening.act({"do": "pair_round"})
    play_round(evening, chance)
    disputed = evening.round()["pairings"][0]["fixture"]
    evening.act({"do": "dispute", "fixture": disputed}, reason="we counted nine tricks")
    assert evening.read("/standings")["provisional"]
    evening.act({"do": "pair_round"})  # nobody's next match in a group hangs on it
    play_round(evening, chance)
    assert "disputed" in evening.refused({"do": "pair_round"})["detail"], "but who goes on does"
    evening.act({"do": "uphold", "fixture": disputed})
    (case,) = house.get(f"{house.path}/cases", "director").json()["items"]
    assert (case["state"], case["ended"]) == ("closed", "stands"), "the director's word on the result ends its case"
    assert evening.view["stages"][0]["status"] == "over"

    assert "are level: draw a lot" in evening.refused({"do": "pair_round"})["detail"]
    evening.act({"do": "seed", "how": "lot", "lot": 32})
    evening.act({"do": "pair_round"})
    assert evening.view["at"] == 1
    group = {row["entry"]: row["group"] for row in evening.read("/standings", stage=1)["rows"]}
    first_round = evening.round()["pairings"]
    assert len(first_round) == 8
    assert leaving not in group or all(leaving not in side["entries"] for each in first_round for side in each["sides"])
    for each in first_round:
        one, other = (side["entries"][0] for side in each["sides"])
        assert group[one] != group[other], "nobody meets the own group at once"
    play_round(evening, chance)

    evening.act({"do": "pair_round"})  # the quarter-finals, and then it turns out that a result was wrong
    wrong = next(
        each
        for at in evening.view["rounds"]
        if at["stage"] == 1
        for each in at["pairings"]
        if each["fixture"] == "W1.8"
    )
    loser = wrong["sides"][1 - wrong["winner"]]["name"]
    report = {"do": "report", "fixture": "W1.8", "winner": 1 - wrong["winner"]}
    refused = evening.refused(report, slug="window-closed")
    assert "again" in refused["detail"]
    moves = evening.preview({**report, "repair": "again"})["pairings"]
    assert {each["what"] for each in moves} == {"stage 2, W1.8", "stage 2, W2.4"}
    evening.act({**report, "repair": "again"}, reason="both signed the wrong line")
    assert loser in {side["name"] for each in evening.round()["pairings"] for side in each["sides"]}

    while evening.view["stages"][1]["status"] != "over":
        play_round(evening, chance)
        if evening.view["stages"][1]["status"] != "over":
            evening.act({"do": "pair_round"})
    places = evening.act({"do": "finish"})["tournament"]["places"]
    assert len(places) == 32
    assert [each["rank"] for each in places[:4]] == [1, 2, 3, 4]
    assert [each["prize"] for each in places[:4]] == ["a medal"] * 3 + [None]

    check_the_log(evening, database)
    look_at_the_pages(evening, owner)


def check_the_log(evening, database):
    """Nothing was edited, every step has its place, and the past can be read."""
    _, wrong = with_pool(database, verify)
    assert evening.house.id not in wrong, wrong  # other tests forge logs of their own
    before = evening.read("", as_of=1)
    assert (before["entries"], before["rounds"]) == ([], [])
    lines = evening.house.get(f"{evening.path}/events", "director").text.splitlines()
    assert len(lines) == evening.read()["version"]


def look_at_the_pages(evening, owner):
    """Every page of the evening is there for a person too, with the winner or the medals on it."""
    where = evening.path.removeprefix("/api/v1")
    first = evening.view["places"][0]
    pages = (
        "",
        "/standings",
        "/bracket",
        "/crosstable",
        "/entries",
        f"/entries/{first['entry']}",
        "/show",
        "/log",
        "/director",
    )
    for page in pages:
        answer = evening.house.client.get(f"{where}{page}", headers={**owner, "Accept": "text/html"})
        assert answer.status_code == 200, page
        assert first["name"] in answer.text or page in ("/log", "/director"), page
