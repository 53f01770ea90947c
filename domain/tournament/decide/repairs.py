"""Reporting a result, and what becomes of rounds that were paired on a result that was wrong."""

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.decide.line import level_on_the_line
from domain.tournament.decide.outcomes import (
    check_unlocked,
    event_of,
    hanging_on,
    outcome_changes,
    read_outcome,
    result_events,
    stage_with,
    without_walkovers,
)
from domain.tournament.decide.rounds import pair_round, seated_at, why_they_meet
from domain.tournament.evolve import evolve
from domain.tournament.meetings import Decided, lower, meetings
from domain.tournament.seating import Sides, deals_first
from domain.tournament.state import Stage, Tournament

AnyReport: TypeAlias = c.Report | c.TakeMatchResult


def reported(state: Tournament, command: AnyReport, chance: c.Chance) -> list[e.TournamentEvent]:
    """The events of a reported result; an entry that has left gives its next opponent a walkover at once. Raises
    Refusal."""
    number, stage = stage_with(state, command.fixture, command.stage)
    check_unlocked(stage, command.fixture)
    outcome, before = read_outcome(stage, command), stage.decided.get(command.fixture)
    if before == outcome and command.fixture not in (*stage.disputed, *stage.contested):
        raise Refusal("misfit", "this result stands there already")
    if number < state.at:
        return _in_earlier_stage(state, number, command, outcome, chance)
    hanging = hanging_on(stage, command.fixture) if _moves(stage, command, before, outcome) else []
    repair = _repair(command)
    if not hanging or (repair == "keep" and stage.format.drawn_round_by_round):
        return _told(state, number, command.fixture, outcome, repair if hanging else None)
    if repair is None:
        raise _choose(stage, command.fixture, hanging)
    if repair == "keep":
        raise Refusal("misfit", "in a bracket only the winner goes on: pair it `again`, or let the result stand")
    if stage.format.drawn_round_by_round:
        return _paired_again(state, command, outcome, chance)
    return _put_right(state, command, outcome, hanging, chance)


def _moves(stage: Stage, command: AnyReport, before: Decided | None, outcome: Decided) -> bool:
    """True where a pairing made since may be wrong now: another winner than stood there; of a result that a later round
    did not wait for, only where the director wants that round again."""
    if before is not None:
        return before.winner != outcome.winner
    assumed = any(command.fixture in each.pending for each in stage.rounds)
    return assumed and _repair(command) == "again"


def _repair(command: AnyReport) -> e.Repair | None:
    """The repair of later rounds that a director chose; the record of a match has no say in that."""
    return command.repair if isinstance(command, c.Report) else None


def _told(
    state: Tournament, number: int, fixture: str, outcome: Decided, repair: e.Repair | None = None
) -> list[e.TournamentEvent]:
    """The outcome, and the walkovers that come of it; those that came of the one before do not stand."""
    stage = state.stages[number]
    base = {**stage.decided, fixture: outcome}
    before = stage.decided.get(fixture)
    if before is not None and before.winner != outcome.winner and not stage.format.drawn_round_by_round:
        base = without_walkovers(stage, base, lower(stage.meetings(), fixture))
    told = event_of(number, fixture, outcome, repair)
    more = [each for each in outcome_changes(state, number, base) if getattr(each, "fixture", None) != fixture]
    return [told, *more]


def _choose(stage: Stage, fixture: str, hanging: Sequence[str]) -> Refusal:
    """The refusal that says which ways there are."""
    if stage.format.drawn_round_by_round:
        said = f"{hanging[0]} was paired on the result of {fixture}: correct it with `repair` as"
        ways = "`keep` (the pairing stands) or `again` (it is paired again)"
        return Refusal("window-closed", f"{said} {ways}", depends=list(hanging))
    said = f"{', '.join(hanging)} {'was' if len(hanging) == 1 else 'were'} paired on the result of {fixture}"
    return Refusal(
        "window-closed",
        f"{said}: undo that pairing first, or correct it with `repair` as `again`",
        depends=list(hanging),
    )


def _paired_again(state: Tournament, command: AnyReport, outcome: Decided, chance: c.Chance) -> list[e.TournamentEvent]:
    """The rounds since are taken back, the last one first, and the next one is paired again on what is right; who
    meets the same keeps the match."""
    stage = state.stage
    place = stage.round_of(command.fixture)
    assert place is not None
    played = [name for each in stage.rounds[place + 1 :] for name in each.names if name in stage.decided]
    if played:
        said = f"{', '.join(played)} of the rounds after it has a result: what was paired can only be kept"
        raise Refusal("window-closed", said, depends=played)
    told = event_of(state.at, command.fixture, outcome, "again")
    events = [*_unpaired(state, place + 1), told]
    again = pair_round(_after(state, events), c.PairRound(provisional=True), chance)
    return [*events, *_with_same(again, stage, place + 1)]


