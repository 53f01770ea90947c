"""Garbo: its own codes of irregularities, and the remedies that differ from those of every game."""

from typing import Final

from domain.game.codes import Code

CODES: Final = (
    Code(
        "PLC",
        "Wrong square",
        "A card was put outside the square, beside no other, or on one that may not be covered.",
        ("P",),
        (2, 2),
        ("table", "director"),
        ("other-places",),
    ),
    Code(
        "OVC",
        "Claim too high",
        "More was claimed than the cards give.",
        ("P",),
        (1, 1),
        ("table",),
        ("cut",),
    ),
    Code(
        "LTC",
        "Claim too late",
        "A match was claimed after the claimant's own next card.",
        ("P",),
        (1, 1),
        ("table",),
        ("refused",),
    ),
)
