"""An eighth game is one module, pages included: the made-up one says its fact, figure, notes and layout everywhere."""

import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest

from service.cli import past_clerk
from service.cli.replayed import table
from tests.conftest import with_pool
from tests.kit.games.made_up_game import among_the_games
from tests.kit.service.asking import FORM, House, sign_in

PEEK = {"seat": 0, "do": "hcpeek", "card": "HA"}
SHAKE = {"seat": 0, "do": "hchand"}
PLAYS = [{"seat": seat, "do": "play", "card": card} for seat, card in ((0, "SA"), (1, "HA"))]


@pytest.fixture
def evening(client, database):
    """A house where the eighth game is played, one deal on, and its owner's sign-in."""
    with among_the_games(), House(client, database, public=True) as house:
        path = house.match("high_card", (("Annie",), ("Benny",)), depth="plays")
        house.done(f"{path}/deals", {"dealer": 1})
        yield house, path, sign_in(client, database)


def tap(evening, *facts):
    """Facts by the page: the API's body was read from the seven games when the service began."""
    house, path, owner = evening
    for each in facts:
        body = urlencode({"fact": json.dumps(each)})
        address = f"{path.removeprefix('/api/v1')}/facts"
        answer = house.client.post(address, content=body, headers={**owner, **FORM}, follow_redirects=False)
        assert answer.status_code == 303, answer.text[:500]


def page_of(house, path, headers=None):
    answer = house.client.get(path.removeprefix("/api/v1"), headers=headers or {})
    assert answer.status_code == 200, answer.text[-500:]
    return unescape(answer.text)


def words_of(page):
    """A page as it is read, without tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page)).translate(dict.fromkeys(range(0x2066, 0x206A)))


def replayed(database, path):
    found = with_pool(database, lambda pool: past_clerk.replay(pool, path.rpartition("/")[2], None))
    return list(table(found))


def test_its_facts_find_their_entry_form(evening):
    house, path, owner = evening
    assert "Annie: what next?" in words_of(page_of(house, path, owner))
    tap(evening, PEEK)
    assert "Annie: a hand?" in words_of(page_of(house, path, owner))
    button = re.search(
        r'name="fact" value="([^"]*)" data-key="[^"]*">\s*shake hands',
        house.client.get(path.removeprefix("/api/v1"), headers=owner).text,
    )
    assert button is not None
    assert json.loads(unescape(button[1])) == SHAKE
    body = urlencode({"fact": unescape(button[1]), "version": house.get(path).json()["version"]})
    address = f"{path.removeprefix('/api/v1')}/facts"
    sent = house.client.post(address, content=body, headers={**owner, **FORM}, follow_redirects=False)
    assert sent.status_code == 303, sent.text[:500]
    page = page_of(house, path, owner)
    assert 'name="card"' in page
    assert '<input type="hidden" name="do" value="play">' in page
    assert 'type="number"' in page_of(house, f"{path}/result", owner)


def test_its_own_fact_is_a_sentence_on_page_api_and_terminal(evening, database):
    house, path, _ = evening
    tap(evening, SHAKE)
    latest = house.get(path, "spectator").json()["table"]["latest"]
    assert latest == {"seat": 0, "id": "hchand", "values": {}, "said": "shakes hands"}
    assert "Annie shakes hands" in page_of(house, path).translate(dict.fromkeys(range(0x2066, 0x206A)))
    assert "Annie shakes hands" in words_of(page_of(house, f"{path}/replay"))
    assert any(line.endswith("A shakes hands") for line in replayed(database, path))


def test_its_own_figure_notes_and_layout_are_shown_as_they_are_told(evening, database):
    house, path, owner = evening
    tap(evening, PEEK, SHAKE, *PLAYS)
    shown = house.get(path, "spectator").json()["table"]
    aces = {"label": "aces", "by": "seat", "values": [2, 0], "said": ["2 aces won", "0 aces won"]}
    assert shown["figures"][-1] == aces
    assert [note["said"] for note in shown["notes"]] == ["the high suit wins", "seat 0 has peeked"]
    assert [square["card"] for square in shown["layout"]["cells"][0]] == ["HA", "SA"]
    assert shown["tricks"] == [1, 0], "the members that there were stay beside it"
    page = words_of(page_of(house, path))
    for words in ("the high suit wins", "Annie has peeked", "1 trick, 2 aces won", "0 tricks, 0 aces won"):
        assert words in page
    assert "Annie has peeked at" not in page
    assert "Annie has peeked at the ace of hearts" in words_of(page_of(house, path, owner))
    assert 'class="square layout"' in page_of(house, path)
    lines = replayed(database, path)
    assert "known    the high suit wins, seat A has peeked at the ace of hearts" in lines
    assert "counted  A 2 aces won, B 0 aces won" in lines
    assert "layout   1  HA  SA" in lines
