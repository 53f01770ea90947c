"""The languages that there are, each with its catalogue beside this file."""

from pathlib import Path
from typing import Final

import msgspec

HERE: Final = Path(__file__).parent
ENGLISH: Final = "en"


class Language(msgspec.Struct, frozen=True):
    """A language by its own name; a `draft` is one that nobody who speaks it has read. English has no catalogue: the
    texts in the source are English."""

    code: str
    name: str
    draft: bool = False
    catalogue: Path | None = None


LANGUAGES: Final[dict[str, Language]] = {
    ENGLISH: Language(ENGLISH, "English"),
    "ro": Language("ro", "Română", True, HERE / "ro.po"),
    "fi": Language("fi", "Suomi", True, HERE / "fi.po"),
}


def known(code: str | None) -> str:
    """The code of a language that there is: this one, else English."""
    return code if code in LANGUAGES else ENGLISH
