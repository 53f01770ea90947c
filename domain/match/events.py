"""Events of a match, beside the facts of its game: one Struct each, in the past tense.

Names are for ever. Ids stand here, never the names of people; words a person wrote (notes, reasons,
comments) are private and stand beside the event, so that they can be erased and the chain stays.
"""

from typing import ClassVar, Literal, TypeAlias

import msgspec

from domain.cards.facts import Fact
from domain.game.race import Race
from domain.log.actor import Strength
from domain.match.event import UNKNOWN, ChainHead, Delay, Event, Signals, Version, Window
from domain.match.mending_events import (
    AffirmationWithdrawn,
    CorrectionAnswered,
    CorrectionProposed,
    EntriesAffirmed,
    EntryCorrected,
    FactInserted,
    FactUndone,
    FactWithdrawn,
)
from domain.match.ruling_events import IrregularityNoted, MatchSealed, RulingAccepted, RulingMade

__all__ = [
    "OWN_EVENTS",
    "UNKNOWN",
    "AffirmationWithdrawn",
    "ChainHead",
    "CorrectionAnswered",
    "CorrectionProposed",
    "DealRestored",
    "DealStarted",
    "DealVoided",
    "Depth",
    "DisputeSettled",
    "EntriesAffirmed",
    "EntryCorrected",
    "Event",
    "FactInserted",
    "FactUndone",
    "FactWithdrawn",
    "HandsOpened",
    "IrregularityNoted",
    "MatchEvent",
    "MatchOpened",
    "MatchSealed",
    "MatchVoided",
    "Moved",
    "NamesRighted",
    "OwnTableAgreed",
    "OwnTableDirected",
    "Recording",
    "RecordingPaused",
    "ResultConfirmed",
    "ResultDisputed",
    "ResultEntered",
    "RulingAccepted",
    "RulingMade",
    "ScoreStated",
    "Settlement",
]

Recording: TypeAlias = Literal["record", "strict"]
Depth: TypeAlias = Literal["full", "plays", "summary"]
Settlement: TypeAlias = Literal["upheld", "corrected", "ruled", "void", "withdrawn"]


class MatchOpened(Event, frozen=True, omit_defaults=True):
    """A match began: its game with rules version and options pinned, the race, and who sits where.

    `sides` are player ids by side; `options` are the game's own options that differ from its defaults. A match of a
    `tournament` names it, and the seat that the pairing lets deal first. `house` is the version of the club's stream at
    which the house rules in force were adopted, from which comes what nobody said; null: there were none (schema 2).
    `signals` says when who is told of a finding (schema 3; before that quiet), `delay` how far behind the
    table everybody is who neither plays, keeps the score nor directs (schema 4; before that not at all).
    """

    game: str
    rules: int
    options: msgspec.Raw
    race: Race
    sides: tuple[tuple[str, ...], ...]
    recording: Recording
    depth: Depth
    tournament: str | None = None
    dealer: int | None = None
    house: int | None = None
    signals: Signals = "quiet"
    delay: Delay = "none"


class MatchVoided(Event, frozen=True):
    """The match will not be played, or does not count: its pairing was taken back. Nothing can be recorded any more."""


class DealStarted(Event, frozen=True):
    """A deal began. `deal` holds the cards where they are known (then not every seat has seen it)."""

    hides: ClassVar = ("deal",)

    number: int
    dealer: int
    depth: Depth
    deal: msgspec.Raw  # `null` where the hands are unknown

    @property
    def known(self) -> bool:
        """Tells whether the cards are there."""
        return self.deal != UNKNOWN


class HandsOpened(Event, frozen=True):
    """A director opened the hands of a deal that is over; from here it is never put back on."""

    deal: int


class RecordingPaused(Event, frozen=True):
    """The scorer fell behind: from here the deal is result-only; what was kept stays. With a `side` it is what that
    side claims, of a deal whose hands it may not see (schema 2)."""

    deal: int
    side: int | None = None


class DealVoided(Event, frozen=True):
    """A deal was declared void: it does not count, and whoever dealt it deals again (ALL.5). With a `side` it is what
    that side claims, of a deal whose hands it may not see (schema 2). Of a deal that is voided for an irregularity its
    `code`, the `case` in which that was found, and the `window` in which it was done (schema 3)."""

    deal: int
    side: int | None = None
    code: str | None = None
    case: str | None = None
    window: Window | None = None


class DealRestored(Event, frozen=True):
    """A void deal counts after all: its facts, its result and what was agreed about it stand as they stood."""

    deal: int


class ResultEntered(Event, frozen=True):
    """A deal's result was entered without its cards (ALL.4). With a `side` it is what that side claims, of a deal whose
    hands it may not see (schema 2)."""

    deal: int
    entry: msgspec.Raw
    side: int | None = None


class ResultConfirmed(Event, frozen=True):
    """A side agreed to a deal's result (schema 2): the `scores` by side that it signed, or the totals of the match with
    its last deal; the `head` it stood on; who signed (null: whoever keeps the score), and how strongly. Signatures of
    before there were people have null for both."""

    deal: int
    side: int
    scores: tuple[int, ...] | None = None
    head: ChainHead | None = None
    person: str | None = None
    strength: Strength | None = None


class Moved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A signature by its version, and the side and person whose it is."""

    version: Version
    side: int
    person: str


class NamesRighted(Event, frozen=True):
    """A wrong name had been tapped at the table: these signatures are those of other people than stands in them. Nobody
    agreed to anything else than before."""

    moved: tuple[Moved, ...]


class OwnTableAgreed(Event, frozen=True):
    """A side agrees that somebody of the other side, or close to it, directs at this table once: rules on the deal, or
    (null) settles what is said of the match."""

    deal: int | None
    side: int
    ruler: str
    person: str | None
    strength: Strength


class OwnTableDirected(Event, frozen=True):
    """Whoever plays at this table, or is close to a side, directs here with the consent given at these versions: what
    stands behind it in the same append."""

    ruler: str
    deal: int | None
    consents: tuple[Version, ...]


class ResultDisputed(Event, frozen=True):
    """Somebody says that a deal's result is wrong, or that of the whole match (`deal` null); `side` is null where no
    side says it. It stands, provisionally, until the director settles it. The words are private."""

    deal: int | None
    side: int | None


class DisputeSettled(Event, frozen=True):
    """The dispute that began at `version` is over, and how."""

    version: Version
    how: Settlement


class ScoreStated(Event, frozen=True):
    """A figure, card or line that was written down for a deal: kept beside what the facts give, never repaired.
    Figures, cards and results stand in `stated`; words stand beside the event as its `line`. (In schema 1 a line stood
    in `stated`.)"""

    deal: int
    what: str
    stated: msgspec.Raw


OWN_EVENTS: tuple[type[Event], ...] = (
    MatchOpened,
    MatchVoided,
    DealStarted,
    HandsOpened,
    RecordingPaused,
    FactUndone,
    FactWithdrawn,
    FactInserted,
    DealVoided,
    DealRestored,
    ResultEntered,
    ResultConfirmed,
    NamesRighted,
    OwnTableAgreed,
    OwnTableDirected,
    ResultDisputed,
    DisputeSettled,
    EntryCorrected,
    CorrectionProposed,
    CorrectionAnswered,
    EntriesAffirmed,
    AffirmationWithdrawn,
    ScoreStated,
    IrregularityNoted,
    RulingMade,
    RulingAccepted,
    MatchSealed,
)

MatchEvent: TypeAlias = Event | Fact
