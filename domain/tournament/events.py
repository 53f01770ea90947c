"""The events of a tournament, one Struct each. Its matches are streams of their own; here stands which match
belongs to which pairing, and what came of it. Names and reasons are private and stand beside the event."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from domain.log.actor import Strength
from domain.log.message import Explanation
from domain.tournament.meetings import How
from domain.tournament.plan import Plan, StageSetup

SeedOrder: TypeAlias = Literal["given", "rating", "lot"]
TableNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
ByeKind: TypeAlias = Literal["bye", "half", "full", "zero", "rest"]
Leaving: TypeAlias = Literal["withdrawn", "no-show", "excluded"]
Because: TypeAlias = Literal["ruled", "corrected", "reopened"]
Repair: TypeAlias = Literal["keep", "again"]


class TournamentEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that happened to a tournament."""


class Pairing(msgspec.Struct, frozen=True):
    """A match that is to be played: which of the plan, between which entries (two a side where partners change), at
    which table, in which stream, which side deals first, and the explanation, in which people are entries. Until schema
    3 of RoundPaired it was a text with entries in braces."""

    fixture: str
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    table: TableNumber
    match: str
    first: int = 0
    why: Explanation | str = ()

    @property
    def entries(self) -> tuple[str, str]:
        """The two entries; of partners that change, the first-named."""
        return self.sides[0][0], self.sides[1][0]


class Bye(msgspec.Struct, frozen=True):
    """An entry that has nobody to play in a round, and the explanation. `rest` is worth nothing and is no defeat."""

    entry: str
    kind: ByeKind
    why: Explanation | str = ()


class TournamentAnnounced(TournamentEvent, frozen=True):
    """A tournament was announced, with all its stages."""

    name: str
    stages: tuple[StageSetup, ...]
    plan: Plan = Plan()


class EntryMade(TournamentEvent, frozen=True):
    """Somebody entered: one player, or partners; late, once a stage that takes late entries was on. An entry with a
    `table` always plays there."""

    entry: str
    players: tuple[str, ...]
    rating: int | None = None
    table: TableNumber | None = None


class EntryWithdrawn(TournamentEvent, frozen=True):
    """An entry left; matches that it was still to play are decided by outcomes of their own."""

    entry: str
    why: Leaving = "withdrawn"


class EntryReinstated(TournamentEvent, frozen=True):
    """An entry that had left is back."""

    entry: str


class EntrySubstituted(TournamentEvent, frozen=True):
    """Others play for an entry from here on; what it has won is the entry's."""

    entry: str
    players: tuple[str, ...]


class EntryCheckedIn(TournamentEvent, frozen=True):
    """Somebody said that they are here, or that was taken back."""

    entry: str
    here: bool = True


class FeePaid(TournamentEvent, frozen=True):
    """An entry has paid so much in all by now, in hundredths."""

    entry: str
    amount: int


class SeedsGiven(TournamentEvent, frozen=True):
    """The entries were put in order, best first; `lot` is the number that a draw was made from. Once a stage is on:
    those who were level on its qualifying line."""

    order: tuple[str, ...]
    how: SeedOrder
    lot: int | None = None


class StageStarted(TournamentEvent, frozen=True):
    """A stage began with these entries by seed. `lot` decides what is left to chance in it: who deals first in round 1,
    and the order of who is equal in everything. `house` is the version of the club's stream at which the house rules of
    its matches were adopted; null: there were none (schema 2)."""

    stage: int
    order: tuple[str, ...]
    lot: int = 0
    house: int | None = None


class ByeGranted(TournamentEvent, frozen=True):
    """An entry will not play in a round that is still to be paired; null takes that back."""

    stage: int
    round: int
    entry: str
    kind: Literal["half", "full", "zero"] | None


class RoundPaired(TournamentEvent, frozen=True):
    """A round was paired. `byes` have nobody to play in it; `pending` are matches whose results were assumed, because
    the round could not wait for them; `own`: the director made the pairings; `added`: the tables are added to
    that round, which is on already."""

    stage: int
    round: int
    pairings: tuple[Pairing, ...]
    byes: tuple[Bye, ...] = ()
    pending: tuple[str, ...] = ()
    own: bool = False
    added: bool = False


