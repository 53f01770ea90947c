"""The answer of a pairing program: pairs in the order of boards, the bye, and why; or that no legal pairing exists."""

from collections.abc import Mapping

import msgspec

from domain.log.message import Explanation, Message
from domain.pairing.crosstable import Outcome, Rules, Tenths


class PairReason(msgspec.Struct, frozen=True):
    """The reason for a pair, or for the bye: the bracket's score, who floats, criteria that this pair breaks though
    another legal opponent in the bracket would have kept them, the article that gave the sides, and the explanation
    for players."""

    pair: tuple[int, int]
    bracket: Tenths
    down: tuple[int, ...]
    up: tuple[int, ...]
    criteria: tuple[str, ...]
    sides: str | None
    told: Explanation


class Paired(msgspec.Struct, frozen=True):
    """A round: pairs (who deals first, the other) by board, the bye, who is absent, and a reason for each."""

    rules: Rules
    round: int
    pairs: tuple[tuple[int, int], ...]
    bye: int | None
    absent: Mapping[int, Outcome]
    why: tuple[PairReason, ...]


class NoLegalPairing(msgspec.Struct, frozen=True):
    """Nobody can pair this round within the absolute criteria; the director decides (1.9.3)."""

    rules: Rules
    round: int
    absent: Mapping[int, Outcome]
    message: Message
