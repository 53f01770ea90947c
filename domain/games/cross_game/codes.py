"""Cross Game: its own codes of irregularities, and the remedies that differ from those of every game."""

from typing import Final

from domain.game.codes import Code

CODES: Final = (
    Code(
        "REV",
        "Revoke",
        "The stock was gone, and a player who held the suit that was led played another one.",
        ("P",),
        (3, 3),
        ("director",),
        ("trick-with-points", "equity"),
    ),
    Code(
        "FTT",
        "Failed to trump",
        "The stock was gone, and a player without the suit that was led kept a trump in hand.",
        ("P",),
        (3, 3),
        ("director",),
        ("trick-with-points", "equity"),
    ),
    Code(
        "KQF",
        "False announcement",
        "King and queen were announced without both in hand, not on lead, or twice.",
        ("P", "C"),
        (3, 3),
        ("director",),
        ("void-announcement",),
    ),
    Code(
        "LAP",
        "Not announced in time",
        "King or queen was led with the other in hand and no announcement: the pair counts nothing.",
        ("P",),
        (0, 0),
        ("nobody",),
        ("lapses",),
        offence=False,
    ),
)
