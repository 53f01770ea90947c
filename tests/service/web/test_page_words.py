"""What a page says when something is wrong: to whom it is shown, and in the words of whoever filled it in."""

import re

import pytest

from tests.kit.service.asking import FORM, House
from tests.kit.service.club_evenings import Evening
from tests.service.api.test_tournaments import single, swiss
from tests.service.web.test_hostile_pages import OF_A_PROGRAM

HTML = {"Accept": "text/html"}
LONG = "x" * 81


@pytest.fixture(scope="module")
def public(client, database):
    with House(client, database, public=True) as house:
        yield house


def said(answer):
    """The alert of a page."""
    (found,) = re.findall(r'role="alert"[^>]*>(?:<p>)?([^<]*)', answer.text)
    assert not OF_A_PROGRAM.search(found), found
    return found


NONE = "/clubs/00000000-0000-0000-0000-000000000000"
LOST = [("/nowhere", 404), ("/clubs/{club}?cursor=x", 400), ("/games/bridge", 404), (NONE, 404)]
SIGN_INS = [
    ({}, "you are not signed in on this phone"),
    ({"Cookie": "lurch_sign_in=ended"}, "your sign-in on this phone has ended"),
]


@pytest.mark.parametrize(("path", "status"), LOST)
def test_an_error_page_knows_who_is_signed_in(client, owner, public, path, status):
    address = path.format(club=public.id)
    own = client.get(address, headers={**HTML, **owner})
    assert (own.status_code, "(owner)</span>" in own.text, "/sign-in" in own.text) == (status, True, False)
    strange = client.get(address, headers=HTML)
    assert (strange.status_code, "Sign out" in strange.text, 'href="/sign-in"' in strange.text) == (status, False, True)


def test_an_unsupported_method_is_answered_with_a_page(client, owner):
    answer = client.post("/games", headers={**HTML, **owner, **FORM})
    assert (answer.status_code, "(owner)</span>" in answer.text, "allow" in answer.headers) == (405, True, True)


@pytest.mark.parametrize(("cookie", "wanted"), SIGN_INS)
@pytest.mark.parametrize("accept", ["text/html", "*/*"])
def test_a_sign_in_that_is_unknown_is_told_in_words(client, public, cookie, wanted, accept):
    address = f"/clubs/{public.id}/new"
    answer = client.get(address, headers={"Accept": accept, **cookie})
    assert answer.status_code == 401
    assert wanted in answer.text
    assert "Bearer" not in answer.text
    assert "token" not in answer.text


def test_the_api_goes_on_to_say_what_a_program_needs(public):
    answer = public.post(f"{public.path}/matches", {"game": "parity", "sides": [["A"], ["B"]]}, role=None)
    assert (answer.status_code, "Bearer" in answer.json()["detail"]) == (401, True)


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ({"name0": LONG, "name1": "Benny"}, "A name may have 80 letters"),
        ({"name0": "Annie", "name1": " annie "}, "annie sits on two chairs: change one"),
        ({"name0": "Annie\u0001", "name1": "Benny"}, "Name: write one line, without signs that cannot be seen"),
        (
            {"name0": "Annie", "name1": "Benny", "win_by": "x"},
            "Won by: write a number from 1 to 1000, or leave it empty",
        ),
        ({"name0": "Annie", "name1": ""}, "write a name for every seat"),
    ],
)
def test_a_new_match_that_cannot_be_opened_says_what_to_change(client, house, owner, form, wanted):
    sent = {"game": "parity", **form}
    answer = client.post(f"/clubs/{house.id}/new", data=sent, headers={**HTML, **FORM, **owner})
    assert (answer.status_code, said(answer)) == (400, wanted)


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ({"players": LONG}, "A name may have 80 letters"),
        ({"players": "Annie\nBenny\nannie"}, "annie is in the list twice (lines 1 and 3)"),
        ({"rounds": "0", "template": "swiss"}, "Rounds: 1 at least"),
        ({"date": "tomorrow"}, "Day: "),
        ({"season": LONG}, "Season: "),
        ({"tiebreaks": "XYZ", "template": "swiss"}, "tie-break 'XYZ'"),
        ({"minutes": "x"}, "Minutes a round: 'x' is not a number"),
        ({"game": "bridge"}, "bridge"),
        ({"name": ""}, "Name: write one line"),
    ],
)
def test_a_tournament_that_cannot_be_announced_says_what_to_change(client, house, owner, form, wanted):
    sent = {"name": "Cup", "game": "cross_game", "template": "single", "players": "Ahti\nBea", **form}
    answer = client.post(f"/clubs/{house.id}/tournaments/new", data=sent, headers={**HTML, **FORM, **owner})
    assert answer.status_code == 400
    assert wanted in said(answer).replace("&#39;", "'")


@pytest.mark.parametrize(
    ("stage", "forms"),
    [
        (
            single(),
            [
                {"do": "report", "fixture": "W1.1", "score0": "x", "score1": "3"},
                {"do": "report", "fixture": "W1.1", "side": "7"},
                {"do": "report", "fixture": "nothing", "side": "0"},
                {"do": "report", "fixture": "W1.1", "how": "absent", "winner": "0"},
                {"do": "assign_table", "fixture": "W1.1", "table": "-1"},
                {"do": "start_round", "minutes": "100000000"},
                {"do": "start_round", "minutes": "soon"},
                {"do": "finish"},
                {"do": "bless"},
                {},
            ],
        ),
        (
            swiss(3),
            [
                {"do": "grant_bye", "round": "2", "kind": "double"},
                {"do": "grant_bye", "entry": "x", "round": "2", "kind": "half"},
                {"do": "substitute", "entry": "x", "who": LONG},
                {"do": "enter", "who": f"{LONG}, 1500"},
                {"do": "lock_round", "round": "9", "locked": "perhaps"},
            ],
        ),
    ],
)
def test_a_board_refuses_impossible_actions_in_words(client, house, owner, stage, forms):
    evening = Evening(house, [stage], 4)
    evening.act({"do": "pair_round"})
    path = evening.path.removeprefix("/api/v1")
    for form in forms:
        answer = client.post(f"{path}/actions", data=form, headers={**HTML, **FORM, **owner})
        assert answer.status_code in (400, 404, 409, 422), (form, answer.text[:300])
        assert len(said(answer)) > 8, form
