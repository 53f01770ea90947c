"""Events over HTTP: JSON lines up to now, or server-sent events that go on and can be resumed."""

from collections.abc import AsyncIterator
from typing import Annotated, Any
from uuid import UUID

import msgspec
import psycopg
from litestar import Response, get
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from domain import codec
from domain.actor import DIRECTORS
from domain.club.devices import Devices
from domain.decider import Refusal
from domain.event import Recorded
from domain.game import Viewer
from domain.match.sight import open_at
from projections.event_place import placed
from projections.event_view import EventView, event_view
from service.api.access import (
    AnyRequest,
    caller_of,
    club_for,
    credential_of,
    match_for,
    services_of,
    tournament_for,
    viewer_in,
)
from service.api.matches import NO_STORE
from service.auth import Caller, kind_of, of_club
from service.live import frames
from service.live.feed import DRAWINGS, Feed, Follower, Told
from service.services import Services
from service.store import log
from service.store.log import Stored
from service.streaming import Asked, a_moment, address, check_room, goes_on, streamed
from service.streams import TOURNAMENT, Loaded

LINES = "application/x-ndjson"
# a `media_type` on the route would be that of the server-sent events too, and no browser would follow them
SAID = {200: ResponseSpec(EventView, generate_examples=False, description="One event a line", media_type=LINES)}
After = Annotated[int, QueryParameter(name="after", ge=0, le=2**53)]


def _last_seen(request: AnyRequest, after: int) -> int:
    """Where to go on: `Last-Event-ID` of a browser that came back, else `after`. Raises Refusal."""
    header = request.headers.get("last-event-id")
    if header is None:
        return after
    if not (header.isascii() and header.isdecimal() and len(header) <= 16):
        raise Refusal("malformed", "Last-Event-ID is the `id` of the last event you saw")
    return int(header)


class Sight:
    """What a caller may see of the events of one club, match by match."""

    def __init__(self, services: Services, caller: Caller, club: str) -> None:
        self.services, self.caller, self.club = services, caller, club
        self._devices: Devices | None = None
        self._nameless: set[str] = set()

    async def _loaded(self, event: Recorded) -> Loaded | None:
        """The match or tournament of an event, at least as far as that; None for an event of the club itself."""
        if event.stream == self.club:
            return None
        loaded = self.services.streams.kept(event.stream)
        if loaded is None or loaded.head.version < event.version:
            loaded = await self.services.streams.load(event.stream)
        return loaded

    async def kind(self, event: Recorded) -> Caller:
        """The kind of viewer that the caller is for this event: what is drawn for the kind is right for him."""
        loaded = await self._loaded(event)
        if loaded is None or loaded.kind is TOURNAMENT:
            return kind_of(msgspec.structs.replace(self.caller, player=None, match=None), self.club)
        return kind_of(self.caller, self.club, loaded.match, loaded.stream)

    async def view(self, each: Stored) -> EventView:
        """One event for this caller."""
        event = each.event
        notes = of_club(self.caller, self.club) and self.caller.role in DIRECTORS
        devices = await self._told(event.device, notes)
        loaded = await self._loaded(event)
        if loaded is None or loaded.kind is TOURNAMENT:
            return event_view(event, "all", True, None, each.hash, notes, devices)
        match = loaded.match
        viewer: Viewer = viewer_in(self.caller, loaded)
        opened = open_at(match, event.version)
        superseded = match.superseded.get(event.version)
        return event_view(event, viewer, opened, superseded, each.hash, notes, devices)

    async def _told(self, device: str | None, names: bool) -> Devices:
        """How devices are told to this caller; names are read again for one that came since."""
        new = names and device is not None and device not in self._nameless
        if self._devices is None or (new and self._devices.called(device) is None):
            self._devices = await self.services.recorder.devices.of(self.club, names)
            if device is not None and self._devices.called(device) is None:
                self._nameless.add(device)
        return self._devices


class Source:
    """The events that an answer is about: those of one stream by version, or those of a whole club by position."""

    def __init__(self, services: Services, club: str, stream: str | None) -> None:
        self.services, self.club, self.stream = services, club, stream

    def number(self, event: Recorded) -> int | None:
        """What an event is counted by here; None for one that does not belong."""
        if self.stream is None:
            return event.position
        return event.version if event.stream == self.stream else None

    async def head(self) -> int:
        """How far they reach by now."""
        if self.stream is None:
            return await log.head(self.services.readers, self.club)
        loaded = self.services.streams.kept(self.stream) or await self.services.streams.load(self.stream)
        return loaded.head.version if loaded is not None else 0

    async def page(self, after: int) -> list[Stored]:
        """The next events."""
        if self.stream is None:
            return await log.read_club(self.services.readers, self.club, after, log.PAGE)
        return await log.read_stream(self.services.readers, self.club, self.stream, after, after + log.PAGE)

    def sight(self, caller: Caller) -> Sight:
        """What a caller may see of them."""
        return Sight(self.services, caller, self.club)

    async def json(self, each: Stored, sight: Sight) -> bytes:
        """An event as it may be seen; in the log of a club it says where it happened."""
        view = await sight.view(each)
        return codec.encode_plain(view if self.stream else placed(each.event, view))

    async def frame(self, each: Stored, sight: Sight) -> bytes:
        """The same as a message of a stream."""
        return frames.message((await self.json(each, sight)).decode(), self.number(each.event))


async def lines(source: Source, caller: Caller, after: int, head: int) -> AsyncIterator[bytes]:
    """JSON lines up to where the log was when they were asked for, page by page: who reads them slowly is not told for
    longer than he may be."""
    sight = source.sight(caller)
    while after < head and (page := await source.page(after)):
        page = [each for each in page if (source.number(each.event) or 0) <= head]
        yield b"".join([await source.json(each, sight) + b"\n" for each in page])
        after = source.number(page[-1].event) or head


