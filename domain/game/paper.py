"""Paper: what of a deal is written on a score sheet, stretch by stretch, as notation has it."""

import msgspec


class PaperStretch(msgspec.Struct, frozen=True):
    """A stretch of a deal on paper: its mark in notation (empty for a game with one stretch only), how many calls open
    it, how many turns it can have (tricks, or single moves), the words of a turn, and how many sums close it. `wide`:
    a word has more than a card, such as a square or a total."""

    mark: str
    calls: int = 0
    turns: int = 0
    words: int = 0
    sums: int = 0
    wide: bool = False
