"""Refusals reveal no card: two tables that differ only in hidden cards give the same answers, byte for byte."""

import json
import re
from itertools import chain

import pytest

from domain import codec
from domain.cards.card import cards_in
from domain.games import all_games, find
from tests.kit.match.tables import random_deal
from tests.kit.service.asking import House

IDS = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}|\d{4}-\d\d-\d\dT[\d:.]+Z")
DRAWN = {
    "cross_game": [
        {"seat": 0, "do": "bid", "bid": 1},
        {"seat": 1, "do": "pass"},
        {"seat": 0, "do": "play", "card": "H9"},
        {"seat": 1, "do": "play", "card": "HA"},
    ],
    "over_the_top": [
        {"seat": 1, "do": "play", "card": "HA"},
        {"seat": 0, "do": "play", "card": "SK"},
        {"seat": 1, "do": "play", "card": "D2"},
        {"seat": 0, "do": "play", "card": "C3"},
    ],
    "ristikontra": [
        {"seat": 1, "do": "play", "card": "HA"},
        {"seat": 2, "do": "play", "card": "SK"},
        {"seat": 3, "do": "play", "card": "D2"},
        {"seat": 0, "do": "play", "card": "C3"},
    ],
}
SWAPPED = ("SA", "C9")


def first_alone(keys):
    """Return games with both kinds of recording, all but the first pair for the second tier."""
    first, *others = [(key, recording) for key in keys for recording in ("record", "strict")]
    return [first, *(pytest.param(*each, marks=pytest.mark.extended) for each in others)]


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        yield found


class Table:
    """A table with somebody who keeps the score and plays at each seat."""

    def __init__(self, house, key, recording="record", given=None):
        self.house, self.game = house, find(key)
        self.options = options = codec.convert(given or {}, self.game.options)
        count = self.game.seats(options)
        self.people = [
            house.done(f"{house.path}/players", {"name": house.next_name()}, "owner")["id"] for _ in range(count)
        ]
        sides = [[{"id": self.people[seat]} for seat in side] for side in self.game.sides(options)]
        self.path = house.match(key, sides=sides, recording=recording, options=given or {})
        self.seated = [house.token("scorer", player=person) for person in self.people]

    def facts(self, *facts, role="scorer"):
        answer = self.house.post(f"{self.path}/facts", {"facts": list(facts)}, role)
        assert answer.status_code == 201, answer.text

    def answers(self, seat):
        """What the player of a seat is told of every fact of every card, and of everything else he may try; each is
        asked on its own version, so that nothing is recorded but what everybody could record."""
        role = self.seated[seat]
        version = self.house.get(self.path, role).json()["version"]
        for body in chain(self.bodies(seat), self.bodies((seat + 1) % len(self.people))):
            sent = {"facts": [body, {"seat": 0, "do": "trump", "suit": "H"}], "expected_version": version}
            yield json.dumps(body), plain(self.house.post(f"{self.path}/facts", sent, role).text)

    def bodies(self, seat):
        """Every fact of a seat that could be tried, none of which is taken: the one behind it fits no table."""
        words = {str(fact.__struct_config__.tag) for fact in self.game.facts}
        squares = {"place": {"cell": [0, 1]}, "cover": {"cell": [0, 0]}}
        for card in cards_in(self.game.pack(self.options)):
            for word in sorted(words & {"play", "draw", "dark", "place", "cover"}):
                yield {"seat": seat, "do": word, "card": str(card), **squares.get(word, {})}
            for faced in (0, 1) if "rest" in words else ():
                yield {"seat": seat, "do": "rest", "hands": [[], [str(card)]] if faced else [[str(card)]]}
        yield {"seat": seat, "do": "pass"}
        yield from ({"seat": seat, "do": "spice", "spice": spice} for spice in (True, False))
        yield from ({"seat": seat, "do": "announce", "suit": suit} for suit in "CDHS")


def plain(text):
    return IDS.sub("x", text)


@pytest.mark.parametrize(("key", "recording"), first_alone(DRAWN))
def test_refusals_tell_an_opponent_nothing_of_a_drawn_card(house, key, recording):
    told = []
    for card in SWAPPED:
        table = Table(house, key, recording)
        house.done(f"{table.path}/deals", {"dealer": 1 if key == "cross_game" else 0})
        table.facts(*DRAWN[key])
        drawer = 1
        table.facts({"seat": drawer, "do": "draw", "card": card})
        reader = 0
        told.append(list(table.answers(reader)))
    assert len(told[0]) > 100
    for (asked, one), (_, other) in zip(*told, strict=True):
        assert one == other, asked


@pytest.mark.parametrize(("key", "recording"), first_alone(sorted({*all_games()} - {"get_stuck"})))
def test_refusals_tell_a_player_nothing_of_other_hands(house, key, recording):
    game, given = find(key), {"open_hands": False} if key == "parity" else {}
    options = codec.convert(given, game.options)
    told = []
    for cards in alike(game, options, random_deal(key, options, 11)):
        table = Table(house, key, recording, given)
        house.done(f"{table.path}/deals", {"dealer": 0, "deal": codec.plain(cards)})
        told.append(list(table.answers(0)))
    for (asked, one), (_, other) in zip(*told, strict=True):
        assert one == other, asked


def alike(game, options, deal):
    """Two deals in which seat 0 holds the same: what the others hold, and the stock, is turned about."""
    spread = game.script.cards_of(deal)
    rest = [card for part in (*spread.hands[1:], spread.stock) for card in part]
    pack = (*spread.hands[0], *rest), (*spread.hands[0], *reversed(rest))
    return [game.deal_out(options, cards) for cards in pack]
