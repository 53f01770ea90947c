"""The options of a game: each explains itself, with its ledger number, for pages and OpenAPI."""

from typing import Literal

import msgspec


def option(description: str, ledger: str, level: Literal["deal", "match"] = "deal", **said: str) -> msgspec.Meta:
    """The explanation of an option: a question, its ledger number, and its values in words where they are none."""
    return msgspec.Meta(description=description, extra={"ledger": ledger, "level": level, "said": said})
