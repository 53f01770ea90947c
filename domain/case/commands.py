"""Commands on a case: one Struct each, in the imperative. Facts that stand elsewhere (the time, who somebody is, the
rulings in the match) come with them, as they are when the command is decided."""

from collections.abc import Mapping
from datetime import datetime
from typing import TypeAlias

import msgspec

from domain.case.events import AppealOutcome, Because, CasePlace, Ended, Matter, Sides
from domain.case.state import Appeal
from domain.log.actor import Strength


class NamedPerson(msgspec.Struct, frozen=True):
    """A person whom a command names, as the club knows him: all ids, those who are close, and whether he may direct
    where the case is."""

    ids: tuple[str, ...]
    close: tuple[str, ...] = ()
    directs: bool = False


class Ruled(msgspec.Struct, frozen=True):
    """A ruling in a match of the case: its version and deal, who made it and when, the sides of the case that accepted
    it, its instance, whether a later one has taken its place, and whether T2 of its deal is over."""

    match: str
    version: int
    deal: int
    person: str | None
    at: datetime
    accepted: tuple[int, ...] = ()
    instance: int = 1
    superseded: bool = False
    late: bool = False


class Settled(msgspec.Struct, frozen=True):
    """A dispute that a case hears and that is over: the version of its call in the case, and how it ended."""

    call: int
    ended: Ended


class Around(msgspec.Struct, frozen=True):
    """The surroundings of a case at a moment: now, the times of its own versions, the people that a command names,
    those who may rule here and are there today, those who may ever hear an appeal, the people of the table whom all
    other sides allow to direct, the rulings in its matches, the appeals whose changed ruling is still `owed` there, and
    the disputes of its calls that are `settled`. `asks` is the least strength that is asked for there; `appeals` are
    those that other cases hold against rulings in its matches."""

    at: datetime
    times: Mapping[int, datetime] = {}
    people: Mapping[str, NamedPerson] = {}
    others: tuple[str, ...] = ()
    hearers: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    rulings: tuple[Ruled, ...] = ()
    owed: tuple[int, ...] = ()
    settled: tuple[Settled, ...] = ()
    asks: Strength | None = None
    appeals: tuple[Appeal, ...] = ()


class CommandOnCase(msgspec.Struct, frozen=True, kw_only=True):
    """A command on a case. `words` are what somebody says: private."""

    words: str | None = None
    around: Around | None = None


class Calling(CommandOnCase, frozen=True, kw_only=True):
    """A call that opens a case or joins one: the matter, the place, the sides there, and who calls."""

    matter: Matter
    place: CasePlace
    sides: Sides
    code: str | None = None
    side: int | None = None
    person: str | None = None
    dispute: int | None = None


class OpenCase(Calling, frozen=True, kw_only=True):
    """Call the director, to a place between these sides; a statement stays sealed for so many `minutes`."""

    minutes: int


class JoinCase(Calling, frozen=True, kw_only=True):
    """Have a further call, match, deal or place heard with a case."""


class MakeStatement(CommandOnCase, frozen=True, kw_only=True):
    """State what happened, for a side."""

    side: int | None = None


class OpenStatements(CommandOnCase, frozen=True, kw_only=True):
    """Open the statements before their time."""


class HearWitness(CommandOnCase, frozen=True, kw_only=True):
    """Write down what a witness says."""

    person: str


class AssignRuler(CommandOnCase, frozen=True, kw_only=True):
    """Say who rules; `instead` of whom, as far as whoever says it knows."""

    person: str
    instead: str | None = None


class RecuseRuler(CommandOnCase, frozen=True, kw_only=True):
    """Say that somebody does not rule here."""

    person: str
    because: Because


class LodgeAppeal(CommandOnCase, frozen=True, kw_only=True):
    """Appeal against a ruling, for a side."""

    match: str
    ruling: int
    side: int | None = None


class HearAppeal(CommandOnCase, frozen=True, kw_only=True):
    """Decide an appeal as a panel of one to three, the most of whom say so."""

    appeal: int
    panel: tuple[str, ...]
    outcome: AppealOutcome
    dissent: tuple[str, ...] = ()


class CloseCase(CommandOnCase, frozen=True, kw_only=True):
    """Close a case."""

    ended: Ended


class CloseSettled(CommandOnCase, frozen=True, kw_only=True):
    """Close a case that was opened for disputes which are over, where that leaves nobody anything to do."""


class ReopenCase(CommandOnCase, frozen=True, kw_only=True):
    """Hear a case again."""


CaseCommand: TypeAlias = (
    OpenCase
    | JoinCase
    | MakeStatement
    | OpenStatements
    | HearWitness
    | AssignRuler
    | RecuseRuler
    | LodgeAppeal
    | HearAppeal
    | CloseCase
    | CloseSettled
    | ReopenCase
)
