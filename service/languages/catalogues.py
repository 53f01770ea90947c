"""Catalogues as they are read: once in a process, when somebody first asks for that language."""

import gettext
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from service.languages.known import LANGUAGES

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog


@cache
def catalogue_of(code: str) -> gettext.NullTranslations:
    """The translations of a language; English has none, and says what the source says."""
    path = LANGUAGES[code].catalogue
    return gettext.NullTranslations() if path is None else _read(path, code)


def script_texts(code: str) -> dict[str, str]:
    """The translations of what scripts of pages say; none in English."""
    path = LANGUAGES[code].catalogue
    if path is None:
        return {}
    said = [each for each in _parsed(path, code) if any(place.endswith(".js") for place, _ in each.locations)]
    return {str(each.id): str(each.string) for each in said if each.string and not each.fuzzy}


@cache
def _parsed(path: Path, code: str) -> "Catalog":
    from babel.messages.pofile import read_po  # noqa: PLC0415  # no page in English needs it

    with path.open("rb") as file:
        return read_po(file, locale=code.replace("-", "_"))


def _read(path: Path, code: str) -> gettext.GNUTranslations:
    from babel.messages.mofile import write_mo  # noqa: PLC0415  # as above

    made = BytesIO()
    write_mo(made, _parsed(path, code))
    made.seek(0)
    return gettext.GNUTranslations(made)
