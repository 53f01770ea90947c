"""Settling: how a case ends whose disputes are over, and whether it ends by itself."""

from typing import Final

from domain.case import commands as c
from domain.case import events as e
from domain.case.appeals import in_time
from domain.case.events import Ended
from domain.case.state import Case, DirectorCall
from domain.log.actor import Actor
from domain.log.decider import New, forbidden

WEIGHT: Final[tuple[Ended, ...]] = ("unfounded", "withdrawn", "stands", "corrected", "ruled")  # the last one says most


def disputes(case: Case) -> tuple[DirectorCall, ...]:
    """The calls of a case that the steward brought: a dispute in a match, or one of a result that no record tells
    of."""
    return tuple(each for each in case.calls if each.matter == "dispute" and _by_steward(each))


def settled_as(case: Case, around: c.Around) -> Ended | None:
    """The end of an open case that hears disputes: every one that it hears is over. None where one still stands, or
    there was none."""
    heard = disputes(case)
    known = {each.call: each.ended for each in around.settled}
    if not case.is_open or not heard or any(each.version not in known for each in heard):
        return None
    return max((known[each.version] for each in heard), key=WEIGHT.index)


def ends_by_itself(case: Case, around: c.Around) -> Ended | None:
    """The end of a case by no hand: its disputes are over, and nothing else happened in it that somebody has
    to end. None where a director does so: somebody called, stated, was heard, was named or stepped back, an appeal was
    lodged or may still be, or a director had opened it again."""
    if not untouched(case) or any(_may_be_appealed(case, each, around) for each in around.rulings):
        return None
    return settled_as(case, around)


def untouched(case: Case) -> bool:
    """Tells whether nothing stands in a case but the disputes that the steward brought."""
    touched = case.statements or case.opened or case.witnesses or case.ruler or case.recused or case.appeals
    return not touched and not case.reopened and len(disputes(case)) == len(case.calls)


def closed(case: Case, actor: Actor, around: c.Around) -> list[New]:
    """The case is closed, by the service alone; none where it is closed, or a director ends it. Raises Refusal."""
    if actor.person is not None or actor.strength != "file":
        raise forbidden(actor)
    ended = ends_by_itself(case, around)
    return [] if ended is None else [New(e.CaseClosed(ended))]


def _by_steward(call: DirectorCall) -> bool:
    """Tells the steward's own calls from a match that a director had joined to a case about a dispute: the person of a
    steward's call is of the side that disputes."""
    return call.dispute is not None or (call.place.deal is None and (call.side is not None or call.person is None))


def _may_be_appealed(case: Case, ruled: c.Ruled, around: c.Around) -> bool:
    """Tells whether a side may still appeal against a ruling: it is the last one of its deal, not made on appeal, not
    accepted by all, and the time for it runs."""
    if ruled.superseded or ruled.instance > 1 or len({*ruled.accepted}) == len(case.sides):
        return False
    return in_time(ruled, around)
