"""Rights in a case: whose it is, who directs there, and who is too near to."""

from domain.case.commands import Around
from domain.case.state import Case
from domain.log.actor import Actor
from domain.log.decider import Refusal, forbidden
from domain.log.strength import asks_persons


def rules_here(case: Case, actor: Actor) -> bool:
    """Tells whether whoever acts is the one who was named to rule on this case, in which role ever."""
    return case.ruler is not None and not actor.by_code and case.ruler.person in actor.people


def near(case: Case, actor: Actor) -> bool:
    """Tells who belongs to a side of the case, or is close to somebody who does."""
    return bool(case.parties & {*actor.people, *actor.close})


def stepped_back(case: Case, actor: Actor) -> bool:
    """Tells who was said not to rule here."""
    return any(each.person in actor.people for each in case.recused)


def check_directs(case: Case, actor: Actor, around: Around) -> None:
    """Raises Refusal for an actor who does not direct this case: a director of its match or tournament does who is not
    near to it, and whoever was named to rule."""
    if rules_here(case, actor):
        return
    if not actor.directs:
        raise forbidden(actor)
    if actor.person is None and actor.strength == "token" and asks_persons(around.asks):
        raise Refusal("forbidden", "here a person directs, not a program: sign in as yourself")
    if near(case, actor) or stepped_back(case, actor):
        raise recused()


def check_leads(case: Case, actor: Actor, around: Around) -> None:
    """Raises Refusal for an actor who neither directs the case nor administers the club without being near to it."""
    if actor.administers and not actor.directs and actor.tournament is None and actor.match is None:
        if near(case, actor):
            raise recused()
        return
    check_directs(case, actor, around)


def recused() -> Refusal:
    """The refusal for somebody who is too near to a case."""
    return Refusal(
        "recused",
        "you are of one of the sides, close to somebody who is, or stepped back from this case: ask another director "
        "or a deputy, or the secretary to name somebody",
    )


def checked_side(case: Case, side: int | None, actor: Actor, around: Around) -> int:
    """The side for which whoever acts speaks: the own one, or for a director the one that is named. Raises Refusal."""
    own = case.side_of(actor)
    if own is not None:
        if side not in (None, own):
            raise Refusal("forbidden", "you speak for your own side only")
        return own
    check_directs(case, actor, around)
    if side is None or not 0 <= side < len(case.sides):
        raise Refusal("malformed", f"`side` is 0 to {len(case.sides) - 1}")
    return side
