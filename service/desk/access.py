"""Access: who may do what to which club, match or tournament; each is loaded and checked here and nowhere else."""

from typing import Final
from uuid import UUID

from domain.game.protocol import Viewer
from domain.log.decider import Refusal
from domain.match.sight import viewer_of
from domain.match.state import Match
from service.desk.services import Services
from service.store.callers import NOBODY, Caller, may_read, of_club
from service.store.streams import LoadedClub, LoadedMatch, LoadedTournament

ELSEWHERE: Final = "elsewhere"  # in place of the match that a token is bound to, where another one is shown


def check_known(caller: Caller) -> None:
    """Raises Refusal: 401 for whom we do not know."""
    if not caller.known:
        raise Refusal("unauthorised", "this needs a token: send Authorization: Bearer …")


def require(caller: Caller, club: str, allowed: frozenset[str], match: str | None = None) -> None:
    """Raises Refusal: 401 without a token, 403 for a role or scope that does not reach."""
    check_known(caller)
    if not of_club(caller, club) or caller.role not in allowed:
        raise Refusal("forbidden", f"the role `{caller.role}` may not do this here")
    if caller.match is not None and match != caller.match:
        raise Refusal("forbidden", "this token is bound to another match")


def kind_of(caller: Caller, club: str, match: Match | None = None, stream: str | None = None) -> Caller:
    """The caller without all that makes no difference to what is shown in a club, or of one match. What is shown is
    made for the kind and not for the caller, so that everybody of a kind can be shown the same, and what is left out
    here by mistake is not shown to anybody."""
    if not of_club(caller, club):
        return NOBODY
    sits = match is None or any(caller.player in players for players in match.setup.sides)
    bound = caller.match if caller.match is None or stream is None or caller.match == stream else ELSEWHERE
    return Caller(caller.role, True, club=club, player=caller.player if sits else None, match=bound)


async def club_for(services: Services, caller: Caller, club: UUID) -> LoadedClub:
    """A club that the caller may read; one that it may not is not there. Raises Refusal."""
    loaded = await services.streams.club(str(club))
    if loaded is None or not may_read(caller, loaded.club, loaded.state.public):
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    return loaded


async def match_for(services: Services, caller: Caller, match: UUID) -> tuple[LoadedMatch, LoadedClub]:
    """A match that the caller may read, and its club. Raises Refusal."""
    loaded = await services.streams.match(str(match))
    if loaded is None or not isinstance(loaded.state, Match):
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    return loaded, await club_for(services, caller, UUID(loaded.club))


async def tournament_for(services: Services, caller: Caller, tournament: UUID) -> tuple[LoadedTournament, LoadedClub]:
    """A tournament that the caller may read, results of its matches included, and its club. Raises Refusal."""
    loaded = await services.streams.tournament(str(tournament))
    if loaded is None:
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    club = await club_for(services, caller, UUID(loaded.club))
    await services.steward.catch_up(loaded.club)
    return services.streams.kept(loaded.stream) or loaded, club


async def match_to_write(services: Services, caller: Caller, match: UUID) -> LoadedMatch:
    """A match that somebody we know may write to: whether this may be written is decided with it. Raises Refusal: 404
    unseen, 401 without a token."""
    known = services.streams.kept(str(match))
    if known is None or not isinstance(known.state, Match):
        known, _ = await match_for(services, caller, match)
    elif not (caller.known and caller.club in (None, known.club)):
        await club_for(services, caller, UUID(known.club))
    check_known(caller)
    return known


def viewer_in(caller: Caller, loaded: LoadedMatch) -> Viewer:
    """The viewer that a caller is at a match."""
    return viewer_of(loaded.match, caller.actor().within(loaded.club))
