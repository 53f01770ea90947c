"""Extraction of translatable texts from templates, Python, scripts and phrases of games."""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from jinja2.ext import babel_extract

from domain import codec, english
from domain.cards.card import CARDS, RANK_NAMES, SUIT_NAMES
from domain.games import all_games
from projections.games import option_views, variants
from service.languages.phrases import CARD, SQUARE, in_sentence
from tests.kit.languages.domain_texts import of_domain

ROOT = Path(__file__).parents[3]
KEYWORDS = {
    "_": None,
    "N_": None,
    "gettext": None,
    "translate": None,
    "ngettext": (1, 2),
    "ntranslate": (1, 2),
    "pgettext": ((1, "c"), 2),
    "ptranslate": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "nptranslate": ((1, "c"), 2, 3),
}
SAY = {"worded": None}
NOTES = ("TR:",)  # a comment for translators begins so
OPTIONS = {
    "trimmed": "true",
    "newstyle_gettext": "true",
    "trim_blocks": "true",
    "lstrip_blocks": "true",
    "silent": "false",
}


def gathered() -> Catalog:
    """Return the template of all catalogues, without dates and line numbers so that it is reproducible."""
    return deepcopy(_gathered())


@cache
def _gathered() -> Catalog:
    found = Catalog(charset="utf-8")
    for folder, pattern, method, words, options in (
        ("service", "*.html", babel_extract, KEYWORDS, OPTIONS),
        ("service", "*.py", "python", KEYWORDS, {}),
        ("service/web/static", "*.js", "javascript", SAY, {"template_string": "false"}),
    ):
        for path in files(folder, pattern):
            with path.open("rb") as file:
                for _, message, comments, context in extract(
                    method, file, words, NOTES, options, strip_comment_tags=True
                ):
                    add(found, message, path.relative_to(ROOT).as_posix(), comments, context)
    for text, place, note, context in (*of_games(), *of_forms(), *of_domain(), *of_cards()):
        if any(map(str.isalpha, text)) and text not in ("True", "False"):  # said as yes and no
            add(found, text, place, [note], context)
    return found


def add(found: Catalog, message, place: str, comments=(), context=None) -> None:
    if message and message != ("", ""):
        found.add(
            message, locations=[(place, None)], auto_comments=[each for each in comments if each], context=context
        )


def files(folder: str, pattern: str) -> list[Path]:
    return sorted(each for each in (ROOT / folder).rglob(pattern) if "vendor" not in each.parts)


def of_games() -> Iterator[tuple[str, str, str, str | None]]:
    """The phrases of every game, with where they come from."""
    for id_, text in english.shared().items():
        yield text, "domain/cards/facts.py", f"phrase {id_}", None
    for key, game in all_games().items():
        for id_, text in game.phrases.items():
            yield text, f"domain/games/{key}", f"phrase {id_}", None


def of_forms() -> Iterator[tuple[str, str, str, str | None]]:
    """The controls of forms that games bring: what is asked of a result, and the options."""
    for key, game in all_games().items():
        place = f"domain/games/{key}"
        for given in variants(game):
            for field in game.sheet.form(codec.convert(given, game.options)):
                yield field.label, place, "asked of a result", None
                yield from ((each, place, "a choice", None) for each in map(str, field.values) if each.islower())
        for option in option_views(game):
            yield option.description, place, f"option {option.name}", None
            yield from ((each, place, f"a value of option {option.name}", None) for each in option.said)


def of_cards() -> Iterator[tuple[str, str, str, str | None]]:
    """The words of cards: suits, ranks, every card alone and in a sentence, a square, a pass."""
    place = "domain/cards/card.py"
    for text in (*SUIT_NAMES.values(), *RANK_NAMES.values(), SQUARE, "pass", "jokers"):
        yield text, place, "", CARD
    for card in CARDS:
        yield card.spoken, place, "", CARD
        yield in_sentence(card.spoken), place, "in a sentence", CARD
