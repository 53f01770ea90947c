"""Over the Top: a trick that counts as the other player's, after a suit was repeated or a pass was false."""

from collections.abc import Mapping
from typing import Final

from domain.game.remedy import NO_WINNER, Remedied, Remedy, Wrong, either
from domain.games.over_the_top.scoring import OverTheTopResult, score_tricks
from domain.games.over_the_top.state import Playing
from domain.log.message import Message

TRICK_GOES: Final = "counts-for-other"
PHRASES: Final[Mapping[str, str]] = {
    "remedy.trick": "trick {trick} counts as the trick of {other:seat}, as its cards lie: {n} point"
    "|trick {trick} counts as the trick of {other:seat}, as its cards lie: {n} points",
    "remedy.theirs": "trick {trick} is that of {other:seat} already",
}


def remedy(key: str, wrong: Wrong) -> Remedy | None:
    """The trick counts as the other player's, by what its cards make (OT.6)."""
    if key != TRICK_GOES or not isinstance(wrong.result, OverTheTopResult):
        return None
    found = [_passed(wrong, wrong.result, place) for place in wrong.places]
    return either(found, (1 - wrong.seat,), (wrong.seat,))


def _passed(wrong: Wrong, result: OverTheTopResult, place: int) -> Remedy:
    table, other = wrong.tables[place], 1 - wrong.seat
    taken = wrong.tables[-1].course.taken
    if not isinstance(table, Playing) or len(taken) <= len(table.course.taken):
        return NO_WINNER
    number = len(table.course.taken)
    winner, points = taken[number]
    values = {"trick": number + 1, "other": other, "n": points}
    if winner == other:
        return Remedied(result, Message("remedy.theirs", values))
    says = Message("remedy.trick", values)
    if result.taken:
        return Remedied(score_tricks((*taken[:number], (other, points), *taken[number + 1 :])), says)
    scores = tuple(each + points if seat == other else each - points for seat, each in enumerate(result.scores))
    return Remedied(OverTheTopResult(scores=scores), says)
