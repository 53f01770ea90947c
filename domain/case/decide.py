"""Decisions: which events a command on a case leads to, or why it is refused."""

from domain.case import appeals, calling, rulers, settling, statements
from domain.case import commands as c
from domain.case import events as e
from domain.case.rights import check_directs
from domain.case.state import Case
from domain.log.actor import Actor
from domain.log.decider import New, Refusal


def decide(state: Case, command: c.CaseCommand, actor: Actor) -> list[New]:
    """The events of a command of `actor`; none for what stands already. Raises Refusal."""
    if isinstance(command, c.OpenCase):
        if state.version:
            raise Refusal("changed", "this case has been opened already")
        return calling.opened(command, actor)
    if not state.version or command.around is None:
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    match command:
        case c.LodgeAppeal():
            return appeals.lodged(state, command, actor, command.around)
        case c.HearAppeal():
            return appeals.heard(state, command, actor, command.around)
        case c.ReopenCase():
            return _reopened(state, command, actor, command.around)
        case c.CloseSettled():
            return settling.closed(state, actor, command.around)
        case _:
            if state.closed and not (state.pending and isinstance(command, HEARING)):
                raise Refusal("misfit", "this case is closed: a director can open it again")
            return _while_open(state, command, actor, command.around)


HEARING = (c.MakeStatement, c.OpenStatements, c.HearWitness, c.RecuseRuler)  # an appeal is heard as a case is


def _while_open(case: Case, command: c.CaseCommand, actor: Actor, around: c.Around) -> list[New]:
    """The events of a command while the case is heard. Raises Refusal."""
    match command:
        case c.JoinCase():
            return calling.joined(case, command, actor, around)
        case c.MakeStatement():
            return statements.stated(case, command, actor, around)
        case c.OpenStatements():
            return statements.opened(case, actor, around)
        case c.HearWitness():
            return statements.witness_heard(case, command, actor, around)
        case c.AssignRuler():
            return rulers.assigned(case, command, actor, around)
        case c.RecuseRuler():
            return rulers.stepped_back(case, command, actor, around)
        case c.CloseCase():
            check_directs(case, actor, around)
            if around.owed:
                raise Refusal("misfit", "an appeal has changed a ruling: make the new one in the match, then close")
            return [New(e.CaseClosed(command.ended), statements.said(command.words))]
        case _:
            raise AssertionError("decided before")


def _reopened(case: Case, command: c.ReopenCase, actor: Actor, around: c.Around) -> list[New]:
    """The case goes on; none where it is open. Raises Refusal."""
    check_directs(case, actor, around)
    return [New(e.CaseReopened(), statements.said(command.words))] if case.closed else []
