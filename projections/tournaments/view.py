"""A tournament as a client shows it: its entries, stages and rounds, and what waits for the director."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from domain import codec
from domain.match.opening import find_game
from domain.tournament import events as e
from domain.tournament.bracket import size_for
from domain.tournament.line import level_on_the_line
from domain.tournament.placeholders import fill
from domain.tournament.state import Entry, Stage, Tournament
from projections.tournaments.bracket import round_name

Names: TypeAlias = Mapping[str, str | None]


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
    """How those who were level on the qualifying line were put in order, best first: by lot, of that number, or by the
    director."""

    order: tuple[str, ...]
    how: str
    lot: int | None


class StageView(msgspec.Struct, frozen=True):
    """A stage: its format, its match rules, how far it is. `level` are the sets of entries on the qualifying line whom
    nothing parts, for whom the next stage waits."""

    number: int
    name: str
    kind: str
    title: str
    format: dict[str, Any]
    game: str
    game_title: str
    options: dict[str, Any]
    race: dict[str, Any]
    terms: dict[str, Any]
    minutes: int | None
    unfinished: str
    go_on: int
    status: str
    entries: int
    rounds: int
    level: tuple[tuple[str, ...], ...] = ()
    parted: PartedView | None = None


class SideView(msgspec.Struct, frozen=True):
    """A side of a pairing: its entries, what they are called, whether they deal first."""

    entries: tuple[str, ...]
    name: str
    deals_first: bool


class ClaimView(msgspec.Struct, frozen=True):
    """What a side says came of its match, while the other has not said so."""

    side: int
    winner: int | None
    score: tuple[int, int] | None
    games: tuple[tuple[int, int], ...] | None


class ContestView(msgspec.Struct, frozen=True):
    """What the record of a match says, at a version, against the result that stands, and because of what."""

    version: int
    winner: int | None
    score: tuple[int, int] | None
    because: str


class PairingView(msgspec.Struct, frozen=True):
    """A match that was paired, and what has come of it."""

    fixture: str
    table: int
    feature: bool
    match: str
    sides: tuple[SideView, SideView]
    status: str
    winner: int | None
    how: str | None
    score: tuple[int, int] | None
    worth: tuple[int, int] | None
    disputed: bool
    why: str
    version: int | None
    games: tuple[tuple[int, int], ...] | None = None
    claims: tuple[ClaimView, ...] = ()
    contested: ContestView | None = None


class ByeView(msgspec.Struct, frozen=True):
    """Who has nobody to play in a round, and why."""

    entry: str
    name: str
    kind: str
    why: str


class RoundView(msgspec.Struct, frozen=True):
    """A round: its place in the stage, its pairings by table, byes; `clock` is the version that set the clock. Of a
    bracket `title` is what people call it; `to_pair` are the matches of it that are still to be paired."""

    stage: int
    round: int
    number: int
    status: str
    provisional: tuple[str, ...]
    own: bool
    minutes: int | None
    clock: int
    pairings: tuple[PairingView, ...]
    byes: tuple[ByeView, ...]
    title: str = ""
    to_pair: tuple[str, ...] = ()


class PlaceView(msgspec.Struct, frozen=True):
    """A final place, and what it gets."""

    rank: int
    entry: str
    name: str
    prize: str | None


class TournamentView(msgspec.Struct, frozen=True):
    """A tournament. `at` is the stage that is on, from 0 (-1: none yet)."""

    id: str
    club: str
    version: int
    name: str
    status: str
    plan: dict[str, Any]
    at: int
    entries: tuple[EntryView, ...]
    stages: tuple[StageView, ...]
    rounds: tuple[RoundView, ...]
    places: tuple[PlaceView, ...]


def tournament_view(stream: str, club: str, state: Tournament, names: Names) -> TournamentView:
    """The view of a state."""
    called = calling(state, names)
    return TournamentView(
        id=stream, club=club, version=state.version, name=state.name, status=status_of(state),
        plan=codec.plain(state.plan), at=state.at,
        entries=tuple(entry_view(state, each, names) for each in state.entries.values()),
        stages=tuple(stage_view(state, number) for number in range(len(state.stages))),
        rounds=tuple(
            round_view(state, number, place, called)
            for number, stage in enumerate(state.stages) for place in range(len(stage.rounds))
        ),
        places=tuple(
            PlaceView(rank, entry, called[entry], prize_of(state.plan, rank)) for rank, entry in state.places
        ),
    )  # fmt: skip


def status_of(state: Tournament) -> str:
    """Announced, on, finished or archived."""
    if state.archived:
        return "archived"
    if state.finished:
        return "finished"
    return "on" if state.at >= 0 else "announced"


def prize_of(plan: e.Plan, rank: int) -> str | None:
    """What a place gets."""
    return next((prize.what for prize in plan.prizes if prize.first <= rank <= prize.last), None)


def calling(state: Tournament, names: Names) -> dict[str, str]:
    """What each entry is called."""
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
        entry.id, called(entry, names), tuple(names.get(player) for player in entry.players), entry.players,
        entry.rating, seed, status, entry.here, entry.paid, entry.table, entry.before,
    )  # fmt: skip


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
        number=number, name=setup.name or stage.format.title, kind=format_["kind"], title=stage.format.title,
        format=format_, game=setup.game, game_title=find_game(setup.game).title,
        options=msgspec.json.decode(setup.options),
        race=codec.plain(setup.race), terms=codec.plain(setup.terms), minutes=setup.minutes,
        unfinished=setup.unfinished, go_on=setup.go_on, status=status, entries=len(stage.order),
        rounds=len(stage.rounds), level=level_on_the_line(state) if number == state.at and status == "over" else (),
        parted=PartedView(stage.parted.order, stage.parted.how, stage.parted.lot) if stage.parted else None,
    )  # fmt: skip


def round_view(state: Tournament, number: int, place: int, names: Mapping[str, str]) -> RoundView:
    """One round, by its place in the stage from 0."""
    stage = state.stages[number]
    here = stage.rounds[place]
    pairings = sorted(
        (pairing_view(stage, name, names) for name in here.names if name in stage.pairings),
        key=lambda each: each.table,
    )
    open_ones = [each for each in pairings if each.status == "open"]
    to_pair = stage.unpaired_in(place) if stage.side_by_side else ()
    if here.locked:
        status = "locked"
    elif not open_ones and not to_pair:
        status = "decided"
    else:
        status = "on" if here.clock or len(open_ones) < len(pairings) else "paired"
    byes = tuple(ByeView(bye.entry, names[bye.entry], bye.kind, said(bye.why, names)) for bye in here.byes)
    bracket = not stage.format.tiebreaks and not stage.format.drawn_round_by_round
    title = round_name(here.part, here.number, size_for(len(stage.order))) if bracket else ""
    return RoundView(
        number, place + 1, here.number, status, here.pending, here.own, here.minutes, here.clock, tuple(pairings), byes,
        title, to_pair,
    )  # fmt: skip


def rounds_on(view: TournamentView) -> tuple[RoundView, ...]:
    """The rounds of the stage that is on in which a match is still to be decided; where there is none, the last one."""
    here = (each for each in view.rounds if each.stage == view.at)
    found = tuple(each for each in here if any(pairing.status == "open" for pairing in each.pairings))
    return found or view.rounds[-1:]


def pairing_view(stage: Stage, name: str, names: Mapping[str, str]) -> PairingView:
    """One pairing."""
    each, outcome = stage.pairings[name], stage.decided.get(name)
    sides = [
        SideView(entries, " & ".join(names[entry] for entry in entries), place == each.first)
        for place, entries in enumerate(each.sides)
    ]
    disputed = name in stage.disputed
    return PairingView(
        fixture=name, table=each.table, feature=name in stage.featured, match=each.match, sides=(sides[0], sides[1]),
        status="disputed" if disputed else "open" if outcome is None else "decided",
        winner=outcome.winner if outcome else None, how=outcome.how if outcome else None,
        score=outcome.score if outcome else None, worth=outcome.worth if outcome else None, disputed=disputed,
        why=said(each.why, names), version=outcome.version if outcome else None,
        games=outcome.games if outcome else None,
        claims=tuple(
            ClaimView(side, claim.winner, claim.score, claim.games)
            for side, claim in sorted(stage.claims.get(name, {}).items())
        ),
        contested=_contest_view(stage, name),
    )  # fmt: skip


def _contest_view(stage: Stage, name: str) -> ContestView | None:
    against = stage.contested.get(name)
    if against is None:
        return None
    return ContestView(against.version, against.winner, against.score, against.because)


def said(text: str, names: Mapping[str, str]) -> str:
    """A reason with names in the place of entries."""
    return fill(text, lambda entry: names.get(entry, entry))
