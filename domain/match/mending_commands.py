"""Commands that mend a record, or say that it is right: correct, withdraw, propose and answer, affirm."""

from domain.log.event import Json
from domain.match.command import CommandOnMatch, OwnActs
from domain.match.mending_events import Cause, Mend


class Correct(CommandOnMatch, frozen=True, kw_only=True):
    """Put an entry right (*transcription*): replace the fact or result at a version, take the fact out (`now` null), or
    put `now` behind it (`do` insert; behind the version of the deal's start: as its first fact). `accepts` is how many
    later facts will not fit any more, as a director has seen; `case` the case in which it was found."""

    version: int
    now: Json
    do: Mend | None = None
    accepts: int = 0
    case: str | None = None


class WithdrawFact(CommandOnMatch, frozen=True, kw_only=True):
    """The table took a fact back, at any place (*rectification*), for the irregularity `code`."""

    version: int
    code: str | None = None
    accepts: int = 0
    case: str | None = None


class ProposeCorrection(CommandOnMatch, frozen=True, kw_only=True):
    """Say what an entry has to be, where the other side agrees to it: `do` as in `Correct`; the reason is `note`. Where
    late a director proposes it, `accepts` is how many later facts will not fit any more, as he has seen."""

    version: int
    now: Json
    do: Mend | None = None
    cause: Cause = "mistyped"
    accepts: int = 0


class AnswerCorrection(CommandOnMatch, frozen=True, kw_only=True):
    """Agree to a proposed correction, or not. `own` are the acts of this device in the deal."""

    proposal: int
    yes: bool
    accepts: int = 0
    own: OwnActs | None = None


class Affirm(CommandOnMatch, frozen=True, kw_only=True):
    """These entries are what was played: for the own side, or (`inspected`) by a director who looked at the cards."""

    deal: int
    versions: tuple[int, ...]
    inspected: bool = False
    own: OwnActs | None = None


class WithdrawAffirmation(CommandOnMatch, frozen=True, kw_only=True):
    """Take the own affirmation back."""

    affirmation: int
    own: OwnActs | None = None
