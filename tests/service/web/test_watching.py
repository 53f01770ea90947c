"""Who watches: the wall of an evening, frames for other sites, results as text, and the replay."""

import re

import pytest

from domain import codec
from service.web.slides import Slide, paged
from tests.kit.games.strategies import played_out
from tests.kit.service.asking import House, sign_in, squeezed
from tests.kit.service.club_evenings import Evening
from tests.recorded.tables import Table

LOOKS = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def club(client, database):
    with House(client, database, public=True, name="Watched") as found:
        yield found


@pytest.fixture(scope="module")
def cup(club):
    found = Evening(club, [{"format": {"kind": "swiss", "rounds": 3}, "game": "parity"}], players=12)
    found.act({"do": "pair_round"})
    found.act({"do": "report", "fixture": found.open()[0]["fixture"], "winner": 0, "score": [104, 85]})
    return found


def dealt(club, known=True, upto=None, names=("Annie", "Benny"), **more):
    """A match with a deal played card by card."""
    _, _, dealer, deal, facts, _ = played_out(("parity", {}), 3)
    table = Table(club, "parity", [[name] for name in names], **more)
    table.deal(dealer=dealer, **({"deal": codec.plain(deal), "depth": "full"} if known else {}))
    table.facts(facts[:upto])
    return table


def page(club, path, **headers):
    answer = club.client.get(path, headers={**LOOKS, **headers})
    assert answer.status_code == 200, answer.text
    return answer


def slides(club):
    """Each slide of the club's wall."""
    first = page(club, f"/clubs/{club.id}/wall").text
    count = int(re.search(r"1 of (\d+)", first)[1])
    return [page(club, f"/clubs/{club.id}/wall?slide={number}").text for number in range(1, count + 1)]


@pytest.mark.parametrize(
    ("rows", "sizes"), [(0, []), (6, [6]), (12, [12]), (13, [7, 6]), (25, [9, 8, 8]), (24, [12, 12])]
)
def test_slides_are_balanced(rows, sizes):
    pages = [*paged(Slide("pairings", "Round 1", range(rows)))]
    assert [len(each.rows) for each in pages] == sizes
    assert [row for each in pages for row in each.rows] == [*range(rows)]


def test_the_wall_shows_what_runs(club, cup):
    table = dealt(club, upto=6)
    told = " ".join(map(squeezed, slides(club)))
    for words in ("On the tables", "Round 1", "Standings", "Thursday cup", "Annie", "104–85"):
        assert words in told
    table.entered([9, 6])
    assert "<script src=" in told
    assert 'class="r6"' in told, "six tables, six rows"


def test_the_wall_is_the_same_whoever_has_signed_in_on_its_device(club, database):
    table = dealt(club, upto=8, names=("Quentin", "Rosa"), delay="deal")
    owner = sign_in(club.client, database)
    path = f"/clubs/{club.id}/wall"
    nobody, signed_in = page(club, path).text, page(club, path, **owner).text
    assert nobody == signed_in
    assert "tricks" in page(club, f"/matches/{table.id}", **owner).text
    assert "Quentin" not in "".join(slides(club)), "nothing of it may be seen yet"


def test_only_the_embeddable_page_may_be_framed_without_cookies_or_scripts(club, cup, database):
    bracket = Evening(club, [{"format": {"kind": "single"}, "game": "parity"}], players=4)
    bracket.act({"do": "pair_round"})
    table = dealt(club, upto=8, delay="trick")
    owner = sign_in(club.client, database)
    for path in (f"/embed/matches/{table.id}", f"/embed/tournaments/{bracket.id}/bracket"):
        plain, with_cookie = page(club, path), page(club, path, **owner)
        assert plain.text == with_cookie.text
        assert "set-cookie" not in plain.headers
        assert "<script" not in plain.text
        assert "frame-ancestors *" in plain.headers["content-security-policy"]
        assert "script-src" not in plain.headers["content-security-policy"]
        assert "default-src 'none'" in plain.headers["content-security-policy"]
    for path in (f"/matches/{table.id}", f"/clubs/{club.id}/wall", f"/tournaments/{bracket.id}/bracket", "/sign-in"):
        assert "frame-ancestors 'none'" in page(club, path).headers["content-security-policy"]
    assert club.client.get(f"/embed/tournaments/{cup.id}/bracket").status_code == 404


def test_a_private_club_is_framed_nowhere(house, client, database):
    table = dealt(house)
    assert client.get(f"/embed/matches/{table.id}", headers=sign_in(client, database)).status_code == 404


def test_results_of_a_round_and_of_an_evening_are_plain_text(club, cup):
    answer = club.client.get(f"/tournaments/{cup.id}/results.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    first = cup.view["rounds"][0]["pairings"][0]
    one, other = (side["name"] for side in first["sides"])
    assert answer.text.splitlines()[:4] == ["Thursday cup", "", "Round 1", f"1. {one} 104 – 85 {other}"]
    assert "Standings" in answer.text
    tonight = club.client.get(f"/clubs/{club.id}/results.txt").text
    assert tonight.startswith("Watched, tonight\n\nParity\n")
    assert re.search(r"^Annie \d+ – Benny \d+ \(on\)$", tonight, re.MULTILINE)
    assert f'href="/tournaments/{cup.id}/results.txt"' in page(club, f"/tournaments/{cup.id}").text


def test_best_play_is_shown_once_the_deal_is_final(club):
    on = dealt(club, upto=30)
    assert "Best play from here" not in page(club, f"/matches/{on.id}/replay?at=25&best=1").text
    over = dealt(club)
    over.entered([9, 6])  # the next deal: the one before is over for good
    told = squeezed(page(club, f"/matches/{over.id}/replay?at=28&best=1").text)
    assert "Best play from here" in told
    assert "<dt>Played</dt>" in told
    assert "<dt>Best</dt>" in told
    unknown = dealt(club, known=False)
    unknown.entered([9, 6])
    assert "It cannot be told from here" in page(club, f"/matches/{unknown.id}/replay?at=28&best=1").text


def test_a_replay_links_its_moment_and_marks_reconstructed_hands(club):
    over = dealt(club, known=False)
    told = squeezed(page(club, f"/matches/{over.id}/replay?at=9").text)
    assert '<a href="?at=9" data-copy="address">' in told
    assert "rebuilt from what fell later" in told
