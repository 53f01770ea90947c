"""Appeals: a side asks for a second ruling, by people who have not made the first one."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from domain.case import commands as c
from domain.case import events as e
from domain.case.rights import check_leads, checked_side
from domain.case.state import Appeal, Case
from domain.case.statements import said
from domain.log.actor import Actor
from domain.log.decider import New, Refusal
from domain.match.state import Match

IN_TIME: Final = timedelta(minutes=30)  # after the ruling, or until T2 of its deal ends, if that is later
MOST_PANEL: Final = 3


def in_time(ruled: c.Ruled, around: c.Around) -> bool:
    """Tells whether a ruling can be appealed against now: one second late is late."""
    return around.at <= ruled.at + IN_TIME or not ruled.late


def made(appeal: Appeal, match: Match) -> int | None:
    """The version of the ruling that carries out the decision on an appeal, in the match of it; None before."""
    rulings = next(
        (deal.rulings for deal in match.deals if any(each.version == appeal.ruling for each in deal.rulings)), ()
    )
    return next((each.version for each in rulings if each.instance > 1 and each.version > appeal.ruling), None)


def is_owed(appeal: Appeal, match: Match) -> bool:
    """Tells whether a decision that changed a ruling is still to be ruled in the match."""
    return appeal.outcome == "changed" and made(appeal, match) is None


def check_not_appealed(appeals: Iterable[Appeal], stream: str, match: Match, version: int) -> None:
    """Raises Refusal for a ruling in the place of one that an appeal is about, whichever case it was lodged in."""
    against = (each for each in appeals if _is_against(each, stream, version))
    if any(not each.heard or is_owed(each, match) for each in against):
        raise Refusal("misfit", "an appeal is about this ruling: what its panel decides is ruled as `instance` 2")


def _is_against(appeal: Appeal, match: str, ruling: int) -> bool:
    """Tells whether an appeal is about a ruling, and was not taken back."""
    return (appeal.match, appeal.ruling) == (match, ruling) and appeal.outcome != "withdrawn"


def lodged(case: Case, command: c.LodgeAppeal, actor: Actor, around: c.Around) -> list[New]:
    """A side appeals. Raises Refusal."""
    side = checked_side(case, command.side, actor, around)
    ruled = _ruling(around, command.match, command.ruling)
    if ruled is None:
        raise Refusal("misfit", f"there is no ruling at entry {command.ruling} of a match of this case")
    if ruled.superseded:
        raise Refusal("changed", "a later ruling has taken the place of this one: look at that one")
    if ruled.instance > 1:
        raise Refusal("misfit", "this ruling was made on appeal, and is final")
    if side in ruled.accepted:
        raise Refusal("misfit", "your side has accepted this ruling")
    against = [each for each in (*case.appeals, *around.appeals) if _is_against(each, command.match, command.ruling)]
    if any(each.side == side or each.heard for each in against):
        raise Refusal("misfit", "there is an appeal against this ruling already")
    if not in_time(ruled, around):
        raise Refusal(
            "window-closed", "an appeal is lodged within 30 minutes of the ruling, or before T2 of its deal ends"
        )
    own = actor.person if case.side_of(actor) is not None else None
    return [New(e.AppealLodged(command.match, command.ruling, side, own), said(command.words))]


def heard(case: Case, command: c.HearAppeal, actor: Actor, around: c.Around) -> list[New]:
    """An appeal is decided by most of its panel; a side takes back its own. Raises Refusal."""
    appeal = next((each for each in case.pending if each.version == command.appeal), None)
    if appeal is None:
        raise Refusal("misfit", "no such appeal waits to be heard")
    if command.outcome == "withdrawn":
        if case.side_of(actor) != appeal.side:
            check_leads(case, actor, around)
            _check_not_first(case, appeal, actor, around)
        if command.panel or command.dissent:
            raise Refusal("malformed", "an appeal that is withdrawn has no panel")
    else:
        check_leads(case, actor, around)
        _check_not_first(case, appeal, actor, around)
        _check_panel(case, appeal, command, around)
    return [New(e.AppealHeard(appeal.version, command.panel, command.outcome, command.dissent), said(command.words))]


def _check_panel(case: Case, appeal: Appeal, command: c.HearAppeal, around: c.Around) -> None:
    """Raises Refusal for a panel that may not hear the appeal, or that has not decided so."""
    if command.outcome == "nobody":
        if around.hearers:
            raise Refusal(
                "misfit", "there are people who may hear it: name one to three", hearers=sorted(around.hearers)
            )
        if command.panel or command.dissent:
            raise Refusal("malformed", "where nobody hears it there is no panel")
        return
    known = [around.people.get(each) for each in command.panel]
    if any(each is None for each in known):
        raise Refusal("malformed", "the club does not know everybody of this panel")
    panel = [each for each in known if each is not None]
    if not 1 <= len({each.ids[0] for each in panel}) == len(panel) <= MOST_PANEL:
        raise Refusal("malformed", f"a panel has one to {MOST_PANEL} people, each once")
    if not all(may_hear(case, each, around, appeal) for each in panel):
        raise Refusal("recused", "one of the panel is of a side, close to one, stepped back, or made the first ruling")
    if not set(command.dissent) <= set(command.panel) or 2 * len(set(command.dissent)) >= len(panel):
        raise Refusal("malformed", "most of the panel decide: who would have decided otherwise are fewer than half")


def may_hear(case: Case, person: c.NamedPerson, around: c.Around, appeal: Appeal | None = None) -> bool:
    """Tells whether a person may hear an appeal: not near to the case, not stepped back, and not who ruled first."""
    if case.parties & {*person.ids, *person.close} or any(each.person in person.ids for each in case.recused):
        return False
    first = [
        each.person
        for each in around.rulings
        if appeal is None or (each.match, each.version) == (appeal.match, appeal.ruling)
    ]
    return not any(each in person.ids for each in first)


def _check_not_first(case: Case, appeal: Appeal, actor: Actor, around: c.Around) -> None:
    ruled = _ruling(around, appeal.match, appeal.ruling)
    if ruled is not None and ruled.person in actor.people:
        raise Refusal(
            "recused", "you made the ruling that this appeal is against: somebody else writes down the decision"
        )


def _ruling(around: c.Around, match: str, version: int) -> c.Ruled | None:
    return next((each for each in around.rulings if (each.match, each.version) == (match, version)), None)
