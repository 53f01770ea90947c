"""The catalogues: in step with every text, and each translation keeps what a program puts in."""

import re

import pytest
from babel.messages.plurals import get_plural

from domain import english
from domain.games import all_games
from service.languages.known import LANGUAGES
from tests.catalogues import TRANSLATED, ident, read, stale, translated
from tests.kit.languages.gathering import gathered

NAMED = re.compile(r"%\(\w+\)[sd]|%%")  # of templates and Python
MARKS = re.compile(r"\{\w*(?::\w+)?\}")  # of phrases and scripts
ELEMENTS = re.compile(r"<(/?\w+)")
CODES = sorted(TRANSLATED)
# texts that may stay without a translation, by language; to be empty when both are whole
GAPS: dict[str, set[str]] = {}


def every_phrase():
    """The English of every phrase of every game."""
    return {*english.shared().values(), *(text for game in all_games().values() for text in game.phrases.values())}


def done(code):
    """The messages of a language that are translated, and stand in the sources now."""
    texts = {ident(each) for each in gathered() if each.id}
    return [each for each in read(TRANSLATED[code], code) if each.id and translated(each) and ident(each) in texts]


def pairs(message):
    """Each form of a translation beside the text whose parts it has to keep: of two forms, the one for many."""
    if not message.pluralizable:
        return [(message.id, message.string)]
    return [(message.id[min(at, 1)], form) for at, form in enumerate(message.string)]


def forms(text):
    return text.split("|")


def parts_of(pattern, text):
    return sorted(set(pattern.findall(text)))


def test_the_catalogues_are_in_step_with_every_text():
    assert stale() == [], "run make catalogues"


@pytest.mark.parametrize("code", CODES)
def test_a_translation_keeps_what_a_program_puts_in(code):
    wrong = []
    for message in done(code):
        for said, form in pairs(message):
            fixed = NAMED if "%" in said else MARKS
            kept = [parts_of(fixed, each) for each in forms(form)]
            wanted = parts_of(fixed, forms(said)[-1])
            # a form for one alone may do without its number
            without = [sorted({*wanted} - {"%(n)s", "{n}", "{0}"}), wanted]
            if any(each not in without for each in kept) or wanted not in kept:
                wrong.append((said, form))
    assert wrong == []


@pytest.mark.parametrize("code", CODES)
def test_a_translation_keeps_the_elements_of_its_text(code):
    found = [pair for message in done(code) for pair in pairs(message)]
    assert [each for each in found if sorted(ELEMENTS.findall(each[0])) != sorted(ELEMENTS.findall(each[1]))] == []


@pytest.mark.parametrize("code", CODES)
def test_a_text_with_two_forms_has_as_many_as_the_language(code):
    number = get_plural(code)[0]
    barred = [each for each in done(code) if not each.pluralizable and "|" in each.id]
    assert [each.id for each in barred if len(forms(each.string)) != number] == []
    assert [each.id for each in done(code) if each.pluralizable and len(each.string) != number] == []
    plain = [each for each in done(code) if not each.pluralizable and "|" not in each.id]
    assert [each.id for each in plain if "|" in each.string] == []


@pytest.mark.parametrize("code", CODES)
def test_every_phrase_of_every_game_is_translated(code):
    known = {each.id for each in done(code) if not each.context and not each.pluralizable}
    assert sorted(every_phrase() - known - GAPS.get(code, set())) == []


@pytest.mark.parametrize("code", CODES)
def test_every_text_is_translated(code):
    known = {ident(each) for each in done(code)}
    missing = {each for each in map(ident, gathered()) if each[0]} - known
    assert sorted(each[0] for each in missing if each[0] not in GAPS.get(code, set())) == []


def test_languages_have_their_own_names_and_drafts_are_marked():
    assert [(each.code, each.name, each.draft) for each in LANGUAGES.values()] == [
        ("en", "English", False),
        ("ro", "Română", True),
        ("fi", "Suomi", True),
    ]
