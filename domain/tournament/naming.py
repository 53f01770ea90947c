"""Texts in which somebody stands as {7} or {entry}: who that is called is filled in where it is read."""

import re
from collections.abc import Callable
from typing import Final

_MARK: Final = re.compile(r"\{([^{}]+)\}")


def spoken(text: str, name: Callable[[str], str]) -> str:
    """The text with what each mark is called."""
    return _MARK.sub(lambda found: name(found[1]), text)
