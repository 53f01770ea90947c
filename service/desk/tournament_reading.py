"""Tournaments as they are read: one as of a moment, a stage of it, the rows of a club."""

from domain.log.decider import Refusal
from domain.tournament.doubts import Doubt
from domain.tournament.state import Tournament
from projections.tournaments.lists import TOURNAMENTS, TournamentRow
from service.desk import tournament_bodies as own
from service.desk.as_of import as_of
from service.desk.delays import cups_seen, reached_seen
from service.desk.doubts import beside, moment_at
from service.desk.lists import Listed, Reached
from service.desk.services import Services
from service.desk.showing import names_of
from service.store.callers import Caller
from service.store.loaded import LoadedClub, LoadedTournament


async def state_of(services: Services, loaded: LoadedTournament, moment: str | None) -> Tournament:
    """The tournament now, or as of a version or time. Raises Refusal."""
    if moment is None:
        return loaded.tournament
    state = await services.streams.state_at(loaded, as_of(moment))
    if not isinstance(state, Tournament) or not state.version:
        raise Refusal("not-found", "the tournament had not been announced by then")
    return state


async def doubts_beside(
    services: Services, loaded: LoadedTournament, state: Tournament, moment: str | None = None
) -> dict[str, Doubt]:
    """The doubts about results that do not stand in the tournament, now or as of a version of it or a time; `state` is
    what it was then."""
    then = None if moment is None else await moment_at(services.streams, loaded, as_of(moment))
    return await beside(services.streams, loaded.club, state, then)


def stage_of(state: Tournament, stage: int | None) -> int:
    """The stage that is asked for, from 1; with nothing, or 0, the one that is on. From 0. Raises Refusal for one that
    has not begun."""
    asked = own.from_zero(stage or None)
    number = max(state.at, 0) if asked is None else asked
    if number >= len(state.stages) or not state.stages[number].begun:
        raise Refusal("not-found", "that stage has not begun: pair its first round")
    return number


async def rows_of(
    services: Services,
    caller: Caller,
    club: LoadedClub,
    limit: int,
    after: str,
    position: int | None = None,
    until: float | None = None,
) -> Listed[own.TournamentListRow]:
    """The rows of a club as a caller may see them, the newest first, now or as of a position."""
    if position is None:
        found = await services.lists.rows(TOURNAMENTS, club.club, TournamentRow, after, limit, True, until)
        rows = await cups_seen(services, caller, club.club, found.rows)
        found = Listed(rows, reached_seen(found.reached, club.upto))
    else:
        past = await services.lists.past(TOURNAMENTS, club.club, position, after, limit)
        found = Listed(past, Reached(position))
    names = names_of(club)
    return Listed([own.listed(row, club.club, names) for row in found.rows], found.reached)
