"""The audit of a match for whoever asks: the findings that this caller may know of, with every slip examined."""

import asyncio
from uuid import UUID

from domain.log.decider import Refusal
from domain.match.audit.report import report_of
from domain.match.sight import audience_of, sight_of
from domain.match.state import Match
from domain.tournament.hearing import by_hand
from domain.tournament.posting import place_of_match
from domain.tournament.state import Tournament
from projections.audit_sheet import AuditSheet
from projections.merged import match_with
from service.desk.access import actor_at, match_for
from service.desk.as_of import as_of
from service.desk.doubts import moment_at
from service.desk.services import Services
from service.desk.showing import moment_shown, names_of
from service.store import finding
from service.store.callers import Caller
from service.store.kinds import TOURNAMENT
from service.store.loaded import LoadedMatch
from service.store.streams import AT_ONCE, Streams


async def audit_of(
    services: Services, caller: Caller, match_id: UUID, moment: str | None = None, openings: bool = False
) -> AuditSheet:
    """The audit of a match, now or as of a version or time, of the deals whose findings the caller may know now. Places
    at which nothing can be proven are for directors. Raises Refusal."""
    loaded, club = await match_for(services, caller, match_id)
    actor, now = actor_at(caller, loaded), await moment_shown(services, caller, loaded)
    told = sight_of(loaded.match, actor, now).told
    state: Match | None = loaded.match
    if moment is not None:
        state = await services.streams.match_at(loaded, as_of(moment))
    reported = await reported_of(services.streams, loaded, moment)
    stream = str(match_id)
    if state is None:
        raise Refusal("not-found", "the match had not begun then")
    wanted = openings and audience_of(loaded.match, actor) == "director"
    # slips are folded by the thousand where nothing is found at once: other requests go on meanwhile
    report = await asyncio.to_thread(report_of, state, None, stream, wanted, told, reported)
    names, match = names_of(club), match_with(club.state.firsts(), state)
    return AuditSheet(report, match, tuple(tuple(names.get(player) for player in side) for side in match.setup.sides))


async def reported_of(streams: Streams, loaded: LoadedMatch, moment: str | None) -> tuple[int, int] | None:
    """The figures by which somebody reported a match to its tournament beside the record, now or as of a version of the
    match or a time."""
    cup = loaded.match.setup.tournament
    found = None if cup is None else await streams.tournament(cup)
    if found is None:
        return None
    then = None if moment is None else await moment_at(streams, loaded, as_of(moment))
    state = found.tournament if then is None else await streams.state_by(found, then.position)
    place = place_of_match(state, loaded.stream)
    return None if place is None else by_hand(state.stages[place[0]], place[1])


async def reported_in(streams: Streams, club: str) -> dict[str, tuple[int, int]]:
    """The same of every match of a club, by its stream, as it is now."""
    cups, _ = await finding.streams_begun_with(streams.pool, club, TOURNAMENT.first)
    found: dict[str, tuple[int, int]] = {}
    for first in range(0, len(cups), AT_ONCE):
        for loaded in (await streams.several(club, cups[first : first + AT_ONCE])).values():
            stages = loaded.state.stages if isinstance(loaded.state, Tournament) else ()
            for stage in stages:
                figures = ((pairing.match, by_hand(stage, fixture)) for fixture, pairing in stage.pairings.items())
                found |= {match: said for match, said in figures if said is not None}
    return found
