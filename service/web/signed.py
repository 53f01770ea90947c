"""Signatures in words."""

from typing import Final

_BY: Final = {
    "own device": "{} confirmed on their own phone",
    "pin": "{} confirmed by PIN",
    "table": "{} confirmed by a name tapped at the table",
    "scorer": "the scorer confirmed for {}",
    "timeout": "{} did not answer in time",
    "token": "a program confirmed for {}",
    "file": "a file says that {} confirmed",
}


def signed(strength: str | None, name: str) -> str:
    """A signature in words, with the name of the side."""
    return _BY.get(strength or "", "{} confirmed").format(name)
