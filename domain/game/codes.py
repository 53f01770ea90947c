"""The codes of irregularities: what each means, how it is found, how much it weighs, who rules and how it is put right.

Those that every game shares stand here; a game adds its own, and says of a shared one what it does differently
(`codes` of the protocol). A remedy is named by its key alone: what it does lies where rulings are made.
"""

from typing import Final, Literal, TypeAlias

import msgspec

Found: TypeAlias = Literal["P", "C", "T"]
Rules: TypeAlias = Literal["table", "director", "nobody", "T0", "T1"]


class Code(msgspec.Struct, frozen=True):
    """One code. `found`: from the plays alone (P), where hands or draws were recorded (C), by testimony (T);
    empty for what is said or written outright.

    `severity` is the least and the most it weighs: 0 no effect, 1 procedural, 2 may change a trick, 3 changes the
    score, 4 the deal cannot be played. `remedies` are the keys, the default first. `offence` is false for what breaks
    no rule: a claim that lapses, a slip of the scorer."""

    code: str
    title: str
    sentence: str
    found: tuple[Found, ...]
    severity: tuple[int, int]
    ruled_by: tuple[Rules, ...]
    remedies: tuple[str, ...]
    offence: bool = True


VOID: Final = ("void-and-deal-again", "equity")
STANDS: Final = ("stands", "procedural")

SHARED: Final = (
    Code(
        "REV",
        "Revoke",
        "A player who held the suit that was led played another one.",
        ("P",),
        (3, 3),
        ("director",),
        ("tricks-pass",),
    ),
    Code(
        "LOT",
        "Lead out of turn",
        "A player led when it was another's lead.",
        ("P",),
        (1, 1),
        ("table", "director"),
        STANDS,
    ),
    Code(
        "POT",
        "Play out of turn",
        "A player played when it was another's turn.",
        ("P",),
        (1, 1),
        ("table", "director"),
        STANDS,
    ),
    Code(
        "DUP",
        "Card already played",
        "A card appears that has been on the table before.",
        ("P", "C"),
        (2, 4),
        ("director",),
        VOID,
    ),
    Code(
        "NIH",
        "Card not in hand",
        "A card was played from a hand that did not hold it.",
        ("P", "C"),
        (2, 4),
        ("director",),
        VOID,
    ),
    Code(
        "MIS",
        "Misdeal or wrong count",
        "The cards, tricks or points at the close cannot come from a whole pack rightly dealt.",
        ("P",),
        (2, 2),
        ("table", "director"),
        VOID,
    ),
    Code(
        "DIM",
        "Wrong kind of call",
        "A call named what was settled already, or what another has to name.",
        ("P",),
        (1, 1),
        ("table",),
        STANDS,
    ),
    Code(
        "PAS",
        "Pass that is not allowed",
        "A player passed where everybody has to call.",
        ("P",),
        (1, 1),
        ("table",),
        STANDS,
    ),
    Code("OOB", "Call out of turn", "A player called when it was another's turn.", ("P",), (1, 1), ("table",), STANDS),
    Code(
        "INS",
        "Insufficient bid",
        "A bid was no higher than the one before, or outside the range.",
        ("P",),
        (1, 1),
        ("table",),
        STANDS,
    ),
    Code(
        "DRW",
        "Wrong draw",
        "A card was drawn out of order, once too often, or not at all.",
        ("C",),
        (2, 2),
        ("director",),
        STANDS,
    ),
    Code(
        "WTA",
        "Wrong total announced",
        "A total was called that the cards do not make.",
        ("P",),
        (0, 1),
        ("table",),
        ("cards-decide", "warning"),
    ),
    Code(
        "LAP",
        "Not claimed in time",
        "Points were there to be claimed, and nobody claimed them before they lapsed.",
        ("P",),
        (0, 0),
        ("nobody",),
        ("lapses",),
        offence=False,
    ),
    Code(
        "CLM",
        "Claim contested",
        "A claim of all remaining tricks was not agreed to.",
        (),
        (2, 2),
        ("director",),
        ("agreed", "best-play"),
    ),
    Code(
        "SLO",
        "Slow play",
        "A table took more than twice the time of the others, and the round was late.",
        ("C",),
        (1, 1),
        ("director",),
        ("warning", "clock", "procedural"),
    ),
    Code(
        "ENT",
        "Slip of the scorer",
        "Two figures differ that should be the same.",
        (),
        (0, 0),
        ("T0", "T1"),
        ("correct",),
        offence=False,
    ),
)
BY_CODE: Final = {each.code: each for each in SHARED}
