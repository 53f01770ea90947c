"""The state of a case: what the fold of its events gives."""

from collections.abc import Iterable

import msgspec

from domain.case import events as e
from domain.case.events import AppealOutcome, Because, CasePlace, Ended, Matter, Naming, Sides
from domain.log.actor import Actor, Reach, Strength


class DirectorCall(msgspec.Struct, frozen=True):
    """A call that the case hears: its version, what it is about, and who called."""

    version: int
    matter: Matter
    place: CasePlace
    code: str | None = None
    side: int | None = None
    person: str | None = None
    dispute: int | None = None

    @property
    def looks(self) -> bool:
        """True where no side called: a director looks into a finding by himself, and the sides hear of it when the
        signal policy tells them what is found there."""
        return self.matter == "finding" and self.side is None


class Statement(msgspec.Struct, frozen=True):
    """A statement: its version, the side, who spoke for it, and how sure it is who that was."""

    version: int
    side: int
    person: str | None
    strength: Strength = "own device"


class Witness(msgspec.Struct, frozen=True):
    """A witness: the version at which he was heard."""

    version: int
    person: str


class Ruler(msgspec.Struct, frozen=True):
    """The person who rules: since which version, and what allows it."""

    version: int
    person: str
    by: Naming


class Recusal(msgspec.Struct, frozen=True):
    """A person who does not rule, since which version, and why."""

    version: int
    person: str
    because: Because


class Appeal(msgspec.Struct, frozen=True):
    """An appeal of a side against a ruling in a match; `heard` is the version at which it was decided (0: not yet)."""

    version: int
    match: str
    ruling: int
    side: int
    heard: int = 0
    outcome: AppealOutcome | None = None
    panel: tuple[str, ...] = ()


class Case(msgspec.Struct, frozen=True):
    """A case. `calls` are what it hears, the first one opened it; `sides` whom it is between; `opened` is the version
    at which a director opened the statements (0: nobody did), `closed` that at which the case was closed (0: it is
    open), `ended` how, `reopened` that at which it was last opened again (0: never)."""

    version: int = 0
    calls: tuple[DirectorCall, ...] = ()
    sides: Sides = ()
    minutes: int = 0
    statements: tuple[Statement, ...] = ()
    opened: int = 0
    witnesses: tuple[Witness, ...] = ()
    ruler: Ruler | None = None
    recused: tuple[Recusal, ...] = ()
    appeals: tuple[Appeal, ...] = ()
    closed: int = 0
    ended: Ended | None = None
    reopened: int = 0

    @property
    def matter(self) -> Matter:
        """The matter for which it was opened."""
        return self.calls[0].matter

    @property
    def is_open(self) -> bool:
        """Tells whether it is heard: nobody has closed it."""
        return bool(self.version) and not self.closed

    @property
    def is_heard(self) -> bool:
        """Tells whether what is said in it is still needed: it is open, or an appeal waits."""
        return self.is_open or bool(self.pending)

    @property
    def concerned(self) -> frozenset[str]:
        """The ids of all who have something to say in it: the parties, who called, witnesses."""
        callers = {each.person for each in self.calls if each.person is not None}
        return self.parties | callers | {each.person for each in self.witnesses}

    @property
    def pending(self) -> tuple[Appeal, ...]:
        """The appeals that nobody has decided yet."""
        return tuple(each for each in self.appeals if not each.heard)

    @property
    def parties(self) -> frozenset[str]:
        """The ids of all whom it is between."""
        return frozenset(person for side in self.sides for person in side)

    def places(self) -> tuple[CasePlace, ...]:
        """The places that it is about, each once."""
        return tuple(dict.fromkeys(each.place for each in self.calls))

    def side_of(self, actor: Actor) -> int | None:
        """The side to which whoever acts belongs, in which role ever."""
        return side_in(self.sides, actor.people)


NO_CASE = Case()


def side_in(sides: Sides, people: Iterable[str]) -> int | None:
    """The side of these with one of the people in it."""
    own = set(people)
    return next((number for number, side in enumerate(sides) if own & set(side)), None)


def reach(state: Case, stream: str) -> tuple[Reach, ...]:
    """The matches and fixtures that a case is about, each with its tournament."""
    return tuple(dict.fromkeys(Reach(each.match, each.tournament) for each in state.places()))


def fold(state: Case, recorded: Iterable[tuple[int, e.CaseEvent]]) -> Case:
    """The case after these events, each with its version."""
    for version, event in recorded:
        state = msgspec.structs.replace(_after(state, version, event), version=version)
    return state


def _after(case: Case, version: int, event: e.CaseEvent) -> Case:
    """The case after one event."""
    change = msgspec.structs.replace
    match event:
        case e.CaseOpened():
            return change(case, calls=(_call(version, event),), sides=event.sides, minutes=event.minutes)
        case e.CaseJoined():
            return change(case, calls=(*case.calls, _call(version, event)), sides=event.sides)
        case e.StatementSealed():
            said = Statement(version, event.side, event.person, event.strength)
            return change(case, statements=(*case.statements, said))
        case e.StatementsOpened():
            return change(case, opened=case.opened or version)
        case e.WitnessHeard():
            return change(case, witnesses=(*case.witnesses, Witness(version, event.person)))
        case e.RulerAssigned():
            return change(case, ruler=Ruler(version, event.person, event.by))
        case e.RulerRecused():
            return _recused(case, version, event)
        case e.AppealLodged():
            lodged = Appeal(version, event.match, event.ruling, event.side)
            return change(case, appeals=(*case.appeals, lodged))
        case e.AppealHeard():
            return change(case, appeals=tuple(_heard(each, version, event) for each in case.appeals))
        case e.CaseClosed():
            return change(case, closed=version, ended=event.ended)
        case e.CaseReopened():
            return change(case, closed=0, ended=None, reopened=version)
        case _:
            return case


def _call(version: int, event: e.CaseOpened | e.CaseJoined) -> DirectorCall:
    return DirectorCall(version, event.matter, event.place, event.code, event.side, event.person, event.dispute)


def _recused(case: Case, version: int, event: e.RulerRecused) -> Case:
    """The case without a ruler who stepped back."""
    left = None if case.ruler is not None and case.ruler.person == event.person else case.ruler
    stepped = Recusal(version, event.person, event.because)
    return msgspec.structs.replace(case, recused=(*case.recused, stepped), ruler=left)


def _heard(appeal: Appeal, version: int, event: e.AppealHeard) -> Appeal:
    if appeal.version != event.appeal:
        return appeal
    return msgspec.structs.replace(appeal, heard=version, outcome=event.outcome, panel=event.panel)
