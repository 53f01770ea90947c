"""What the domain calls things, in the reader's language; in English it is what it was."""

import pytest

from projections.deal_view import ClaimView
from projections.games import goal as english_goal
from projections.tournaments.bracket import BracketPart, SlotView, round_name
from service.languages.spoken import speaking
from service.web.guide_text import ROLES
from service.web.labels import NUMBERED, ROUNDS, _slot, goal, parts_labelled, round_text
from service.web.moments import claim_text
from service.web.said import names_text
from service.web.times import day_month
from tests.kit.languages.pseudo import longer, spoken_in_tests

PARTS = ("winners", "losers", "third", "final", "group", "round")
NAMES = sorted({round_name(part, number, 16) for part in PARTS for number in (1, 2, 3, 4)})


@pytest.fixture(scope="module")
def longest():
    with spoken_in_tests() as code:
        yield code


def test_every_name_of_a_round_is_known_and_keeps_its_number(longest):
    for name in NAMES:
        assert round_text(name) == name
        with speaking(longest):
            said = round_text(name)
        number = name.rpartition(" ")[2]
        known = longer(name) if name in ROUNDS else longer(f"{name.removesuffix(number)}{{number}}")
        assert said == known.replace("{number}", number)
        assert name in ROUNDS or f"{name.removesuffix(number)}{{number}}" in NUMBERED


@pytest.mark.parametrize("race", [(50, 2, None), (None, 1, None), (None, 1, 1), (None, 1, 4)])
def test_a_goal_is_said_as_the_api_says_it_in_english(longest, race):
    assert goal(*race) == english_goal(*race)
    with speaking(longest):
        said = goal(*race)
    assert "~" in said
    assert all(str(each) in said for each in race[:1] + race[2:] if each)


def test_a_slot_says_who_comes_in_the_readers_language_and_names_stay(longest):
    coming, annie = SlotView(None, None, "winner of W1.1", "", False), SlotView("e", 1, "nobody", "absent", False)
    assert (_slot(coming), _slot(annie)) == (coming, annie)
    with speaking(longest):
        assert _slot(coming).text == longer("winner of {match}").replace("{match}", "W1.1")
        assert (_slot(annie).text, _slot(annie).score) == ("nobody", longer("absent"))
        assert parts_labelled([BracketPart("part 2", "")])[0].name == longer("part {number}").replace("{number}", "2")


def test_a_day_has_the_name_of_its_month(longest):
    assert day_month("2026-05-03T12:00:00+00:00", "UTC") == "3 May 2026"
    with speaking(longest):
        assert day_month("2026-05-03T12:00:00+00:00", "UTC").startswith(f"3 {longer('May')} 2026")


@pytest.mark.parametrize(
    ("agreed", "said"), [([0], "\u2068A\u2069 says 3–1"), ([0, 1], "\u2068A\u2069 and \u2068B\u2069 say 3–1")]
)
def test_one_side_says_and_two_say(agreed, said):
    assert claim_text(ClaimView(1, 0, "result", (3, 1), agreed), 1, ["A", "B"]) == said


def test_names_are_listed_with_one_and():
    assert [names_text("ABC"[:count]) for count in (1, 2, 3)] == ["A", "A and B", "A, B and C"]


def test_the_guide_is_translated_whole(longest):
    with speaking(longest):
        for role in ROLES:
            assert role.labelled.about == longer(role.about)
            assert all("~" in str(step.html) for step in role.steps)
