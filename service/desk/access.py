"""Access: who may do what to which club, match or tournament; each is loaded and checked here and nowhere else."""

from uuid import UUID

import msgspec

from domain.game.protocol import Viewer
from domain.log.actor import RANKS, RECORDERS, Actor, Right
from domain.log.decider import Refusal
from domain.match.sight import viewer_of
from domain.match.state import Match, side_of
from service.desk.delays import log_end, match_seen, tournament_seen
from service.desk.services import Services
from service.store.callers import NOBODY, Caller, may_read, of_club
from service.store.loaded import LoadedClub, LoadedMatch, LoadedTournament


def check_known(caller: Caller) -> None:
    """Raises Refusal: 401 for whom we do not know."""
    if not caller.known:
        raise Refusal("unauthorised", "this needs a token: send Authorization: Bearer …")


def require(caller: Caller, club: str, allowed: frozenset[str], tournament: str | None = None) -> None:
    """Raises Refusal: 401 for whom we do not know, 403 where no role of these reaches the club, or the tournament."""
    check_known(caller)
    here = [each for each in caller.rights if each.club in (None, club)]
    if any(each.role in allowed and each.match is None and each.tournament in (None, tournament) for each in here):
        return
    role = max((each.role for each in here), key=RANKS.index, default="spectator")
    raise Refusal("forbidden", f"the role `{role}` may not do this here")


def kind_of(caller: Caller, club: str, match: Match | None = None, stream: str | None = None) -> Caller:
    """The caller without all that makes no difference to what is shown in a club, or of one match. What is shown is
    made for the kind and not for the caller, so that everybody of a kind can be shown the same, and what is left out
    here by mistake is not shown to anybody."""
    here = [_plain(each, club, match) for each in caller.rights if _reaches(each, club, match, stream)]
    if not here:
        return Caller(True) if of_club(caller, club) else NOBODY
    rights = tuple(sorted(set(here), key=repr))
    if match is None:  # of whom every hand might be shown it is told whose they are: that may be a player of a match
        return Caller(True, rights=rights, close=caller.close if any(map(_records, rights)) else ())
    seated = {player for side in match.setup.sides for player in side}
    near = tuple(sorted(seated & {*caller.close, *caller.people}))
    return Caller(True, rights=rights, close=near)


def _records(right: Right) -> bool:
    return right.role in RECORDERS


def _reaches(right: Right, club: str, match: Match | None, stream: str | None) -> bool:
    """Tells whether a right has to do with what is shown."""
    if right.club not in (None, club):
        return False
    if match is None:
        return right.match is None
    return right.match in (None, stream) and right.tournament in (None, match.setup.tournament)


def _plain(right: Right, club: str, match: Match | None) -> Right:
    """A right with the role, and with the person where he sits at the match; without one, where he keeps the score."""
    seated = set() if match is None else {player for side in match.setup.sides for player in side}
    told = _records(right) if match is None else bool(seated & {right.person, *right.also})
    own = (right.person, right.also) if told else (None, ())
    scope = right.tournament if match is None else None
    return Right(right.role, club, scope, right.match, *own, strength=right.strength, by_code=right.by_code)


async def club_for(services: Services, caller: Caller, club: UUID) -> LoadedClub:
    """A club that the caller may read, with the end of what he may see of its log; one that he may not read is not
    there. Raises Refusal."""
    loaded = _readable(caller, await services.streams.club(str(club)))
    end = await log_end(services.streams, caller, loaded.club, services.recorder.clock())
    return loaded if end is None else msgspec.structs.replace(loaded, upto=end)


def _readable(caller: Caller, loaded: LoadedClub | None) -> LoadedClub:
    """A club, if the caller may read it, whatever is held back in it. Raises Refusal."""
    if loaded is None or not may_read(caller, loaded.club, loaded.state.public):
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    return loaded


async def match_for(services: Services, caller: Caller, match: UUID) -> tuple[LoadedMatch, LoadedClub]:
    """A match that the caller may read, as far as he may see it by now, and its club. Raises Refusal."""
    loaded = await services.streams.match(str(match))
    if loaded is None or not isinstance(loaded.state, Match):
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    at, club = services.recorder.clock(), await services.streams.club_beside(loaded)
    if club is None or not at_table(caller, loaded.stream):
        club = _readable(caller, club)
    return await match_seen(services.streams, caller, loaded, at), club


async def tournament_for(services: Services, caller: Caller, tournament: UUID) -> tuple[LoadedTournament, LoadedClub]:
    """A tournament that the caller may read, results of its matches included, as far as he may see it by now, and its
    club. Raises Refusal."""
    loaded = await services.streams.tournament(str(tournament))
    if loaded is None:
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    club = _readable(caller, await services.streams.club_beside(loaded))
    await services.steward.catch_up(loaded.club)
    now = services.streams.kept(loaded.stream) or loaded
    return await tournament_seen(services.streams, caller, now, services.recorder.clock()), club


async def match_to_write(services: Services, caller: Caller, match: UUID) -> LoadedMatch:
    """A match that somebody we know may write to: whether this may be written is decided with it. Raises Refusal: 404
    unseen, 401 without a token."""
    known = services.streams.kept(str(match))
    if known is None or not isinstance(known.state, Match):
        await match_for(services, caller, match)
        known = await services.streams.match(str(match))
        assert known is not None, "it was just read"
    elif not of_club(caller, known.club) and not at_table(caller, known.stream):
        await club_for(services, caller, UUID(known.club))
    check_known(caller)
    return known


def viewer_in(caller: Caller, loaded: LoadedMatch) -> Viewer:
    """The viewer that a caller is at a match."""
    return viewer_of(loaded.match, actor_at(caller, loaded))


def actor_at(caller: Caller, loaded: LoadedMatch) -> Actor:
    """The caller with the rights that reach a match."""
    return caller.actor().within(loaded.club).reaching(loaded.stream, loaded.match.setup.tournament)


def at_table(caller: Caller, match: str) -> bool:
    """Tells who came in by the code of this match's table."""
    return any(each.by_code and each.match == match for each in caller.rights)


def belongs(caller: Caller, loaded: LoadedMatch) -> bool:
    """Tells who came in at a match's table, plays there or directs."""
    if at_table(caller, loaded.stream) or caller.directs(loaded.club, loaded.match.setup.tournament):
        return True
    acting = actor_at(caller, loaded).each() if caller.rights else ()
    return any(each.role == "player" and side_of(loaded.match, each) is not None for each in acting)
