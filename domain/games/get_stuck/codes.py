"""Get Stuck: its own codes of irregularities, and the remedies that differ from those of every game."""

from typing import Final

from domain.game.codes import Code

CODES: Final = (
    Code(
        "JMP",
        "Numeral over a dead card",
        "A numeral passed over a card that lies face down.",
        ("P",),
        (2, 2),
        ("table", "director"),
        ("stands", "scored-as-stuck"),
    ),
    Code(
        "DGN",
        "Diagonal move",
        "A card moved diagonally while another could move in a straight line.",
        ("P",),
        (2, 2),
        ("table", "director"),
        ("stands", "scored-as-stuck"),
    ),
    Code(
        "WCL",
        "Wrong colour or line",
        "A card of the other colour was moved, or one that is not in line with the gap.",
        ("P",),
        (2, 2),
        ("table", "director"),
        ("stands", "scored-as-stuck"),
    ),
    Code(
        "STK",
        "Not stuck",
        "A player who said that he was stuck could still move.",
        ("P",),
        (3, 3),
        ("director",),
        ("play-on", "scored-as-stuck"),
    ),
)
