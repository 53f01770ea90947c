"""The clerk's look at a match as it was: at one event, and as it is to be audited."""

import msgspec

from domain.game.protocol import ALL
from domain.log.decider import Refusal
from domain.match.state import Match
from projections.event_view import EventView, event_view
from projections.match_view import MatchView, match_view
from service.cli.clerk import find_match
from service.desk.as_of import as_of
from service.desk.auditing import reported_of
from service.store import log
from service.store.device_book import DeviceBook
from service.store.pool import Pool
from service.store.streams import Streams


class ReplayView(msgspec.Struct, frozen=True):
    """The table at one event: the view of a director, the event, and the number of events."""

    view: MatchView
    event: EventView
    last: int


class Audited(msgspec.Struct, frozen=True):
    """A match of the log, now or as it was, with the names by side, and the figures by which somebody reported it to
    its tournament beside the record."""

    match: Match
    names: tuple[tuple[str | None, ...], ...]
    reported: tuple[int, int] | None = None


async def audited(pool: Pool, match: str, moment: str | None) -> Audited:
    """A match to be audited, as of a version or a time. Raises Refusal for an unknown id or moment."""
    found = await find_match(pool, match)
    state: Match | None = found.loaded.match
    if moment is not None:
        state = await Streams(pool).match_at(found.loaded, as_of(moment))
    if state is None:
        raise Refusal("not-found", "the match had not begun then")
    names = found.names
    reported = await reported_of(Streams(pool), found.loaded, moment)
    return Audited(state, tuple(tuple(names[player] for player in side) for side in state.setup.sides), reported)


async def replay(pool: Pool, match: str, at: int | None) -> ReplayView:
    """The table at an event, by default the last one. Raises Refusal for an unknown event."""
    found = await find_match(pool, match)
    last = found.loaded.head.version
    version = last if at is None else at
    if not 1 <= version <= last:
        raise Refusal("not-found", f"the match has the events 1 to {last}, not {version}")
    stored = await log.read_stream(pool, found.loaded.club, match, version - 1, version)
    past = await Streams(pool).match_at(found.loaded, version)
    assert past is not None
    devices = await DeviceBook(pool).of(found.loaded.club, names=True)
    event = event_view(stored[0].event, ALL, found.loaded.match, stored[0].hash, notes=True, devices=devices)
    opened = frozenset(deal.number for deal in found.loaded.match.deals)
    return ReplayView(match_view(match, found.loaded.club, past, found.names, ALL, opened, opened), event, last)
