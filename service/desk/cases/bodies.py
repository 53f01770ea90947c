"""The bodies of the API of cases."""

from typing import Annotated, Literal, TypeAlias
from uuid import UUID

import msgspec

from domain.case.events import AppealOutcome, Because, Ended
from domain.case.statements import LONGEST
from service.desk.bodies import Body, Number, PersonId, Pin, Reason, Side, Version, Write

Words: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
Code: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[A-Z][A-Z0-9]{1,7}(?![\s\S])")]
Entry: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
Called: TypeAlias = Literal["call", "finding", "slow", "other"]  # a dispute is said of a result, and opens its own


class CallBody(Body, frozen=True, kw_only=True):
    """Call the director to a match: to the `deal` that is named, else to the last one, and to entries `at` some
    versions; `code` is the irregularity that is meant. A `side` is named by whoever plays on none."""

    reason: Words | None = None
    matter: Called = "call"
    deal: Number | None = None
    at: Annotated[list[Entry], msgspec.Meta(max_length=40)] = []
    code: Code | None = None
    side: Side | None = None


class FixtureCallBody(Body, frozen=True, kw_only=True):
    """Call the director to a match of a tournament by its name in the plan, also to one that was never played; `stage`,
    from 1, else the one that is on."""

    fixture: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    stage: Annotated[int, msgspec.Meta(ge=1, le=8)] | None = None
    reason: Words | None = None
    matter: Literal["call", "slow", "other"] = "other"
    code: Code | None = None
    side: Side | None = None


class StatementBody(Write, frozen=True, kw_only=True):
    """State what happened. On a device of somebody else with the `pin` of a `person` of the side; a director writes
    down what a `side` says."""

    words: Words
    side: Side | None = None
    pin: Pin | None = None
    person: PersonId | None = None


class WitnessBody(Write, frozen=True, kw_only=True):
    """Write down what a witness says: a person of the club."""

    person: PersonId
    words: Words


class RulerBody(Write, frozen=True, kw_only=True):
    """Say who rules, `instead` of whom, as far as is known."""

    person: PersonId
    instead: PersonId | None = None


class RecusalBody(Write, frozen=True, kw_only=True):
    """Say that somebody does not rule here, and why."""

    person: PersonId
    because: Because
    reason: Reason | None = None


class JoinBody(Write, frozen=True, kw_only=True):
    """Have a further match, deal or entries heard with a case."""

    match: UUID
    deal: Number | None = None
    at: Annotated[list[Entry], msgspec.Meta(max_length=40)] = []
    code: Code | None = None
    reason: Words | None = None


class PlainBody(Write, frozen=True, kw_only=True):
    """A step that needs no more than a reason."""

    reason: Words | None = None


class CloseBody(Write, frozen=True, kw_only=True):
    """Close a case: how it ended, and the reason."""

    ended: Ended
    reason: Words | None = None


class AppealBody(Write, frozen=True, kw_only=True):
    """Appeal against the ruling at a version of a match of the case (the first one where none is named)."""

    ruling: Entry
    match: PersonId | None = None
    side: Side | None = None
    grounds: Words | None = None
    pin: Pin | None = None
    person: PersonId | None = None


class DecisionBody(Write, frozen=True, kw_only=True):
    """Decide an appeal: the panel of one to three, who of it would have decided otherwise, and the grounds. A changed
    ruling is made in the match."""

    outcome: AppealOutcome
    panel: Annotated[list[PersonId], msgspec.Meta(max_length=3)] = []
    dissent: Annotated[list[PersonId], msgspec.Meta(max_length=3)] = []
    grounds: Words | None = None


class CalledAnswer(msgspec.Struct, frozen=True):
    """The case that a call is heard in."""

    case: str


class SteppedAnswer(msgspec.Struct, frozen=True):
    """The case after a step: its version, and the events that were recorded."""

    case: str
    version: Version
    events: tuple[str, ...]
