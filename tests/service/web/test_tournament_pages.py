"""Pages of tournaments without a browser: forms that are taken or said why not, and files for who is signed in."""

import re

import pytest

from tests.kit.service.asking import FORM, squeezed
from tests.kit.service.club_evenings import Evening
from tests.service.api.test_tournaments import single, swiss


class Desk:
    """The director's pages, as a browser sends them."""

    def __init__(self, house, owner, evening):
        self.client, self.owner = house.client, owner
        self.path = evening.path.removeprefix("/api/v1")

    def get(self, path=""):
        answer = self.client.get(f"{self.path}{path}", headers={**self.owner, "Accept": "text/html"})
        assert answer.status_code == 200, (path, answer.text[:300])
        return answer.text

    def send(self, path="/actions", **fields):
        headers = {**self.owner, **FORM, "Accept": "text/html"}
        return self.client.post(f"{self.path}{path}", data=fields, headers=headers, follow_redirects=False)


@pytest.fixture
def desk(house, owner):
    def made(stages, players=4, **more):
        evening = Evening(house, stages, players, **more)
        return evening, Desk(house, owner, evening)

    return made


PAGES = ("", "/standings", "/bracket", "/crosstable", "/entries", "/director", "/log", "/show")


@pytest.mark.parametrize("kind", ["double", "swiss"])  # test_crawl.py opens the pages of all formats
def test_every_page_opens_in_every_state_of_a_format(desk, kind):
    evening, pages = desk(
        [{"format": {"kind": kind}, "game": "cross_game"}],
        plan={"fee": 500, "prizes": [{"first": 1, "last": 1, "what": "<b>cup</b>"}]},
    )

    def look():
        for page in PAGES:
            text = pages.get(page)
            assert "<b>cup</b>" not in text
        pages.get(f"/entries/{evening.view['entries'][0]['id']}")

    look()
    evening.act({"do": "pair_round"}, {"do": "start_round", "minutes": 30})
    look()
    evening.play()
    evening.act({"do": "dispute", "fixture": evening.round()["pairings"][0]["fixture"]})
    look()
    evening.act({"do": "withdraw", "entry": evening.view["entries"][3]["id"]})
    evening.act({"do": "uphold", "fixture": evening.round()["pairings"][0]["fixture"]})
    look()
    evening.act({"do": "finish", "early": True}, {"do": "archive"})
    look()


def test_partners_that_change_have_pages_too(desk):
    evening, pages = desk([{"format": {"kind": "individual"}, "game": "ristikontra"}], 5)
    evening.act({"do": "pair_round"})
    for page in PAGES:
        pages.get(page)
    assert " & " in pages.get().replace("&amp;", "&")


def test_entries_are_added_together_or_refused_with_the_wrong_line(desk):
    evening, pages = desk([single()], 0)
    bad = pages.send("/entries", lines="Una, 1500\nDuo, 1400\nUna")
    assert bad.status_code == 400
    assert "Una, 1500" in bad.text, "what was written is still there"
    assert evening.read()["entries"] == []
    good = pages.send("/entries", lines="Una, 1500\nDuo O'Neill\n")
    assert good.status_code == 303
    assert [(each["name"], each["rating"]) for each in evening.read()["entries"]] == [
        ("Una", 1500),
        ("Duo O'Neill", None),
    ]


def test_the_files_of_a_tournament_are_there_for_who_is_signed_in(desk, house):
    evening, pages = desk([swiss(2)], 5)
    evening.act({"do": "pair_round"})
    evening.play()
    for name, api in (("entries.csv", "/entries.csv"), ("results.csv", "/results.csv"), ("tournament.trf", "/trf")):
        assert pages.get(f"/files/{name}") == house.get(f"{evening.path}{api}", "director").text
    assert "sha256" in pages.get("/files/archive.json") or "digest" in pages.get("/files/archive.json")


