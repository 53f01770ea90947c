"""Rounds of a tournament: pairing what is ready, taking one back, its clock, its tables, locking it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias, assert_never

import msgspec

from domain.log.decider import Refusal
from domain.log.message import Explanation, renamed
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.decide.line import check_parted
from domain.tournament.decide.outcomes import hanging_on, outcome_changes, walkovers_reopened
from domain.tournament.evolve import evolve
from domain.tournament.fixtures import Fixture
from domain.tournament.format import DrawnRound, StageSoFar
from domain.tournament.meetings import Meeting, meetings
from domain.tournament.readiness import assumed, held_in, ready, tables_of
from domain.tournament.seating import Sides, deals_first, tables_for
from domain.tournament.state import Round, Stage, Tournament

RoundCommand: TypeAlias = c.PairRound | c.UnpairRound | c.StartRound | c.LockRound | c.AssignTable


def round_events(state: Tournament, command: RoundCommand, chance: c.Chance) -> list[e.TournamentEvent]:
    """The events of a command about rounds. Raises Refusal."""
    if isinstance(command, c.PairRound):
        return pair_round(state, command, chance)
    if state.at < 0 or not state.stage.rounds:
        raise Refusal("misfit", "no round has been paired")
    match command:
        case c.UnpairRound():
            return [unpair_round(state)]
        case c.StartRound():
            return [_started(state, command)]
        case c.LockRound():
            return [_locked(state, command)]
        case c.AssignTable():
            return _assigned(state, command)
        case _:
            assert_never(command)


def pair_round(state: Tournament, command: c.PairRound, chance: c.Chance) -> list[e.TournamentEvent]:
    """All that is ready in the stage that is on, or its next round; or the first of the next stage. Raises Refusal."""
    if command.added:
        return [_further(state, command, chance.ids)]
    started = walkovers_reopened(state)
    for each in started:
        state = evolve(state, each)
    if state.at < 0 or _over(state, command):
        started.append(_next_stage(state, chance.lot))
        state = evolve(state, started[-1])
    for walked in outcome_changes(state, state.at, state.stage.decided):
        started.append(walked)  # somebody left while a round was taken back
        state = evolve(state, walked)
    stage, field = state.stage, state.field(state.at)
    if stage.side_by_side and command.pairs is None:
        return [*started, *_all_ready(state, command, chance.ids)]
    if command.number is not None and command.number != len(stage.rounds) + 1:
        raise Refusal("misfit", f"round {len(stage.rounds) + 1} is the next one, not round {command.number}")
    pending = _pending(stage, field.found, command)
    drawn = _own(state, field, command) if command.pairs is not None else stage.format.draw(field)
    paired = _paired(state, drawn, chance.ids, pending)
    return [*started, msgspec.structs.replace(paired, own=command.pairs is not None)]


def _all_ready(state: Tournament, command: c.PairRound, ids: Sequence[str]) -> list[e.TournamentEvent]:
    """Every match that is ready: one event for each round that is begun, or gets more tables. Raises Refusal."""
    found: list[e.TournamentEvent] = []
    places = []
    field = state.field(state.at)
    for drawn in ready(state.stage, field, command):
        stage = state.stage
        there = stage.place_of(drawn.fixtures[0].part, drawn.round)
        paired = _paired(state, drawn, ids, assumed(stage, field, drawn, (*command.held, *command.appealed)))
        if there is not None:
            paired = msgspec.structs.replace(paired, byes=(), added=True)
        places.append(len(stage.rounds) + 1 if there is None else there + 1)
        ids = ids[len(paired.pairings) :]
        found.append(paired)
        state = evolve(state, paired)
    if command.number is not None and command.number not in places:
        now = ", ".join(map(str, places))
        raise Refusal("misfit", f"what can be paired now belongs to round {now}, not to round {command.number}")
    return found


def _further(state: Tournament, command: c.PairRound, ids: Sequence[str]) -> e.RoundPaired:
    """Tables that are added to the round that is on. Raises Refusal."""
    if state.at < 0 or not state.stage.rounds:
        raise Refusal("misfit", "no round has been paired: late entries play in the first one")
    stage = state.stage
    if command.pairs is not None or command.early:
        raise Refusal("malformed", "`added`: the format pairs late entries; leave `pairs` and `early` out")
    if command.number not in (None, len(stage.rounds)):
        raise Refusal("misfit", f"tables are added to the last round, {len(stage.rounds)}, not to {command.number}")
    if stage.rounds[-1].locked:
        raise Refusal("window-closed", f"round {len(stage.rounds)} is locked: open it first")
    paired = _paired(state, stage.format.further(state.field(state.at)), ids, ())
    return msgspec.structs.replace(paired, added=True)


def _over(state: Tournament, command: c.PairRound) -> bool:
    """Tells whether the stage that is on is over, or is to end now; a result that is disputed keeps it open, and so
    does a case about it, unless the next stage is paired provisionally."""
    stage, field = state.stage, state.field(state.at)
    waiting = any(name in stage.pairings and each.status == "ready" for name, each in field.found.items())
    last = state.at + 1 == len(state.stages)
    if not stage.format.over(field) and not (command.early and stage.rounds and not waiting and not last):
        return False
    if stage.disputed:
        raise Refusal("misfit", f"{tables_of(stage, stage.disputed)} is disputed: settle it before the next stage")
    held = held_in(stage, command.held)
    if held and not last and not command.provisional:
        raise Refusal(
            "misfit", f"a case is open about {tables_of(stage, held)}: close it, or pair with results missing"
        )
    return True


def _next_stage(state: Tournament, lot: int) -> e.StageStarted:
    """The stage that begins now, with who is in it by seed. Raises Refusal."""
    number = state.at + 1
    if number == len(state.stages):
        raise Refusal("misfit", "every match has been played: finish the tournament")
    if state.at < 0:
        order = state.seeds or state.active()
    else:
        stage = state.stage
        check_parted(state)
        order = stage.entries(stage.format.qualifiers(state.field(state.at), stage.setup.go_on))
    if len(order) < 2:
        raise Refusal("misfit", f"a tournament needs two entries, and {len(order)} can play: enter somebody first")
    state.stages[number].format.fixtures(len(order))
    return e.StageStarted(number, order, lot, state.stages[number].setup.house)


def _pending(stage: Stage, found: Mapping[str, Meeting], command: c.PairRound) -> tuple[str, ...]:
    """The matches that are still open or disputed, or about which a case is open, and those with a ruling under appeal.
    Raises Refusal unless the round need not wait for them; for an appeal nothing waits."""
    waiting = [name for name, each in found.items() if name in stage.pairings and each.status == "ready"]
    held = held_in(stage, command.held)
    if not command.provisional:
        if waiting:
            round_ = found[waiting[0]].fixture.round
            where = tables_of(stage, waiting)
            raise Refusal("misfit", f"round {round_} is on: nothing is decided yet at {where}")
        if stage.disputed:
            where = tables_of(stage, stage.disputed)
            raise Refusal("misfit", f"{where} is disputed: settle it, or pair with results missing")
        if held:
            raise Refusal(
                "misfit", f"a case is open about {tables_of(stage, held)}: close it, or pair with results missing"
            )
    return tuple(sorted({*waiting, *stage.disputed, *held, *held_in(stage, command.appealed)}))


def _own(state: Tournament, field: StageSoFar, command: c.PairRound) -> DrawnRound:
    """The director's own pairs. Raises Refusal."""
    stage = state.stage
    if not stage.format.drawn_round_by_round:
        raise Refusal("misfit", _planned(state))
    seeds: dict[str | None, int] = {entry: seed for seed, entry in enumerate(stage.order, start=1)}
    seeds[None] = 0
    pairs = command.pairs or ()
    unknown = [entry for each in pairs for entry in each if entry not in seeds]
    if unknown:
        raise Refusal("malformed", f"{unknown[0]!r} is no entry of this stage")
    return stage.format.director_pairs(field, [(seeds[one], seeds[other]) for one, other in pairs], command.knowingly)


