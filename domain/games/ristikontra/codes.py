"""Ristikontra: its own codes of irregularities, and the remedies that differ from those of every game."""

from typing import Final

from domain.game.codes import Code

CODES: Final = (
    Code(
        "LKG",
        "Last king given away",
        "The last king was played while there was a stock.",
        ("P",),
        (2, 2),
        ("director",),
        ("not-cleaned",),
    ),
    Code(
        "RK4",
        "Fourth lead of a rank",
        "A player led the same rank to four tricks running, and had another.",
        ("P",),
        (2, 2),
        ("director",),
        ("points-pass",),
    ),
)
