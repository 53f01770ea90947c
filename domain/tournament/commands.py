"""What a director may ask of a tournament. Ids, lots and match streams enter here; nothing is drawn inside."""

from typing import Any, TypeAlias

import msgspec

from domain.tournament.events import Order
from domain.tournament.meetings import How


class StagePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A stage as it is announced. `race` holds what differs from the usual: the game's own race, won by two."""

    format: dict[str, Any]
    game: str
    options: dict[str, Any] = {}
    race: dict[str, Any] = {}
    go_on: int = 0


class Announce(msgspec.Struct, frozen=True):
    """Announce a tournament."""

    name: str
    stages: tuple[StagePlan, ...]


class Enter(msgspec.Struct, frozen=True):
    """Enter a player, or partners."""

    entry: str
    players: tuple[str, ...]
    rating: int | None = None


class Withdraw(msgspec.Struct, frozen=True):
    """An entry leaves, before the start or in the middle."""

    entry: str


class Seed(msgspec.Struct, frozen=True):
    """Put the entries in order: as given, by rating, or by lot."""

    how: Order
    order: tuple[str, ...] = ()
    lot: int | None = None


class PairRound(msgspec.Struct, frozen=True):
    """Pair the next round; the first one begins the stage. `ids` are fresh ids for its matches, as many as it takes."""

    ids: tuple[str, ...]


class UnpairRound(msgspec.Struct, frozen=True):
    """Take the last round back, as long as nothing in it was played."""


class Report(msgspec.Struct, frozen=True):
    """What came of a match of the stage that is on."""

    fixture: str
    winner: int | None
    how: How = "played"
    score: tuple[int, int] | None = None
    version: int | None = None


class Finish(msgspec.Struct, frozen=True):
    """Make the places final."""


TournamentCommand: TypeAlias = Announce | Enter | Withdraw | Seed | PairRound | UnpairRound | Report | Finish
