"""The tournaments of a club as a kept view: a row each."""

from typing import Final

import msgspec

from domain.log.event import Recorded, instant
from domain.tournament.events import TournamentEvent
from domain.tournament.evolve import fold
from domain.tournament.state import Tournament
from projections.projection import EventStretch, Projection
from projections.tournaments.view import status_of


class TournamentRow(msgspec.Struct, frozen=True):
    """A tournament in the list; `players` are all who ever stood in its entries."""

    id: str
    version: int
    name: str
    status: str
    date: str | None
    season: str | None
    games: tuple[str, ...]
    formats: tuple[str, ...]
    entries: int
    winner: tuple[str, ...]
    changed_at: str
    players: tuple[str, ...] = ()
    delay: str = "none"


class DatedTournament(msgspec.Struct, frozen=True):
    """A tournament and when it last changed."""

    state: Tournament = Tournament()
    stream: str = ""
    changed: str = ""


def apply_row(view: DatedTournament, recorded: Recorded) -> DatedTournament:
    """The tournament after one more event."""
    state = fold(view.state, [(recorded.version, recorded.data)])
    return DatedTournament(state, recorded.stream, instant(recorded.recorded_at))


def run_row(view: DatedTournament, stretch: EventStretch) -> DatedTournament:
    """The tournament after a stretch of its events."""
    return DatedTournament(fold(view.state, stretch.events), stretch.stream, instant(stretch.last_at))


def show_row(view: DatedTournament) -> TournamentRow | None:
    """The row as it is kept; names are looked up when it is read."""
    state = view.state
    if not state.version:
        return None
    return TournamentRow(
        id=view.stream,
        version=state.version,
        name=state.name,
        status=status_of(state),
        date=state.plan.date,
        season=state.plan.season,
        games=tuple(dict.fromkeys(stage.setup.game for stage in state.stages)),
        formats=tuple(stage.format.title for stage in state.stages),
        entries=len(state.active()),
        winner=state.entries[state.places[0][1]].players if state.places else (),
        changed_at=view.changed,
        players=tuple(sorted(_players(state))),
        delay=state.plan.delay,
    )


def _players(state: Tournament) -> set[str]:
    """The players of every entry, with those before a substitution."""
    return {player for entry in state.entries.values() for own in (entry.players, *entry.before) for player in own}


TOURNAMENTS: Final = Projection("tournaments", 3, DatedTournament(), apply_row, show_row, run_row)


def concerns(recorded: Recorded) -> bool:
    """Tells whether an event is one of a tournament."""
    return isinstance(recorded.data, TournamentEvent)
