"""The bodies of what puts a record right: corrections, proposals and answers, affirmations, a seal."""

from typing import Annotated, TypeAlias

import msgspec

from domain.log.event import JsonObject
from domain.match.mending_events import Cause, Mend
from service.desk.bodies import Number, PersonId, Pin, Reason, Side, Write

EntryVersion: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
Accepts: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class CorrectionBody(Write, frozen=True, kw_only=True):
    """Replace the fact or result at `version`, take the fact out (`now` null), or with `insert` put `now` behind it (or
    at the beginning of the deal that starts at `version`). A director who saw that later entries no longer fit says how
    many with `accepts`."""

    version: EntryVersion
    now: JsonObject | None
    reason: Reason
    insert: bool = False
    accepts: Accepts = 0

    @property
    def do(self) -> Mend | None:
        """The act done with the entry, as far as the body says it."""
        return "insert" if self.insert else None


class WithdrawalBody(Write, frozen=True, kw_only=True):
    """The fact at `version` was taken back at the table, for the irregularity `code`."""

    version: EntryVersion
    code: Annotated[str, msgspec.Meta(pattern=r"^[A-Z][A-Z0-9]{1,7}(?![\s\S])")] | None = None
    reason: Reason | None = None
    accepts: Accepts = 0


class ProposalBody(Write, frozen=True, kw_only=True):
    """Propose a correction to the other side: as in a correction, with the kind of slip; `accepts` where it is so late
    that a director proposes and the secretary agrees."""

    version: EntryVersion
    now: JsonObject | None
    reason: Reason
    insert: bool = False
    cause: Cause = "mistyped"
    accepts: Accepts = 0

    @property
    def do(self) -> Mend | None:
        """The act done with the entry, as far as the body says it."""
        return "insert" if self.insert else None


class SpokenBody(Write, frozen=True, kw_only=True):
    """What a side takes back; on a device of somebody else with the `pin` of a player of `side`: `person`, where it has
    two."""

    side: Side | None = None
    pin: Pin | None = None
    person: PersonId | None = None
    reason: Reason | None = None


class AnswerBody(Write, frozen=True, kw_only=True):
    """Yes or no to a proposed correction; a director says with `accepts` how many later entries no longer fit. By PIN
    on a device of somebody else: `pin`, `side` and `person`, where it has two."""

    yes: bool
    accepts: Accepts = 0
    side: Side | None = None
    pin: Pin | None = None
    person: PersonId | None = None
    reason: Reason | None = None


class AffirmationBody(Write, frozen=True, kw_only=True):
    """These entries of a deal are what was played, whole tricks; `inspected`: a director looked at the cards. By PIN on
    a device of somebody else: `pin`, `side` and `person`, where it has two."""

    deal: Number
    versions: Annotated[list[Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]], msgspec.Meta(max_length=400)]
    inspected: bool = False
    side: Side | None = None
    pin: Pin | None = None
    person: PersonId | None = None
    reason: Reason | None = None


class SealBody(Write, frozen=True, kw_only=True):
    """Seal the record of a match that is over, before its time."""

    reason: Reason
