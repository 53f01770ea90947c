"""The state of a tournament, folded from its events."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from domain.tournament import events as e
from domain.tournament.format import Format
from domain.tournament.formats import read_format
from domain.tournament.meetings import NOBODY, WAITING, Decided, Meeting, meetings
from domain.tournament.places import Place


class Entry(msgspec.Struct, frozen=True):
    """Who takes part: one player, or partners."""

    id: str
    players: tuple[str, ...]
    rating: int | None = None
    withdrawn: bool = False


class Stage(msgspec.Struct, frozen=True):
    """A stage as it stands. `order` are entries by seed, empty before it began; `pairings` and `decided` by the name
    of the match in the plan; `rounds` are the names that were paired together, in order."""

    setup: e.Stage
    format: Format
    order: tuple[str, ...] = ()
    pairings: Mapping[str, e.Pairing] = {}
    rounds: tuple[tuple[str, ...], ...] = ()
    decided: Mapping[str, Decided] = {}

    @property
    def begun(self) -> bool:
        """Whether it has entries."""
        return bool(self.order)

    def meetings(self) -> dict[str, Meeting]:
        """Every match of the plan as it stands."""
        return meetings(self.format.fixtures(len(self.order)), self.decided)

    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.begun and not any(each.status in ("waiting", "ready") for each in self.meetings().values())

    def places(self) -> tuple[Place, ...]:
        """The places so far, by seed."""
        return self.format.places(len(self.order), self.meetings())

    def entry(self, seed: int) -> str | None:
        """The entry with a seed; None for nobody, or nobody yet."""
        return None if seed in (NOBODY, WAITING) else self.order[seed - 1]


class Tournament(msgspec.Struct, frozen=True):
    """A tournament. `seeds` are the entries as they were put in order; `at` is the stage that is on (-1: none yet)."""

    version: int = 0
    name: str = ""
    stages: tuple[Stage, ...] = ()
    entries: Mapping[str, Entry] = {}
    seeds: tuple[str, ...] = ()
    at: int = -1
    finished: bool = False

    @property
    def stage(self) -> Stage:
        """The stage that is on; only once one has begun."""
        return self.stages[self.at]

    def active(self) -> tuple[str, ...]:
        """The entries that have not left, in the order in which they entered."""
        return tuple(each.id for each in self.entries.values() if not each.withdrawn)


def fold(state: Tournament, recorded: Iterable[tuple[int, Any]]) -> Tournament:
    """The tournament after these (version, event) pairs."""
    for version, event in recorded:
        state = msgspec.structs.replace(evolve(state, event), version=version)
    return state


def evolve(state: Tournament, event: e.TournamentEvent) -> Tournament:
    """The tournament after one event. Never judges."""
    change = msgspec.structs.replace
    match event:
        case e.TournamentAnnounced():
            stages = tuple(Stage(each, read_format(msgspec.json.decode(each.format))) for each in event.stages)
            return change(state, name=event.name, stages=stages)
        case e.EntryMade():
            entry = Entry(event.entry, event.players, event.rating)
            return change(state, entries={**state.entries, entry.id: entry})
        case e.EntryWithdrawn():
            gone = change(state.entries[event.entry], withdrawn=True)
            seeds = tuple(each for each in state.seeds if each != event.entry)
            return change(state, entries={**state.entries, gone.id: gone}, seeds=seeds)
        case e.SeedsGiven():
            return change(state, seeds=event.order)
        case e.TournamentFinished():
            return change(state, finished=True)
        case e.StageStarted():
            return _with_stage(change(state, at=event.stage), event.stage, order=event.order)
        case e.RoundPaired() | e.RoundUnpaired() | e.OutcomeReported():
            return _in_stage(state, event)
        case _:
            return state


def _in_stage(state: Tournament, event: e.RoundPaired | e.RoundUnpaired | e.OutcomeReported) -> Tournament:
    stage = state.stages[event.stage]
    match event:
        case e.RoundPaired():
            fresh = {each.fixture: each for each in event.pairings}
            rounds = (*stage.rounds, tuple(fresh))
            return _with_stage(state, event.stage, pairings={**stage.pairings, **fresh}, rounds=rounds)
        case e.RoundUnpaired():
            taken = stage.rounds[event.round - 1]
            kept = {name: each for name, each in stage.pairings.items() if name not in taken}
            return _with_stage(state, event.stage, pairings=kept, rounds=stage.rounds[: event.round - 1])
        case e.OutcomeReported():
            outcome = Decided(event.winner, event.how, event.score)
            return _with_stage(state, event.stage, decided={**stage.decided, event.fixture: outcome})


def _with_stage(state: Tournament, number: int, **changed: Any) -> Tournament:
    stages = list(state.stages)
    stages[number] = msgspec.structs.replace(stages[number], **changed)
    return msgspec.structs.replace(state, stages=tuple(stages))