class RoundUnpaired(TournamentEvent, frozen=True):
    """The last round was taken back before anything in it had been played; `round` counts those that were paired."""

    stage: int
    round: int


class PairingReplaced(TournamentEvent, frozen=True):
    """A repair: a match of the plan is between others now, or (null) waits again until it is known between whom."""

    stage: int
    fixture: str
    pairing: Pairing | None


class RoundStarted(TournamentEvent, frozen=True):
    """The round's clock was started or set: so many minutes from now (null: no clock). `round` counts from 1."""

    stage: int
    round: int
    minutes: int | None


class RoundLocked(TournamentEvent, frozen=True):
    """The results of a round were checked and locked, or opened again."""

    stage: int
    round: int
    locked: bool = True


class TableAssigned(TournamentEvent, frozen=True):
    """A match was given another table; `feature`: everybody watches there."""

    stage: int
    fixture: str
    table: TableNumber
    feature: bool = False


class OutcomeClaimed(TournamentEvent, frozen=True):
    """A side has said what came of its match: the place of the winner (null: a draw), the score, the score of each game
    of a match of several; who said so (null: whoever keeps the score) and how strongly. It decides
    nothing until the other side says the same. A later one of that side replaces it."""

    stage: int
    fixture: str
    side: int
    winner: int | None
    score: tuple[int, int] | None
    games: tuple[tuple[int, int], ...] | None = None
    person: str | None = None
    strength: Strength | None = None


class OutcomeReported(TournamentEvent, frozen=True):
    """A match of the plan was decided: the place of its winner (null: a draw, or both absent), how, the score, what
    the match was worth by side in win points, the lurch level of each side, the version of the match that says so, and
    the score of each game of a match of several (schema 2); the version, in the match, of the ruling that it rests on,
    and how what was paired since was repaired (schema 3). A later one for the same match replaces it."""

    stage: int
    fixture: str
    winner: int | None
    how: How
    score: tuple[int, int] | None = None
    version: int | None = None
    worth: tuple[int, int] | None = None
    levels: tuple[int, int] | None = None
    games: tuple[tuple[int, int], ...] | None = None
    ruling: int | None = None
    repair: Repair | None = None


class OutcomeContested(TournamentEvent, frozen=True):
    """The record of a match says something else than the result that stands, and what was played since, or the end of
    the tournament, keeps it from being taken: at this version the winner is another (null: none), the score too (null:
    it is not over), because the record was ruled on, corrected or put back on. The director decides. Since schema 2
    the version, in the match, of the ruling that moved it."""

    stage: int
    fixture: str
    version: int
    winner: int | None
    score: tuple[int, int] | None
    because: Because
    ruling: int | None = None


class OutcomeWithdrawn(TournamentEvent, frozen=True):
    """A result was taken back: its match is open again."""

    stage: int
    fixture: str


class OutcomeDisputed(TournamentEvent, frozen=True):
    """Somebody disputes the result of a match; what was reported stands until the director settles it."""

    stage: int
    fixture: str


class OutcomeUpheld(TournamentEvent, frozen=True):
    """A reported result stands: the director settled a dispute, or what contested it."""

    stage: int
    fixture: str


class TournamentFinished(TournamentEvent, frozen=True):
    """Everything was played: the places are final, best first, as (rank, entry)."""

    places: tuple[tuple[int, str], ...]


class TournamentReopened(TournamentEvent, frozen=True):
    """The places are not final after all."""


class TournamentArchived(TournamentEvent, frozen=True):
    """A tournament that is over was put away, or taken out again: it is listed only where somebody asks for all."""

    archived: bool = True


OWN_EVENTS: Final[tuple[type[TournamentEvent], ...]] = (
    TournamentAnnounced,
    EntryMade,
    EntryWithdrawn,
    EntryReinstated,
    EntrySubstituted,
    EntryCheckedIn,
    FeePaid,
    SeedsGiven,
    StageStarted,
    ByeGranted,
    RoundPaired,
    RoundUnpaired,
    PairingReplaced,
    RoundStarted,
    RoundLocked,
    TableAssigned,
    OutcomeClaimed,
    OutcomeContested,
    OutcomeReported,
    OutcomeWithdrawn,
    OutcomeDisputed,
    OutcomeUpheld,
    TournamentFinished,
    TournamentReopened,
    TournamentArchived,
)
