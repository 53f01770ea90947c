"""The change that each event makes in a tournament. Nothing is judged."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from domain.log.event import AnyEvent
from domain.tournament import events as e
from domain.tournament.delay import rested
from domain.tournament.formats import read_format
from domain.tournament.meetings import Decided
from domain.tournament.state import Claim, Contested, Entry, Round, Stage, Tournament


def fold(state: Tournament, recorded: Iterable[tuple[int, AnyEvent]]) -> Tournament:
    """The tournament after these (version, event) pairs."""
    for version, event in recorded:
        state = evolve(msgspec.structs.replace(state, version=version), event)
        if state.plan.delay == "round":
            state = rested(state, event)
    return state


def evolve(state: Tournament, event: e.TournamentEvent) -> Tournament:
    """The tournament after one event, whose version it has already. Never judges."""
    change = msgspec.structs.replace
    match event:
        case e.TournamentAnnounced():
            stages = tuple(Stage(each, read_format(msgspec.json.decode(each.format))) for each in event.stages)
            return change(state, name=event.name, stages=stages, plan=event.plan)
        case e.SeedsGiven():
            if state.at >= 0:  # those who are level on the qualifying line of the stage that is on
                return _with_stage(state, state.at, parted=event)
            return change(state, seeds=event.order, seeded=event)
        case e.StageStarted():
            return _with_stage(change(state, at=event.stage), event.stage, order=event.order, lot=event.lot)
        case e.TournamentFinished():
            return change(state, places=event.places)
        case e.TournamentReopened():
            return change(state, places=())
        case e.TournamentArchived():
            return change(state, archived=event.archived)
        case (
            e.EntryMade()
            | e.EntryWithdrawn()
            | e.EntryReinstated()
            | e.EntrySubstituted()
            | e.EntryCheckedIn()
            | e.FeePaid()
        ):
            return _entries(state, event)
        case (
            e.RoundPaired()
            | e.RoundUnpaired()
            | e.RoundStarted()
            | e.RoundLocked()
            | e.PairingReplaced()
            | e.TableAssigned()
            | e.ByeGranted()
        ):
            return _rounds(state, event)
        case (
            e.OutcomeClaimed()
            | e.OutcomeReported()
            | e.OutcomeWithdrawn()
            | e.OutcomeDisputed()
            | e.OutcomeUpheld()
            | e.OutcomeContested()
        ):
            return _outcomes(state, event)
        case _:
            return state


def _entries(
    state: Tournament,
    event: e.EntryMade | e.EntryWithdrawn | e.EntryReinstated | e.EntrySubstituted | e.EntryCheckedIn | e.FeePaid,
) -> Tournament:
    change = msgspec.structs.replace
    if isinstance(event, e.EntryMade):
        return _entered(state, event)
    entry, seeds = state.entries[event.entry], state.seeds
    match event:
        case e.EntryWithdrawn():
            entry, seeds = change(entry, withdrawn=event.why), tuple(each for each in seeds if each != event.entry)
        case e.EntryReinstated():
            entry, seeds = change(entry, withdrawn=None), (*seeds, entry.id) if seeds else ()
        case e.EntrySubstituted():
            entry = change(entry, players=event.players, before=(*entry.before, entry.players))
        case e.EntryCheckedIn():
            entry = change(entry, here=event.here)
        case e.FeePaid():
            entry = change(entry, paid=event.amount)
    return change(state, entries={**state.entries, entry.id: entry}, seeds=seeds)


def _entered(state: Tournament, event: e.EntryMade) -> Tournament:
    """A new entry; who comes late stands behind the others of the stage that is on."""
    entry = Entry(event.entry, event.players, event.rating, table=event.table)
    seeds = (*state.seeds, entry.id) if state.seeds else ()
    state = msgspec.structs.replace(state, entries={**state.entries, entry.id: entry}, seeds=seeds)
    if state.at < 0:
        return state
    return _with_stage(state, state.at, order=(*state.stage.order, entry.id))


def _rounds(
    state: Tournament,
    event: e.RoundPaired
    | e.RoundUnpaired
    | e.RoundStarted
    | e.RoundLocked
    | e.PairingReplaced
    | e.TableAssigned
    | e.ByeGranted,
) -> Tournament:
    stage, change = state.stages[event.stage], msgspec.structs.replace
    match event:
        case e.RoundPaired():
            fresh = {each.fixture: each for each in event.pairings}
            changed: dict[str, Any] = {
                "pairings": {**stage.pairings, **fresh},
                "rounds": _with_tables(stage, event),
                "parted": None,
            }
        case e.RoundUnpaired():
            taken = stage.rounds[event.round - 1].names
            kept = {name: each for name, each in stage.pairings.items() if name not in taken}
            changed = {
                "pairings": kept,
                "rounds": stage.rounds[: event.round - 1],
                "featured": stage.featured - set(taken),
                "withdrawn": {name: each for name, each in stage.withdrawn.items() if name not in taken},
                **_unsaid(stage, taken),
            }
            if stage.format.drawn_round_by_round:  # the next draw may give these names to others
                changed["decided"] = {name: each for name, each in stage.decided.items() if name not in taken}
            if event.round == 1:  # the stage has not begun after all: entries and seeds are open again
                changed |= {"order": (), "decided": {}, "withdrawn": {}}
                state = change(state, at=event.stage - 1)
        case e.PairingReplaced():
            pairings = {name: each for name, each in stage.pairings.items() if name != event.fixture}
            rounds = stage.rounds
            if event.pairing is None:
                rounds = tuple(
                    change(each, names=tuple(name for name in each.names if name != event.fixture)) for each in rounds
                )
            else:
                pairings[event.fixture] = event.pairing
            withdrawn = {name: each for name, each in stage.withdrawn.items() if name != event.fixture}
            changed = {
                "pairings": pairings,
                "rounds": rounds,
                "withdrawn": withdrawn,
                **_unsaid(stage, (event.fixture,)),
            }
        case e.RoundStarted() | e.RoundLocked():
            here = stage.rounds[event.round - 1]
            if isinstance(event, e.RoundLocked):
                here = change(here, locked=event.locked)
            else:
                here = change(here, minutes=event.minutes, clock=state.version)
            changed = {"rounds": (*stage.rounds[: event.round - 1], here, *stage.rounds[event.round :])}
        case e.TableAssigned():
            moved = change(stage.pairings[event.fixture], table=event.table)
            featured = stage.featured | {event.fixture} if event.feature else stage.featured - {event.fixture}
            changed = {"pairings": {**stage.pairings, event.fixture: moved}, "featured": featured}
        case e.ByeGranted():
            before = {entry: kind for entry, kind in stage.granted.get(event.round, {}).items() if entry != event.entry}
            here_now = before if event.kind is None else {**before, event.entry: event.kind}
            changed = {"granted": {**stage.granted, event.round: here_now}}
    return _with_stage(state, event.stage, **changed)


def _unsaid(stage: Stage, names: Iterable[str]) -> dict[str, Any]:
    """Claims, contests and disputes as they stand when the pairings of these matches are forgotten."""
    gone = frozenset(names)
    kept = ("claims", "contested", "upheld", "reported", "disputed_at", "signed")
    said = {name: {key: each for key, each in getattr(stage, name).items() if key not in gone} for name in kept}
    return {**said, "disputed": stage.disputed - gone, "stands": stage.stands - gone}


def _with_tables(stage: Stage, event: e.RoundPaired) -> tuple[Round, ...]:
    """The rounds with one more, or with more tables in one that is on: whoever has a match now has no bye."""
    names = tuple(each.fixture for each in event.pairings)
    part = stage.part_of(names[0]) if names else "round"
    place = stage.place_of(part, event.round) if event.added else None
    if place is None:
        fresh = Round(event.round, names, event.byes, event.pending, event.own, part=part)
        return (*stage.rounds, fresh)
    here = stage.rounds[place]
    playing = {entry for each in event.pairings for side in each.sides for entry in side}
    more = msgspec.structs.replace(
        here,
        names=(*here.names, *names),
        own=here.own or event.own,
        byes=(*(bye for bye in here.byes if bye.entry not in playing), *event.byes),
        pending=tuple(dict.fromkeys((*here.pending, *event.pending))),
    )
    return (*stage.rounds[:place], more, *stage.rounds[place + 1 :])


def _outcomes(
    state: Tournament,
    event: e.OutcomeClaimed
    | e.OutcomeReported
    | e.OutcomeWithdrawn
    | e.OutcomeDisputed
    | e.OutcomeUpheld
    | e.OutcomeContested,
) -> Tournament:
    stage, name = state.stages[event.stage], event.fixture
    match event:
        case e.OutcomeClaimed():
            changed: dict[str, Any] = _claimed(state, stage, event)
        case e.OutcomeReported():
            outcome = Decided(
                event.winner,
                event.how,
                event.score,
                event.worth,
                event.levels,
                event.version,
                event.games,
                event.ruling,
            )
            # a record settles no dispute: the director does
            settled = {name} if event.version is None else set()
            changed = {
                "decided": {**stage.decided, name: outcome},
                "disputed": stage.disputed - settled,
                "claims": without(stage.claims, name),
                "contested": without(stage.contested, name),
                "reported": {**stage.reported, name: state.version},
                "signed": {**stage.signed, name: _agreeing(stage, name, outcome)},
                "stands": stage.stands - {name},
            }
        case e.OutcomeWithdrawn():
            said_at = stage.decided[name].version or 0
            changed = {
                "decided": without(stage.decided, name),
                "disputed": stage.disputed - {name},
                "withdrawn": {**stage.withdrawn, name: said_at},
                "claims": without(stage.claims, name),
                "contested": without(stage.contested, name),
                "signed": without(stage.signed, name),
                "stands": stage.stands - {name},
            }
        case e.OutcomeDisputed():
            changed = {"disputed": stage.disputed | {name}, "disputed_at": {**stage.disputed_at, name: state.version}}
        case e.OutcomeUpheld():
            upheld = {**stage.upheld, name: stage.contested[name].version} if name in stage.contested else stage.upheld
            changed = {
                "disputed": stage.disputed - {name},
                "contested": without(stage.contested, name),
                "upheld": upheld,
                "stands": stage.stands | {name},
            }
        case e.OutcomeContested():
            against = Contested(event.version, event.winner, event.score, event.because, event.ruling)
            changed = {"contested": {**stage.contested, name: against}}
    return _with_stage(state, event.stage, **changed)


def _claimed(state: Tournament, stage: Stage, event: e.OutcomeClaimed) -> dict[str, Any]:
    """The stage after the word of a side: of a result that stands it is a signature."""
    said = Claim(event.winner, event.score, event.games, state.version, event.person, event.strength)
    kept = "claims" if event.fixture not in stage.decided else "signed"
    known: Mapping[str, Mapping[int, Claim]] = getattr(stage, kept)
    return {kept: {**known, event.fixture: {**known.get(event.fixture, {}), event.side: said}}}


def _agreeing(stage: Stage, name: str, outcome: Decided) -> dict[int, Claim]:
    """The words of sides, said before or of the result before it, that say the same as a result."""
    said = {**stage.signed.get(name, {}), **stage.claims.get(name, {})}
    return {side: each for side, each in said.items() if each.agrees(outcome.winner, outcome.score)}


def without(known: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The same mapping with one match left out."""
    return {each: value for each, value in known.items() if each != name}


def _with_stage(state: Tournament, number: int, **changed: Any) -> Tournament:
    stages = list(state.stages)
    stages[number] = msgspec.structs.replace(stages[number], **changed)
    return msgspec.structs.replace(state, stages=tuple(stages))