def _planned(state: Tournament) -> str:
    """Explains why nobody pairs by hand where a plan says who meets whom, and what to do instead."""
    stage = state.stage
    said = f"{stage.format.title}: the plan says who meets whom"
    if state.at > 0:
        return f"{said}, by the places of the stage before"
    if not stage.rounds:
        return f"{said}; give the seeds in another order instead, then pair"
    return f"{said}, by the seeds with which the tournament began"


def _paired(state: Tournament, drawn: DrawnRound, ids: Sequence[str], pending: tuple[str, ...]) -> e.RoundPaired:
    """The round with tables, and fresh streams for its matches. Raises Refusal."""
    stage = state.stage
    now = [each for each in drawn.fixtures if each.id not in stage.pairings]
    if not now:
        raise Refusal("misfit", "nothing can be paired before a result comes in")
    if len(ids) < len(now):
        raise Refusal("malformed", f"{len(now)} matches need {len(now)} ids")
    seated = seated_at(stage, now)
    tables = tables_for(state, seated)
    pairings = tuple(
        e.Pairing(
            each.id,
            seated[each.id],
            tables[each.id],
            match,
            deals_first(stage, seated[each.id]),
            _named(drawn.why.get(each.id, ()), stage),
        )
        for each, match in zip(now, ids, strict=False)
    )
    byes = tuple(
        e.Bye(stage.order[seed - 1], kind, _named(drawn.why_bye.get(seed, ()), stage))
        for seed, kind in drawn.byes.items()
    )
    return e.RoundPaired(state.at, drawn.round, pairings, byes, pending)


