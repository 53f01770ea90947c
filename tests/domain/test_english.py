"""Sentences of messages: numbers, kinds of values, words of a game's own, and what is refused."""

import pytest

from domain import codec, english, games
from domain.cards.facts import Passed
from domain.games import TwoMeaningsError
from domain.log.message import Message
from tests.kit.match.tables import fact


@pytest.mark.parametrize(
    ("game", "action", "sentence", "button"),
    [
        ("parity", (0, "play", "HQ"), "plays the queen of hearts", "plays the queen of hearts"),
        ("parity", (0, "play", "XR"), "plays the red joker", "plays the red joker"),
        ("parity", (0, "trump", "S"), "names ♠ spades as trumps", "♠ spades"),
        ("parity", (1, "parity", "odd"), "says odd", "odd"),
        ("cross_game", (0, "bid", 3), "bids 3", "bid 3"),
        ("cross_game", (0, "pass"), "passes", "pass"),
        ("cross_game", (0, "announce", "D"), "shows king and queen of ♦ diamonds", "K-Q ♦ diamonds"),
        ("cross_game", (0, "draw", "ST"), "draws the ten of spades", "draw 10♠"),
        ("cross_game", (0, "draw"), "draws a card", "draw unseen"),
        ("cross_game", (0, "total", 33), "calls a total of 33", "calls a total of 33"),
        ("cross_purposes", (0, "declare", "top", "8"), "puts Eight on top", "Eight"),
        ("cross_purposes", (0, "propose", "trump", "C"), "proposes ♣ clubs as trumps", "♣ clubs"),
        ("garbo", (0, "place", "SQ", [0, 0]), *2 * ("plays the queen of spades to column d, row 4",)),
        ("garbo", (0, "claim", 5), "claims 5", "claims 5"),
        ("get_stuck", (0, "move", [0, 0]), *2 * ("moves the card of column a, row 7",)),
        ("get_stuck", (0, "pass"), "is stuck", "is stuck"),
        ("ristikontra", (0, "dark"), "plays in the dark", "plays in the dark"),
        ("ristikontra", (0, "dark", "C2"), "plays the two of clubs in the dark", "plays the two of clubs in the dark"),
        ("ristikontra", (0, "spice", False), "does not spice the trick", "do not spice"),
    ],
)
def test_a_fact_is_a_sentence_and_its_button_a_shorter_one(game, action, sentence, button):
    made = fact(*action)
    assert (english.sentence(game, made.said()), english.offered(game, made)) == (sentence, button)


def test_a_message_travels_as_its_id_and_plain_values():
    assert codec.plain(fact(0, "play", "HQ").said()) == {"id": "play", "values": {"card": "HQ"}}


def test_one_is_singular_and_every_other_number_plural():
    found = [english.counted("parity", "tricks", number) for number in (0, 1, 2, -1)]
    assert found == ["0 tricks", "1 trick", "2 tricks", "-1 tricks"]


def test_a_seat_is_a_placeholder_for_a_name():
    contract = Message("contract", {"seat": 1, "n": 2})
    assert english.sentence("cross_game", contract) == "seat 1 has bid 2 cross points"


def test_an_id_without_a_phrase_is_said_as_it_stands():
    assert english.sentence("parity", Message("unheard", {"n": 3})) == "unheard 3"


def test_two_sentences_for_one_id_are_refused(monkeypatch):
    class Nodded(Passed, frozen=True, tag="nod"):
        phrases = {"pass": "nods"}

    kinds = games.fact_types()
    monkeypatch.setattr(english, "fact_types", lambda: (*kinds, Nodded))
    english.shared.cache_clear()
    with pytest.raises(TwoMeaningsError, match="pass"):
        english.shared()
    monkeypatch.undo()
    english.shared.cache_clear()
