"""How a match ends, as the new-match form says it: target, deals, cap, games and lurch, the game's own where empty."""

from urllib.parse import urlencode

import pytest

from tests.kit.service.asking import FORM


def sent(house, owner, game, **form):
    body = urlencode({"game": game, "name0": "Annie", "name1": "Benny", "depth": "summary", **form})
    return house.client.post(f"/clubs/{house.id}/new", content=body, headers={**owner, **FORM}, follow_redirects=False)


def opened(house, owner, game, **form):
    """The match that the form opens, as the API tells of it."""
    answer = sent(house, owner, game, **form)
    assert answer.status_code == 303, answer.text[-2000:]
    return house.get(f"/api/v1{answer.headers['location']}").json()


def race(match):
    lurch = match["lurch_lines"] and (match["lurch_lines"]["lines"], match["lurch_lines"]["win_points"])
    return (match["target"], match["win_by"], match["cap"], match["deals_fixed"], match["best_of"], lurch)


PARITY = ([66, 50], [1, 2, 3])
EMPTY = {"target": "", "deals": "", "cap": "", "best_of": "", "lurch": "", "lurch_lines": "", "win_points": ""}


@pytest.mark.parametrize(
    ("game", "form", "wanted"),
    [
        ("parity", EMPTY, (100, 1, None, None, 1, PARITY)),
        ("over_the_top", EMPTY, (None, 1, None, 2, 1, None)),
        ("over_the_top", {"target": "200"}, (200, 1, None, None, 1, None)),
        ("garbo", {"target": "500", "win_by": "2"}, (500, 2, None, None, 1, None)),
        ("garbo", {"target": "500", "deals": "4"}, (500, 1, None, 4, 1, None)),
        ("garbo", {"deals": "6"}, (None, 1, None, 6, 1, None)),
        ("parity", {"deals": "3"}, (None, 1, None, 3, 1, None)),
        ("cross_game", {"cap": "21", "best_of": "3"}, (15, 2, 21, None, 3, None)),
        ("cross_game", {"target": "11", "cap": "11"}, (11, 2, 11, None, 1, None)),
        ("parity", {"lurch": "none"}, (100, 1, None, None, 1, None)),
        ("parity", {"target": "50"}, (50, 1, None, None, 1, ([33, 25], [1, 2, 3]))),
        (
            "cross_purposes",
            {"lurch": "lines", "lurch_lines": "66 50", "win_points": "1 2 4"},
            (100, 1, None, None, 1, ([66, 50], [1, 2, 4])),
        ),
        ("cross_purposes", {"lurch_lines": "2/3, 1/2"}, (100, 1, None, None, 1, PARITY)),
        ("get_stuck", {"lurch": "lines", "lurch_lines": "125"}, (250, 1, None, None, 1, ([125], [1, 2]))),
    ],
)
def test_ra_the_form_opens_the_match_with_the_race_that_it_says(house, owner, game, form, wanted):
    usual = "2" if game == "cross_game" else "1"
    assert race(opened(house, owner, game, **{"win_by": usual, **form})) == wanted


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"deals": "0"}, "Number of deals: write a number from 1 to 1000, or leave it empty"),
        ({"deals": "1001"}, "Number of deals: write a number from 1 to 1000"),
        ({"target": "-5"}, "Target: write a number from 1 to 100000"),
        ({"cap": "two"}, "Cap: write a number from 1 to 100000, or leave it empty"),
        ({"cap": "99"}, "Cap: write 100, which is the target, or more"),
        ({"target": "120", "cap": "100"}, "Cap: write 120, which is the target, or more"),
        ({"deals": "2", "cap": "100"}, "Cap: it goes with a target"),
        ({"best_of": "4"}, "Best of: choose an odd number of games"),
        ({"best_of": "101"}, "Best of: write a number from 1 to 99"),
        ({"lurch": "twice"}, "is not one of the choices"),
        ({"lurch": "lines"}, "Lurch lines: write the points of each line"),
        ({"win_points": "1 2"}, "Lurch lines: write the points of each line"),
        ({"lurch": "none", "lurch_lines": "66"}, "Lurch: choose lines of your own"),
        ({"lurch_lines": "66 half"}, "is no number of points"),
        ({"lurch_lines": "0"}, "is no number of points"),
        ({"lurch_lines": "1/0"}, "is no number of points"),
        ({"lurch_lines": "7 6 5 4 3 2 1"}, "six are the most"),
        ({"lurch_lines": "66 50", "win_points": "1 2"}, "Worth of a win: write 3 numbers"),
        ({"lurch_lines": "66", "win_points": "1 x"}, "Worth of a win: write 2 numbers"),
        ({"lurch_lines": "50 66"}, "from the highest to the lowest"),
        ({"lurch_lines": "166"}, "lies above the target 100"),
        ({"lurch_lines": "2/3", "deals": "2"}, "parts of the target need one: write the target"),
    ],
)
def test_ra_an_impossible_ending_is_refused_with_its_fix(house, owner, form, said):
    before = house.position()
    answer = sent(house, owner, "parity", **form)
    assert answer.status_code == 400
    alert = answer.text[answer.text.index('role="alert"') :].partition("</p>")[0]
    assert said in alert
    assert "$." not in alert
    assert house.position() == before
    assert "<details open>" in answer.text or set(form) == {"target"}
    for name, value in form.items() - {("lurch", "twice")}:
        assert f'value="{value}"' in answer.text, f"what was written in {name} is still there"


def test_all_3_the_form_shows_what_the_game_has_of_its_own(house, owner):
    text = house.client.get(f"/clubs/{house.id}/new?game=parity", headers=owner).text
    assert "as usual: 66 50" in text
    assert 'placeholder="1 2 3"' in text
    text = house.client.get(f"/clubs/{house.id}/new?game=garbo", headers=owner).text
    assert "Usually: 2 deals, the higher total wins." in text
    assert "as usual: none" in text
    assert "<details open>" not in text


def test_ra_the_table_tells_of_cap_and_deals(house, owner):
    location = sent(house, owner, "garbo", target="300", cap="350", deals="4").headers["location"]
    text = " ".join(house.client.get(location, headers=owner).text.split())
    assert "to 300, or the first at 350, in 4 deals at most" in text
