"""A pseudo-language: each text has accents and is 40 % longer, to reveal untranslated texts and overflow.

Placeholders, markup and bars are kept.
"""

import re
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from service.languages.catalogues import catalogue_of
from service.languages.known import LANGUAGES, Language
from tests.kit.languages.gathering import gathered

CODE = "en-XA"
KEPT = re.compile(r"(%\(\w+\)[sd]|%%|\{[^}]*\}|<[^>]*>|&\w+;|\|)")
ACCENTS = str.maketrans("aceinosuyzACEINOSUYZ", "áçéíñóšúýžÁÇÉÍÑÓŠÚÝŽ")
MORE = 0.4


def longer(text: str) -> str:
    """The text with accents and 40 % more letters; a text of two forms has them in each."""
    return "|".join(map(_longer, text.split("|")))


def _longer(text: str) -> str:
    parts = [each if KEPT.fullmatch(each) else each.translate(ACCENTS) for each in KEPT.split(text)]
    letters = sum(map(str.isalpha, KEPT.sub("", text)))
    return "".join(parts) + "~" * round(letters * MORE)


def pseudo() -> Catalog:
    """Return the catalogue of the pseudo-language."""
    made = Catalog(locale="en")
    for each in gathered():
        if each.id:
            said = longer(each.id) if isinstance(each.id, str) else tuple(map(longer, each.id))
            made.add(each.id, said, locations=each.locations, context=each.context)
    return made


@contextmanager
def spoken_in_tests():
    """Register the pseudo-language for the block."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pseudo.po"
        with path.open("wb") as file:
            write_po(file, pseudo())
        LANGUAGES[CODE] = Language(CODE, "Lóñgér~~", draft=True, catalogue=path)
        catalogue_of.cache_clear()
        try:
            yield CODE
        finally:
            del LANGUAGES[CODE]
            catalogue_of.cache_clear()
