"""Parity: what becomes of a deal with a revoke. Moving a trick would turn the parity, so none moves."""

from collections.abc import Mapping
from typing import Final

from domain.game.remedy import Remedied, Remedy, Wrong
from domain.games.parity.scoring import ParityResult
from domain.log.message import Message

AWARD: Final = "score-by-taken"
MOST: Final = 25  # 10 and all fifteen tricks
PHRASES: Final[Mapping[str, str]] = {
    "remedy.award": "{offender:seat} scores nothing, {other:seat} {points}, whatever the parity"
}


def remedy(key: str, wrong: Wrong) -> Remedy | None:
    """The offender has nothing, the other 10 and his tricks and one more, whatever the parity, but never more than a
    deal gives (PA.7)."""
    if key != AWARD or not isinstance(wrong.result, ParityResult):
        return None
    other = 1 - wrong.seat
    given = award(wrong.result.tricks[other])
    scores = (given, 0) if wrong.seat else (0, given)
    result = ParityResult(scores=scores, tricks=wrong.result.tricks, parity=wrong.result.parity)
    return Remedied(result, Message("remedy.award", {"offender": wrong.seat, "other": other, "points": given}))


def award(tricks: int) -> int:
    """The score of the innocent player, who took so many tricks."""
    return min(10 + tricks + 1, MOST)
