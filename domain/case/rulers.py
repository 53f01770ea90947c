"""Rulers: who is named to rule on a case, and who does not rule there."""

from domain.case import commands as c
from domain.case import events as e
from domain.case.events import Naming
from domain.case.rights import check_directs, check_leads, near, recused
from domain.case.state import Case
from domain.log.actor import Actor
from domain.log.decider import New, Refusal, forbidden
from domain.match.commands import Rule


def assigned(case: Case, command: c.AssignRuler, actor: Actor, around: c.Around) -> list[New]:
    """Somebody rules here; none where that is so. Raises Refusal, also where somebody else was named meanwhile."""
    named = around.people.get(command.person)
    by = _naming(case, command.person, actor, around)
    if named is None:
        raise Refusal("malformed", f"the club knows no player with the id {command.person!r}")
    if by != "consent":
        _check_free(case, named)
    if by == "directs" and not named.directs:
        raise Refusal("misfit", "this person does not direct here: make a deputy of him first")
    now = None if case.ruler is None else case.ruler.person
    if now is not None and now in named.ids:
        return []
    if now != command.instead:
        raise Refusal("changed", "somebody else was named to rule meanwhile: look at the case again", ruler=now)
    return [New(e.RulerAssigned(command.person, by))]


def stepped_back(case: Case, command: c.RecuseRuler, actor: Actor, around: c.Around) -> list[New]:
    """Somebody does not rule here; none where that was said. Raises Refusal for a reason that is not so."""
    named = around.people.get(command.person)
    if named is None:
        raise Refusal("malformed", f"the club knows no player with the id {command.person!r}")
    if not {*actor.people} & {*named.ids}:
        check_leads(case, actor, around)
    elif not actor.directs and not actor.administers and (case.ruler is None or case.ruler.person not in named.ids):
        raise forbidden(actor)
    if any(each.person in named.ids for each in case.recused):
        return []
    true = {
        "party": bool(case.parties & {*named.ids}),
        "friend": bool(case.parties & {*named.close}),
        "first ruler": any(each.person in named.ids for each in around.rulings),
        "asked": True,
    }
    if not true[command.because]:
        raise Refusal("misfit", f"this person is not what you say: `{command.because}`")
    private = None if not command.words else {"note": command.words.strip()[:1000]}
    return [New(e.RulerRecused(command.person, command.because), private)]


def check_rules(case: Case, actor: Actor, around: c.Around) -> None:
    """Raises Refusal for somebody who may not rule on this case now: who does not direct it, or is not the one who was
    named to. One of the table whom all other sides allow to is checked by the match itself."""
    if not case.is_open and not case.pending and not around.owed:
        raise Refusal("misfit", "this case is closed: open it again before you rule")
    if near(case, actor):
        if {*around.allowed} & {*actor.people}:
            return
        raise recused()
    check_directs(case, actor, around)
    if case.ruler is not None and case.ruler.person not in actor.people:
        raise Refusal("changed", "somebody else was named to rule on this case: ask that one", ruler=case.ruler.person)


def check_ruling(case: Case, match: str, asked: Rule, actor: Actor, around: c.Around) -> None:
    """Raises Refusal for a ruling that does not follow from the case: by somebody who may not rule here, or as a
    decision on an appeal about that deal that nobody has decided so."""
    check_rules(case, actor, around)
    if asked.instance == 1:
        return
    deals = {(each.match, each.version): each.deal for each in around.rulings}
    deal = deals.get((match, asked.supersedes or 0))
    against = [each for each in case.appeals if each.match == match and deals.get((match, each.ruling)) == deal]
    again = any(
        (each.match, each.version) == (match, asked.supersedes) and each.instance > 1 for each in around.rulings
    )
    if not again and not any(each.version in around.owed for each in against):
        raise Refusal("misfit", "no appeal has changed this ruling: its panel decides first")
    first = {each.person for each in around.rulings if (each.match, each.deal, each.instance) == (match, deal, 1)}
    if first & {*actor.people}:
        raise Refusal("recused", "you made the ruling that the appeal was against: somebody else makes the new one")


def _check_free(case: Case, named: c.NamedPerson) -> None:
    """Raises Refusal for a ruler who is near to the case, or stepped back from it."""
    if case.parties & {*named.ids, *named.close} or any(each.person in named.ids for each in case.recused):
        raise Refusal("recused", "this person is of one of the sides, close to somebody who is, or stepped back")


def _naming(case: Case, person: str, actor: Actor, around: c.Around) -> Naming:
    """The ground on which somebody is named: who directs names one who does, or takes it on; where nobody here may rule
    the secretary names one person; the other sides may allow it to one of the table. Raises Refusal."""
    own = person in actor.people
    if own and person in around.allowed and actor.directs:
        return "consent"
    if actor.directs:
        check_directs(case, actor, around)
        return "directs"
    if not actor.administers or actor.tournament is not None or actor.match is not None:
        raise forbidden(actor)
    if near(case, actor):
        raise recused()
    free = [each for each in around.others if not any(gone.person == each for gone in case.recused)]
    if free:
        raise Refusal("forbidden", "somebody is here who may rule: ask that one", rulers=sorted(free))
    if around.allowed:
        raise Refusal("forbidden", "the other side has allowed somebody of the table to rule: that one does")
    return "secretary"