def test_own_pairs_are_written_by_name_and_kept_when_they_are_refused(desk):
    evening, pages = desk([swiss(3)], 4)
    names = [each["name"] for each in evening.view["entries"]]
    refused = pages.send(do="pair_round", pairs=f"{names[0]} – nobody at all")
    assert refused.status_code == 400
    assert "nobody at all" in refused.text
    taken = pages.send(do="pair_round", pairs=f"{names[0]} – {names[3]}\n{names[1]} - {names[2]}")
    assert taken.status_code == 303
    evening.read()
    paired = {frozenset(side["name"] for side in each["sides"]) for each in evening.round()["pairings"]}
    assert paired == {frozenset((names[0], names[3])), frozenset((names[1], names[2]))}


def test_money_is_read_with_a_point_or_a_comma(desk):
    evening, pages = desk([single()], 2, plan={"fee": 750})
    entry = evening.view["entries"][0]["id"]
    for text, cents in (("7.50", 750), ("3,5", 350)):
        assert pages.send(do="pay", entry=entry, money=text).status_code == 303
        assert evening.read()["entries"][0]["paid"] == cents
    assert pages.send(do="pay", entry=entry, money="1.234").status_code == 400


@pytest.mark.parametrize(
    "query", ["?round=0000019", "?round=" + "1" * 5000, "/standings?stage=00000199", "/bracket?part=99"]
)
def test_an_invalid_number_in_a_query_is_ignored(desk, query):
    evening, pages = desk([single()], 2)
    evening.act({"do": "pair_round"})
    pages.get(query)


@pytest.mark.parametrize("money", ["1e999999", "NaN", "7.505", "-3", "٣"])
def test_what_is_no_money_is_said(desk, money):
    evening, pages = desk([single()], 2, plan={"fee": 750})
    assert pages.send(do="pay", entry=evening.view["entries"][0]["id"], money=money).status_code == 400


def test_what_would_be_lost_is_asked_and_done_when_it_is_meant(desk, house):
    evening, pages = desk([{"format": {"kind": "single"}, "game": "parity", "race": {"target": 100}}], 2)
    evening.act({"do": "pair_round"})
    match = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    asked = pages.send(do="unpair_round")
    assert (asked.status_code, "Do it all the same" in asked.text) == (409, True)
    assert pages.send(do="unpair_round", knowingly="true").status_code == 303


