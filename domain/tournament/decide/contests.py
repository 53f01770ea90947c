"""A record of a match that says something else than the result that stands, and cannot be taken any more."""

from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.decide.outcomes import stage_with
from domain.tournament.state import Tournament


def contested(state: Tournament, command: c.Contest) -> e.OutcomeContested:
    """The result stands and is contested, whatever else is going on. Raises Refusal where it says the same."""
    number, stage = stage_with(state, command.fixture, command.stage)
    stands = stage.decided.get(command.fixture)
    if stands is None:
        raise Refusal("misfit", f"{command.fixture} has no result yet")
    if (stands.winner, stands.score) == (command.winner, command.score):
        raise Refusal("misfit", "that is what stands there already")
    known = stage.contested.get(command.fixture)
    if known is not None and (known.winner, known.score) == (command.winner, command.score):
        raise Refusal("misfit", "that is known already: the director decides")
    return e.OutcomeContested(
        number, command.fixture, command.version, command.winner, command.score, command.because, command.ruling
    )


def upheld(state: Tournament, command: c.Uphold) -> e.OutcomeUpheld:
    """The end of a contest by the result that stands, also when the tournament is over. Raises Refusal."""
    number, stage = stage_with(state, command.fixture, command.stage)
    if command.fixture not in stage.contested:
        raise Refusal("misfit", "the record of this match does not contest its result")
    return e.OutcomeUpheld(number, command.fixture)


def check_none(state: Tournament) -> None:
    """Raises Refusal while a result is contested: the places cannot be final."""
    found = [name for stage in state.stages for name in stage.contested]
    if found:
        said = f"the record of {found[0]} says something else than its result"
        raise Refusal("misfit", f"{said}: correct the result, or let it stand")
