"""What can happen to a tournament, one Struct an event. Its matches are streams of their own; here stands which match
belongs to which pairing, and what came of it. Names and reasons are private and stand beside the event."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from domain.match.race import Race
from domain.tournament.meetings import How

Order: TypeAlias = Literal["given", "rating", "lot"]
Table: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class TournamentEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that happened to a tournament."""


class Stage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One stage: its format with its options, what is played, with rules version and options pinned, the race of every
    match, and how many go on to the next stage (0: all)."""

    format: msgspec.Raw
    game: str
    rules: int
    options: msgspec.Raw
    race: Race
    go_on: int = 0


class Pairing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match that is to be played: which of the plan, between which entries, at which table, in which stream. The
    first-named deals first."""

    fixture: str
    entries: tuple[str, str]
    table: Table
    match: str


class TournamentAnnounced(TournamentEvent, frozen=True):
    """A tournament was announced, with all its stages."""

    name: str
    stages: tuple[Stage, ...]


class EntryMade(TournamentEvent, frozen=True):
    """Somebody entered: one player, or partners."""

    entry: str
    players: tuple[str, ...]
    rating: int | None = None


class EntryWithdrawn(TournamentEvent, frozen=True):
    """An entry left; matches that it was still to play are decided by outcomes of their own."""

    entry: str


class SeedsGiven(TournamentEvent, frozen=True):
    """The entries were put in order, best first; `lot` is the number that a draw was made from."""

    order: tuple[str, ...]
    how: Order
    lot: int | None = None


class StageStarted(TournamentEvent, frozen=True):
    """A stage began with these entries by seed: who enters now enters nothing."""

    stage: int
    order: tuple[str, ...]


class RoundPaired(TournamentEvent, frozen=True):
    """A round was paired. `byes` are entries that have nobody to play in it."""

    stage: int
    round: int
    pairings: tuple[Pairing, ...]
    byes: tuple[str, ...] = ()


class RoundUnpaired(TournamentEvent, frozen=True):
    """The last round was taken back before anything in it had been played; `round` counts those that were paired."""

    stage: int
    round: int


class OutcomeReported(TournamentEvent, frozen=True):
    """What came of a match of the plan: the place of its winner (null: a draw, or both absent), how, the score, and the
    version of the match that says so. A later one for the same match replaces it."""

    stage: int
    fixture: str
    winner: int | None
    how: How
    score: tuple[int, int] | None = None
    version: int | None = None


class TournamentFinished(TournamentEvent, frozen=True):
    """Everything was played: the places are final, best first, as (rank, entry)."""

    places: tuple[tuple[int, str], ...]


OWN_EVENTS: tuple[type[TournamentEvent], ...] = (
    TournamentAnnounced,
    EntryMade,
    EntryWithdrawn,
    SeedsGiven,
    StageStarted,
    RoundPaired,
    RoundUnpaired,
    OutcomeReported,
    TournamentFinished,
)
