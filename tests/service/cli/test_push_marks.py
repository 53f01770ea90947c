"""The mark of what was recorded elsewhere stands on each of its pages, copy or archive, and on no other page."""

import pytest

from service.store import tokens
from tests.conftest import new_database, with_pool
from tests.kit.service.asking import FORM
from tests.kit.service.away import club_of_its_own, evening_away
from tests.kit.service.club_evenings import Evening

MARK = "Recorded elsewhere, and brought here"
STAGE = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}


@pytest.fixture(scope="module")
def server():
    with new_database() as found:
        yield found


def signed_in(away):
    """The cookie of the owner's browser at the server."""
    link = with_pool(away.home.database, tokens.make_link)
    answer = away.home.client.request("POST", "/sign-in", data={"link": link}, headers=FORM)
    assert answer.status_code == 303, answer.text
    return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}


def page_of(away, path, cookie):
    answer = away.home.client.request("GET", path.removeprefix("/api/v1"), headers=cookie)
    assert answer.status_code == 200, (path, answer.text)
    return " ".join(answer.text.split())


def marked(away, *paths):
    """Tells of each of these pages, in order: does it say that what it shows was recorded elsewhere?"""
    cookie = signed_in(away)
    return [MARK in page_of(away, path, cookie) for path in paths]


def pages_of_match(path):
    return path, f"{path}/replay"


def pages_of_cup(cup):
    """The pages of a tournament, and those of its first match."""
    match = cup.read()["rounds"][0]["pairings"][0]["match"]
    tabs = ("", "/standings", "/bracket", "/entries", "/paper", "/director", "/doors", "/log")
    return *(f"{cup.path}{tab}" for tab in tabs), *pages_of_match(f"/matches/{match}")


def paired(house):
    cup = Evening(house, [STAGE], players=4)
    cup.act({"do": "pair_round"})
    return cup


def over(house):
    cup = paired(house)
    cup.play()
    cup.to_the_end()
    return cup


@pytest.mark.extended
def test_pages_of_a_pushed_match_are_marked(server, tmp_path):
    with evening_away(server, tmp_path) as away:
        new = away.away.match(sides=(("Annie",), ("Dana",)), target=100)
        own = away.home.match(sides=(("Annie",), ("Emil",)), target=100)
        away.pushed()
        assert marked(away, *pages_of_match(new)) == [True] * 2
        assert marked(away, *pages_of_match(own)) == [False] * 2
        page = page_of(away, f"/clubs/{away.home.id}/pushes", signed_in(away))
        assert "1 of 1 here" in page


def test_pages_of_a_pushed_tournament_are_marked(server, tmp_path):
    with evening_away(server, tmp_path) as away:
        new, own = over(away.away), over(away.home)
        away.pushed()
        new.house = away.home
        assert marked(away, *pages_of_cup(new)) == [True] * 10
        assert marked(away, *pages_of_cup(own)) == [False] * 10


@pytest.mark.extended
def test_pages_of_a_tournament_pushed_as_an_archive_are_marked(server, tmp_path):
    with club_of_its_own(server, tmp_path) as away:
        own = over(away.home)
        over(away.away)
        away.pushed()
        items = away.home.get(f"{away.home.path}/tournaments", "director").json()["items"]
        came = Evening.__new__(Evening)
        (came.id,) = (each["id"] for each in items if each["id"] != own.id)
        came.house, came.path = away.home, f"/api/v1/tournaments/{came.id}"
        assert marked(away, *pages_of_cup(came)) == [True] * 10
        assert marked(away, *pages_of_cup(own)) == [False] * 10
