"""Rounds of a tournament: pairing the next one, taking one back, what came of its matches, the end."""

from collections.abc import Iterator, Mapping

from domain.decider import New, Refusal
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.meetings import Decided, Meeting, lower, walkovers
from domain.tournament.state import Stage, Tournament


def pair_round(state: Tournament, command: c.PairRound) -> list[New]:
    """The next round of the stage that is on, or the first of the next stage. Raises Refusal."""
    started: list[New] = []
    number, stage = state.at, state.stage if state.at >= 0 else None
    if stage is None or stage.over():
        number = state.at + 1
        if number == len(state.stages):
            raise Refusal("misfit", "every match has been played: finish the tournament")
        order = state.seeds or state.active() if stage is None else _going_on(state, stage)
        _check_field(state, number, order)
        started = [New(e.StageStarted(number, order))]
        stage = Stage(state.stages[number].setup, state.stages[number].format, order)
    found = stage.meetings()
    _check_nothing_open(stage, found)
    return [*started, New(_paired(number, stage, found, command.ids))]


def _going_on(state: Tournament, stage: Stage) -> tuple[str, ...]:
    """Who goes on to the next stage, by place; whoever has left does not."""
    places = [stage.order[place.seed - 1] for place in stage.places()]
    staying = [entry for entry in places if not state.entries[entry].withdrawn]
    return tuple(staying[: stage.setup.go_on or len(staying)])


def _check_field(state: Tournament, number: int, order: tuple[str, ...]) -> None:
    if len(order) < 2:
        raise Refusal("misfit", f"{len(order)} entered: a tournament needs two, so enter somebody first")
    state.stages[number].format.fixtures(len(order))


def _check_nothing_open(stage: Stage, found: Mapping[str, Meeting]) -> None:
    open_ones = [each for name, each in found.items() if name in stage.pairings and each.status == "ready"]
    if open_ones:
        tables = ", ".join(str(stage.pairings[each.fixture.id].table) for each in open_ones)
        raise Refusal("misfit", f"round {open_ones[0].fixture.round} is on: nothing is decided yet at table {tables}")


def _paired(number: int, stage: Stage, found: Mapping[str, Meeting], ids: tuple[str, ...]) -> e.RoundPaired:
    """Every match of the earliest part of the plan that can be played, at tables from 1."""
    ready = [each for each in found.values() if each.status == "ready"]
    if not ready:
        raise Refusal("misfit", "there is nothing to pair")
    first = ready[0].fixture
    now = [each for each in ready if (each.fixture.id[0], each.fixture.round) == (first.id[0], first.round)]
    if first.id[0] == "W":  # third place is played beside the final
        now += [each for each in ready if each.fixture.id[0] == "C"]
    if len(ids) < len(now):
        raise Refusal("malformed", f"{len(now)} matches need {len(now)} ids")
    pairings = tuple(
        e.Pairing(each.fixture.id, _entries(stage, each), table, match)
        for table, (each, match) in enumerate(zip(now, ids, strict=False), start=1)
    )
    busy = {entry for each in pairings for entry in each.entries}
    return e.RoundPaired(number, first.round, pairings, tuple(_byes(stage, found, busy)))


def _entries(stage: Stage, meeting: Meeting) -> tuple[str, str]:
    one, other = (stage.order[seed - 1] for seed in meeting.sides)
    return one, other


def _byes(stage: Stage, found: Mapping[str, Meeting], busy: set[str]) -> Iterator[str]:
    """Who is still in it and has nobody to play now."""
    going = (each for each in found.values() if each.status in ("waiting", "ready"))
    waiting = {seed for each in going for seed in each.sides if seed > 0}
    return (stage.order[seed - 1] for seed in sorted(waiting) if stage.order[seed - 1] not in busy)


def unpair_round(state: Tournament) -> e.RoundUnpaired:
    """The last round, if nothing in it was played. Raises Refusal."""
    if state.at < 0 or not state.stage.pairings:
        raise Refusal("misfit", "no round has been paired")
    stage = state.stage
    if any(name in stage.decided for name in stage.rounds[-1]):
        raise Refusal("window-closed", "the last round has results: correct them instead")
    return e.RoundUnpaired(state.at, len(stage.rounds))


def report(state: Tournament, command: c.Report) -> list[New]:
    """What came of a match; who has left gives the next opponent a walkover at once. Raises Refusal."""
    if state.at < 0:
        raise Refusal("misfit", "no round has been paired")
    stage = state.stage
    if command.fixture not in stage.pairings:
        raise Refusal("not-found", f"no match {command.fixture!r} has been paired in this stage")
    if command.winner not in (None, 0, 1):
        raise Refusal("malformed", "`winner` is 0, 1 or null")
    before = stage.decided.get(command.fixture)
    outcome = Decided(command.winner, command.how, command.score)
    if before == outcome:
        raise Refusal("misfit", "that is what stands there already")
    if before is not None and before.winner != command.winner:
        _check_nothing_hangs_on_it(stage, command.fixture)
    if command.winner is None and command.how == "played" and stage.format.columns == ():
        raise Refusal("misfit", "a draw sends nobody on: play until one side has won")
    reported = e.OutcomeReported(state.at, command.fixture, command.winner, command.how, command.score, command.version)
    after = {**stage.decided, command.fixture: outcome}
    return [New(reported), *_walkovers(state, stage, after, _gone(state, stage))]


def _check_nothing_hangs_on_it(stage: Stage, fixture: str) -> None:
    """A changed winner is free as long as no match that he, or the other, went on to has been paired."""
    hanging = [name for name in lower(stage.meetings(), fixture) if name in stage.pairings]
    if hanging:
        raise Refusal(
            "window-closed",
            f"{hanging[0]} has been paired with whoever won {fixture}: take that round back first, or let it stand",
            depends=hanging,
        )


def walkovers_of(state: Tournament, leaving: str) -> list[New]:
    """What is decided because an entry leaves now."""
    if state.at < 0 or leaving not in state.stage.order:
        return []
    stage = state.stage
    return _walkovers(state, stage, stage.decided, _gone(state, stage) | {stage.order.index(leaving) + 1})


def _gone(state: Tournament, stage: Stage) -> frozenset[int]:
    return frozenset(seed for seed, entry in enumerate(stage.order, start=1) if state.entries[entry].withdrawn)


def _walkovers(state: Tournament, stage: Stage, decided: Mapping[str, Decided], gone: frozenset[int]) -> list[New]:
    plan = stage.format.fixtures(len(stage.order))
    return [
        New(e.OutcomeReported(state.at, name, outcome.winner, outcome.how))
        for name, outcome in walkovers(plan, decided, gone).items()
    ]


def finish(state: Tournament) -> e.TournamentFinished:
    """The final places: of the last stage, then who did not come so far, stage by stage. Raises Refusal."""
    if state.at < 0 or state.at + 1 < len(state.stages) or not state.stage.over():
        raise Refusal("misfit", "not every match has been played")
    places: list[tuple[int, str]] = []
    for stage in reversed(state.stages):
        known = {entry for _, entry in places}
        rest = [(place.rank, stage.order[place.seed - 1]) for place in stage.places()]
        fresh = [(rank, entry) for rank, entry in rest if entry not in known]
        shift = len(places) - (min((rank for rank, _ in fresh), default=1) - 1)
        places += [(rank + shift, entry) for rank, entry in fresh]
    return e.TournamentFinished(tuple(places))
