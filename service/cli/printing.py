"""Printing for people: a name, or what stands in a file, gives no orders to a terminal."""

from typing import Final

import rich_click as click

_PRINTED: Final = "\n\t\u200c\u200d"  # the last two are part of names in Persian, and of signs that are made of several


def say(text: str, err: bool = False) -> None:
    """Print for people; what a terminal would obey, where a name or a file holds it, is shown as a sign."""
    click.echo(harmless(text), err=err)


def harmless(text: str) -> str:
    """A text with a sign in the place of all that is not printed."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in _PRINTED else _sign_for(each) for each in text)


def _sign_for(char: str) -> str:
    return " " if char.isspace() else "\N{REPLACEMENT CHARACTER}"