def test_the_board_shows_where_a_record_says_something_else(desk, house):
    evening, pages = desk([{"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}], 2)
    evening.act({"do": "pair_round"}, {"do": "report", "fixture": "W1.1", "score": [25, 12]})
    match = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    board = pages.get("/director")
    assert "the match says: " in board
    assert "21–0. Correct the result, or let it stand." in board


def test_a_refused_correction_comes_back_in_the_form_of_its_match(desk):
    stages = [
        {"format": {"kind": "swiss", "rounds": 1}, "game": "parity", "go_on": 4},
        {"format": {"kind": "round-robin"}, "game": "parity"},
    ]
    evening, pages = desk(stages)
    evening.act({"do": "pair_round"})
    evening.play()
    evening.act({"do": "pair_round"})
    back = pages.send(do="report", fixture="R1.1", stage="1", score0="15", score1="14")
    assert back.status_code == 409
    first = evening.view["rounds"][0]["pairings"][0]["sides"]
    opened = back.text.partition('<li class="beside"')[2].partition("</form>")[0]
    assert 'class="tables"' in back.text, "in view on a phone too"
    assert all(side["name"] in opened for side in first)
    assert 'name="stage" value="1"' in opened


def test_a_bye_that_was_granted_is_seen_and_taken_back(desk):
    evening, pages = desk([swiss(3)], 4)
    entry = evening.view["entries"][0]
    pages.send(do="grant_bye", entry=entry["id"], round="1", kind="half")
    assert "half-point bye in round 1" in pages.get("/director").replace("\n", " ")
    pages.send(do="grant_bye", entry=entry["id"], round="1")
    assert "half-point bye in round 1" not in squeezed(pages.get("/director"))


def test_the_next_stage_can_be_begun_early_from_the_board(desk):
    evening, pages = desk([{**swiss(3), "go_on": 2}, single()], 4)
    evening.act({"do": "pair_round"})
    evening.play()
    assert "Begin Single elimination now" in pages.get("/director")
    assert pages.send(do="pair_round", early="true").status_code == 303
    assert evening.read()["at"] == 1


def test_the_board_offers_what_the_format_takes(desk):
    evening, pages = desk([single()], 2)
    assert 'id="who"' in pages.get("/director")
    evening.act({"do": "pair_round"})
    board = pages.get("/director")
    assert 'id="next"' not in board, "a bracket has no pairs of one's own"
    assert 'id="who"' not in board, "nobody enters a bracket that is on"
    late, swiss_pages = desk([swiss(3)], 2)
    late.act({"do": "pair_round"})
    assert all(f'id="{part}"' in swiss_pages.get("/director") for part in ("next", "who"))


def test_a_match_leads_back_to_its_tournament(desk, house, owner):
    evening, _ = desk([single()], 2)
    evening.act({"do": "pair_round"})
    match = evening.round()["pairings"][0]["match"]
    page = house.client.get(f"/matches/{match}", headers={**owner, "Accept": "text/html"})
    assert f'href="/tournaments/{evening.id}"' in page.text


def test_a_match_says_where_its_sides_stand_in_their_tournament(desk, house, owner):
    evening, _ = desk([swiss(3)], 4)
    for _ in range(2):
        evening.act({"do": "pair_round"})
        evening.play() if len(evening.view["rounds"]) < 2 else None
    match = evening.round()["pairings"][0]["match"]
    page = squeezed(house.client.get(f"/matches/{match}", headers={**owner, "Accept": "text/html"}).text)
    assert re.findall(r'class="placed">(\d\w\w)', page) == ["1st", "1st"]


def test_the_log_of_a_long_tournament_shows_a_hundred_steps_per_page(desk):
    evening, director = desk([swiss()], 110)
    last = evening.view["version"]
    assert last > 100

    def shown(query=""):
        page = squeezed(director.get(f"/log{query}"))
        return [int(found) for found in re.findall(r"<li><b>(\d+)</b>", page)], re.findall(r'href="\?upto=(\d+)"', page)

    assert shown() == (list(range(last, last - 100, -1)), [str(last - 100)])
    assert shown(f"?upto={last - 100}") == (list(range(last - 100, 0, -1)), [str(last)])


def test_a_bracket_shows_its_winner_and_marks_running_matches(desk):
    evening, pages = desk([single()], 4)
    evening.act({"do": "pair_round"})
    assert ("● table 1" in pages.get("/bracket"), "has won" in pages.get("/bracket")) == (True, False)
    for _ in range(2):
        evening.play()
        evening.act({"do": "pair_round"}) if len(evening.view["rounds"]) < 2 else None
    final = evening.view["rounds"][-1]["pairings"][0]
    winner = final["sides"][final["winner"]]["name"]
    assert f'<p class="champion">♛ <bdi>{winner}</bdi>' in squeezed(pages.get("/bracket"))


def test_a_tournament_without_a_bracket_says_so_and_leads_to_its_standings(desk):
    evening, pages = desk([swiss(3)], 4)
    evening.act({"do": "pair_round"})
    shown = pages.get("/bracket")
    assert ("has no bracket" in shown, "when the first round is paired" in shown) == (True, False)
    _, pages = desk([single()], 4)
    assert "when the first round is paired" in pages.get("/bracket")


def test_a_player_s_state_is_told_where_it_differs(desk):
    evening, pages = desk([swiss(3)], 4)
    assert "State" not in squeezed(pages.get("/entries"))
    pages.send(do="check_in", entry=evening.view["entries"][0]["id"], here="true")
    listed = squeezed(pages.get("/entries"))
    assert ("State" in listed, listed.count("✓ here"), "<td>entered" in listed) == (True, 1, False)
