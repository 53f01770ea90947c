"""Statements: each side says what happened before it reads what the other one says."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from domain.case import commands as c
from domain.case import events as e
from domain.case.rights import check_directs, checked_side
from domain.case.state import Case
from domain.log.actor import Actor
from domain.log.decider import New, Refusal
from domain.log.event import JsonObject

LONGEST: Final = 4000  # letters of what somebody says at a time
MOST: Final = 20  # statements of one side
WITNESSES: Final = 50
TAPPED: Final = (
    "somebody of this name has stated already from a phone of the table: say more on your own phone, or with your PIN"
)


def opens_at(case: Case, times: Mapping[int, datetime]) -> datetime | None:
    """The time at which the statements open by themselves: the club's minutes after the first one. None without one."""
    first = times.get(case.statements[0].version) if case.statements else None
    return None if first is None else first + timedelta(minutes=case.minutes)


def are_open(case: Case, at: datetime, times: Mapping[int, datetime]) -> bool:
    """Tells whether everybody in the case may read what all sides said: all have stated, a director opened it early, or
    the club's time has passed."""
    if case.opened or {each.side for each in case.statements} == set(range(len(case.sides))):
        return True
    ends = opens_at(case, times)
    return ends is not None and at >= ends


def stated(case: Case, command: c.MakeStatement, actor: Actor, around: c.Around) -> list[New]:
    """A side states. Raises Refusal."""
    side = checked_side(case, command.side, actor, around)
    private = said(command.words)
    if private is None:
        raise Refusal("malformed", "`words`: say what happened")
    if sum(each.side == side for each in case.statements) >= MOST:
        raise Refusal("misfit", f"your side has stated {MOST} times: tell the director the rest")
    own = case.side_of(actor)
    person = actor.person if own is not None else None
    if actor.by_code and any(each.strength == "table" and each.person in actor.people for each in case.statements):
        raise Refusal("misfit", TAPPED)
    return [New(e.StatementSealed(side, person, actor.strength), private)]


def opened(case: Case, actor: Actor, around: c.Around) -> list[New]:
    """The statements are open; none where they are. Raises Refusal."""
    check_directs(case, actor, around)
    if not case.statements:
        raise Refusal("misfit", "nobody has stated yet: there is nothing to open")
    return [] if are_open(case, around.at, around.times) else [New(e.StatementsOpened())]


def witness_heard(case: Case, command: c.HearWitness, actor: Actor, around: c.Around) -> list[New]:
    """The words of a witness are written down. Raises Refusal."""
    check_directs(case, actor, around)
    private = said(command.words)
    if private is None:
        raise Refusal("malformed", "`words`: write down what the witness said")
    if command.person not in around.people:
        raise Refusal("malformed", f"the club knows no player with the id {command.person!r}")
    if len(case.witnesses) >= WITNESSES:
        raise Refusal("misfit", f"{WITNESSES} witnesses were heard: no more can be written down")
    return [New(e.WitnessHeard(command.person), private)]


def said(words: str | None) -> JsonObject | None:
    """Words as the private part of an event; None without any. Raises Refusal for more than anybody reads."""
    told = (words or "").strip()
    if len(told) > LONGEST:
        raise Refusal("malformed", f"`words`: at most {LONGEST} letters at a time, and these are {len(told)}")
    return {"note": told} if told else None
