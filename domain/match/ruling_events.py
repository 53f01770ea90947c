"""Events of what a director says of a deal: irregularities that were called, rulings, and who accepted them."""

from typing import Literal, TypeAlias

import msgspec

from domain.log.actor import Strength
from domain.match.event import ChainHead, Event, Version

Remedy: TypeAlias = str  # the key of a remedy: one of a game's catalogue, or one of `OWN_REMEDIES`
Instance: TypeAlias = Literal[1, 2]


class Found(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A finding on which a ruling rests, as it stood then: the code, the version where it happened, the versions on
    which it rests, and its grade."""

    code: str | None
    at: Version
    rests_on: tuple[Version, ...] = ()
    grade: Literal["P", "C", "T"] = "T"


class IrregularityNoted(Event, frozen=True):
    """An irregularity was called at an event of this match. A file brings it; at the table a case is opened instead."""

    deal: int
    code: str
    at: Version


class RulingMade(Event, frozen=True):
    """The director ruled on a deal (*rectification*); `scores` by side is then in force (null: the score stands).
    `procedural` points by side, never above 0, count beside it. Since schema 2: the case, the findings as they were
    then, the `remedy` by its key, the ruling that this one supersedes, its instance (2: a committee's, on appeal), the
    ledger number that decides, and the version of the audit that found. What the director holds to have happened, and
    the reasons, are private."""

    deal: int
    code: str
    at: Version | None
    scores: tuple[int, ...] | None
    case: str | None = None
    findings: tuple[Found, ...] = ()
    remedy: Remedy | None = None
    procedural: tuple[int, ...] | None = None
    supersedes: Version | None = None
    instance: Instance = 1
    rule: str | None = None
    audit: int | None = None


class RulingAccepted(Event, frozen=True):
    """A side accepted the ruling on a deal: which one, who said so, and how strongly (schema 2; in schema 1 the last
    one of the deal)."""

    deal: int
    side: int
    ruling: Version | None = None
    person: str | None = None
    strength: Strength | None = None


class MatchSealed(Event, frozen=True):
    """A director sealed the record before its time: the `head` it stands on, and the totals by side. Nothing changes
    any more; what is noted later stands beside it."""

    head: ChainHead | None
    scores: tuple[int, ...]
