"""Messages before translation: catalogues, names and fallbacks."""

import doctest

import pytest

from domain.log import message
from domain.log.message import Catalogue, Message, renamed, words

ENGLISH = Catalogue(
    {"meet": "{both} {both:plays|play} in round{rounds:|s} {rounds}.", "has": "{who} has {score:points}."},
    numbers={"points": lambda tenths: f"{tenths / 10:g} points"},
)
NAMES = {1: "Ann", 2: "Bob", 3: "Cyd"}.__getitem__


@pytest.mark.parametrize(
    ("both", "rounds", "text"),
    [
        ((1,), (4,), "Ann plays in round 4."),
        ((1, 2), (4, 5), "Ann and Bob play in rounds 4 and 5."),
        ((1, 2, 3), (1, 2, 3), "Ann, Bob and Cyd play in rounds 1, 2 and 3."),
    ],
)
def test_lists_of_people_and_numbers_agree_with_the_verb(both, rounds, text):
    assert words(Message("meet", {"rounds": rounds}, {"both": both}), ENGLISH, NAMES) == text


def test_a_form_writes_a_number_as_people_read_it():
    assert words(Message("has", {"score": 15}, {"who": 1}), ENGLISH, NAMES) == "Ann has 1.5 points."


def test_people_get_other_numbers_or_ids_and_the_values_stay():
    made = renamed(Message("meet", {"rounds": (1,)}, {"both": (1, 2), "who": 3}), lambda seed: f"e{seed}")
    assert made == Message("meet", {"rounds": (1,)}, {"both": ("e1", "e2"), "who": "e3"})


@pytest.mark.parametrize(
    "foreign",
    [
        Message("unheard-of"),
        Message("has"),
        Message("has", {"score": "much"}, {"who": 1}),
        Message("has", {}, {"x": 1}),
    ],
)
def test_a_message_that_cannot_be_said_is_answered_by_its_id(foreign):
    assert words(foreign, ENGLISH, NAMES) == foreign.id


def test_two_catalogues_with_one_id_are_not_joined():
    with pytest.raises(ValueError, match="has stands in two catalogues"):
        ENGLISH | Catalogue({"has": "owns"})


def test_the_example_is_true():
    done = doctest.testmod(message)
    assert (done.failed, done.attempted > 0) == (0, True)
