"""Explanations are stored with placeholders ({7} is a seed, {id} an entry); names are filled in when they are shown."""

import re
from collections.abc import Callable
from typing import Final

_MARK: Final = re.compile(r"\{([^{}]+)\}")


def fill(text: str, name: Callable[[str], str]) -> str:
    """The text with the name of each placeholder in its place."""
    return _MARK.sub(lambda found: name(found[1]), text)
