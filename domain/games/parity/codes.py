"""Parity: its own codes of irregularities, and the remedies that differ from those of every game."""

from typing import Final

from domain.game.codes import Code

CODES: Final = (
    Code(
        "REV",
        "Revoke",
        "A player who held the suit that was led, or a joker when trumps were led, played another card.",
        ("P",),
        (3, 3),
        ("director",),
        ("score-by-taken",),
    ),
)
