"""Matches as a caller may see them."""

from domain.match.sight import opened_deals
from domain.match.state import Match
from domain.match.windows import Moment
from projections.match_view import MatchView, match_view
from projections.merged import match_with
from service.desk.access import viewer_in
from service.desk.moments import moment_of
from service.desk.services import Services
from service.store.callers import Caller
from service.store.streams import LoadedClub, LoadedMatch


def names_of(club: LoadedClub) -> dict[str, str | None]:
    """Player id -> name; people who were merged have the name of the one who counts."""
    players = club.state.players
    return {player: players[club.state.whom(player)].name for player in players}


def shown(
    loaded: LoadedMatch, club: LoadedClub, caller: Caller, past: Match | None = None, moment: Moment | None = None
) -> MatchView:
    """The match view for a caller, now (with the windows of that `moment`) or as it was."""
    viewer = viewer_in(caller, loaded)
    opened = opened_deals(loaded.match)
    audits = caller.directs(loaded.club, loaded.match.setup.tournament, loaded.stream)
    match = match_with(club.state.firsts(), past or loaded.match)
    return match_view(loaded.stream, loaded.club, match, names_of(club), viewer, opened, audits, moment)


async def moment_shown(services: Services, loaded: LoadedMatch) -> Moment:
    """The moment now, for what is shown of a match."""
    return await moment_of(services.streams, loaded, services.recorder.clock(), shown=True)
