"""Matches as a caller may see them."""

from domain.match.sight import opened_deals
from domain.match.state import Match
from domain.tournament.posting import place_of_match
from projections.match_view import MatchView, match_view
from projections.merged import match_with
from service.desk.access import viewer_in
from service.store.callers import Caller
from service.store.streams import LoadedClub, LoadedMatch, Streams


def names_of(club: LoadedClub) -> dict[str, str | None]:
    """Player id -> name; people who were merged have the name of the one who counts."""
    players = club.state.players
    return {player: players[club.state.whom(player)].name for player in players}


async def contested(streams: Streams, loaded: LoadedMatch) -> bool:
    """Tells whether the record of a match contests the result that stands in its tournament."""
    cup = loaded.match.setup.tournament
    found = None if cup is None else await streams.tournament(cup)
    place = None if found is None else place_of_match(found.tournament, loaded.stream)
    return found is not None and place is not None and place[1] in found.tournament.stages[place[0]].contested


def shown(loaded: LoadedMatch, club: LoadedClub, caller: Caller, past: Match | None = None) -> MatchView:
    """The match view for a caller, now or as it was."""
    viewer = viewer_in(caller, loaded)
    opened = opened_deals(loaded.match)
    audits = caller.directs(loaded.club, loaded.match.setup.tournament, loaded.stream)
    match = match_with(club.state.firsts(), past or loaded.match)
    return match_view(loaded.stream, loaded.club, match, names_of(club), viewer, opened, audits)
