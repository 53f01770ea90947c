"""The private part of every event type, and erasing a name from text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.club import events as e
from domain.club.private_parts import STRUCK, WHOSE, Words, left_by, named_in, owned, pattern_of, struck, texts, whose
from domain.games import fact_types
from domain.match import events as m
from domain.registry import event_types

ANN, BEN, CLEO = "ann", "ben", "cleo"
NAMES = st.text(st.characters(categories=["L"]), min_size=3, max_size=12)


def test_of_every_type_of_event_it_is_said_whose_its_words_are():
    assert {name: whose(kind) for name, kind in event_types().items()}
    assert WHOSE.keys() == event_types().keys() - {kind.__name__ for kind in fact_types()}


def test_a_type_that_nobody_has_thought_of_is_not_passed_over():
    class Unheard(e.ClubEvent, frozen=True):
        """An event of another day."""

    with pytest.raises(KeyError):
        whose(Unheard)


@pytest.mark.parametrize(
    ("event", "private", "actor", "own"),
    [
        (e.PlayerRegistered(ANN, False), {"name": "Ann"}, CLEO, {ANN}),
        (e.PlayerDescribed(ANN), {"note": "of Ben"}, BEN, {ANN}),
        (e.FriendDeclared(), {"people": [ANN, BEN]}, CLEO, {ANN, BEN}),
        (m.EntryCorrected(3, m.UNKNOWN), {"note": "misread"}, CLEO, {CLEO}),
        (m.ResultDisputed(1, 0), {"note": "recount"}, CLEO, {ANN}),
        (m.ResultDisputed(1, 1), {"note": "recount"}, BEN, {BEN}),
        (m.ResultDisputed(1, 1), {"note": "recount"}, CLEO, set()),
        (m.ResultDisputed(1, None), {"note": "recount"}, CLEO, {CLEO}),
        (m.RulingMade(1, "A1", None, None), {"note": "seen"}, CLEO, set()),
    ],
)
def test_words_are_those_of_the_named_the_actor_the_side_or_nobody(event, private, actor, own):
    words = Words(event, private, actor, ((ANN,), (BEN, "dag")))
    assert {each for each in (ANN, BEN, CLEO, "dag") if owned(words, {each})} == own


def test_what_a_sheet_said_stays_when_whoever_wrote_it_down_goes():
    words = Words(m.ScoreStated(1, "R", m.UNKNOWN), {"note": "mine", "line": "A 19 B 0"}, CLEO)
    assert left_by(words, {CLEO}) == {"line": "A 19 B 0"}
    assert left_by(words, {ANN}) == words.private
    assert left_by(Words(e.PlayerDescribed(ANN), {"note": "x", "ids": {"a": "b"}}), {ANN}) == {}


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("Ann Holm", "ANN  holm saw it", f"{STRUCK} saw it"),
        ("Ann Holm", "Ann saw it", f"{STRUCK} saw it"),
        ("Ann Holm", "Annette and an annex", "Annette and an annex"),
        ("May King", "you may lead the king", "you may lead the king"),
        ("Ａｎｎ", "Ann's table", f"{STRUCK}'s table"),
        ("A. (the Fox)", "so A. (the fox) said", f"so {STRUCK} said"),
        ("李明", "看见李明说", f"看见{STRUCK}说"),
        ("עלמה", "אמרה עלמה", f"אמרה {STRUCK}"),
    ],
)
def test_a_name_is_erased_in_any_case_and_script(name, text, left):
    assert struck(text, pattern_of([name], parts=True)) == left


@given(NAMES, st.lists(st.text(max_size=20), max_size=4))
def test_a_name_that_was_struck_stands_nowhere_however_deep_it_stood(name, around):
    pattern = pattern_of([name])
    value = {"note": f" {name} ".join(["", *around, ""]), "tags": [["Scorer", f"by {name.upper()}"], [name, ""]]}
    assert not named_in(struck(value, pattern), pattern) or named_in(STRUCK, pattern)
    assert len(texts(struck(value, pattern))) == len(texts(value))


def test_nobody_is_looked_for_without_a_name():
    assert pattern_of([" ", ""]) is None
    assert not named_in({"note": "anything"}, None)
