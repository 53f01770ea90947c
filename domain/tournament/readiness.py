"""Matches that can be paired now in a stage whose rounds do not wait for each other, and those that wait."""

from collections.abc import Iterable, Sequence

import msgspec

from domain.log.decider import Refusal
from domain.tournament.commands import PairRound
from domain.tournament.format import DrawnRound, StageSoFar
from domain.tournament.meetings import followers, lower
from domain.tournament.state import Stage


def ready(stage: Stage, field: StageSoFar, command: PairRound) -> tuple[DrawnRound, ...]:
    """All that is ready, round by round: both sides of a match follow from outcomes that stand undisputed and that no
    case is open about, unless it is to be paired provisionally. Raises Refusal where nothing is."""
    disputed = frozenset() if command.provisional else _hanging_on_disputes(stage, field)
    held = () if command.provisional else holds_next(stage, command.held)
    heard = frozenset(name for each in held for name in followers(field.found, each))
    locked = _locked(stage)
    known = msgspec.structs.replace(field, paired=frozenset(stage.pairings), held=disputed | heard | locked)
    found = stage.format.ready(known)
    if found:
        return found
    raise Refusal("misfit", _why_nothing(stage, field, disputed, held))


def assumed(stage: Stage, field: StageSoFar, drawn: DrawnRound, held: Iterable[str]) -> tuple[str, ...]:
    """The matches that are disputed, or about which a case is open, that the matches of a round hang on."""
    names = {each.id for each in drawn.fixtures}
    disputed = {each for each in stage.disputed if names.intersection(lower(field.found, each))}
    heard = {each for each in held_in(stage, held) if names & followers(field.found, each)}
    return tuple(sorted(disputed | heard))


def held_in(stage: Stage, held: Iterable[str]) -> tuple[str, ...]:
    """The matches of a stage about which a case is open and whose next pairing has not been made: nothing that hangs on
    the result at once is paired, or, where a round waits for the one before, theirs is the last one."""
    names = [name for name in held if name in stage.pairings and name in stage.decided]
    return tuple(sorted(name for name in names if not paired_on(stage, name)))


def holds_next(stage: Stage, held: Iterable[str]) -> tuple[str, ...]:
    """Those of them that hold something: the next round, or, where matches wait for nothing but their own sides, a
    match that hangs on theirs."""
    names = held_in(stage, held)
    if not stage.side_by_side:
        return names
    found = stage.meetings()
    return tuple(name for name in names if followers(found, name))


def paired_on(stage: Stage, name: str) -> bool:
    """Tells whether something that hangs on a match at once has been paired: the next round, or a match of it."""
    if not stage.side_by_side:
        return stage.round_of(name) not in (None, len(stage.rounds) - 1)
    return bool(stage.pairings.keys() & followers(stage.meetings(), name))


def tables_of(stage: Stage, names: Iterable[str]) -> str:
    """The tables of matches, in words."""
    return "table " + ", ".join(str(table) for table in sorted(stage.pairings[name].table for name in names))


def _hanging_on_disputes(stage: Stage, field: StageSoFar) -> frozenset[str]:
    return frozenset(name for each in stage.disputed for name in lower(field.found, each))


def _locked(stage: Stage) -> frozenset[str]:
    """The matches of rounds that were locked and that are still to be paired: somebody came back since."""
    places = [place for place, each in enumerate(stage.rounds) if each.locked]
    return frozenset(name for place in places for name in stage.unpaired_in(place))


def _why_nothing(stage: Stage, field: StageSoFar, disputed: frozenset[str], held: Sequence[str]) -> str:
    """The reason for which nothing more can be paired."""
    if held:
        return f"a case is open about {tables_of(stage, held)}: close it, or pair with results missing"
    waiting = [name for name, each in field.found.items() if name in stage.pairings and each.status == "ready"]
    if waiting:
        return f"nothing more can be paired: nothing is decided yet at {tables_of(stage, waiting)}"
    if any(field.found[name].status == "ready" for name in disputed):
        return f"{tables_of(stage, stage.disputed)} is disputed: settle it, or pair with results missing"
    closed = [place for place, each in enumerate(stage.rounds, start=1) if each.locked and stage.unpaired_in(place - 1)]
    if closed:
        return f"round {closed[0]} is locked, and a match of it is still to be paired: open it first"
    return "there is nothing to pair"
