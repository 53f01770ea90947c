"""What pages say to people: words of the club, names, and what to do next; no codes, no words of programs."""

import html
import re

import pytest

from service.store.callers import NOBODY
from service.web.render import page
from tests.kit.service.asking import House, squeezed
from tests.kit.service.club_evenings import Evening
from tests.service.api.test_tournaments import single, swiss
from tests.service.web.test_tournament_pages import Desk

HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def public(client, database):
    with House(client, database, public=True) as house:
        yield house


def seen(answer):
    """What is read on a page: its text without marks, spaces made one."""
    text = re.sub(r"<(script|style|svg).*?</\1>", " ", answer if isinstance(answer, str) else answer.text, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def headings(text):
    found = re.findall(r'<th scope="col"(?: class="rest")?>(.*?)</th>', text)
    return [html.unescape(re.sub(r"<[^>]+>", "", each)) for each in found]


def test_standings_have_column_titles_and_tie_breaks_when_tied(house, owner):
    evening = Evening(house, [swiss(3)], players=6)
    pages = Desk(house, owner, evening)
    evening.act({"do": "pair_round"})
    assert headings(pages.get("/standings")) == ["Place", "Name", "Points", "Why"], "nothing was played yet"
    evening.play()
    found = headings(pages.get("/standings"))
    assert found[2:5] == ["Points", "Met", "Opponents’ points, less the lowest"], "three have won"
    other = Evening(house, [{"format": {"kind": "round-robin"}, "game": "cross_game"}], players=3)
    table = Desk(house, owner, other)
    for _ in range(3):
        other.act({"do": "pair_round"})
        other.play()
    assert headings(table.get("/standings")) == ["Place", "Name", "Points", "Why"], "2, 1 and 0 points: no tie"
    assert not re.search(r"\bBH/C1\b|\bDE\b", seen(pages.get("/standings")).partition("What the columns mean")[0])


def test_places_still_possible_stand_beside_the_name_on_page_and_projector(house, owner):
    evening = Evening(house, [swiss(3)], players=4)
    pages = Desk(house, owner, evening)
    evening.act({"do": "pair_round"})
    name = evening.view["entries"][0]["name"]
    for path in ("/standings", "/show?slide=2"):
        text = pages.get(path)
        assert f"{name} still possible: 1–4" in seen(text), path
        assert not re.search(r">\d\?<", text), path
    assert "Deals first Against Result" in seen(pages.get("/show?slide=1"))
    assert "Deals first Against Result" in seen(pages.get())


def test_a_disputed_result_is_not_yet_final(house, owner):
    evening = Evening(house, [swiss(3)], players=4)
    pages = Desk(house, owner, evening)
    evening.act({"do": "pair_round"})
    evening.act({"do": "report", "fixture": "R1.1", "score": [16, 12]}, {"do": "dispute", "fixture": "R1.1"})
    for path in ("", "/show?slide=1"):
        assert re.search(r"(16–12|12–16) ?, ⚑ result not yet final", seen(pages.get(path))), path


def test_a_place_is_explained_with_the_titles_of_the_columns(house, owner):
    evening = Evening(house, [swiss(3)], players=4)
    pages = Desk(house, owner, evening)
    evening.act({"do": "pair_round"})
    evening.play()
    text = seen(pages.get(f"/standings/{evening.view['entries'][0]['id']}"))
    assert "Points: 1" in text
    assert "Opponents’ points: 0 Buchholz (BH)" in text


def test_a_stage_is_named_once(house, owner):
    evening = Evening(house, [{"format": {"kind": "groups", "groups": 2}, "game": "parity", "go_on": 2}, single()])
    text = seen(Desk(house, owner, evening).get())
    assert "Groups, Parity" in text
    assert "Groups: Groups" not in text
    assert "Single elimination: Single elimination" not in text


def test_the_directors_buttons_say_what_they_do(house, owner):
    evening = Evening(house, [swiss(3)], players=4)
    pages = Desk(house, owner, evening)
    evening.act({"do": "pair_round"}, {"do": "report", "fixture": "R1.1", "score": [16, 12]})
    (decided,) = (each for each in evening.view["rounds"][0]["pairings"] if each["fixture"] == "R1.1")
    text = seen(pages.get(f"/director?table={decided['match']}"))
    for said in (
        "Pair now, with results missing",
        "Write the pairings yourself",
        "Reopen this result",
        "Reason",
        "Undo the pairing of round 1",
        "End the tournament now",
        "Dispute this result",
        "Give a bye",
    ):
        assert said in text, said
    assert "somebody" not in text


def test_a_form_for_a_tournament_speaks_of_players(house, owner):
    text = seen(house.client.get(f"/clubs/{house.id}/tournaments/new", headers={**HTML, **owner}))
    assert "Name of the tournament" in text
    assert "Create the tournament" in text
    assert "Challenge somebody above you; beat them and you take their place." in text
    assert "You meet the nearest player you have not met." in text


def test_a_name_that_is_not_in_the_list_is_told_by_name(house, owner):
    evening = Evening(house, [swiss(3)], players=4)
    first = evening.view["entries"][0]["name"]
    refused = Desk(house, owner, evening).send(do="pair_round", pairs=f"{first} – Zed")
    assert (refused.status_code, "Zed is not in the list of players" in seen(refused)) == (400, True)


def test_ratings_show_no_figures_of_their_model(house, owner):
    match = house.match(target=15)
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    text = house.client.get(f"/clubs/{house.id}/ratings?game=parity", headers={**HTML, **owner}).text
    assert headings(text)[:7] == ["Rank", "Name", "Rating", "Matches", "Won", "Drawn", "Lost"]
    assert "the strength we are nearly sure of" in text
    assert not re.search(r"\b(mu|sigma)\b", seen(text))


def test_a_stranger_reads_who_owns_the_scores_and_gives_out_links(client):
    home = seen(page("home.html", NOBODY, clubs=[], titles={}).content)
    assert "This club’s scores are for members. Sign in to see them." in home
    sign_in = seen(client.get("/sign-in", headers=HTML))
    assert "Ask your club’s secretary for a link, or scan or type the code of your table" in sign_in


def test_what_is_not_there_leads_back_to_the_matches(client):
    text = client.get("/matches/01939f5e-0000-7000-8000-000000000000", headers=HTML).text
    assert '<a href="/">Back to tonight’s matches</a>' in text
    assert "/problems/" not in text


def test_house_rules_are_questions_with_answers_and_a_link_to_the_rule(client, house, owner):
    where = f"/clubs/{house.id}/new?game=cross_purposes&variant=alliance"
    text = squeezed(client.get(where, headers={**HTML, **owner}).text)
    assert re.search(
        r"<label[^>]*>May a player repeat a proposal\?</label><select[^>]*>"
        r'<option value="true">Yes</option><option value="false">No</option></select>',
        text,
    )
    assert re.search(r'<a href="/games/cross_purposes#cp-g4">CP\.g4', text)
    assert "(CP.g4)" not in text
    assert "only the latest of each player" in text.lower()
    rules = seen(client.get("/games/ristikontra", headers=HTML))
    assert "May a player lead the same rank four times in a row?" in rules
    form = seen(client.get(f"/clubs/{house.id}/new?game=ristikontra", headers={**HTML, **owner}))
    assert "May a player lead the same rank four times in a row? Yes No" in form, "the usual answer comes first"


def test_every_house_rule_is_a_question(public):
    for game in public.client.get("/api/v1/games").json():
        for option in game["options"]:
            assert "?" in option["description"], (game["key"], option["name"])
            assert len(option["said"]) == len(option["values"])
            assert not any("_" in each for each in option["said"])


def test_a_result_asks_and_has_no_range_until_it_is_wrong(client, house, owner):
    headers = {**HTML, **owner}
    stuck = house.match("get_stuck").removeprefix("/api/v1")
    text = client.get(f"{stuck}/result", headers=headers).text
    assert "Who got stuck?" in text
    assert not re.search(r"-60 to 150", seen(text))
    wrong = client.get(f"{stuck}/result/preview?stuck=1&totals.0=60&totals.1=150", headers=headers)
    said = re.sub("[\u2066-\u2069]", "", seen(wrong))
    assert said == "Benny got stuck and can have -60 to 90 points, not 150"
    bids = seen(client.get(f"{house.match('cross_game').removeprefix('/api/v1')}/result", headers=headers))
    assert "Who bid?" in bids
    assert "How much was bid?" in bids


def test_forms_of_a_club_say_what_they_make(client, owner):
    text = seen(client.get("/", headers={**HTML, **owner}))
    for said in ("Club’s name", "Anyone with the link may watch", "Create the club"):
        assert said in text
