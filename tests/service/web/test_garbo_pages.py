"""Cards laid on squares, claims and totals on the pages, as a scorer sends them."""

import json
import re

import pytest

from tests.kit.service.asking import FORM, drawn


def sent(house, owner, page: str, body: str, status: int = 303):
    answer = house.client.post(page, content=body, headers={**owner, **FORM}, follow_redirects=False)
    assert answer.status_code == status, answer.text[-2000:]
    return answer


def page_of(house, owner, page: str) -> str:
    """A page as it is drawn."""
    answer = house.client.get(page, headers=owner)
    assert answer.status_code == 200, answer.text[-2000:]
    return drawn(answer.text)


@pytest.fixture
def table(house):
    """Garbo with claims by hand and physical cards, before the first card."""
    path = house.match("garbo", options={"claims": "manual"}, depth="plays")
    house.done(f"{path}/deals", {"dealer": 0})
    return path.removeprefix("/api/v1")


def test_a_card_is_laid_on_a_square_and_matches_are_claimed(house, owner, table):
    assert 'name="cell"' in page_of(house, owner, table)
    sent(house, owner, f"{table}/facts", "do=place&seat=1&card=S9&cell=0+0")
    sent(house, owner, f"{table}/facts", "do=place&seat=0&card=S8&cell=0+-1")
    sent(house, owner, f"{table}/facts", "do=claim&seat=1&number=1")
    view = house.get(f"/api/v1{table}").json()
    assert view["table"]["points"] == [0, 1]
    assert [square["cell"] for square in view["table"]["squares"]] == [[0, -1], [0, 0]]
    page = page_of(house, owner, table)
    assert 'value="0 -1" data-key="c4" aria-label="Eight of spades, column c, row 4"' in page
    assert 'value="S9"' not in page
    assert 'class="square layout"' in page_of(house, owner, f"{table}/replay")
    assert "Nine of spades" in page_of(house, owner, f"{table}/replay")


@pytest.mark.parametrize("cell", ["0", "0+1+2", "a+b", "99+0", ""])
def test_a_square_that_is_none_is_refused(house, owner, table, cell):
    before = house.position()
    sent(house, owner, f"{table}/facts", f"do=place&seat=1&card=S9&cell={cell}", 400)
    assert house.position() == before


def test_every_square_can_be_tapped_and_first_the_reference_square(house, owner, table):
    assert re.findall(r'data-key="([a-g][1-7])"', page_of(house, owner, table)) == ["d4"]
    sent(house, owner, f"{table}/facts", "do=place&seat=1&card=S9&cell=0+0")
    offered = re.findall(r'data-key="([a-g][1-7])"', page_of(house, owner, table))
    assert offered == [f"{column}{row}" for row in "7654321" for column in "abcdefg"]


def test_a_card_and_its_square_are_said_in_words(house, owner, table):
    sent(house, owner, f"{table}/facts", "do=place&seat=1&card=D7&cell=0+0")
    assert "plays the seven of diamonds to column d, row 4" in page_of(house, owner, table)


def test_a_square_outside_the_frame_is_refused_under_its_number(house, table):
    body = {"facts": [{"seat": 1, "do": "place", "card": "S9", "cell": [0, 4]}]}
    house.refused("POST", f"/api/v1{table}/facts", body, 409, "misfit")


def test_totals_are_entered_as_numbers_within_their_bounds(house, owner):
    path = house.match("garbo").removeprefix("/api/v1")
    assert 'type="number"' in page_of(house, owner, f"{path}/result")
    sent(house, owner, f"{path}/result", "totals.0=198&totals.1=131")
    assert house.get(f"/api/v1{path}").json()["totals"] == [198, 131]
    for wrong in ("totals.0=198&totals.1=-1", "totals.0=198&totals.1=99999", "totals.0=x&totals.1=1", "totals.0=1"):
        sent(house, owner, f"{path}/result", wrong, 400)


def test_the_pages_and_the_api_tell_of_the_game(house, owner):
    assert "thirty-two" in page_of(house, owner, "/games/garbo").lower()
    game = next(each for each in house.get("/api/v1/games").json() if each["key"] == "garbo")
    assert {option["name"] for option in game["options"]} == {"draw_schedule", "suit_scope", "claims"}
    assert "cell" in json.dumps(game["facts"]["place"])
