"""Events over HTTP: JSON lines up to now, or server-sent events that go on and can be resumed."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any
from uuid import UUID

import psycopg
from litestar import Response, get
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage, Stream

from domain import codec
from domain.actor import DIRECTORS
from domain.club.devices import Devices
from domain.decider import Refusal
from domain.game import Viewer
from domain.match.sight import open_at
from projections.event_place import placed
from projections.event_view import EventView, event_view
from service.api.access import (
    AnyRequest,
    caller_of,
    club_for,
    match_for,
    services_of,
    tournament_for,
    viewer_in,
)
from service.api.matches import NO_STORE
from service.auth import Caller, of_club
from service.live.hub import FullError
from service.services import Services
from service.store import log
from service.store.log import Stored
from service.streams import TOURNAMENT, Loaded

PING = 15.0
LINES = "application/x-ndjson"
# a `media_type` on the route would be that of the server-sent events too, and no browser would follow them
SAID = {200: ResponseSpec(EventView, generate_examples=False, description="One event a line", media_type=LINES)}
AGAIN = 1.0
After = Annotated[int, QueryParameter(name="after", ge=0, le=2**53)]
Read = Callable[[int], AsyncIterator[tuple[int, EventView]]]


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

    async def view(self, each: Stored) -> EventView:
        """One event for this caller."""
        event = each.event
        notes = of_club(self.caller, self.club) and self.caller.role in DIRECTORS
        devices = await self._told(event.device, notes)
        if event.stream == self.club:
            return event_view(event, "all", True, None, each.hash, notes, devices)
        loaded = self.services.streams.kept(event.stream)
        if loaded is None or loaded.head.version < event.version:
            loaded = await self.services.streams.load(event.stream)
        assert loaded is not None
        if loaded.kind is TOURNAMENT:
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


async def lines(read: Read, after: int) -> AsyncIterator[bytes]:
    """JSON lines up to now."""
    async for _, view in read(after):
        yield codec.encode_plain(view) + b"\n"


async def messages(
    services: Services, club: str, client: str, read: Read, after: int
) -> AsyncIterator[ServerSentEventMessage]:
    """Server-sent events for as long as the client listens and the service runs."""
    hub = services.hub
    with hub.follow(club, client) as flag:
        yield ServerSentEventMessage(comment="open", data=None, retry=1000)
        while not hub.closing.is_set():
            flag.clear()
            patience = PING
            try:
                async for number, view in read(after):
                    after = number
                    yield ServerSentEventMessage(id=number, data=codec.encode_plain(view).decode())
            except (psycopg.Error, OSError):
                patience = AGAIN  # the database is away: the client stays, and hears the rest when it is back
            try:
                await asyncio.wait_for(flag.wait(), patience)
            except TimeoutError:
                yield ServerSentEventMessage(comment="ping", data=None)


def wants_stream(request: AnyRequest) -> bool:
    """Whether the client asked for server-sent events."""
    return "text/event-stream" in request.headers.get("accept", "")


def respond(request: AnyRequest, services: Services, club: str, read: Read, after: int) -> Response[Any]:
    """JSON lines, or a stream of server-sent events. Raises Refusal when there are too many streams."""
    after = _last_seen(request, after)
    if not wants_stream(request):
        return Stream(lines(read, after), media_type=LINES, headers=NO_STORE)
    client = request.client.host if request.client else ""
    try:
        with services.hub.follow(club, client):
            pass
    except FullError:
        raise Refusal("unavailable", "too many open event streams: close one and try again") from None
    headers = {"X-Accel-Buffering": "no", **NO_STORE}
    return ServerSentEvent(messages(services, club, client, read, after), headers=headers)


def of_stream(services: Services, caller: Caller, loaded: Loaded) -> Read:
    """The events of one stream behind a version, as a caller may see them."""
    sight = Sight(services, caller, loaded.club)

    async def read(start: int) -> AsyncIterator[tuple[int, EventView]]:
        while page := await log.read_stream(services.pool, loaded.club, loaded.stream, start, start + 1000):
            for each in page:
                yield each.event.version, await sight.view(each)
            start = page[-1].event.version

    return read


@get(
    "/matches/{match_id:uuid}/events", operation_id="matchEvents", tags=["events"], responses=SAID,
    summary="The match's events: JSON lines, or server-sent events with Accept: text/event-stream",
)  # fmt: skip
async def match_events(request: AnyRequest, match_id: FromPath[UUID], after: After = 0) -> Response[Any]:
    """`id:` is the version."""
    services, caller = services_of(request), await caller_of(request)
    loaded, _ = await match_for(services, caller, match_id)
    return respond(request, services, loaded.club, of_stream(services, caller, loaded), after)


@get(
    "/tournaments/{tournament_id:uuid}/events", operation_id="tournamentEvents", tags=["events"], responses=SAID,
    summary="The tournament's events: JSON lines, or server-sent events with Accept: text/event-stream",
)  # fmt: skip
async def tournament_events(request: AnyRequest, tournament_id: FromPath[UUID], after: After = 0) -> Response[Any]:
    """`id:` is the version."""
    services, caller = services_of(request), await caller_of(request)
    loaded, _ = await tournament_for(services, caller, tournament_id)
    return respond(request, services, loaded.club, of_stream(services, caller, loaded), after)


@get(
    "/clubs/{club_id:uuid}/events", operation_id="clubEvents", tags=["events"], responses=SAID,
    summary="The club's events over all its matches",
)  # fmt: skip
async def club_events(request: AnyRequest, club_id: FromPath[UUID], after: After = 0) -> Response[Any]:
    """`id:` is the position in the club's log."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    sight = Sight(services, caller, club.club)

    async def read(start: int) -> AsyncIterator[tuple[int, EventView]]:
        async for each in log.tail(services.pool, club.club, start):
            view = await sight.view(each)
            yield each.event.position, placed(each.event, view)

    return respond(request, services, club.club, read, after)
