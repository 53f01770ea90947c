"""Ristikontra: a king that was not kept, and a rank that was led once too often."""

from collections.abc import Mapping
from typing import Final

from domain.game.remedy import NO_WINNER, Remedied, Remedy, Wrong, either
from domain.games.ristikontra.options import SIDES
from domain.games.ristikontra.scoring import RistikontraResult, score_deal
from domain.games.ristikontra.state import Scored, Spicing, State, Taken
from domain.log.message import Message

NOT_CLEANED: Final = "not-cleaned"
POINTS_GO: Final = "points-pass"
PHRASES: Final[Mapping[str, str]] = {
    "remedy.cleaned": "the side of {seat:seat} counts as not having cleaned",
    "remedy.points": "the {n} card point of trick {trick} passes|the {n} card points of trick {trick} pass",
    "remedy.theirs": "trick {trick} went to the other side: nothing passes",
}


def remedy(key: str, wrong: Wrong) -> Remedy | None:
    """The side has not cleaned (RK.g11), or the card points of the trick pass if it won that (RK.2, RK.g12)."""
    result, side = wrong.result, wrong.seat % 2
    if not isinstance(result, RistikontraResult):
        return None
    if key == NOT_CLEANED and result.cleaned:
        cleaned = tuple(did and each != side for each, did in enumerate(result.cleaned))
        after = score_deal(wrong.options, result.card_points, result.tricks, result.queens_taken, cleaned)
        return Remedied(after, Message("remedy.cleaned", {"seat": wrong.seat}))
    if key == POINTS_GO:
        found = [_points_pass(wrong, result, place) for place in wrong.places]
        return either(found, (1 - side,), (side,))
    return None


def _points_pass(wrong: Wrong, result: RistikontraResult, place: int) -> Remedy:
    side, before = wrong.seat % 2, _taken(wrong.tables[place])
    after = next((taken for each in wrong.tables[place:] if (taken := _taken(each)).done > before.done), None)
    if after is None:
        return NO_WINNER
    won = next(at for at, seats in enumerate(SIDES) if sum(after.tricks[s] - before.tricks[s] for s in seats))
    worth = after.points[won] - before.points[won]
    if won != side:
        return Remedied(result, Message("remedy.theirs", {"trick": before.done + 1}))
    points = tuple(had - worth if at == side else had + worth for at, had in enumerate(result.card_points))
    scored = score_deal(wrong.options, points, result.tricks, result.queens_taken, result.cleaned)
    return Remedied(scored, Message("remedy.points", {"n": worth, "trick": before.done + 1}))


def _taken(table: State) -> Taken:
    return table.play.taken if isinstance(table, Spicing | Scored) else table.taken
