"""Golden playthroughs: every table of a deal as it was, for every rule set and every value of every option."""

from types import SimpleNamespace
from typing import Literal

import msgspec
import pytest

from domain import codec
from domain.games import all_games
from tests.kit.games import playthrough as made
from tests.kit.games.playthrough_text import body

WANTED = {made.named(form): form for form in made.forms()}
ANEW = "if the change is meant: python -m tests.kit.games.playthrough, and read the diff"
every_file = pytest.mark.parametrize("name", list(WANTED))
KNOWN = [form for form in made.forms() if not form[2]]


def tables_under(form, number: int, **others):
    """The tables of a deal of a form, its facts followed under other options."""
    course = made.course_of(form, number)
    course = msgspec.structs.replace(course, options=codec.convert({**form[1], **others}, course.game.options))
    return body(course, made.states_of(course))


@every_file
def test_a_playthrough_is_told_as_its_file_tells_it(name):
    kept = (made.FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    told = made.text_of(WANTED[name])
    pairs = zip(kept.split("\n"), told.split("\n"), strict=False)
    wrong = next((row for row, pair in enumerate(pairs, 1) if len(set(pair)) > 1), "none but the last")
    assert told == kept, f"{name}.txt differs first in line {wrong}; {ANEW}"


def test_every_option_value_has_a_playthrough_and_no_file_is_unused():
    assert sorted(path.stem for path in made.FOLDER.iterdir()) == sorted(WANTED), ANEW


def test_an_option_value_without_a_file_is_noticed(monkeypatch):
    options = msgspec.defstruct("Options", [("open_hands", Literal[True, False, "half"], True)], frozen=True)
    more = SimpleNamespace(key="parity", options=options)
    monkeypatch.setattr(made, "all_games", lambda: {"parity": more})
    assert "parity-open_hands=half" in {made.named(form) for form in made.forms()}


def test_an_option_whose_values_nobody_can_list_is_noticed():
    with pytest.raises(TypeError, match="say here what its values are"):
        made.values_of(int)


@pytest.mark.parametrize("form", [form for form in KNOWN if form[1]], ids=made.named)
def test_each_option_shows_in_its_file(form):
    # Otherwise the file would not test the option.
    number = made.NUMBERS.get(made.named(form), 1)
    told, default = tables_under(form, number), all_games()[form[0]].options()
    for name in form[1]:
        if name == made.RULE_SET:
            continue
        assert tables_under(form, number, **{name: getattr(default, name)}) != told, name


@pytest.mark.parametrize(("key", "rule_set", "name"), sorted(made.SILENT))
def test_an_option_without_a_file_decides_nothing_in_that_rule_set(key, rule_set, name):
    form = (key, {made.RULE_SET: rule_set}, False)
    values = [value for option, value in made.option_values(all_games()[key]) if option == name]
    for number in range(1, 6):
        assert all(tables_under(form, number, **{name: value}) == tables_under(form, number) for value in values)


@pytest.mark.parametrize("form", [form for form in made.forms() if form[2]], ids=made.named)
def test_unknown_hands_score_the_same_as_known_hands(form):
    key, given, _ = form
    number = made.NUMBERS.get(made.named(form), 1)
    blind = made.course_of(form, number)
    shown = {"announce": "declared"} if key == "cross_game" else {}
    known = made.course_of((key, {**given, **shown}, False), number)
    results = [course.game.score(made.states_of(course)[-1]) for course in (blind, known)]
    assert results[0] == results[1] is not None