def _unpaired(state: Tournament, kept: int) -> list[e.TournamentEvent]:
    """The rounds of the stage that is on, taken back from the last one on until so many are left."""
    return [e.RoundUnpaired(state.at, number) for number in range(len(state.stage.rounds), kept, -1)]


def _with_same(events: Sequence[e.TournamentEvent], stage: Stage, kept: int) -> list[e.TournamentEvent]:
    """Rounds in which those who met before too keep their match; tables as they are drawn now. So many rounds of the
    stage were kept."""
    taken = [stage.pairings[name] for each in stage.rounds[kept:] for name in each.names]
    before: dict[Sides, e.Pairing] = {each.sides: each for each in taken}
    found: list[e.TournamentEvent] = []
    for event in events:
        if isinstance(event, e.RoundPaired):
            pairings = tuple(
                msgspec.structs.replace(each, match=before[each.sides].match) if each.sides in before else each
                for each in event.pairings
            )
            found.append(msgspec.structs.replace(event, pairings=pairings))
        else:
            found.append(event)
    return found


def _put_right(
    state: Tournament, command: AnyReport, outcome: Decided, hanging: Sequence[str], chance: c.Chance
) -> list[e.TournamentEvent]:
    """A bracket with the right winner: what hung on the wrong one is between others now, or waits again; a result of
    theirs does not stand any more."""
    for name in hanging:
        check_unlocked(state.stage, name)
    below = lower(state.stage.meetings(), command.fixture)
    base = {name: each for name, each in state.stage.decided.items() if name not in below}
    told = event_of(state.at, command.fixture, outcome)
    changes = outcome_changes(state, state.at, {**base, command.fixture: outcome})
    events = [msgspec.structs.replace(told, repair="again") if each == told else each for each in changes]
    state = _after(state, events)
    ids = iter(chance.ids)
    plan = {each.id: each for each in state.stage.fixtures()}
    for name in hanging:
        stage = state.stage
        meeting = meetings(stage.fixtures(), stage.decided)[name]
        pairing = None
        if meeting.status == "ready":
            sides = seated_at(stage, [plan[name]])[name]
            old = stage.pairings[name]
            match = old.match if old.sides == sides else next(ids, None)
            if match is None:
                raise Refusal("malformed", "matches between others need fresh ids")
            pairing = e.Pairing(
                name, sides, old.table, match, deals_first(stage, sides), why_they_meet(state, plan[name])
            )
        put: e.TournamentEvent = e.PairingReplaced(state.at, name, pairing)
        state = _after(state, [put])
        events.append(put)
    return events


def opened_again(state: Tournament, command: c.Retract) -> list[e.TournamentEvent]:
    """A result that does not stand; every match of the plan that was paired on it waits again. Raises Refusal."""
    number, stage = stage_with(state, command.fixture, command.stage)
    hanging = [] if stage.format.drawn_round_by_round or number < state.at else hanging_on(stage, command.fixture)
    played = [name for name in hanging if name in stage.decided]
    if played:
        said = f"{', '.join(played)} {'has' if len(played) == 1 else 'have'} a result already"
        raise Refusal("window-closed", f"{said}: open that again first, or correct the winner", depends=played)
    for name in hanging:
        check_unlocked(stage, name)
    events: list[e.TournamentEvent] = [e.PairingReplaced(number, name, None) for name in hanging]
    plain = c.Retract(command.fixture, command.stage)
    return [*events, *result_events(_after(state, events), plain)]


def _after(state: Tournament, events: Sequence[e.TournamentEvent]) -> Tournament:
    for event in events:
        state = evolve(state, event)
    return state


def _in_earlier_stage(
    state: Tournament, number: int, command: AnyReport, outcome: Decided, chance: c.Chance
) -> list[e.TournamentEvent]:
    """A result of a stage that is over: its score may be put right; another winner takes back the first round of the
    next stage, and begins that again, if nothing of it was played."""
    stage, repair = state.stages[number], _repair(command)
    before = stage.decided.get(command.fixture)
    if before is not None and before.winner == outcome.winner:
        return [event_of(number, command.fixture, outcome)]
    told = event_of(number, command.fixture, outcome, repair)
    if not stage.format.drawn_round_by_round and hanging_on(stage, command.fixture):
        raise Refusal("window-closed", "later matches of that stage were paired on this result: let it stand")
    later = state.stage
    played = [name for name in later.pairings if name in later.decided]
    if number != state.at - 1 or played:
        said = "the next stage is being played by those who went on: let the result stand"
        raise Refusal("window-closed", said, depends=played)
    if repair == "keep":
        return [told]
    if repair is None:
        said = f"the next stage has begun on the result of {command.fixture}: correct it with `repair` as"
        raise Refusal("window-closed", f"{said} `keep` (who went on stays) or `again` (it is paired again)")
    events = [*_unpaired(state, 0), told]
    after = _after(state, events)
    if level_on_the_line(after):
        return events  # who goes on waits for a lot, or for the director
    again = pair_round(after, c.PairRound(early=True), c.Chance(chance.ids, later.lot))
    return [*events, *_with_same(again, later, 0)]
