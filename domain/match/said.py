"""Words in force about a match, beside its facts: rulings, affirmations, proposals, claims, signatures, consents,
disputes, and figures that were written down."""

from typing import Literal, TypeAlias

import msgspec

from domain.game.protocol import AnyEntry
from domain.log.actor import Strength
from domain.match.event import Agreed
from domain.match.mending_events import CorrectionProposed
from domain.match.ruling_events import Found

Claimed: TypeAlias = Literal["result", "pause", "void"]


class Ruling(msgspec.Struct, frozen=True, gc=False):
    """A ruling on a deal: the version that made it, the code, the scores by side, if adjusted, the sides that accepted
    it; its case, what it rests on, its remedy, procedural points by side, the ruling that it supersedes, its
    instance (2: on appeal), and the ledger number that decides."""

    version: int
    code: str
    at: int | None
    scores: tuple[int, ...] | None
    accepted: tuple[int, ...] = ()
    case: str | None = None
    findings: tuple[Found, ...] = ()
    remedy: str | None = None
    procedural: tuple[int, ...] | None = None
    supersedes: int | None = None
    instance: int = 1
    rule: str | None = None


class Affirmed(msgspec.Struct, frozen=True, gc=False):
    """An affirmation in force: these versions are what was played, says a side (None: a director who looked)."""

    version: int
    versions: tuple[int, ...]
    side: int | None
    person: str | None
    strength: Strength


class Proposal(msgspec.Struct, frozen=True, gc=False):
    """A proposed correction that is neither carried out nor refused: its version, what it says, and who agrees."""

    version: int
    event: CorrectionProposed
    agreed: tuple[Agreed, ...] = ()


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A claim of a side that may not see every hand about a deal that is on: its result, a pause, or that it is void.
    `agreed` are the sides that say so; when all do, it is so."""

    version: int
    side: int
    what: Claimed
    entry: AnyEntry | None = None
    agreed: tuple[int, ...] = ()


class Signature(msgspec.Struct, frozen=True, gc=False):
    """A signature of a side: its version, who signed (None: whoever keeps the score), and how strongly."""

    version: int
    person: str | None = None
    strength: Strength | None = None


class Consent(msgspec.Struct, frozen=True, gc=False):
    """A consent of a side that somebody of the other one directs here once: on a deal, or (None) of the match."""

    version: int
    deal: int | None
    side: int
    ruler: str


class OpenDispute(msgspec.Struct, frozen=True, gc=False):
    """A dispute that is open: the version that began it, the deal (None: the whole match), and whose it is."""

    version: int
    deal: int | None
    side: int | None


class Stated(msgspec.Struct, frozen=True, gc=False):
    """Figures or cards that were written down beside the facts."""

    version: int
    what: str
    stated: msgspec.Raw
