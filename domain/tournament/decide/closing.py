"""The end of a tournament: final places, opening it again, putting it away."""

from itertools import groupby

from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.decide import contests
from domain.tournament.signatures import not_final
from domain.tournament.state import Tournament


def closed(state: Tournament, command: c.Finish | c.Reopen | c.Archive) -> e.TournamentEvent:
    """The event of a command about the end. Raises Refusal."""
    match command:
        case c.Finish():
            return _finished(state, command)
        case c.Reopen():
            if not state.finished:
                raise Refusal("misfit", "the tournament is not finished")
            if state.archived:
                raise Refusal("misfit", "the tournament is archived: take it out first")
            return e.TournamentReopened()
        case c.Archive():
            if command.archived and not state.finished and state.at >= 0:
                raise Refusal("misfit", "the tournament is on: finish it first")
            if command.archived == state.archived:
                raise Refusal(
                    "misfit", f"the tournament is {'archived already' if state.archived else 'not in the archive'}"
                )
            return e.TournamentArchived(command.archived)


def _finished(state: Tournament, command: c.Finish) -> e.TournamentFinished:
    """The final places: of the last stage, then who did not come so far, stage by stage. Raises Refusal."""
    if state.finished:
        raise Refusal("misfit", "the tournament is finished already")
    if state.at < 0 or not state.stage.rounds:
        raise Refusal("misfit", "no round has been paired: there is nothing to finish")
    stage, field = state.stage, state.field(state.at)
    waiting = [name for name, each in field.found.items() if name in stage.pairings and each.status == "ready"]
    whole = state.at + 1 == len(state.stages) and stage.format.may_end(field)
    if waiting or not (whole or command.early):
        raise Refusal("misfit", "not every match has been played: enter the open results, or finish `early`")
    disputed = sorted(name for each in state.stages for name in each.disputed)
    if disputed:
        raise Refusal("misfit", f"the result of {disputed[0]} is disputed: settle it first")
    contests.check_none(state)
    open_ones = [name for number in range(len(state.stages)) for name in not_final(state, number)]
    if open_ones and not command.early:
        said = f"the result of {open_ones[0]} is not final"
        raise Refusal("misfit", f"{said}: both sides confirm it, you let it stand, or you finish `early`")
    return e.TournamentFinished(final_places(state))


def final_places(state: Tournament) -> tuple[tuple[int, str], ...]:
    """Everybody's place over all stages that were begun, best first: behind those who came further without a gap."""
    places: list[tuple[int, str]] = []
    for number in range(state.at, -1, -1):
        stage = state.stages[number]
        known = {entry for _, entry in places}
        rest = [(place.rank, stage.order[place.seed - 1]) for place in state.places_of(number)]
        fresh = [(rank, entry) for rank, entry in rest if entry not in known]
        for _, equal in groupby(fresh, key=lambda each: each[0]):
            entries = [entry for _, entry in equal]
            rank = len(places) + 1
            places += [(rank, entry) for entry in entries]
    return tuple(places)
