"""Events of a case: who called whom to what, what was said, who rules, appeals, and how it ended.

A case is procedure. Whatever changes a score stands in the match, which folds by itself. Every word that a person said
or wrote is private and stands beside the event.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec

from domain.log.actor import Strength

Matter: TypeAlias = Literal["call", "dispute", "finding", "slow", "other"]
Because: TypeAlias = Literal["party", "friend", "first ruler", "asked"]
Ended: TypeAlias = Literal["ruled", "stands", "corrected", "withdrawn", "unfounded"]
AppealOutcome: TypeAlias = Literal["stands", "changed", "withdrawn", "nobody"]
Naming: TypeAlias = Literal["directs", "consent", "secretary"]
Version: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
Sides: TypeAlias = tuple[tuple[str, ...], ...]


class CaseEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a case."""


class CasePlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place that a case is about: a match with its tournament, or a fixture that no match was opened for (`stage`
    from 0, its name in the plan); there a deal, and versions in it."""

    match: str | None = None
    tournament: str | None = None
    stage: int | None = None
    fixture: str | None = None
    deal: int | None = None
    at: tuple[Version, ...] = ()


class CaseOpened(CaseEvent, frozen=True):
    """A director is called, or begins by himself. `sides` are the ids of those whom it is between, `side` and `person`
    tell who calls (null: nobody of them), `code` the irregularity that is meant. Of a dispute in the match its version
    there. A statement stays sealed for so many `minutes`, unless all sides have stated. What the caller says is
    private."""

    matter: Matter
    place: CasePlace
    sides: Sides
    minutes: int
    code: str | None = None
    side: int | None = None
    person: str | None = None
    dispute: Version | None = None


class CaseJoined(CaseEvent, frozen=True):
    """A further call, or a further match, deal or place, is heard with it. `sides` are those of the case from here on:
    the earlier ones come first. What the caller says is private."""

    matter: Matter
    place: CasePlace
    sides: Sides
    code: str | None = None
    side: int | None = None
    person: str | None = None
    dispute: Version | None = None


class StatementSealed(CaseEvent, frozen=True):
    """A side states what happened; its words are private, and sealed. `strength` says how sure it is who states."""

    side: int
    person: str | None
    strength: Strength


class StatementsOpened(CaseEvent, frozen=True):
    """A director opened the statements before all were in, or the time had passed."""


class WitnessHeard(CaseEvent, frozen=True):
    """A witness was heard; the words are private."""

    person: str


class RulerAssigned(CaseEvent, frozen=True):
    """A person rules here: one who directs, one of the table whom the other sides allow to, or one whom the secretary
    names."""

    person: str
    by: Naming


class RulerRecused(CaseEvent, frozen=True):
    """A person does not rule here, and why. More words on it are private."""

    person: str
    because: Because


class AppealLodged(CaseEvent, frozen=True):
    """A side appeals against a ruling in a match; its grounds are private."""

    match: str
    ruling: Version
    side: int
    person: str | None = None


class AppealHeard(CaseEvent, frozen=True):
    """An appeal is decided: the panel, who of it would have decided otherwise, and how it ended (`nobody`: there is
    nobody who may hear it). The grounds are private; a changed ruling is made in the match."""

    appeal: Version
    panel: tuple[str, ...]
    outcome: AppealOutcome
    dissent: tuple[str, ...] = ()


class CaseClosed(CaseEvent, frozen=True):
    """A director closed the case; the reason is private."""

    ended: Ended


class CaseReopened(CaseEvent, frozen=True):
    """The case goes on; the reason is private."""


OWN_EVENTS: tuple[type[CaseEvent], ...] = (
    CaseOpened,
    CaseJoined,
    StatementSealed,
    StatementsOpened,
    WitnessHeard,
    RulerAssigned,
    RulerRecused,
    AppealLodged,
    AppealHeard,
    CaseClosed,
    CaseReopened,
)