class Telling:
    """What one stream of events tells: first what is in the log, page by page, then what happens."""

    def __init__(self, source: Source, after: int) -> None:
        self.source, self.after = source, after

    async def __call__(self, feed: Feed, follower: Follower) -> AsyncIterator[bytes]:
        """The messages, for as long as the stream may go on."""
        pings = 0
        while goes_on(self.source.services, follower):
            follower.flag.clear()
            try:
                async for frame in self._behind(feed, follower):
                    yield frame
                    pings = follower.pings
            except (psycopg.Error, OSError):  # the database is away: the client stays, and hears the rest later
                follower.seen = -1
                await a_moment(follower.flag)
                continue
            if pings != follower.pings:
                pings = follower.pings
                yield frames.PING
            await follower.flag.wait()

    async def _behind(self, feed: Feed, follower: Follower) -> AsyncIterator[bytes]:
        """What this stream has not been told."""
        while feed.position >= 0 and goes_on(self.source.services, follower):
            fresh = feed.since(follower)
            if fresh is not None:
                if found := await self._of_window(fresh, follower.caller):
                    yield found
                return
            here = feed.position
            async for page in self._pages(feed, follower):
                yield page
            follower.seen = here

    async def _of_window(self, fresh: list[Told], caller: Caller) -> bytes:
        found, source, after = [], self.source, self.after
        for told in fresh:
            number = source.number(told.stored.event)
            if number is None or number <= after:
                continue
            kind = await Sight(source.services, caller, source.club).kind(told.stored.event)
            key = (source.stream is None, kind)
            async with told.turn:
                if key not in told.drawn:
                    told.drawn[key] = await source.frame(told.stored, source.sight(kind))
                    DRAWINGS.inc()
            found.append(told.drawn[key])
            after = number
        self.after = after
        return b"".join(found)

    async def _pages(self, feed: Feed, follower: Follower) -> AsyncIterator[bytes]:
        """Pages from the log; who catches up at the same moment from the same place shares them."""
        full = True
        while full and goes_on(self.source.services, follower):
            kind = await self._kind(follower.caller)
            key = (self.source.stream, self.after, kind, feed.position)
            if feed.remembered(key) is None:
                page = await feed.page(self.source.stream, self.after)
                async with feed.turn:
                    if feed.remembered(key) is None:  # or another one has drawn it meanwhile
                        sight = self.source.sight(kind)
                        text = b"".join([await self.source.frame(each, sight) for each in page])
                        last = self.source.number(page[-1].event) if page else None
                        feed.remember(key, (text, last, len(page) == log.PAGE), len(page))
            text, last, full = feed.remembered(key)
            self.after = last or self.after
            if text:
                yield text

    async def _kind(self, caller: Caller) -> Caller:
        source = self.source
        loaded = None if source.stream is None else source.services.streams.kept(source.stream)
        if loaded is None or loaded.kind is TOURNAMENT:
            return kind_of(caller, source.club)
        return kind_of(caller, source.club, loaded.match, loaded.stream)


def wants_stream(request: AnyRequest) -> bool:
    """Whether the client asked for server-sent events."""
    return "text/event-stream" in request.headers.get("accept", "")


async def respond(request: AnyRequest, services: Services, caller: Caller, source: Source, after: int) -> Response[Any]:
    """JSON lines, or a stream of server-sent events. Raises Refusal when there are too many streams."""
    after = _last_seen(request, after)
    if not wants_stream(request):
        return Stream(lines(source, caller, after, await source.head()), media_type=LINES, headers=NO_STORE)
    asked = Asked(source.club, source.stream, caller, credential_of(request), address(request))
    check_room(services, asked)
    return streamed(services, asked, Telling(source, after))


@get(
    "/matches/{match_id:uuid}/events", operation_id="matchEvents", tags=["events"], responses=SAID,
    summary="The match's events: JSON lines, or server-sent events with Accept: text/event-stream",
)  # fmt: skip
async def match_events(request: AnyRequest, match_id: FromPath[UUID], after: After = 0) -> Response[Any]:
    """`id:` is the version. A stream ends with a message named `end`, a problem that says why."""
    services, caller = services_of(request), await caller_of(request)
    loaded, _ = await match_for(services, caller, match_id)
    return await respond(request, services, caller, Source(services, loaded.club, loaded.stream), after)


@get(
    "/tournaments/{tournament_id:uuid}/events", operation_id="tournamentEvents", tags=["events"], responses=SAID,
    summary="The tournament's events: JSON lines, or server-sent events with Accept: text/event-stream",
)  # fmt: skip
async def tournament_events(request: AnyRequest, tournament_id: FromPath[UUID], after: After = 0) -> Response[Any]:
    """`id:` is the version. A stream ends with a message named `end`, a problem that says why."""
    services, caller = services_of(request), await caller_of(request)
    loaded, _ = await tournament_for(services, caller, tournament_id)
    return await respond(request, services, caller, Source(services, loaded.club, loaded.stream), after)


@get(
    "/clubs/{club_id:uuid}/events", operation_id="clubEvents", tags=["events"], responses=SAID,
    summary="The club's events over all its matches",
)  # fmt: skip
async def club_events(request: AnyRequest, club_id: FromPath[UUID], after: After = 0) -> Response[Any]:
    """`id:` is the position in the club's log. A stream ends with a message named `end`, a problem that says why."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    return await respond(request, services, caller, Source(services, club.club, None), after)
