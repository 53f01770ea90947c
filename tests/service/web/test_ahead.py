"""What a live page knows ahead for a network that goes away: the pack and the calls of a game, never a hand."""

import html
import json
import re

import pytest

from domain import codec
from domain.cards.card import cards_in
from domain.games import find
from tests.kit.games.strategies import played_out
from tests.kit.service.asking import FORM, House, sign_in

LOOKS = {"Accept": "text/html"}
SUITS = ["♠ spades", "♥ hearts", "♦ diamonds", "♣ clubs"]
RANKS = ["Ace", "King", "Queen", "Jack", "Ten", "Nine", "Eight", "Seven", "Six", "Five", "Four", "Three", "Two"]
FOUR = [["Annie"], ["Benny"], ["Carla"], ["Dora"]]


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database, public=True) as found:
        found.owner = sign_in(client, database)
        yield found


def ahead(house, match, headers=None):
    """What the page of a match says of it; None where it says nothing."""
    page = house.client.get(match.removeprefix("/api/v1"), headers={**LOOKS, **(headers or house.owner)})
    assert page.status_code == 200
    found = re.search(r'data-ahead="([^"]*)"', page.text)
    return found and json.loads(html.unescape(found[1]))


@pytest.mark.parametrize(
    ("key", "options", "sides", "calls"),
    [
        ("cross_purposes", {"variant": "two"}, FOUR[:2], [*SUITS, *RANKS]),
        ("cross_purposes", {"variant": "alliance"}, FOUR, [*SUITS, *RANKS]),
        ("parity", {}, FOUR[:2], [*SUITS, "odd", "even"]),
        ("over_the_top", {}, FOUR[:2], []),
    ],
)
def test_a_table_without_a_card_knows_its_pack_and_its_calls(house, key, options, sides, calls):
    match = house.match(key, sides, options=options)
    told, game = ahead(house, match), find(key)
    pack = {str(card) for card in cards_in(game.pack(codec.convert(options, game.options)))}
    assert (told["word"], {code for code, *_ in told["cards"]}, len(told["cards"])) == ("play", pack, len(pack))
    assert told["cards"][0] == ["SA", "Ace of spades", "A♠\ufe0e", "card s"]
    assert [said for _, said, *_ in told["calls"]] == calls


def test_a_call_that_is_known_ahead_is_one_that_the_table_takes(house):
    match = house.match("parity")
    house.done(f"{match}/deals", {"dealer": 0})
    facts = {said: json.loads(fact) for fact, said, *_ in ahead(house, match)["calls"]}
    seat = house.get(match).json()["table"]["to_act"]
    house.done(f"{match}/facts", {"facts": [{**facts["♥ hearts"], "seat": seat}]})
    seat = house.get(match).json()["table"]["to_act"]
    house.done(f"{match}/facts", {"facts": [{**facts["odd"], "seat": seat}]})
    assert house.get(match).json()["table"]["legal"][0]["do"] == "play"


def test_where_the_log_knows_hands_no_card_is_named_ahead(house):
    match = house.match("parity")
    *_, dealer, deal, _, _ = played_out(("parity", {}), 7)
    assert ahead(house, match)
    house.done(f"{match}/deals", {"dealer": dealer, "deal": codec.plain(deal)})
    assert ahead(house, match) is None


def test_who_only_looks_and_a_match_that_is_over_know_nothing_ahead(house):
    match = house.match("parity")
    assert ahead(house, match, {"Cookie": ""}) is None
    assert ahead(house, match)
    house.done(f"{match}/abandon", {})
    assert ahead(house, match) is None


def test_the_frames_of_a_live_page_do_not_repeat_it(house):
    match = house.match("parity")
    answer = house.client.post(
        f"{match.removeprefix('/api/v1')}/deals",
        data={"version": "1"},
        headers={**house.owner, **FORM, "X-Table": "1", "Idempotency-Key": "ahead"},
    )
    assert answer.status_code == 200, answer.text
    assert "Deal 1" in answer.json()["table"]
    assert "data-ahead" not in answer.json()["table"]


def brought(house, match, headers=None):
    """The forms that the page of a match brings along for a network that goes away."""
    page = house.client.get(match.removeprefix("/api/v1"), headers={**LOOKS, **(headers or house.owner)}).text
    found = re.search(r"<template data-away>(.*?)</template>", page, re.DOTALL)
    return found[1] if found else ""


def test_a_board_is_preloaded_with_every_square_and_card(house):
    match = house.match("garbo", options={"claims": "manual"})
    told, forms = ahead(house, match), brought(house, match)
    assert (told["word"], told["cards"], {said for _, said, *_ in told["later"]}) == ("", [], {"pass", "draw unseen"})
    assert 'data-words="place cover"' in forms
    assert 'data-first="d4"' in forms
    assert (forms.count('name="cell"'), forms.count('name="card"'), forms.count('name="tapped"')) == (49, 32, 160)
    stuck = brought(house, house.match("get_stuck"))
    assert ("data-filled" in stuck, stuck.count('name="cell"'), stuck.count("data-pack")) == (True, 49, 1)


def test_the_forms_for_a_table_without_a_network_name_nobody(house):
    match = house.match("ristikontra", (("Aurelia", "Carlotta"), ("Benedetta", "Dorothea")))
    forms = brought(house, match)
    assert [name in forms for name in ("Aurelia", "Benedetta", "Carlotta", "Dorothea")] == [False] * 4
    assert ('value="dark"' in forms, 'name="faced.SA"' in forms, forms.count("whoever is to act")) == (True, True, 1)
    assert [said for _, said, *_ in ahead(house, match)["answers"]] == ["agrees to the claim", "contests the claim"]
    assert brought(house, match, {"Cookie": ""}) == ""


def test_where_the_log_knows_hands_the_forms_name_no_card_either(house):
    match = house.match("parity")
    *_, dealer, deal, _, _ = played_out(("parity", {}), 7)
    house.done(f"{match}/deals", {"dealer": dealer, "deal": codec.plain(deal)})
    forms = brought(house, match)
    assert ("faced." in forms, 'data-key="rest"' in forms) == (False, True)
