"""Matches as a caller may see them."""

from domain.match.sight import audience_of, sight_of
from domain.match.state import Match
from domain.match.windows import Moment
from projections.match_view import MatchView, match_view
from projections.merged import match_with
from service.desk.access import actor_at
from service.desk.moments import moment_of
from service.desk.services import Services
from service.store.callers import Caller
from service.store.loaded import LoadedClub, LoadedMatch


def names_of(club: LoadedClub) -> dict[str, str | None]:
    """Player id -> name; people who were merged have the name of the one who counts."""
    return club.state.names()


def shown(
    loaded: LoadedMatch, club: LoadedClub, caller: Caller, past: Match | None = None, moment: Moment | None = None
) -> MatchView:
    """The match view for a caller, now (with the windows of that `moment`) or as it was; of either as much as may be
    known at that moment. Without one no time has passed."""
    sight = sight_of(loaded.match, actor_at(caller, loaded), moment)
    match = match_with(club.state.firsts(), past or loaded.match)
    return match_view(
        loaded.stream,
        loaded.club,
        match,
        names_of(club),
        sight.viewer,
        sight.opened,
        sight.told,
        moment if past is None else None,
    )


async def moment_shown(services: Services, caller: Caller, loaded: LoadedMatch) -> Moment:
    """The moment now, for what a caller is shown of a match. What is heard about in a case is for directors: to all
    others nothing differs because somebody has called."""
    directs = audience_of(loaded.match, actor_at(caller, loaded)) == "director"
    return await moment_of(services.streams, loaded, services.recorder.clock(), shown=True, hears=directs)
