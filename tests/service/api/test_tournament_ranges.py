"""The places that are still possible, over HTTP and on the pages: between rounds too, and what is sure in words."""

from tests.kit.service.club_evenings import Evening
from tests.service.api.test_tournaments import swiss
from tests.service.web.test_tournament_pages import Desk


def test_after_round_one_of_five_everybody_may_end_anywhere(house, owner):
    evening = Evening(house, [swiss(5)], players=6)
    evening.act({"do": "pair_round"})
    evening.play()
    table = evening.read("/standings")
    assert (table["provisional"], table["settled"]) == (False, False)
    assert {(row["best"], row["worst"]) for row in table["rows"]} == {(1, 6)}
    text = Desk(house, owner, evening).get("/standings")
    assert "Matches are still to come" in text
    assert "1–6" in text


def test_qualified_and_cannot_be_caught_are_said_once_they_follow(house, owner):
    league = {"format": {"kind": "round-robin", "double": True}, "game": "cross_game", "go_on": 2}
    evening = Evening(house, [league, {"format": {"kind": "single"}, "game": "cross_game"}], players=4)
    pages = Desk(house, owner, evening)
    wins = {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}
    ids = [each["id"] for each in evening.view["entries"]]
    said = []
    for _ in range(6):
        evening.act({"do": "pair_round"})
        for each in evening.open():
            pair = tuple(ids.index(side["entries"][0]) for side in each["sides"])
            evening.act({"do": "report", "fixture": each["fixture"], "winner": 0 if pair in wins else 1})
        rows = evening.read("/standings")["rows"]
        text = pages.get("/standings")
        said.append(([row["uncatchable"] for row in rows].count(True), [row["qualified"] for row in rows].count(True)))
        assert ("cannot be caught" in text, "qualified" in text) == (said[-1][0] > 0, said[-1][1] > said[-1][0])
    assert said[0] == (0, 0)
    assert said[-1] == (0, 2), "it is over: two go on"
    assert said[4][1] > 0, "one round before the end"
    assert "and qualified" in pages.get(f"/entries/{ids[0]}")


def test_a_tournament_that_was_ended_early_has_places_and_no_ranges(house):
    evening = Evening(house, [swiss(5)], players=6)
    evening.act({"do": "pair_round"})
    evening.play()
    evening.act({"do": "finish", "early": True})
    table = evening.read("/standings")
    assert table["settled"]
    assert all(row["best"] == row["worst"] == row["rank"] for row in table["rows"])
