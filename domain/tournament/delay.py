"""Delay of results: how far a tournament has been told to onlookers, where results wait until their round is over."""

import msgspec

from domain.tournament import events as e
from domain.tournament.state import Tournament

TELLING = (
    e.OutcomeClaimed,
    e.OutcomeReported,
    e.OutcomeContested,
    e.OutcomeWithdrawn,
    e.OutcomeDisputed,
    e.OutcomeUpheld,
)


def rested(state: Tournament, event: e.TournamentEvent) -> Tournament:
    """The tournament after an event, with the version up to which everybody may see it: with the first word on a result
    it stands still until every match that was paired is decided."""
    still = state.rested == state.version - 1 and not isinstance(event, TELLING)
    if not still and not _rounds_over(state):
        return state
    return msgspec.structs.replace(state, rested=state.version)


def _rounds_over(state: Tournament) -> bool:
    return all(name in stage.decided for stage in state.stages for name in stage.pairings)


def round_over(state: Tournament, match: str) -> bool:
    """Tells whether the round of a match is over: each of its matches is decided. One that is not paired has none."""
    for stage in state.stages:
        for name, pairing in stage.pairings.items():
            place = stage.round_of(name) if pairing.match == match else None
            if place is not None:
                return all(each in stage.decided for each in stage.rounds[place].names)
    return True
