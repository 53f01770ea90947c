"""The audit of a match for whoever asks: the findings that this caller may know of, with every slip examined."""

import asyncio
from uuid import UUID

from domain.log.decider import Refusal
from domain.match.audit.report import report_of
from domain.match.sight import audience_of, sight_of
from domain.match.state import Match
from projections.audit_sheet import AuditSheet
from projections.merged import match_with
from service.desk.access import actor_at, match_for
from service.desk.as_of import as_of
from service.desk.services import Services
from service.desk.showing import moment_shown, names_of
from service.store.callers import Caller


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
    stream = str(match_id)
    if state is None:
        raise Refusal("not-found", "the match had not begun then")
    wanted = openings and audience_of(loaded.match, actor) == "director"
    # slips are folded by the thousand where nothing is found at once: other requests go on meanwhile
    report = await asyncio.to_thread(report_of, state, None, stream, wanted, told)
    names, match = names_of(club), match_with(club.state.firsts(), state)
    return AuditSheet(report, match, tuple(tuple(names.get(player) for player in side) for side in match.setup.sides))
