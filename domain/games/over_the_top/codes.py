"""Over the Top: its own codes of irregularities, and the remedies that differ from those of every game."""

from typing import Final

from domain.game.codes import Code

CODES: Final = (
    Code(
        "OSU",
        "Suit repeated",
        "A card of a suit was played that lay in the trick already.",
        ("P",),
        (1, 1),
        ("table",),
        ("counts-for-other",),
    ),
    Code(
        "FPS",
        "False pass",
        "A player passed who held a card of a suit that the trick lacked.",
        ("C",),
        (3, 3),
        ("director",),
        ("counts-for-other",),
    ),
)
