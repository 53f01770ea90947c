"""The commands of a tournament. Ids and lots enter beside a command (`Chance`); nothing is drawn inside. Stages count
from 0, as events and the state have them: the doors add and take 1."""

import re
from typing import Annotated, Literal, TypeAlias

import msgspec

from domain.log.actor import Strength
from domain.log.event import JsonObject
from domain.match.house import HouseRules
from domain.tournament.events import Because, Leaving, Repair, SeedOrder, TableNumber
from domain.tournament.meetings import How
from domain.tournament.plan import Plan, Unfinished
from domain.tournament.points import Terms

Score: TypeAlias = Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)]
Games: TypeAlias = Annotated[tuple[tuple[Score, Score], ...], msgspec.Meta(min_length=1, max_length=99)]
Minutes: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=24 * 60)]
RoundNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Lot: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class StagePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A stage as it is announced. `race` holds what differs from the usual: the game's own race, won by two."""

    format: JsonObject
    game: str
    options: JsonObject = {}
    race: JsonObject = {}
    go_on: Annotated[int, msgspec.Meta(ge=0, le=4096)] = 0
    name: Annotated[str, msgspec.Meta(max_length=40)] = ""
    terms: Terms = Terms()
    minutes: Minutes | None = None
    unfinished: Unfinished = "finish"


def word(name: str) -> str:
    """The word of a command on the wire: CheckIn is check_in."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class CommandOnTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=word):
    """A command to a tournament."""


class Announce(CommandOnTournament, frozen=True):
    """Announce a tournament; the stages take from the club's `house` rules, by game, what nobody says of them."""

    name: str
    stages: tuple[StagePlan, ...]
    plan: Plan = Plan()
    house: dict[str, HouseRules] = {}


class Enter(CommandOnTournament, frozen=True):
    """Enter a player, or partners; those of a table of their own always play there."""

    entry: str
    players: tuple[str, ...]
    rating: Annotated[int, msgspec.Meta(ge=0, le=5000)] | None = None
    table: TableNumber | None = None


class Withdraw(CommandOnTournament, frozen=True):
    """Take an entry out, before the start or in the middle."""

    entry: str
    why: Leaving = "withdrawn"


class Reinstate(CommandOnTournament, frozen=True):
    """Bring an entry back that had left."""

    entry: str


class Substitute(CommandOnTournament, frozen=True):
    """Others play for an entry from here on; with `fresh` its open match begins in another stream."""

    entry: str
    players: tuple[str, ...]
    fresh: bool = False


class CheckIn(CommandOnTournament, frozen=True):
    """Note that an entry is here, or is not after all."""

    entry: str
    here: bool = True


class CloseCheckIn(CommandOnTournament, frozen=True):
    """Close the check-in: an entry that has not checked in does not take part."""


class Pay(CommandOnTournament, frozen=True):
    """Note the fee that an entry has paid in all, in hundredths."""

    entry: str
    amount: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


class Seed(CommandOnTournament, frozen=True):
    """Put the entries in order: as given, by rating, or by lot. Once a stage is over: those who are level on its
    qualifying line, as given or by lot."""

    how: SeedOrder
    order: tuple[str, ...] = ()
    lot: Lot | None = None


class GrantBye(CommandOnTournament, frozen=True):
    """An entry will not play in a round to come; without a kind it plays after all."""

    entry: str
    round: RoundNumber
    kind: Literal["half", "full", "zero"] | None = "half"


class PairRound(CommandOnTournament, frozen=True):
    """Pair all that is ready, or the next round where a round waits for the one before; the first one begins the stage.
    `number` refuses where that round is not concerned. `early`: begin the next stage although this one could go on.
    `added`: tables for who came late to the round that is on; who has the bye may play after all.
    `provisional`: do not wait for results that are open or disputed. `pairs` are the director's own, by entry, with
    null for the bye; what breaks a rule only `knowingly`. `held` are the matches of the stage that is on about which a
    case is open: what hangs on one waits as it does for a dispute. `appealed` are those with a ruling under appeal:
    that counts, and what is paired from it is provisional."""

    number: RoundNumber | None = None
    early: bool = False
    provisional: bool = False
    pairs: tuple[tuple[str, str | None], ...] | None = None
    knowingly: bool = False
    added: bool = False
    held: tuple[str, ...] = ()
    appealed: tuple[str, ...] = ()


class UnpairRound(CommandOnTournament, frozen=True):
    """Take the last round back, as long as nothing in it was played; what was dealt at its tables only `knowingly`."""

    knowingly: bool = False


