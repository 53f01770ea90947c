"""The bodies of the API of tournaments: actions are the commands themselves, by the word in `do`; those about people or
a stage have a form of their own, for the wire names people and counts stages from 1."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from domain.tournament import commands as c
from domain.tournament.events import Repair, TableNumber
from domain.tournament.meetings import How
from domain.tournament.plan import Plan
from projections.event_view import EventView
from projections.tournaments.lists import TournamentRow
from projections.tournaments.view import TournamentView
from service.desk.bodies import Body, Name, Reason, Version
from service.desk.requests import KnownPerson

StageNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=8)]
Players: TypeAlias = Annotated[list[Name | KnownPerson], msgspec.Meta(min_length=1, max_length=2)]


class EnterAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="enter"):
    """Enter a player, or partners, by name or id; whom the club does not know is registered as a visitor."""

    players: Players
    rating: Annotated[int, msgspec.Meta(ge=0, le=5000)] | None = None
    table: TableNumber | None = None


class SubstituteAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="substitute"):
    """Others play for an entry from here on."""

    entry: str
    players: Players


class ReportAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="report"):
    """Report a match of the stage that is on: the winner, or the score from which it follows. Where rounds that
    were paired since depend on it, `repair` says whether they stand (`keep`) or are paired again (`again`). Matches
    of two stages may have one name: `stage`, from 1, says which is meant; else that of the stage that is on. Matches
    in which something was dealt are given up only `knowingly`. `games` are the scores of the games of a match of
    several, from which its score follows."""

    fixture: str
    winner: Literal[0, 1] | None = None
    how: How = "played"
    score: tuple[c.Score, c.Score] | None = None
    repair: Repair | None = None
    stage: StageNumber | None = None
    knowingly: bool = False
    games: c.Games | None = None


class RetractAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="retract"):
    """Take back a reported result: the match is open again. Matches of a plan that were paired on it wait again with
    `repair` as `again`, if none of them has a result; those in which something was dealt only `knowingly`."""

    fixture: str
    stage: StageNumber | None = None
    repair: Literal["again"] | None = None
    knowingly: bool = False


class DisputeAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="dispute"):
    """Dispute a result."""

    fixture: str
    stage: StageNumber | None = None


class UpholdAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="uphold"):
    """Let a disputed result stand."""

    fixture: str
    stage: StageNumber | None = None


class PairAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="pair_round"):
    """Pair all that is ready, or the next round where a round waits for the one before; the first one begins the stage.
    `number` refuses where that round is not concerned. `early`: begin the next stage although this one could go on.
    `added`: tables for who came late to the round that is on; who has the bye may play after all.
    `provisional`: do not wait for results that are open or disputed, or about which a case is open. `pairs` are the
    director's own, by entry, with null for the bye; what breaks a rule only `knowingly`."""

    number: c.RoundNumber | None = None
    early: bool = False
    provisional: bool = False
    pairs: tuple[tuple[str, str | None], ...] | None = None
    knowingly: bool = False
    added: bool = False

    def command(self, held: tuple[str, ...], appealed: tuple[str, ...]) -> c.PairRound:
        """The command, with the matches about which a case is open, and those with a ruling under appeal."""
        return c.PairRound(
            self.number, self.early, self.provisional, self.pairs, self.knowingly, self.added, held, appealed
        )


OnStage: TypeAlias = ReportAction | RetractAction | DisputeAction | UpholdAction
Action: TypeAlias = (
    EnterAction
    | SubstituteAction
    | OnStage
    | c.Withdraw
    | c.Reinstate
    | c.CheckIn
    | c.CloseCheckIn
    | c.Pay
    | c.Seed
    | c.GrantBye
    | PairAction
    | c.UnpairRound
    | c.StartRound
    | c.LockRound
    | c.AssignTable
    | c.Finish
    | c.Reopen
    | c.Archive
)


def from_zero(stage: int | None) -> int | None:
    """A stage as the domain counts it; on the wire and in addresses the first one is 1."""
    return None if stage is None else stage - 1


def on_stage(action: OnStage) -> c.Report | c.Retract | c.Dispute | c.Uphold:
    """The command of an action on a result, its stage counted from 0."""
    stage = from_zero(action.stage)
    match action:
        case ReportAction():
            return c.Report(
                action.fixture,
                action.winner,
                action.how,
                action.score,
                action.repair,
                stage,
                action.knowingly,
                action.games,
            )
        case RetractAction():
            return c.Retract(action.fixture, stage, action.repair, action.knowingly)
        case DisputeAction():
            return c.Dispute(action.fixture, stage)
        case UpholdAction():
            return c.Uphold(action.fixture, stage)


class AnnounceBody(Body, frozen=True, kw_only=True):
    """A new tournament, with its entries if they are known."""

    name: Name
    stages: Annotated[list[c.StagePlan], msgspec.Meta(min_length=1, max_length=8)]
    plan: Plan = Plan()
    entries: Annotated[list[EnterAction], msgspec.Meta(max_length=500)] = []


class ActionsBody(Body, frozen=True, kw_only=True):
    """Actions of a director, in order, all or none. With `preview` nothing is recorded: the answer says what would
    move."""

    actions: Annotated[list[Action], msgspec.Meta(min_length=1, max_length=1000)]
    reason: Reason | None = None
    expected_version: Version | None = None
    preview: bool = False


class Directed(msgspec.Struct, frozen=True):
    """The answer to a write: the new version, the events it made, the tournament."""

    version: int
    events: tuple[EventView, ...]
    tournament: TournamentView


class TournamentListRow(msgspec.Struct, frozen=True):
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


def listed(row: TournamentRow, club: str, names: dict[str, str | None]) -> TournamentListRow:
    """A kept row with names."""
    winner = " & ".join(names.get(player) or "(name removed)" for player in row.winner) or None
    return TournamentListRow(
        row.id,
        row.name,
        row.status,
        row.date,
        row.season,
        row.games,
        row.formats,
        row.entries,
        winner,
        club,
        row.changed_at,
    )
