"""Posting: when the result of a match of a tournament was posted, from which its last windows are counted."""

from collections.abc import Sequence
from datetime import datetime

from domain.tournament import events as e
from domain.tournament.decide.outcomes import hanging_on
from domain.tournament.state import Tournament


def place_of_match(state: Tournament, match: str) -> tuple[int, str] | None:
    """The stage, from 0, and the name in the plan of the match in that stream; None for one that is not paired."""
    for number, stage in enumerate(state.stages):
        for fixture, pairing in stage.pairings.items():
            if pairing.match == match:
                return number, fixture
    return None


def posted_at(
    state: Tournament, number: int, fixture: str, said: Sequence[tuple[e.TournamentEvent, datetime]]
) -> datetime | None:
    """The time at which the result of a match of a stage was posted: its round was locked, else a round that hangs on
    it was paired, else the tournament finished; None while nothing of it has happened. `said` are the events of the
    tournament that lock, pair, start stages and finish, in order, each with its time."""
    stage = state.stages[number]
    own, hanging = stage.round_of(fixture), frozenset(hanging_on(stage, fixture))
    locked = paired = finished = None
    for event, at in said:
        match event:
            case e.RoundLocked() if (event.stage, event.round - 1) == (number, own):
                locked = (locked or at) if event.locked else None
            case e.RoundPaired() if event.stage == number:
                if paired is None and any(each.fixture in hanging for each in event.pairings):
                    paired = at
            case e.StageStarted() if event.stage > number:
                paired = paired or at
            case e.TournamentFinished():
                finished = finished or at
            case e.TournamentReopened():
                finished = None
            case _:
                pass
    return locked or paired or finished
