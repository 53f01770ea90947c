"""Catalogues as they are read: once in a process, when somebody first asks for that language."""

import gettext
from functools import cache
from io import BytesIO
from pathlib import Path

from service.languages.known import LANGUAGES


@cache
def catalogue_of(code: str) -> gettext.NullTranslations:
    """The translations of a language; English has none, and says what the source says."""
    path = LANGUAGES[code].catalogue
    return gettext.NullTranslations() if path is None else _read(path, code)


def _read(path: Path, code: str) -> gettext.GNUTranslations:
    from babel.messages.mofile import write_mo  # noqa: PLC0415  # no page in English needs it
    from babel.messages.pofile import read_po  # noqa: PLC0415

    made = BytesIO()
    with path.open("rb") as file:
        write_mo(made, read_po(file, locale=code.replace("-", "_")))
    made.seek(0)
    return gettext.GNUTranslations(made)
