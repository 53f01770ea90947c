"""Commands on a match: one Struct each, in the imperative.

Time, identity and chance enter here: ids are made by the service, `lot` is drawn by it.
"""

from typing import TypeAlias

import msgspec

from domain.cards.facts import Fact
from domain.log.event import Json, JsonObject
from domain.match.command import CommandOnMatch, OwnActs
from domain.match.event import Delay, Signals, Version
from domain.match.events import Depth, Recording, Settlement
from domain.match.house import Host
from domain.match.mending_commands import (
    Affirm,
    AnswerCorrection,
    Correct,
    ProposeCorrection,
    WithdrawAffirmation,
    WithdrawFact,
)
from domain.match.ruling_events import Instance


class OpenMatch(CommandOnMatch, frozen=True, kw_only=True):
    """Begin a match between players (ids by side), in a club that is its `host`. A match of a `tournament` has had all
    settled; `house` is the version of the club's stream that the house rules of its stage are of. Without `signals` or
    `delay` it takes those of its club."""

    game: str
    options: JsonObject
    race: JsonObject
    sides: tuple[tuple[str, ...], ...]
    recording: Recording = "record"
    depth: Depth | None = None
    private: JsonObject | None = None
    tournament: str | None = None
    dealer: int | None = None
    host: Host = Host()
    house: int | None = None
    signals: Signals | None = None
    delay: Delay | None = None


class VoidMatch(CommandOnMatch, frozen=True):
    """The match will not be played."""


class AbandonMatch(CommandOnMatch, frozen=True):
    """The match was opened by mistake."""


class StartDeal(CommandOnMatch, frozen=True, kw_only=True):
    """Begin a deal; the dealer follows from the rules, for the first deal from `lot` (ALL.1)."""

    dealer: int | None = None
    deal: Json = None
    depth: Depth | None = None
    lot: int = 0
    private: JsonObject | None = None


class RecordFacts(CommandOnMatch, frozen=True, kw_only=True):
    """Record what was seen, in order, all or none. `notes` are comments by place of the fact."""

    facts: tuple[Fact, ...]
    it_happened: bool = False
    notes: dict[int, str] | None = None


class PauseRecording(CommandOnMatch, frozen=True):
    """Go on with the result only."""


class EnterResult(CommandOnMatch, frozen=True, kw_only=True):
    """Enter the result of a deal: that of `deal`, else the one that is on; the next one is started for it. Of a deal
    that is over the same result changes nothing, and another one is refused. `expected` is the version that the match
    has to be at where the deal is still on."""

    entry: Json
    deal: int | None = None
    expected: int | None = None
    dealer: int | None = None
    lot: int = 0
    own: OwnActs | None = None


class UndoLast(CommandOnMatch, frozen=True):
    """Take back the last fact or result; `withdrawn` by the table, not only by the scorer."""

    withdrawn: bool = False


class VoidDeal(CommandOnMatch, frozen=True):
    """Declare the last deal void."""


class RestoreDeal(CommandOnMatch, frozen=True):
    """The last deal was declared void and counts after all."""


class OpenHands(CommandOnMatch, frozen=True, kw_only=True):
    """Show the hands of a deal that is over to everybody, the last one where none is named; the reason is `note`."""

    deal: int | None = None


class Seal(CommandOnMatch, frozen=True):
    """Seal the record before its time."""


class ConfirmResult(CommandOnMatch, frozen=True, kw_only=True):
    """A side agrees to a deal's result, and to these `scores` where they are named: those of the deal, or the totals of
    the match with its last one. Of a deal of which the other side claims something, `claim` is the version that it is
    agreed to."""

    deal: int
    side: int
    scores: tuple[int, ...] | None = None
    claim: int | None = None
    own: OwnActs | None = None


class CountSilence(CommandOnMatch, frozen=True, kw_only=True):
    """A side has not answered the other side's signature at version `since` for so many minutes, which its tournament
    takes for a yes `after` so many."""

    deal: int
    side: int
    since: int
    waited: int
    after: int


class RightNames(CommandOnMatch, frozen=True, kw_only=True):
    """The person who came by a code as `was` is `now`; whoever came as that one is `was`. `own` are the acts of this
    device, `other` those of the device on which the other name was tapped."""

    was: str
    now: str
    own: OwnActs
    other: OwnActs


class AgreeOwnTable(CommandOnMatch, frozen=True, kw_only=True):
    """A side agrees that `ruler`, who belongs to the other side, directs here once: on a deal, or of the match."""

    ruler: str
    deal: int | None = None


class DisputeResult(CommandOnMatch, frozen=True, kw_only=True):
    """A side, or nobody's in particular, disputes the result of a deal, or of the match; the reason is `note`."""

    deal: int | None = None
    side: int | None = None


class SettleDispute(CommandOnMatch, frozen=True, kw_only=True):
    """The dispute that began at a version is over; the first one that is open where none is named."""

    how: Settlement
    version: int | None = None


class StateScore(CommandOnMatch, frozen=True, kw_only=True):
    """Keep what somebody wrote down for the last deal: figures; `line` are words, which are private."""

    what: str
    stated: str | None = None
    line: str | None = None


class NoteIrregularity(CommandOnMatch, frozen=True, kw_only=True):
    """Note an irregularity that was called at a version."""

    code: str
    at: int


class NamedFinding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finding on which a ruling rests: its code, and the version of the entry where it happened."""

    code: str
    at: Version


class Rule(CommandOnMatch, frozen=True, kw_only=True):
    """The director rules on a deal; `scores` by side replace what was played, or they follow from the `remedy`.
    `procedural` points by side count beside them, none above 0. `supersedes` names the ruling in force, where there is
    one; `instance` 2 is a decision on appeal, `exceptional` says that scores which no deal gives are meant. `held` is
    what the director holds to have happened, `rule` the ledger number. `accepted` are sides that a file says agreed.
    `named`: the `case` names whoever rules to do so, director or not."""

    code: str
    deal: int | None = None
    at: int | None = None
    scores: tuple[int, ...] | None = None
    accepted: tuple[int, ...] = ()
    private: JsonObject | None = None
    findings: tuple[NamedFinding, ...] = ()
    remedy: str | None = None
    procedural: tuple[int, ...] | None = None
    supersedes: int | None = None
    instance: Instance = 1
    rule: str | None = None
    case: str | None = None
    exceptional: bool = False
    held: str | None = None
    named: bool = False


class AcceptRuling(CommandOnMatch, frozen=True, kw_only=True):
    """A side accepts the ruling in force on a deal: that at version `ruling`, where it is named."""

    deal: int
    side: int
    ruling: int | None = None
    own: OwnActs | None = None


Word: TypeAlias = (
    ConfirmResult
    | CountSilence
    | RightNames
    | AgreeOwnTable
    | DisputeResult
    | SettleDispute
    | StateScore
    | NoteIrregularity
    | AcceptRuling
    | Affirm
    | WithdrawAffirmation
    | Seal
)
OneEvent: TypeAlias = (
    VoidMatch
    | AbandonMatch
    | StartDeal
    | PauseRecording
    | UndoLast
    | VoidDeal
    | RestoreDeal
    | OpenHands
    | Correct
    | WithdrawFact
    | ProposeCorrection
    | Word
)

MatchCommand: TypeAlias = OpenMatch | RecordFacts | EnterResult | Rule | AnswerCorrection | OneEvent
