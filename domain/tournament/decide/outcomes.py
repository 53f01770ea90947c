"""Results of matches: reading a report, walkovers of entries that left, disputes, results taken back."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias, assert_never

from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.final_score import final, of_games, plain_worth, worth_of
from domain.tournament.meetings import Decided, lower, walkovers
from domain.tournament.plan import StageSetup
from domain.tournament.signatures import is_final
from domain.tournament.state import Stage, Tournament

BY_LURCH: Final = frozenset({"WP", "LG", "LT"})  # tie-breaks that count lurches
ResultCommand: TypeAlias = c.Retract | c.Dispute | c.Uphold


def result_events(state: Tournament, command: ResultCommand) -> list[e.TournamentEvent]:
    """The events of a command about a result that is there. Raises Refusal."""
    number, stage = stage_with(state, command.fixture, command.stage)
    if command.fixture not in stage.decided:
        raise Refusal("misfit", f"{command.fixture} has no result yet")
    disputed = command.fixture in stage.disputed or command.fixture in stage.contested
    match command:
        case c.Retract():
            check_unlocked(stage, command.fixture)
            hanging = hanging_on(stage, command.fixture)
            if hanging or number < state.at:
                what = ", ".join(hanging) or "the next stage"
                ways = "undo that pairing first"
                if hanging and not stage.format.drawn_round_by_round:
                    ways += ", or retract with `repair` as `again`"
                were = "were" if len(hanging) > 1 else "was"
                said = f"{what} {were} paired on this result: {ways}"
                raise Refusal("window-closed", said, depends=hanging)
            base = {name: each for name, each in stage.decided.items() if name != command.fixture}
            if stage.decided[command.fixture].how != "played" and _missed(state, stage, command.fixture):
                raise Refusal(
                    "misfit", "a player of this match has left: let them come back, or undo the pairing of the round"
                )
            return outcome_changes(
                state, number, without_walkovers(stage, base, lower(stage.meetings(), command.fixture))
            )
        case c.Dispute():
            if command.fixture in stage.disputed:
                raise Refusal("misfit", "this result is disputed already")
            check_unlocked(stage, command.fixture)
            return [e.OutcomeDisputed(number, command.fixture)]
        case c.Uphold():
            if not disputed and is_final(state, stage, command.fixture):
                raise Refusal("misfit", "nobody disputes this result, and the record of its match agrees")
            return [e.OutcomeUpheld(number, command.fixture)]
        case _:
            assert_never(command)


def stage_with(state: Tournament, fixture: str, wanted: int | None = None) -> tuple[int, Stage]:
    """The stage that is meant, from 0, with that match in it: the one that is on goes before those before it. Raises
    Refusal."""
    if state.at < 0:
        raise Refusal("misfit", "no round has been paired")
    numbers = range(state.at, -1, -1) if wanted is None else [wanted]
    for number in numbers:
        if number <= state.at and fixture in state.stages[number].pairings:
            return number, state.stages[number]
    raise Refusal("not-found", f"no match {fixture!r} has been paired in this stage")


def check_unlocked(stage: Stage, fixture: str) -> None:
    """Raises Refusal for a match of a round that was locked."""
    place = stage.round_of(fixture)
    if place is not None and stage.rounds[place].locked:
        raise Refusal("window-closed", f"round {place + 1} is locked: unlock it first")


def read_outcome(stage: Stage, command: c.Report | c.TakeMatchResult) -> Decided:
    """The outcome that a report says, checked. Raises Refusal for a score that cannot be, or is not final."""
    setup = stage.setup
    if isinstance(command, c.TakeMatchResult):
        _check_somebody_won(stage, command.winner)
        worth, levels = command.worth, command.levels
        return Decided(command.winner, "played", command.score, worth, levels, command.version, None, command.ruling)
    if command.how == "absent":
        if command.winner is not None:
            raise Refusal("malformed", "both are absent: nobody can be the winner")
        return Decided(None, "absent")
    if command.how == "walkover":
        if command.winner is None:
            raise Refusal("malformed", "a walkover needs its winner")
        return Decided(command.winner, "walkover")
    winner, score = command.winner, _score_of(stage, command)
    against = stage.contested.get(command.fixture)
    told = against if against is not None and score is not None and against.score == score else None
    if told is not None and command.winner in (None, told.winner):
        winner = None if told.winner is None else 1 if told.winner else 0  # the record's own word, whatever was ruled
    elif score is not None:
        winner = _winner(setup, score, command.winner)
    _check_somebody_won(stage, winner)
    worth, levels = plain_worth(setup.race, winner), None
    if score is not None and setup.race.best_of == 1:
        worth, levels = worth_of(setup.race, score, winner)
    ruling = None if told is None else told.ruling
    return Decided(winner, "played", score, worth, levels, games=command.games, ruling=ruling)


def _winner(setup: StageSetup, score: tuple[int, int], said: Literal[0, 1] | None) -> Literal[0, 1] | None:
    """The winner that a score shows. Raises Refusal where another one was said."""
    winner = final(setup, score)
    if said not in (None, winner):
        raise Refusal("malformed", f"the other side won {score[0]}–{score[1]}: change the score or the winner")
    return None if winner is None else 0 if winner == 0 else 1


def _score_of(stage: Stage, command: c.Report) -> tuple[int, int] | None:
    """The score of a report, from its games where those are told. Raises Refusal where the standings need one and none
    is told."""
    if command.games is not None:
        score = of_games(stage.setup, command.games)
        if command.score not in (None, score):
            raise Refusal("malformed", f"`score`: these games make {score[0]}–{score[1]}")
        return score
    if command.score is None and needs_score(stage):
        raise Refusal("malformed", "say the `score`: a lurch counts here, and who won does not tell it")
    return command.score


def needs_score(stage: Stage) -> bool:
    """True where the standings count lurches, which only the score tells (LU)."""
    race, terms = stage.setup.race, stage.setup.terms
    if race.lurch is None or race.best_of > 1:
        return False
    return terms.points == "win" or bool(BY_LURCH.intersection(terms.tiebreaks or stage.format.tiebreaks))


def _check_somebody_won(stage: Stage, winner: int | None) -> None:
    """Raises Refusal for a draw where one side has to go on."""
    if winner is None and not stage.format.tiebreaks:
        raise Refusal("misfit", "a draw sends nobody on: play until one side has won")


def event_of(number: int, fixture: str, outcome: Decided, repair: e.Repair | None = None) -> e.OutcomeReported:
    """An outcome as an event, with the repair of what was paired on the one before it."""
    return e.OutcomeReported(
        number,
        fixture,
        outcome.winner,
        outcome.how,
        outcome.score,
        outcome.version,
        outcome.worth,
        outcome.levels,
        outcome.games,
        outcome.ruling,
        repair,
    )


def hanging_on(stage: Stage, fixture: str) -> list[str]:
    """The matches that were paired and whose sides hang on this one's winner; where rounds are drawn, all of those that
    were drawn later."""
    if not stage.format.drawn_round_by_round:
        return [name for name in lower(stage.meetings(), fixture) if name in stage.pairings]
    place = stage.round_of(fixture)
    assert place is not None
    return [name for each in stage.rounds[place + 1 :] for name in each.names]


def walkovers_of(state: Tournament, leaving: str) -> list[e.TournamentEvent]:
    """The walkovers that follow when an entry leaves now."""
    if state.at < 0 or leaving not in state.stage.order:
        return []
    left = gone(state, state.stage) | {state.stage.order.index(leaving) + 1}
    return outcome_changes(state, state.at, state.stage.decided, left)


def walkovers_undone(state: Tournament, back: str) -> list[e.TournamentEvent]:
    """The results that are open again because an entry is back: its walkovers in matches that have not been paired, as
    long as nobody was paired for having won one."""
    if state.at < 0 or back not in state.stage.order:
        return []
    stage = state.stage
    seed = stage.order.index(back) + 1
    found = stage.meetings()
    missed = [
        name for name, each in found.items() if seed in each.seeds and each.decided and name not in stage.pairings
    ]
    mine = [name for name in missed if not any(each in stage.pairings for each in lower(found, name))]
    affected = {*mine, *(name for each in mine for name in lower(found, each))}
    base = without_walkovers(stage, stage.decided, affected)
    return outcome_changes(state, state.at, base, gone(state, stage) - {seed})


def _missed(state: Tournament, stage: Stage, fixture: str) -> bool:
    """True where a player of a match has left."""
    return bool(set(stage.meetings()[fixture].seeds) & gone(state, stage))


def walkovers_reopened(state: Tournament) -> list[e.TournamentEvent]:
    """The results that are open again before a round is paired: walkovers of matches that were not paired and that
    nobody has left, as long as nobody was paired for having won one."""
    if state.at < 0 or state.stage.format.drawn_round_by_round:
        return []
    stage = state.stage
    found = stage.meetings()
    stale = [
        name
        for name, each in stage.decided.items()
        if each.how != "played"
        and name not in stage.pairings
        and not _missed(state, stage, name)
        and not any(below in stage.pairings for below in lower(found, name))
    ]
    affected = {*stale, *(name for each in stale for name in lower(found, each))}
    return outcome_changes(state, state.at, without_walkovers(stage, stage.decided, affected)) if stale else []


def without_walkovers(stage: Stage, known: Mapping[str, Decided], names: Iterable[str]) -> dict[str, Decided]:
    """The outcomes, less the automatic walkovers of those of these matches that were never paired."""
    open_again = {name for name in names if name not in stage.pairings}
    return {name: each for name, each in known.items() if each.how == "played" or name not in open_again}


def gone(state: Tournament, stage: Stage) -> frozenset[int]:
    """The seeds of entries that have left."""
    return frozenset(seed for seed, entry in enumerate(stage.order, start=1) if state.entries[entry].withdrawn)


def outcome_changes(
    state: Tournament, number: int, base: Mapping[str, Decided], left: frozenset[int] | None = None
) -> list[e.TournamentEvent]:
    """The events that lead from what stands in a stage to these outcomes and the walkovers that follow from them and
    from who has left."""
    stage = state.stages[number]
    away = gone(state, stage) if left is None else left
    wanted = dict(base)
    if away:
        wanted |= walkovers(stage.fixtures(), base, away)
    taken = [e.OutcomeWithdrawn(number, name) for name in stage.decided if name not in wanted]
    told = [event_of(number, name, each) for name, each in wanted.items() if stage.decided.get(name) != each]
    return [*taken, *told]
