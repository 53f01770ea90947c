"""Get Stuck: who breaks a rule a second time, or disturbs the layout, is scored as stuck."""

from collections.abc import Mapping
from typing import Final

from domain.game.remedy import Lacking, Remedied, Remedy, Wrong
from domain.games.get_stuck.scoring import GetStuckResult, ranks_left, score_left
from domain.log.message import Message

SCORE_STUCK: Final = "scored-as-stuck"
PHRASES: Final[Mapping[str, str]] = {"remedy.stuck": "{seat:seat} is scored as stuck before move {n}"}


def remedy(key: str, wrong: Wrong) -> Remedy | None:
    """The offender is scored as stuck, with what lay face up before the second breach, or the only one (GS.7)."""
    if key != SCORE_STUCK or not isinstance(wrong.result, GetStuckResult):
        return None
    place = wrong.places[min(1, len(wrong.places) - 1)]
    left = ranks_left(wrong.tables[place])
    if left is None:
        return Lacking("the cards that lay face up then: moves did not name their card")
    return Remedied(score_left(wrong.seat, left), Message("remedy.stuck", {"seat": wrong.seat, "n": place + 1}))
