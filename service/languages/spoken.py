"""The language that is spoken now, and what is said in it. The web door sets it for each request; all else is English.

`N_` marks a text for the catalogues where it is written; it is translated where a page shows it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar

from service.languages.catalogues import catalogue_of
from service.languages.known import ENGLISH, LANGUAGES, Language, known

Key = TypeVar("Key")
_SPOKEN: Final = ContextVar("lurch_language", default=ENGLISH)


def current() -> str:
    """The code of the language that is spoken now."""
    return _SPOKEN.get()


def spoken() -> Language:
    """The language that is spoken now."""
    return LANGUAGES[current()]


def speak(code: str | None) -> None:
    """Speak a language from now on in this task; one that there is not is English."""
    _SPOKEN.set(known(code))


@contextmanager
def speaking(code: str | None) -> Iterator[None]:
    """Speak a language meanwhile."""
    before = _SPOKEN.set(known(code))
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def N_(text: str) -> str:  # noqa: N802  # the name that every gathering program knows
    """The text itself, marked as one that is translated where it is shown."""
    return text


def translate(text: str) -> str:
    """A text in the language that is spoken now; the text itself where that has none."""
    return catalogue_of(current()).gettext(text) if text else text


def translated(texts: Mapping[Key, str]) -> dict[Key, str]:
    """A table of texts, each in the language that is spoken now."""
    return {key: translate(text) for key, text in texts.items()}


def ntranslate(one: str, many: str, number: int) -> str:
    """The form of a text for a number."""
    return catalogue_of(current()).ngettext(one, many, number)


def ptranslate(context: str, text: str) -> str:
    """A text that means this in its context, such as a word of cards."""
    return catalogue_of(current()).pgettext(context, text) if text else text


def nptranslate(context: str, one: str, many: str, number: int) -> str:
    """The form for a number of a text in its context."""
    return catalogue_of(current()).npgettext(context, one, many, number)


# the names that templates and programs which gather texts use
_ = gettext = translate
ngettext, pgettext, npgettext = ntranslate, ptranslate, nptranslate


def form_of(number: int) -> int:
    """The form of a text for this number, in the language that is spoken now."""
    plural = getattr(catalogue_of(current()), "plural", None)  # set where a catalogue was read
    return int(number != 1) if plural is None else int(plural(number))