def seated_at(stage: Stage, now: Iterable[Fixture]) -> dict[str, Sides]:
    """The entries on both sides of matches, by name."""
    wanted = {each.id: each for each in now}
    decided = {} if stage.format.drawn_round_by_round else stage.decided
    plan = wanted.values() if stage.format.drawn_round_by_round else stage.fixtures()
    found = meetings(plan, decided)
    return {name: (stage.entries(found[name].of_side(0)), stage.entries(found[name].of_side(1))) for name in wanted}


def why_they_meet(state: Tournament, fixture: Fixture) -> Explanation:
    """The explanation of a match of a plan, as the stage stands."""
    return _named(state.stage.format.reason(state.field(state.at), fixture), state.stage)


def _named(explanation: Explanation, stage: Stage) -> Explanation:
    """The explanation with entries in the place of seeds."""
    return tuple(renamed(each, lambda seed: stage.order[int(seed) - 1]) for each in explanation)


def unpair_round(state: Tournament) -> e.RoundUnpaired:
    """The last round, if nothing in it was played. Raises Refusal."""
    stage = state.stage
    left = {entry for entry in stage.order if state.entries[entry].withdrawn}
    missed = {
        name for name in stage.rounds[-1].names if left & {each for side in stage.pairings[name].sides for each in side}
    }
    played = [name for name in stage.rounds[-1].names if name in stage.decided]
    if any(stage.decided[name].how == "played" for name in played):
        raise Refusal("window-closed", "the last round has results: correct them instead")
    if set(played) - missed:
        raise Refusal("window-closed", "a match of the last round is a walkover already: reopen that result first")
    hanging = [each for name in played for each in hanging_on(stage, name)]
    if hanging:
        raise Refusal("window-closed", f"{hanging[0]} has been paired with the winner of a match of the last round")
    return e.RoundUnpaired(state.at, len(stage.rounds))


def _started(state: Tournament, command: c.StartRound) -> e.RoundStarted:
    stage = state.stage
    number = command.round or len(stage.rounds)
    if _round(stage, number).locked:
        raise Refusal("window-closed", "the round is locked")
    minutes = stage.setup.minutes if command.minutes is None else command.minutes or None
    return e.RoundStarted(state.at, number, minutes)


def _round(stage: Stage, number: int) -> Round:
    """The round of that number, from 1. Raises Refusal."""
    if number > len(stage.rounds):
        raise Refusal("not-found", f"round {number} has not been paired")
    return stage.rounds[number - 1]


def _locked(state: Tournament, command: c.LockRound) -> e.RoundLocked:
    stage = state.stage
    here = _round(stage, command.round)
    if here.locked == command.locked:
        raise Refusal("misfit", "that is what stands there already")
    waiting = [name for name in here.names if name not in stage.decided or name in stage.disputed]
    if command.locked and waiting:
        raise Refusal("misfit", f"the result is open, or disputed, at {tables_of(stage, waiting)}")
    left = stage.unpaired_in(command.round - 1) if stage.side_by_side else ()
    if command.locked and left:
        raise Refusal("misfit", f"{', '.join(left)} of round {command.round} are still to be paired")
    return e.RoundLocked(state.at, command.round, command.locked)


def _assigned(state: Tournament, command: c.AssignTable) -> list[e.TournamentEvent]:
    """Another table; whoever has it in the same round takes the one that is left."""
    stage = state.stage
    if command.fixture not in stage.pairings:
        raise Refusal("not-found", f"no match {command.fixture!r} has been paired in this stage")
    mine = stage.pairings[command.fixture]
    if mine.table == command.table and (command.fixture in stage.featured) == command.feature:
        raise Refusal("misfit", "they play at this table already")
    round_ = stage.round_of(command.fixture)
    assert round_ is not None
    there = [
        each
        for each in map(stage.pairings.__getitem__, stage.rounds[round_].names)
        if each.table == command.table and each.fixture != command.fixture
    ]
    moved: list[e.TournamentEvent] = [
        e.TableAssigned(state.at, each.fixture, mine.table, each.fixture in stage.featured) for each in there
    ]
    return [e.TableAssigned(state.at, command.fixture, command.table, command.feature), *moved]
