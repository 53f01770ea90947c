"""Physical cards: who drew what is told to those alone who saw it.

Every unplayed card is named as possible there, so the proof is by comparing: two evenings that differ in
nothing but a drawn card read the same, word for word, to everybody who has not seen it.
"""

import json
import re

import pytest

from tests.kit.service.asking import House, first_of_stream

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?")
HASH = re.compile(r'"hash":"[0-9a-f]{64}"')
BEGUN = [
    {"seat": 0, "do": "bid", "bid": 1},
    {"seat": 1, "do": "pass"},
    {"seat": 0, "do": "play", "card": "H9"},
    {"seat": 1, "do": "play", "card": "HA"},
]


def play(seat, card):
    return {"seat": seat, "do": "play", "card": card}


def draw(seat, card=None):
    return {"seat": seat, "do": "draw", "card": card}


class Evening:
    """A trick of Cross Game, then a draw by seat 1; everything that is answered on the way."""

    def __init__(self, client, database, drawn, corrected):
        with House(client, database, public=True) as self.house:
            house = self.house
            names = ("Annie", "Benny")
            people = [house.done(f"{house.path}/players", {"name": name}, "owner")["id"] for name in names]
            sides = [[{"id": each}] for each in people]
            self.path = house.match("cross_game", sides=sides)
            self.readers = {"nobody": None, "spectator": "spectator"}
            self.readers |= {f"seat {n}": house.token("player", player=people[n]) for n in (0, 1)}
            self.other = house.token("scorer", player=people[0])
            self.read: dict[str, list] = {name: [] for name in self.readers}
            house.done(f"{self.path}/deals", {"dealer": 1})
            house.done(f"{self.path}/facts", {"facts": BEGUN})
            self.stage("facts", {"facts": [draw(1, drawn)]})
            self.stage("facts", {"facts": [draw(0)]})
            self.stage("corrections", {"version": 7, "now": draw(1, corrected), "reason": "misread"})
            self.stage("facts", {"facts": [play(1, "DA"), play(0, "D9")]}, self.other)
            self.stage("facts", {"facts": [draw(1, drawn)]})
            self.stage("undo", {"reason": "a slip"})
            self.stage("facts", {"facts": [play(0, drawn if drawn == "SA" else "SA")]}, self.other)
            self.last = {name: list(self.texts(token)) for name, token in self.readers.items()}
            entry = {"bidder": 0, "bid": 1, "cross_points": [1, 1]}
            house.done(f"{self.path}/results", {"entry": entry, "deal": 1})
            self.entered = {name: house.get(f"{self.path}/events", token).text for name, token in self.readers.items()}
            for side in (0, 1):
                house.done(f"{self.path}/confirmations", {"deal": 1, "side": side})
            self.over = {name: house.get(f"{self.path}/events", token).text for name, token in self.readers.items()}

    def stage(self, what, body, token="scorer"):
        """A write, and what everybody reads behind it."""
        answer = self.house.post(f"{self.path}/{what}", body, token)
        assert answer.status_code == 201, answer.text
        if token == self.other:
            self.read["seat 0"].append(("the answer", plain(answer.text)))
        for name, token in self.readers.items():
            self.read[name] += self.texts(token)

    def texts(self, token):
        house, get = self.house, self.house.get
        version = get(self.path, token).json()["version"]
        addresses = [self.path, f"{self.path}/events", f"{house.path}/events", f"{house.path}/matches"]
        past = sorted({7, version - 1, version})
        addresses += [f"{self.path}?as_of={at}" for at in past]
        addresses += [f"{self.path}/projections/{name}" for name in ("tricks", "cross_points", "timeline")]
        found = [(address, get(address, token).text) for address in addresses]
        sent, enough = {**house.bearer(token), "Accept": "text/event-stream"}, f'"version":{version},'.encode()
        for where in (self.path, house.path):
            found.append(
                (f"{where} stream", first_of_stream(house.client, f"{where}/events", sent, enough)[2].decode())
            )
        if token is None:
            page = self.path.removeprefix("/api/v1")
            for address in (page, f"{page}/sheet", *(f"{page}/replay?at={at}" for at in past)):
                found.append((address, house.client.get(address).text))
            found.append((f"{page}/live", first_of_stream(house.client, f"{page}/live")[2].decode()))
        return [(plain(address), plain(text)) for address, text in found]


def plain(text):
    """A text without what differs between two evenings all the same: ids, times, hashes."""
    ids: dict[str, str] = {}
    text = UUID.sub(lambda found: ids.setdefault(found[0], f"id{len(ids)}"), text)
    return HASH.sub('"hash":"h"', TIME.sub("t", text))


@pytest.fixture(scope="module")
def evenings(client, database):
    return [Evening(client, database, *cards) for cards in (("SA", "CT"), ("C9", "SK"))]


@pytest.mark.parametrize("reader", ["nobody", "spectator", "seat 0"])
def test_a_drawn_card_is_told_to_nobody_who_has_not_seen_it(evenings, reader):
    one, other = (evening.read[reader] for evening in evenings)
    assert len(one) == len(other) > 60
    for (address, text), (same, again) in zip(one, other, strict=True):
        assert (address, text) == (same, again)


def test_the_sentence_of_a_draw_names_the_card_to_its_seat_alone(evenings):
    tables = {}
    for name in ("nobody", "spectator", "seat 0", "seat 1"):
        text = next(text for address, text in evenings[0].read[name] if address == "/api/v1/matches/id0")
        table = json.loads(text)["table"]
        assert {"figures", "notes", "layout", "latest"} <= table.keys()
        tables[name] = table["latest"]["said"]
    assert tables == {
        "nobody": "draws a card",
        "spectator": "draws a card",
        "seat 0": "draws a card",
        "seat 1": "draws the ace of spades",
    }


def test_who_drew_it_reads_it_back(evenings):
    one, other = (evening.read["seat 1"] for evening in evenings)
    assert one != other
    events = [json.loads(line) for line in dict(one)["/api/v1/matches/id0/events"].splitlines()]
    assert events[6]["data"] == {"do": "draw", "seat": 1, "card": "SA"}
    assert "hidden" not in events[6]


def test_what_is_hidden_is_named_and_has_no_hash(evenings):
    lines = dict(evenings[0].read["nobody"])["/api/v1/matches/id0/events"].splitlines()
    hidden = {each["version"]: each for each in map(json.loads, lines) if "hidden" in each}
    assert {version: each["hidden"] for version, each in hidden.items()} == {
        7: ["data.card"],
        9: ["data.now"],
        12: ["data.card"],
    }
    assert not any("hash" in each for each in hidden.values())
    assert hidden[9]["data"]["now"] is None


def test_a_result_that_can_still_be_undone_opens_no_draw(evenings):
    for name, text in evenings[0].entered.items():
        events = [json.loads(line) for line in text.splitlines()]
        hidden = [each["version"] for each in events if "hidden" in each]
        assert hidden == ([] if name == "seat 1" else [7, 9, 12]), name


def test_when_both_sides_have_confirmed_every_draw_is_open(evenings):
    for name, text in evenings[0].over.items():
        events = [json.loads(line) for line in text.splitlines()]
        assert [each["version"] for each in events if "hidden" in each] == [], name
        assert events[6]["data"]["card"] == "SA"
        assert events[8]["data"]["now"]["card"] == "CT"
