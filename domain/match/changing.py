"""Changing: who may change a deal in which of its windows, and what to do next where one may not."""

from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.match.event import Window
from domain.match.sight import is_told
from domain.match.state import Deal, Match, disputed, side_of
from domain.match.windows import Moment, window

SEALED = "this record is sealed: nothing changes it any more"


def window_of(match: Match, deal: Deal, actor: Actor, moment: Moment | None) -> Window:
    """The window of a deal for who keeps the score here: T0 is over when a side confirms that this person does not play
    for."""
    return window(match, deal, moment, side_of(match, actor))


def check_changes(match: Match, deal: Deal, actor: Actor, moment: Moment | None) -> Window:
    """Checks that an actor changes a deal alone: whoever keeps the score in T0, a director until T2 ends, and nobody
    but a director while something is heard or ruled about it. The window. Raises Refusal (window-closed)."""
    found = window_of(match, deal, actor, moment)
    if found == "sealed":
        raise Refusal("window-closed", SEALED)
    if found == "T3":
        raise Refusal("window-closed", _late(deal, actor))
    why = None if actor.directs else closed_to_scorers(match, deal, found, moment)
    if why is not None:
        raise Refusal("window-closed", why)
    return found


def closed_to_scorers(match: Match, deal: Deal, found: Window, moment: Moment | None) -> str | None:
    """The reason for which only others change a deal in this window, with what to do next; None where whoever keeps the
    score may."""
    why = only_director(match, deal, moment)
    if why is not None or found == "T0":
        return why
    if found == "T1":
        return (
            f"deal {deal.number} is confirmed: propose the correction, and the other side agrees to it in one tap; or "
            "ask the director"
        )
    if found == "sealed":
        return SEALED
    return f"the table's own time for deal {deal.number} is over: ask the director to correct it"


def only_director(match: Match, deal: Deal, moment: Moment | None) -> str | None:
    """The reason for which nobody but a director changes a deal, in whichever window; None where there is none. A case
    closes a deal as soon as the table may know that something was found: a refusal before would tell it."""
    if disputed(match, deal) is not None:
        return f"the result of deal {deal.number} is disputed: the director can change it"
    if moment is not None and deal.number in moment.heard and is_told(match, deal, "table", moment):
        return f"a case about deal {deal.number} is heard: the director can change it"
    if deal.rulings:
        return f"the director has ruled on deal {deal.number}, and can change it"
    return None


def _late(deal: Deal, actor: Actor) -> str:
    if actor.directs:
        return (
            f"the result of deal {deal.number} was posted more than half an hour ago: propose the correction of a "
            "slip, and the secretary agrees to it"
        )
    return f"the result of deal {deal.number} was posted more than half an hour ago: ask the director and the secretary"
