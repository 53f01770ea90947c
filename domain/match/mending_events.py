"""Events that mend a record, or say that it is right: what was taken back, corrected, inserted, proposed, affirmed."""

from typing import ClassVar, Literal, TypeAlias

import msgspec

from domain.log.actor import Strength
from domain.match.event import Agreed, ChainHead, Event, Version, Window

Mend: TypeAlias = Literal["replace", "insert", "remove"]
Cause: TypeAlias = Literal["mistyped", "missed", "too-many", "exchanged", "other"]


class FactUndone(Event, frozen=True):
    """The last fact or result was taken back: it names the version that it supersedes. `withdrawn` when
    the table took it back (rectification), not the scorer a slip (transcription); a table says so by FactWithdrawn
    since."""

    version: Version
    withdrawn: bool = False


class FactWithdrawn(Event, frozen=True):
    """The table took a fact back, at any place of the deal (*rectification*): the card lay on the table, and was picked
    up again. `code` is the irregularity for which it was; in which window, and in which case, if there was one."""

    deal: int
    version: Version
    code: str | None = None
    window: Window | None = None
    case: str | None = None


class FactInserted(Event, frozen=True):
    """A fact that was forgotten stands in the record now (*transcription*), behind the entry at version `after`: a
    fact, or the deal's start. It hides what the fact hides."""

    hides: ClassVar = ("fact",)

    deal: int
    after: Version
    fact: msgspec.Raw
    window: Window | None = None
    consents: tuple[Agreed, ...] = ()
    case: str | None = None


class EntryCorrected(Event, frozen=True):
    """An earlier fact or result was wrong in the record and is replaced (*transcription*); `now` null takes a fact out
    that was one too many. It hides what the fact that it replaces or brings hides. In which window it was, which sides
    consented, and in which case, if there was one (schema 2)."""

    hides: ClassVar = ("now",)

    version: Version
    now: msgspec.Raw
    window: Window | None = None
    consents: tuple[Agreed, ...] = ()
    case: str | None = None


class CorrectionProposed(Event, frozen=True):
    """A side says that the record is wrong, and what is right: the entry at a version is to be replaced by `now`, or
    taken out, or `now` stands behind it. `cause` is the kind of slip. It hides what that fact hides."""

    hides: ClassVar = ("now",)

    deal: int
    version: Version
    do: Mend
    now: msgspec.Raw
    cause: Cause
    side: int | None
    person: str | None = None
    strength: Strength | None = None


class CorrectionAnswered(Event, frozen=True):
    """A side (null: the secretary) answers a proposal. With the yes of each other side it is carried out in the same
    append."""

    proposal: Version
    side: int | None
    yes: bool
    person: str | None = None
    strength: Strength | None = None


class EntriesAffirmed(Event, frozen=True):
    """These entries are what was played: a side says so, or (`side` null, `inspected`) a director who looked at the
    turned cards. It admits entries, not a breach. `head` is the event before it."""

    deal: int
    versions: tuple[Version, ...]
    side: int | None
    person: str | None
    strength: Strength
    head: ChainHead | None = None


class AffirmationWithdrawn(Event, frozen=True):
    """An affirmation was taken back, before a ruling rested on it."""

    affirmation: Version
