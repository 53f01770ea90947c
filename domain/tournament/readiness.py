"""Matches that can be paired now in a stage whose rounds do not wait for each other, and those that wait."""

from collections.abc import Iterable

import msgspec

from domain.log.decider import Refusal
from domain.tournament.format import DrawnRound, StageSoFar
from domain.tournament.meetings import lower
from domain.tournament.state import Stage


def ready(stage: Stage, field: StageSoFar, provisional: bool) -> tuple[DrawnRound, ...]:
    """All that is ready, round by round: both sides of a match follow from outcomes that stand undisputed, unless it
    is to be paired `provisional`. Raises Refusal where nothing is."""
    disputed = frozenset() if provisional else _hanging_on_disputes(stage, field)
    locked = _locked(stage)
    known = msgspec.structs.replace(field, paired=frozenset(stage.pairings), held=disputed | locked)
    found = stage.format.ready(known)
    if found:
        return found
    raise Refusal("misfit", _why_nothing(stage, field, disputed))


def assumed(stage: Stage, field: StageSoFar, drawn: DrawnRound) -> tuple[str, ...]:
    """The disputed matches that the matches of a round hang on."""
    names = {each.id for each in drawn.fixtures}
    return tuple(sorted(each for each in stage.disputed if names.intersection(lower(field.found, each))))


def tables_of(stage: Stage, names: Iterable[str]) -> str:
    """The tables of matches, in words."""
    return "table " + ", ".join(str(table) for table in sorted(stage.pairings[name].table for name in names))


def _hanging_on_disputes(stage: Stage, field: StageSoFar) -> frozenset[str]:
    return frozenset(name for each in stage.disputed for name in lower(field.found, each))


def _locked(stage: Stage) -> frozenset[str]:
    """The matches of rounds that were locked and that are still to be paired: somebody came back since."""
    places = [place for place, each in enumerate(stage.rounds) if each.locked]
    return frozenset(name for place in places for name in stage.unpaired_in(place))


def _why_nothing(stage: Stage, field: StageSoFar, disputed: frozenset[str]) -> str:
    """The reason for which nothing more can be paired."""
    waiting = [name for name, each in field.found.items() if name in stage.pairings and each.status == "ready"]
    if waiting:
        return f"nothing more can be paired: nothing is decided yet at {tables_of(stage, waiting)}"
    if any(field.found[name].status == "ready" for name in disputed):
        return f"{tables_of(stage, stage.disputed)} is disputed: settle it, or pair with results missing"
    closed = [place for place, each in enumerate(stage.rounds, start=1) if each.locked and stage.unpaired_in(place - 1)]
    if closed:
        return f"round {closed[0]} is locked, and a match of it is still to be paired: open it first"
    return "there is nothing to pair"
