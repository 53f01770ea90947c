"""Decisions by two: a correction that a side proposes and each other side agrees to, while the table's own time runs;
late, one that a director proposes and the secretary agrees to."""

from typing import Final

from domain.log.actor import Actor
from domain.log.decider import New, Refusal
from domain.match import events as e
from domain.match.changing import SEALED, only_director
from domain.match.event import Agreed, Window
from domain.match.mending import Mending, check_what_follows, deal_meant, deal_with, mending_of
from domain.match.mending_commands import AnswerCorrection, ProposeCorrection
from domain.match.said import Proposal
from domain.match.speaking import ITSELF, check_own_device, voice_of
from domain.match.starting import private_note
from domain.match.state import Deal, Match, side_of
from domain.match.windows import Moment, window

MOST: Final = 6  # proposals that wait at a match


def proposed(match: Match, command: ProposeCorrection, actor: Actor) -> New:
    """A side says what an entry has to be; late, a director does."""
    deal = deal_meant(match, command)
    found = _check_proposes(match, deal, actor, command.moment)
    mending = mending_of(match, command, actor)
    raw = e.UNKNOWN if mending.now is None else mending.now
    side = None if found == "T3" else side_of(match, actor)
    said = (mending.version, mending.do, raw)
    if any((each.event.version, each.event.do, each.event.now) == said for each in match.proposals):
        raise Refusal("misfit", "this correction is proposed already: the other side answers")
    if len(match.proposals) >= MOST:
        raise Refusal("misfit", f"{MOST} proposals wait for an answer here: those first")
    check_what_follows(match, deal, mending.event(found), command.accepts, actor, found == "T3")
    by = actor.strength if actor.role == "player" or found == "T3" else "scorer"
    event = e.CorrectionProposed(deal.number, mending.version, mending.do, raw, command.cause, side, actor.person, by)
    return New(event, private_note(command.note))


def _check_proposes(match: Match, deal: Deal, actor: Actor, moment: Moment | None) -> Window:
    """The window of a deal in which an actor proposes. Raises Refusal (window-closed)."""
    found = window(match, deal, moment)
    if found == "sealed":
        raise Refusal("window-closed", SEALED)
    if found == "T3" and actor.directs:
        if actor.person is None or actor.strength not in ITSELF:
            raise Refusal("forbidden", "here a person proposes, not a program: sign in as yourself")
        return found
    why = only_director(match, deal, moment)
    if why is None and found == "T0":
        why = f"deal {deal.number} is not confirmed yet: whoever keeps the score corrects it without asking"
    elif why is None and found != "T1":
        why = f"the table's own time for deal {deal.number} is over: ask the director to correct it"
    if why is not None:
        raise Refusal("window-closed", why)
    return found


def answered(match: Match, command: AnswerCorrection, actor: Actor) -> list[New]:
    """A side answers a proposal: with a yes of each other side it is carried out, a no ends it."""
    proposal = next((each for each in match.proposals if each.version == command.proposal), None)
    if proposal is None:
        raise Refusal("misfit", f"no proposal waits at entry {command.proposal}: it was answered, or things changed")
    said = proposal.event
    deal = match.deals[said.deal - 1]
    found = window(match, deal, command.moment)
    given = _answer_in(match, proposal, deal, found, command, actor)
    answer = New(
        e.CorrectionAnswered(proposal.version, given.side, command.yes, given.person, given.strength),
        private_note(command.note),
    )
    if not command.yes:
        return [answer]
    consents = _consents(proposal, given)
    if not actor.directs and found != "T3" and _missing(match, proposal, consents):
        return [answer]
    deal_with(match, said.version, inserting=said.do == "insert")
    mending = Mending(deal, said.do, said.version, None if said.now == e.UNKNOWN else said.now)
    event = mending.event(found, consents)
    check_what_follows(match, deal, event, command.accepts, actor, actor.directs or found == "T3")
    return [answer, New(event)]


def _answer_in(
    match: Match, proposal: Proposal, deal: Deal, found: Window, command: AnswerCorrection, actor: Actor
) -> Agreed:
    """The answer of an actor in a window, as it counts. Raises Refusal."""
    if found == "sealed":
        raise Refusal("window-closed", SEALED)
    if found == "T3":
        return _late_answer(match, proposal, command, actor)
    if actor.directs:
        return Agreed(None, actor.person, actor.strength)
    why = only_director(match, deal, command.moment)
    if why is None and found != "T1":
        why = f"the table's own time for deal {deal.number} is over: the proposal waits for the director"
    if why is not None:
        raise Refusal("window-closed", why)
    voice = voice_of(match, actor, command.own, proposal.version)
    if voice.side == proposal.event.side and command.yes:
        raise Refusal("forbidden", "your side proposed this: the other side answers")
    return Agreed(*voice)


def _late_answer(match: Match, proposal: Proposal, command: AnswerCorrection, actor: Actor) -> Agreed:
    """The answer of the secretary to what a director proposed late. Raises Refusal."""
    said = proposal.event
    if not command.yes and actor.directs:
        return Agreed(None, actor.person, actor.strength)
    if said.side is not None or said.strength not in ITSELF:
        raise Refusal("window-closed", "the table's own time is over: a director proposes it, the secretary agrees")
    if not actor.administers:
        raise Refusal("forbidden", "so late the secretary agrees to it")
    if actor.person is None or actor.strength not in ITSELF:
        raise Refusal("forbidden", "here a person agrees, not a program: sign in as yourself")
    if said.person in actor.people:
        raise Refusal("forbidden", "you proposed this yourself: another person agrees to it")
    near = {*actor.people, *actor.close}
    if any(near & set(players) for players in match.setup.sides):
        raise Refusal("recused", "you play at this table, or are close to somebody who does: ask another secretary")
    check_own_device(actor, command.own, proposal.version)
    return Agreed(None, actor.person, actor.strength)


def _consents(proposal: Proposal, given: Agreed) -> tuple[Agreed, ...]:
    """The consents to a proposal: of the side that made it, and of those that said yes."""
    said = proposal.event
    first = () if said.side is None else (Agreed(said.side, said.person, said.strength or "scorer"),)
    agreed = {each.side: each for each in (*first, *proposal.agreed, given)}
    return tuple(agreed.values())


def _missing(match: Match, proposal: Proposal, consents: tuple[Agreed, ...]) -> set[int]:
    """The sides that have not agreed yet."""
    return set(range(len(match.setup.sides))) - {each.side for each in consents if each.side is not None}


def may_answer(match: Match, proposal: Proposal, actor: Actor) -> bool:
    """Tells a player of another side, who can say yes to a proposal."""
    return side_of(match, actor) not in (None, proposal.event.side)