class StartRound(CommandOnTournament, frozen=True):
    """Start or set the clock of a round (counted from 1 within the stage), else of the last one: so many minutes from
    now; without, the stage's; 0 takes it away."""

    minutes: Annotated[int, msgspec.Meta(ge=0, le=24 * 60)] | None = None
    round: RoundNumber | None = None


class LockRound(CommandOnTournament, frozen=True):
    """Lock the results of a round (counted from 1 within the stage), or open them again."""

    round: RoundNumber
    locked: bool = True


class AssignTable(CommandOnTournament, frozen=True):
    """Give a match another table; who was there moves to the table that is left."""

    fixture: str
    table: TableNumber
    feature: bool = False


class Report(CommandOnTournament, frozen=True):
    """Report a match of the stage that is on: the winner, or the score from which it follows. Where rounds that
    were paired since depend on it, `repair` says whether they stand (`keep`) or are paired again (`again`). Matches
    of two stages may have one name: `stage`, from 0, says which is meant; else that of the stage that is on. Matches
    in which something was dealt are given up only `knowingly`. `games` are the scores of the games of a match of
    several, from which its score follows. `own` are the acts of this device in the tournament up to a version, each as
    version and actor."""

    fixture: str
    winner: Literal[0, 1] | None = None
    how: How = "played"
    score: tuple[Score, Score] | None = None
    repair: Repair | None = None
    stage: int | None = None
    knowingly: bool = False
    games: Games | None = None
    own: tuple[tuple[int, str | None], ...] = ()
    upto: int | None = None


class Contest(CommandOnTournament, frozen=True):
    """Contest a result with the record of its match, which cannot be taken any more; the version of the ruling that
    moved the record, if one did."""

    fixture: str
    stage: int
    version: int
    winner: Literal[0, 1] | None
    score: tuple[int, int] | None
    because: Because
    ruling: int | None = None


class HearClaim(CommandOnTournament, frozen=True):
    """Take notice of the score that one side has signed in the record of a match, who did and how strongly."""

    fixture: str
    stage: int
    side: Literal[0, 1]
    winner: Literal[0, 1] | None
    score: tuple[int, int]
    person: str | None = None
    strength: Strength | None = None


class CountSilence(CommandOnTournament, frozen=True):
    """A side has not answered for so many minutes what the other one has said at version `since`."""

    fixture: str
    stage: int
    side: Literal[0, 1]
    since: int
    waited: int


class TakeMatchResult(CommandOnTournament, frozen=True):
    """Take the result from the record of a match: winner, score, win points and lurch levels by side, and at which
    version; and the version of the ruling that it rests on, if one is the last word."""

    fixture: str
    winner: Literal[0, 1] | None
    score: tuple[int, int]
    worth: tuple[int, int]
    levels: tuple[int, int] | None
    version: int
    stage: int
    ruling: int | None = None


class Retract(CommandOnTournament, frozen=True):
    """Take back a reported result: the match is open again. Matches of a plan that were paired on it wait
    again with `repair` as `again`, if none of them has a result; those in which something was dealt only
    `knowingly`."""

    fixture: str
    stage: int | None = None
    repair: Literal["again"] | None = None
    knowingly: bool = False


class Dispute(CommandOnTournament, frozen=True):
    """Dispute a result."""

    fixture: str
    stage: int | None = None


class Uphold(CommandOnTournament, frozen=True):
    """Let a disputed result stand."""

    fixture: str
    stage: int | None = None


class Finish(CommandOnTournament, frozen=True):
    """Make the places final; `early` when not all rounds were played."""

    early: bool = False


class Reopen(CommandOnTournament, frozen=True):
    """Open a finished tournament again: its places are not final after all."""


class Archive(CommandOnTournament, frozen=True):
    """Put a finished tournament away, or take it out again."""

    archived: bool = True


class Chance(msgspec.Struct, frozen=True):
    """The chance that enters with a command: fresh ids for matches, as many as it may take, and the number that a lot
    is drawn from."""

    ids: tuple[str, ...] = ()
    lot: int = 0


TournamentCommand: TypeAlias = (
    Announce
    | Enter
    | Withdraw
    | Reinstate
    | Substitute
    | CheckIn
    | CloseCheckIn
    | Pay
    | Seed
    | GrantBye
    | PairRound
    | UnpairRound
    | StartRound
    | LockRound
    | AssignTable
    | Report
    | TakeMatchResult
    | HearClaim
    | CountSilence
    | Contest
    | Retract
    | Dispute
    | Uphold
    | Finish
    | Reopen
    | Archive
)
