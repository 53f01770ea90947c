"""A claim of the rest over HTTP: a player says it on the own phone, the other answers, and everybody reads it."""

import pytest

from tests.kit.service.asking import House, squeezed

BIDS = [{"seat": 0, "do": "trump", "suit": "H"}, {"seat": 1, "do": "parity", "parity": "odd"}]
FIRST = [{"seat": 0, "do": "play", "card": "ST"}, {"seat": 1, "do": "play", "card": "SK"}]
CLAIM = {"seat": 1, "do": "rest", "tricks": 14, "hands": [[], ["XR", "XB"]]}


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@pytest.fixture
def table(house):
    path = house.match("parity")
    house.done(f"{path}/deals", {"dealer": 1})
    house.done(f"{path}/facts", {"facts": [*BIDS, *FIRST]})
    people = [side["players"][0] for side in house.get(path, "director").json()["sides"]]
    return path, [house.token("player", player=person) for person in people]


def test_two_players_end_a_deal_by_a_claim(house, table):
    path, (ann, ben) = table
    assert house.post(f"{path}/facts", {"facts": [CLAIM]}, ann).status_code == 403
    house.done(f"{path}/facts", {"facts": [CLAIM]}, ben)
    assert house.post(f"{path}/facts", {"facts": [{"seat": 0, "do": "agree", "yes": True}]}, ben).status_code == 403
    house.done(f"{path}/facts", {"facts": [{"seat": 0, "do": "agree", "yes": True}]}, ann)
    (deal,) = house.get(path, "spectator").json()["deals"]
    assert (deal["complete"], deal["scores"]) == (True, [0, 25])
    page = house.client.get(path.removeprefix("/api/v1") + "/replay?at=7", headers={"Accept": "text/html"})
    assert "claims 14 tricks of the rest and faces the red joker, the black joker" in squeezed(page.text)
    assert house.get(f"{path}/events", "spectator").text.count("RestAnswered") == 1


def test_a_contested_claim_is_found_and_play_goes_on(house, table):
    path, (ann, ben) = table
    house.done(f"{path}/facts", {"facts": [CLAIM]}, ben)
    house.done(f"{path}/facts", {"facts": [{"seat": 0, "do": "agree", "yes": False}]}, ann)
    house.done(f"{path}/facts", {"facts": [{"seat": 1, "do": "play", "card": "HK"}]})
    house.done(f"{path}/results", {"entry": {"parity": "odd", "tricks": [2, 13]}}, "director")
    found = house.get(path, "director").json()["findings"]
    assert [each["code"] for each in found][-1] == "CLM"


@pytest.mark.parametrize(
    ("fact", "status"),
    [
        ({"seat": 1, "do": "rest", "tricks": 15}, 409),
        ({"seat": 1, "do": "rest", "tricks": -1}, 400),
        ({"seat": 1, "do": "rest", "tricks": 10**30}, 400),
        ({"seat": 1, "do": "rest", "hands": [["SA"]] * 5}, 400),
        ({"seat": 1, "do": "rest", "hands": [["SA"] * 27]}, 400),
        ({"seat": 1, "do": "rest", "hands": [["ZZ"]]}, 400),
        ({"seat": 0, "do": "agree", "yes": "perhaps"}, 400),
        ({"seat": 0, "do": "agree"}, 400),
        ({"seat": 0, "do": "agree", "yes": True}, 409),
        ({"seat": 3, "do": "rest"}, 409),
    ],
)
def test_what_cannot_be_meant_is_answered(house, table, fact, status):
    path, _ = table
    answer = house.post(f"{path}/facts", {"facts": [fact]})
    assert answer.status_code == status, answer.text
