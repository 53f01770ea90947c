"""What came of matches: reading a report, walkovers by who has left, disputes, what is taken back."""

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from domain.decider import Refusal
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.final_score import final, plain_worth, worth_of
from domain.tournament.meetings import Decided, lower, walkovers
from domain.tournament.state import Stage, Tournament

About: TypeAlias = c.Retract | c.Dispute | c.Uphold


def decided(state: Tournament, command: About) -> list[e.TournamentEvent]:
    """The events of a command about a result that is there. Raises Refusal."""
    _, stage = stage_with(state, command.fixture)
    if command.fixture not in stage.decided:
        raise Refusal("misfit", f"{command.fixture} has no result yet")
    disputed = command.fixture in stage.disputed
    match command:
        case c.Retract():
            check_unlocked(stage, command.fixture)
            hanging = hanging_on(state, stage, command.fixture)
            if hanging:
                raise Refusal("window-closed", f"{hanging[0]} hangs on this result: take that round back first")
            return [e.OutcomeWithdrawn(state.at, command.fixture)]
        case c.Dispute():
            if disputed:
                raise Refusal("misfit", "this result is disputed already")
            check_unlocked(stage, command.fixture)
            return [e.OutcomeDisputed(state.at, command.fixture)]
        case c.Uphold():
            if not disputed:
                raise Refusal("misfit", "nobody disputes this result")
            return [e.OutcomeUpheld(state.at, command.fixture)]
        case _:
            assert_never(command)


def stage_with(state: Tournament, fixture: str) -> tuple[int, Stage]:
    """The stage that is on, with that match in it. Raises Refusal."""
    if state.at < 0:
        raise Refusal("misfit", "no round has been paired")
    if fixture not in state.stage.pairings:
        raise Refusal("not-found", f"no match {fixture!r} has been paired in this stage")
    return state.at, state.stage


def check_unlocked(stage: Stage, fixture: str) -> None:
    """Raises Refusal for a match of a round that was locked."""
    place = stage.round_of(fixture)
    if place is not None and stage.rounds[place].locked:
        raise Refusal("window-closed", f"round {place + 1} is locked: open it first")


def read_outcome(stage: Stage, command: c.Report | c.Hear) -> Decided:
    """What a report says, checked. Raises Refusal for a score that cannot be, or is not final."""
    setup = stage.setup
    if isinstance(command, c.Hear):
        _check_somebody_won(stage, command.winner)
        return Decided(command.winner, "played", command.score, command.worth, command.levels, command.version)
    if command.how == "absent":
        if command.winner is not None:
            raise Refusal("malformed", "`winner`: nobody wins where both are absent")
        return Decided(None, "absent")
    if command.how == "walkover":
        if command.winner is None:
            raise Refusal("malformed", "`winner`: a walkover is somebody's")
        return Decided(command.winner, "walkover")
    winner: int | None = command.winner
    if command.score is not None:
        winner = final(setup, command.score)
        if command.winner not in (None, winner):
            raise Refusal("malformed", f"`winner`: {command.score[0]}–{command.score[1]} was won by the other side")
    _check_somebody_won(stage, winner)
    worth, levels = plain_worth(setup.race, winner), None
    if command.score is not None and setup.race.best_of == 1:
        worth, levels = worth_of(setup.race, command.score, winner)
    return Decided(winner, "played", command.score, worth, levels)


def _check_somebody_won(stage: Stage, winner: int | None) -> None:
    """Raises Refusal for a draw where one side has to go on."""
    if winner is None and not stage.format.columns:
        raise Refusal("misfit", "a draw sends nobody on: play until one side has won")


def event_of(number: int, fixture: str, outcome: Decided) -> e.OutcomeReported:
    """An outcome as an event."""
    return e.OutcomeReported(
        number, fixture, outcome.winner, outcome.how, outcome.score, outcome.version, outcome.worth, outcome.levels
    )


def hanging_on(state: Tournament, stage: Stage, fixture: str) -> list[str]:
    """The matches that were paired and whose sides hang on this one's winner; where rounds are drawn, all of those that
    were drawn later."""
    if not stage.format.drawn:
        return [name for name in lower(stage.meetings(), fixture) if name in stage.pairings]
    place = stage.round_of(fixture)
    assert place is not None
    return [name for each in stage.rounds[place + 1 :] for name in each.names]


def walkovers_of(state: Tournament, leaving: str) -> list[e.TournamentEvent]:
    """What is decided because an entry leaves now."""
    if state.at < 0 or leaving not in state.stage.order:
        return []
    stage = state.stage
    return walked_over(state, stage, stage.decided, gone(state, stage) | {stage.order.index(leaving) + 1})


def gone(state: Tournament, stage: Stage) -> frozenset[int]:
    """The seeds of entries that have left."""
    return frozenset(seed for seed, entry in enumerate(stage.order, start=1) if state.entries[entry].withdrawn)


def walked_over(
    state: Tournament, stage: Stage, known: Mapping[str, Decided], left: frozenset[int]
) -> list[e.TournamentEvent]:
    """The walkovers that follow from who has left."""
    if not left:
        return []
    return [event_of(state.at, name, outcome) for name, outcome in walkovers(stage.fixtures(), known, left).items()]
