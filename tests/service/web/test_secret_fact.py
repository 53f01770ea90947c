"""A secret fact of a game's own, here the made-up one, is kept like a drawn card: salted, and told to its seat alone.

Two evenings that differ in nothing but the hidden card read the same to everybody who has not seen it.
"""

import json
from urllib.parse import urlencode

import pytest
from litestar.testing import TestClient

from service.projector import Projector
from service.run.app import create_app
from service.run.settings import Settings
from service.store.ids import now
from tests.conftest import new_database, with_pool
from tests.kit.games.made_up_game import among_the_games
from tests.kit.service.asking import FORM, House, first_of_stream, sign_in
from tests.kit.service.receivers import receiving
from tests.kit.service.webhook_scene import Scene
from tests.service.api.test_secrets_draws import plain

SALTED = """select e.type, p.salt is not null from events e left join private p using (club_id, stream_id, version)
where e.club_id = %s and e.type in ('CardPeeked', 'EntryCorrected') order by e.position"""


def peek(card=None):
    return {"seat": 0, "do": "hcpeek", "card": card}


class Evening:
    """Seat 0 peeks at a card, which is corrected to another; everything that is answered on the way."""

    def __init__(self, client, database, peeked, corrected):
        self.client, self.owner = client, sign_in(client, database)
        with House(client, database, public=True) as self.house, receiving() as receiver:
            self.scene = Scene(database, self.house.id, receiver.url, clock=now)
            people = [
                self.house.done(f"{self.house.path}/players", {"name": name}, "owner")["id"]
                for name in ("Annie", "Benny")
            ]
            self.path = self.house.match("high_card", sides=[[{"id": each}] for each in people])
            self.readers = {"nobody": None, "spectator": "spectator"}
            self.readers |= {f"seat {n}": self.house.token("player", player=people[n]) for n in (0, 1)}
            self.read = {name: [] for name in self.readers}
            self.house.done(f"{self.path}/deals", {"dealer": 1})
            self.tap(peek(peeked))
            self.look(f'"version":{3},'.encode())
            now_ = {"version": 3, "now": peek(corrected), "reason": "misread"}
            self.house.done(f"{self.path}/corrections", now_)
            self.look(f'"version":{4},'.encode())
            self.salts = self.house.log.execute(SALTED, [self.house.id]).fetchall()
            self.tap({"seat": 0, "do": "hchand"})
            for seat, card in ((0, "SA"), (1, "HA"), (0, "DA"), (1, "CA")):
                self.tap({"seat": seat, "do": "play", "card": card})
            for side in (0, 1):
                self.house.done(f"{self.path}/confirmations", {"deal": 1, "side": side})
            self.over = {name: self.events(token) for name, token in self.readers.items()}
            assert self.scene.arrived()
            first = {}  # what came of each event: at least once, on a busy machine again
            for each in (event for got in receiver.got for event in got.events):
                first.setdefault(each["position"], plain(json.dumps(each, separators=(",", ":"))))
            self.sent = [*first.values()]
            with_pool(
                database, lambda pool: Projector(pool).catch_up(self.house.id)
            )  # no other program knows this game

    def tap(self, fact):
        body = urlencode({"fact": json.dumps(fact)})
        page = self.path.removeprefix("/api/v1")
        answer = self.client.post(f"{page}/facts", content=body, headers={**self.owner, **FORM}, follow_redirects=False)
        assert answer.status_code == 303, answer.text[:500]

    def events(self, token):
        return [json.loads(line) for line in self.house.get(f"{self.path}/events", token).text.splitlines()]

    def look(self, enough):
        """What everybody reads by now."""
        house = self.house
        for name, token in self.readers.items():
            addresses = [self.path, f"{self.path}/events", f"{house.path}/events", f"{self.path}?as_of=3"]
            addresses += [f"{self.path}/projections/{name}" for name in ("tricks", "timeline")]
            found = [(address, house.get(address, token).text) for address in addresses]
            sent = {**house.bearer(token), "Accept": "text/event-stream"}
            for where in (self.path, house.path):
                followed = first_of_stream(house.client, f"{where}/events", sent, enough)[2]
                found.append((f"{where} stream", followed.decode()))
            self.read[name] += [(plain(address), plain(text)) for address, text in found]
        page = self.path.removeprefix("/api/v1")
        for address in (page, f"{page}/replay?at=3", f"{page}/replay"):
            self.read["nobody"].append((plain(address), plain(self.client.get(address).text)))
        live = first_of_stream(self.client, f"{page}/live")[2].decode()
        self.read["nobody"].append((plain(f"{page}/live"), plain(live)))


@pytest.fixture(scope="module")
def evenings():
    """Two evenings in a database of their own: no other test knows the game."""
    with among_the_games(), new_database() as database, TestClient(create_app(database, Settings())) as client:
        yield [Evening(client, database, *cards) for cards in (("SA", "HA"), ("CA", "DA"))]


@pytest.mark.parametrize("reader", ["nobody", "spectator", "seat 1"])
def test_readers_without_sight_of_a_secret_fact_read_the_same(evenings, reader):
    one, other = (evening.read[reader] for evening in evenings)
    assert len(one) == len(other) > 15
    for (address, text), (same, again) in zip(one, other, strict=True):
        assert (address, text) == (same, again)


def test_who_has_seen_it_reads_it_back(evenings):
    one, other = (evening.read["seat 0"] for evening in evenings)
    assert one != other
    events = [json.loads(line) for line in dict(one)["/api/v1/matches/id0/events"].splitlines()]
    assert (events[2]["data"], "hidden" in events[2]) == (peek("SA"), False)
    assert events[3]["data"]["now"] == peek("HA")
    assert json.loads(dict(one)["/api/v1/matches/id0"])["table"]["peeked_at"] == "HA"


def test_what_is_hidden_is_named_and_has_no_hash_and_a_salt(evenings):
    for evening in evenings:
        assert evening.salts == [("CardPeeked", True), ("EntryCorrected", True)]
        lines = dict(evening.read["nobody"])["/api/v1/matches/id0/events"].splitlines()
        hidden = {each["version"]: each for each in map(json.loads, lines) if "hidden" in each}
        assert {version: each["hidden"] for version, each in hidden.items()} == {3: ["data.card"], 4: ["data.now"]}
        assert not any("hash" in each for each in hidden.values())


def test_a_webhook_never_tells_it(evenings):
    one, other = (evening.sent for evening in evenings)
    assert "".join(one).count("CardPeeked") == 1
    bodies = [[json.loads(text)["data"] for text in sent] for sent in (one, other)]
    assert bodies[0] == bodies[1]


def test_when_both_sides_have_confirmed_it_is_open(evenings):
    for events in evenings[0].over.values():
        assert not any("hidden" in each for each in events)
        assert events[2]["data"] == peek("SA")
        assert events[3]["data"]["now"] == peek("HA")
