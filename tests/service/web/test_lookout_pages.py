"""Lookout through every door: its rules page, entry form, live table, the API and `lurch replay`."""

import json
from html import unescape

from service.cli import clerk
from service.cli.replayed import table
from tests.conftest import with_pool
from tests.domain.games.test_lookout import naive
from tests.kit.service.asking import first_of_stream


def test_a_deal_is_recorded_shown_and_replayed_and_the_look_stays_a_secret(house, owner):
    line = json.loads(naive(5))
    history = line["history"]
    path = house.match("lookout", (("Annie",), ("Benny",)))
    page = path.removeprefix("/api/v1")
    assert "stays face down" in house.client.get("/games/lookout").text
    house.done(f"{path}/deals", {"dealer": history["dealer"], "deal": history["deal"]})
    assert "look at the top card" in unescape(house.client.get(page, headers=owner).text)
    house.done(f"{path}/facts", {"facts": [{"seat": 1 - history["dealer"], "do": "lookout"}]})
    known, seen = house.get(path).json()["table"], house.get(path, "spectator").json()["table"]
    assert (known["looked_at"], seen["looked_at"]) == ("HJ", None)
    assert seen["latest"]["said"] == "looks at the top card"
    assert b"has looked at the jack of hearts" in first_of_stream(house.client, f"{page}/live", owner)[2]
    shown = with_pool(house.database, lambda pool: clerk.replay(pool, path.rpartition("/")[2], None))
    assert "known    seat A has looked at the jack of hearts, stock 2" in [*table(shown)]
    for seat, _, card in history["actions"][1:]:
        house.done(f"{path}/facts", {"facts": [{"seat": seat, "do": "play", "card": card[1] + card[0]}]})
    assert house.get(path).json()["totals"] == line["expect"]["scores"]
    assert 'type="number"' in house.client.get(f"{page}/result", headers=owner).text
    house.done(f"{path}/results", {"entry": {"tricks": [7, 4]}, "deal": 2})
