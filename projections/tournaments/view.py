"""A tournament as a client shows it: its entries, stages and rounds, and what waits for the director."""

from collections.abc import Mapping

import msgspec

from domain import codec
from domain.club.names import Names
from domain.log.event import JsonObject
from domain.match.opening import find_game
from domain.tournament.decide.line import level_on_the_line
from domain.tournament.doubts import NONE, Doubt, doubts_of_entries, weightiest
from domain.tournament.plan import Plan
from domain.tournament.state import Entry, Tournament
from projections.tournaments.rounds import RoundView, round_view


class EntryView(msgspec.Struct, frozen=True):
    """An entry: who plays, its seed in the stage that is on (else in the order given), and where it stands."""

    id: str
    name: str
    names: tuple[str | None, ...]
    players: tuple[str, ...]
    rating: int | None
    seed: int | None
    status: str
    here: bool
    paid: int
    table: int | None
    before: tuple[tuple[str, ...], ...]


class PartedView(msgspec.Struct, frozen=True):
    """The order, best first, of those who were level on the qualifying line: by lot, of that number, or by the
    director."""

    order: tuple[str, ...]
    how: str
    lot: int | None


class StageView(msgspec.Struct, frozen=True):
    """A stage: its format, its match rules, how far it is. `level` are the sets of entries on the qualifying line whom
    nothing parts, for whom the next stage waits. What nobody said of options and race is of the house rules that the
    club adopted at version `house` of its own stream."""

    number: int
    name: str
    kind: str
    title: str
    format: JsonObject
    game: str
    game_title: str
    options: JsonObject
    race: JsonObject
    terms: JsonObject
    minutes: int | None
    unfinished: str
    go_on: int
    status: str
    entries: int
    rounds: int
    level: tuple[tuple[str, ...], ...] = ()
    parted: PartedView | None = None
    house: int | None = None


class PlaceView(msgspec.Struct, frozen=True):
    """A final place, what it gets, and the weightiest doubt about a result of that entry."""

    rank: int
    entry: str
    name: str
    prize: str | None
    doubt: Doubt | None = None


class TournamentView(msgspec.Struct, frozen=True):
    """A tournament. `at` is the stage that is on, from 0 (-1: none yet)."""

    id: str
    club: str
    version: int
    name: str
    status: str
    plan: JsonObject
    at: int
    entries: tuple[EntryView, ...]
    stages: tuple[StageView, ...]
    rounds: tuple[RoundView, ...]
    places: tuple[PlaceView, ...]


def tournament_view(
    stream: str, club: str, state: Tournament, names: Names, beside: Mapping[str, Doubt] = NONE
) -> TournamentView:
    """The view of a state; `beside` are the doubts that do not stand in the tournament."""
    called = calling(state, names)
    doubts = _doubts(state, beside)
    return TournamentView(
        id=stream,
        club=club,
        version=state.version,
        name=state.name,
        status=status_of(state),
        plan=codec.plain(state.plan),
        at=state.at,
        entries=tuple(entry_view(state, each, names) for each in state.entries.values()),
        stages=tuple(stage_view(state, number) for number in range(len(state.stages))),
        rounds=tuple(
            round_view(state, number, place, called, beside)
            for number, stage in enumerate(state.stages)
            for place in range(len(stage.rounds))
        ),
        places=tuple(
            PlaceView(rank, entry, called[entry], prize_of(state.plan, rank), doubts.get(entry))
            for rank, entry in state.places
        ),
    )


def _doubts(state: Tournament, beside: Mapping[str, Doubt]) -> dict[str, Doubt]:
    """The weightiest doubt about a result of each entry that has one, in all stages."""
    found: dict[str, Doubt] = {}
    for stage in state.stages:
        for entry, doubt in doubts_of_entries(stage, beside).items():
            found[entry] = weightiest((doubt, found.get(entry))) or doubt
    return found


def status_of(state: Tournament) -> str:
    """Announced, on, finished or archived."""
    if state.archived:
        return "archived"
    if state.finished:
        return "finished"
    return "on" if state.at >= 0 else "announced"


def prize_of(plan: Plan, rank: int) -> str | None:
    """The prize of a place."""
    return next((prize.what for prize in plan.prizes if prize.first <= rank <= prize.last), None)


def calling(state: Tournament, names: Names) -> dict[str, str]:
    """The name of each entry."""
    return {entry.id: called(entry, names) for entry in state.entries.values()}


def called(entry: Entry, names: Names) -> str:
    """The names of an entry's players; of substitutes with those who played first."""
    first = entry.before[0] if entry.before else entry.players
    now, then = (" & ".join(names.get(player) or "(name removed)" for player in own) for own in (entry.players, first))
    return now if now == then else f"{now} (for {then})"


def entry_view(state: Tournament, entry: Entry, names: Names) -> EntryView:
    """One entry."""
    order = state.stage.order if state.at >= 0 else state.seeds
    seed = order.index(entry.id) + 1 if entry.id in order else None
    status = entry.withdrawn or ("here" if entry.here else "entered")
    return EntryView(
        entry.id,
        called(entry, names),
        tuple(names.get(player) for player in entry.players),
        entry.players,
        entry.rating,
        seed,
        status,
        entry.here,
        entry.paid,
        entry.table,
        entry.before,
    )


def stage_view(state: Tournament, number: int) -> StageView:
    """One stage."""
    stage = state.stages[number]
    setup = stage.setup
    format_ = codec.plain(stage.format)
    if number > state.at:
        status = "to come"
    elif number < state.at or state.finished or stage.format.over(state.field(number)):
        status = "over"
    else:
        status = "on"
    return StageView(
        number=number,
        name=setup.name or stage.format.title,
        kind=format_["kind"],
        title=stage.format.title,
        format=format_,
        game=setup.game,
        game_title=find_game(setup.game).title,
        options=msgspec.json.decode(setup.options),
        race=codec.plain(setup.race),
        terms=codec.plain(setup.terms),
        minutes=setup.minutes,
        unfinished=setup.unfinished,
        go_on=setup.go_on,
        status=status,
        entries=len(stage.order),
        rounds=len(stage.rounds),
        level=level_on_the_line(state) if number == state.at and status == "over" else (),
        parted=PartedView(stage.parted.order, stage.parted.how, stage.parted.lot) if stage.parted else None,
        house=setup.house,
    )


def rounds_on(view: TournamentView) -> tuple[RoundView, ...]:
    """The rounds of the stage that is on in which a match is still to be decided; where there is none, the last one."""
    here = (each for each in view.rounds if each.stage == view.at)
    found = tuple(each for each in here if any(pairing.status == "open" for pairing in each.pairings))
    return found or view.rounds[-1:]
