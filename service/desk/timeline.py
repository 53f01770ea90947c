"""The timeline of a match: its moments as they stand now."""

from domain.match.state import Match, State
from projections.match import TimelineEvent, timeline_page
from service.desk.services import Services
from service.store import log
from service.store.loaded import LoadedMatch


async def timeline(
    services: Services, loaded: LoadedMatch, now: State, after: int, upto: int
) -> tuple[TimelineEvent, ...]:
    """The moments of a match behind a version, up to another, as they stand now."""
    last = min(upto, now.version if isinstance(now, Match) else 0)
    if last <= after:
        return ()
    stored = await log.read_stream(services.pool, loaded.club, loaded.stream, after, last)
    before = await services.streams.state_at(loaded, after)
    return timeline_page(before, (each.event for each in stored), now)
