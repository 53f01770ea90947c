"""Reporting a result, and what becomes of rounds that were paired on a result that was wrong."""

from collections.abc import Sequence

import msgspec

from domain.decider import Refusal
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.evolve import evolve
from domain.tournament.meetings import Decided, meetings
from domain.tournament.outcomes import check_unlocked, event_of, gone, hanging_on, read_outcome, walked_over
from domain.tournament.rounds import pair_round, seated_at
from domain.tournament.state import Stage, Tournament
from domain.tournament.tables import Sides, deals_first


def reported(state: Tournament, command: c.Report | c.Hear, chance: c.Chance) -> list[e.TournamentEvent]:
    """What came of a match; who has left gives the next opponent a walkover at once. Raises Refusal."""
    if state.at < 0:
        raise Refusal("misfit", "no round has been paired")
    if command.fixture not in state.stage.pairings and _earlier(state, command.fixture) is not None:
        return _in_earlier_stage(state, command, chance)
    if command.fixture not in state.stage.pairings:
        raise Refusal("not-found", f"no match {command.fixture!r} has been paired in this stage")
    stage, repair = state.stage, _repair(command)
    check_unlocked(stage, command.fixture)
    outcome, before = read_outcome(stage, command), stage.decided.get(command.fixture)
    _check_new(stage, command, before, outcome)
    if before is None or before.winner == outcome.winner:
        return _told(state, command, outcome)
    hanging = hanging_on(state, stage, command.fixture)
    if not hanging or (repair == "keep" and stage.format.drawn):
        return _told(state, command, outcome)
    if repair is None:
        raise _choose(stage, command.fixture, hanging)
    if repair == "keep":
        raise Refusal("misfit", "in a bracket only who won goes on: repair it `again`, or let the result stand")
    if stage.format.drawn:
        return _paired_again(state, command, outcome, chance)
    return _put_right(state, command, outcome, hanging, chance)


def _repair(command: c.Report | c.Hear) -> c.Repair | None:
    """What becomes of later rounds; the record of a match has no say in that."""
    return command.repair if isinstance(command, c.Report) else None


def _check_new(stage: Stage, command: c.Report | c.Hear, before: Decided | None, outcome: Decided) -> None:
    if before == outcome and command.fixture not in stage.disputed:
        raise Refusal("misfit", "that is what stands there already")


def _told(state: Tournament, command: c.Report | c.Hear, outcome: Decided) -> list[e.TournamentEvent]:
    """The outcome, and the walkovers that come of it."""
    stage = state.stage
    known = {**stage.decided, command.fixture: outcome}
    told = event_of(state.at, command.fixture, outcome)
    return [told, *walked_over(state, stage, known, gone(state, stage))]


def _choose(stage: Stage, fixture: str, hanging: Sequence[str]) -> Refusal:
    """The refusal that says which ways there are."""
    if stage.format.drawn:
        said = (
            f"{hanging[0]} was paired on the result of {fixture}: correct it with `repair` as `keep` (what was paired"
        )
        return Refusal("window-closed", f"{said} stands) or `again` (it is paired again)", depends=list(hanging))
    said = f"{hanging[0]} has been paired with whoever won {fixture}"
    return Refusal(
        "window-closed", f"{said}: take that round back first, or correct it with `repair` as `again`",
        depends=list(hanging),
    )  # fmt: skip


def _paired_again(
    state: Tournament, command: c.Report | c.Hear, outcome: Decided, chance: c.Chance
) -> list[e.TournamentEvent]:
    """The one round since is taken back, and paired again on what is right; who meets the same keeps the match."""
    stage = state.stage
    place = stage.round_of(command.fixture)
    if place != len(stage.rounds) - 2:
        raise Refusal("window-closed", "more than one round was paired since: they can only be kept")
    played = [name for name in stage.rounds[-1].names if name in stage.decided]
    if played:
        raise Refusal("window-closed", f"{played[0]} of the round after it has a result: that round can only be kept")
    before = {each.sides: each for each in map(stage.pairings.__getitem__, stage.rounds[-1].names)}
    taken: e.TournamentEvent = e.RoundUnpaired(state.at, len(stage.rounds))
    told = event_of(state.at, command.fixture, outcome)
    state = evolve(evolve(state, taken), told)
    events = [taken, told, *pair_round(state, c.PairRound(provisional=True), chance)]
    paired = events[-1]
    assert isinstance(paired, e.RoundPaired)
    events[-1] = _with_same(paired, before)
    return events


def _with_same(paired: e.RoundPaired, before: dict[Sides, e.Pairing]) -> e.RoundPaired:
    """The round in which those who met before too keep their match; tables as they are drawn now."""
    pairings = tuple(
        msgspec.structs.replace(each, match=before[each.sides].match) if each.sides in before else each
        for each in paired.pairings
    )
    return msgspec.structs.replace(paired, pairings=pairings)


def _put_right(
    state: Tournament, command: c.Report | c.Hear, outcome: Decided, hanging: Sequence[str], chance: c.Chance
) -> list[e.TournamentEvent]:
    """A bracket with the right winner: what hung on the wrong one is between others now, or waits again; a result of
    theirs does not stand any more."""
    events: list[e.TournamentEvent] = [
        e.OutcomeWithdrawn(state.at, name) for name in hanging if name in state.stage.decided
    ]
    events.append(event_of(state.at, command.fixture, outcome))
    for each in events:
        state = evolve(state, each)
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
                raise Refusal("malformed", "`ids`: matches between others need fresh ids")
            pairing = e.Pairing(name, sides, old.table, match, deals_first(stage, sides), old.why)
        put: e.TournamentEvent = e.PairingReplaced(state.at, name, pairing)
        state = evolve(state, put)
        events.append(put)
    walked = walked_over(state, state.stage, state.stage.decided, gone(state, state.stage))
    return [*events, *walked]


def _earlier(state: Tournament, fixture: str) -> int | None:
    """The stage before the one that is on in which a match was paired."""
    return next((at for at in range(state.at - 1, -1, -1) if fixture in state.stages[at].pairings), None)


def _in_earlier_stage(state: Tournament, command: c.Report | c.Hear, chance: c.Chance) -> list[e.TournamentEvent]:
    """A result of a stage that is over: its score may be put right; another winner takes back the first round of the
    next stage, and begins that again, if nothing of it was played."""
    number = _earlier(state, command.fixture)
    assert number is not None
    stage, repair = state.stages[number], _repair(command)
    check_unlocked(stage, command.fixture)
    outcome, before = read_outcome(stage, command), stage.decided.get(command.fixture)
    _check_new(stage, command, before, outcome)
    told = event_of(number, command.fixture, outcome)
    if before is not None and before.winner == outcome.winner:
        return [told]
    later = state.stage
    if number != state.at - 1 or len(later.rounds) != 1 or any(name in later.decided for name in later.pairings):
        raise Refusal("window-closed", "the next stage is being played by those who went on: let the result stand")
    if repair == "keep":
        return [told]
    if repair is None:
        said = f"the next stage has begun on the result of {command.fixture}: correct it with `repair` as"
        raise Refusal("window-closed", f"{said} `keep` (who went on stays) or `again` (it is paired again)")
    same = {each.sides: each for each in later.pairings.values()}
    taken: e.TournamentEvent = e.RoundUnpaired(state.at, 1)
    after = evolve(evolve(state, taken), told)
    events = [taken, told, *pair_round(after, c.PairRound(), c.Chance(chance.ids, later.lot))]
    paired = events[-1]
    assert isinstance(paired, e.RoundPaired)
    events[-1] = _with_same(paired, same)
    return events
