"""The bodies of the API of tournaments: what a director asks is the commands themselves, by the word in `do`."""

from typing import Annotated, Any, TypeAlias

import msgspec

from domain.tournament import commands as c
from domain.tournament.events import Plan, Table
from projections.event_view import EventView
from projections.tournaments.view import TournamentView
from service.api.bodies import Body, Name, Reason, Version
from service.recording import Person

Players: TypeAlias = Annotated[list[Name | Person], msgspec.Meta(min_length=1, max_length=2)]


class EnterAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="enter"):
    """Enter a player, or partners, by name or id; whom the club does not know is registered as a visitor."""

    players: Players
    rating: Annotated[int, msgspec.Meta(ge=0, le=5000)] | None = None
    table: Table | None = None


class SubstituteAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="substitute"):
    """Others play for an entry from here on."""

    entry: str
    players: Players


Action: TypeAlias = (
    EnterAction | SubstituteAction | c.Withdraw | c.Reinstate | c.CheckIn | c.CloseCheckIn | c.Pay | c.Seed
    | c.GrantBye | c.PairRound | c.UnpairRound | c.StartRound | c.LockRound | c.AssignTable | c.Report | c.Retract
    | c.Dispute | c.Uphold | c.Finish | c.Reopen | c.Archive
)  # fmt: skip


class AnnounceBody(Body, frozen=True, kw_only=True):
    """A new tournament, with its entries if they are known."""

    name: Name
    stages: Annotated[list[c.StagePlan], msgspec.Meta(min_length=1, max_length=8)]
    plan: Plan = Plan()
    entries: Annotated[list[EnterAction], msgspec.Meta(max_length=500)] = []


class ActionsBody(Body, frozen=True, kw_only=True):
    """What a director asks, in order, all or none. With `preview` nothing is recorded: the answer says what would
    move."""

    actions: Annotated[list[Action], msgspec.Meta(min_length=1, max_length=1000)]
    reason: Reason | None = None
    expected_version: Version | None = None
    preview: bool = False


class Directed(msgspec.Struct, frozen=True):
    """What a write answers: the new version, the events it made, the tournament."""

    version: int
    events: tuple[EventView, ...]
    tournament: TournamentView


class Row(msgspec.Struct, frozen=True):
    """A tournament in a list, its winner by name."""

    id: str
    name: str
    status: str
    date: str | None
    season: str | None
    games: tuple[str, ...]
    formats: tuple[str, ...]
    entries: int
    winner: str | None
    club: str
    changed_at: str


def listed(row: Any, club: str, names: dict[str, str | None]) -> Row:
    """A kept row with names."""
    winner = " & ".join(names.get(player) or "(name removed)" for player in row.winner) or None
    return Row(
        row.id, row.name, row.status, row.date, row.season, row.games, row.formats, row.entries, winner, club,
        row.changed_at,
    )  # fmt: skip
