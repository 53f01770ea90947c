"""Phrases of games in another language: their values in place, in the form for the number."""

import pytest

from domain import english
from domain.games import all_games
from domain.log.message import Message
from service.languages import phrases
from service.languages.catalogues import catalogue_of
from service.languages.known import LANGUAGES, Language
from service.languages.spoken import current, speaking
from tests.catalogues import in_step
from tests.kit.languages.gathering import gathered
from tests.kit.languages.pseudo import longer, spoken_in_tests

TAKEN = [
    {"id": "{n} trick|{n} tricks", "ro": "{n} levată|{n} levate|{n} de levate"},
    {"id": "plays {card:card}", "ro": "joacă {card:card}"},
    {"id": "the queen of hearts", "ctx": "card", "ro": "dama de cupă"},
    {"id": "the {n} card point of trick {trick} passes|the {n} card points of trick {trick} pass", "ro": ""},
]
VALUES = {
    "n": 2, "bid": 3, "suit": "H", "card": "HQ", "cards": ("HQ", "XR"), "square": "b2", "value": "K", "claim": 4,
    "total": 5, "points": 6, "trick": 7, "other": 1, "seat": 0, "was": 1, "now": 2, "phase": 1, "a": 0, "b": 1,
    "c": 2, "d": 3, "ranks": ("K", "Q"), "offender": 1,
}  # fmt: skip


@pytest.fixture
def romanian(tmp_path, monkeypatch):
    """Romanian with a few texts, whatever the catalogue has by now."""
    path = tmp_path / "ro.po"
    path.write_text(in_step(path, "ro", gathered(), TAKEN), "utf-8")
    monkeypatch.setitem(LANGUAGES, "ro", Language("ro", "Română", True, path))
    catalogue_of.cache_clear()
    with speaking("ro"):
        yield
    catalogue_of.cache_clear()


def every_message():
    for key in all_games():
        for id_, phrase in english.phrases(key).items():
            suits = {"value": "S"} if "{value:suit}" in phrase else {}
            yield key, Message(id_, {**VALUES, **suits})


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 levate"), (1, "1 levată"), (19, "19 levate"), (20, "20 de levate")]
)
def test_a_count_has_the_form_of_its_number(romanian, number, said):
    assert phrases.counted("garbo", "tricks", number) == said


def test_a_card_is_said_in_the_language(romanian):
    assert phrases.sentence("garbo", Message("play", {"card": "HQ"})) == "joacă dama de cupă"


def test_what_is_not_translated_is_said_in_english(romanian):
    assert phrases.sentence("garbo", Message("draw.unseen")) == "draws a card"
    assert phrases.filled("{n} odd|{n} odds", {"n": 25}) == "25 odds"


def test_in_english_every_phrase_is_what_the_domain_says():
    assert current() == "en"
    for key, message in every_message():
        assert phrases.sentence(key, message) == english.sentence(key, message)


def test_every_phrase_can_be_said_in_another_language():
    with spoken_in_tests() as code, speaking(code):
        for key, message in every_message():
            said = phrases.sentence(key, message)
            assert "{" not in said
            assert said == phrases.filled(longer(english.phrases(key)[message.id]), message.values)


def test_the_view_of_a_table_is_said_again():
    table = {
        "figures": [{"label": "tricks", "by": "seat", "values": [1, 2], "said": ["1 trick", "2 tricks"]}],
        "notes": [{"id": "trumps", "values": {"suit": "H"}, "said": "trumps ♥ hearts"}],
        "latest": None,
    }
    assert phrases.told_table("parity", table) is table
    with spoken_in_tests() as code, speaking(code):
        told = phrases.told_table("parity", table)
    assert told["figures"][0]["said"] == ["1 tríçk~~", "2 tríçkš~~"]
    assert "~" in told["notes"][0]["said"]
    assert table["notes"][0]["said"] == "trumps ♥ hearts"
