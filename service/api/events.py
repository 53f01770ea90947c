"""Events over HTTP: JSON lines up to now, or server-sent events that go on and can be resumed."""

import re
from collections.abc import AsyncIterator
from typing import Annotated, Final
from uuid import UUID

import psycopg
from litestar import get
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from domain import codec
from domain.log.decider import Refusal
from domain.log.event import Recorded
from projections.event_place import placed
from projections.event_view import EventView
from service.desk.access import club_for, kind_of, match_for, tournament_for
from service.desk.delays import is_delayed, log_end, round_of, stream_seen
from service.desk.services import Services
from service.desk.sight import ClubSight
from service.http import frames
from service.http.answers import NO_STORE, AnyResponse
from service.http.caller import ERA, FIRST, AnyRequest, caller_of, credential_of, era_of, services_of
from service.http.senders import address
from service.http.streaming import FollowRequest, a_moment, check_room, goes_on, streamed
from service.live.feed import Feed, Follower, WindowEvent
from service.store import log
from service.store.callers import Caller
from service.store.kinds import TOURNAMENT
from service.store.log import Stored
from service.store.meters import DRAWINGS

LINES = "application/x-ndjson"
# a `media_type` on the route would be that of the server-sent events too, and no browser would follow them
SAID = {200: ResponseSpec(EventView, generate_examples=False, description="One event a line", media_type=LINES)}
_PLACE: Final = re.compile(r"(\d{1,16})(?:-([0-9a-f]{8}|0))?\Z", re.ASCII)
After = Annotated[
    str,
    QueryParameter(
        name="after",
        pattern=r"^[0-9]{1,16}(-([0-9a-f]{8}|0))?(?![\s\S])",
        description="the number behind which it begins; with an era (`41-e3b0c442`) that is over, from the beginning. "
        "`X-Era` of the lines names the one that is",
    ),
]


async def _last_seen(request: AnyRequest, after: str) -> int:
    """The place to go on: `Last-Event-ID` of a browser that came back, else `after`, where a number alone is of every
    era. A place of another era is of a log that was restored from a copy since: its reader begins again, or would skip
    what is recorded anew under places that it has passed. Raises Refusal."""
    header = request.headers.get("last-event-id")
    found = _PLACE.match(after if header is None else header)
    if found is None:
        wrong = "Last-Event-ID is the `id` of the last event you saw"
        raise Refusal("malformed", "`after` is a number, or one with its era: 41-e3b0c442" if header is None else wrong)
    if header is None and found[2] is None:
        return int(found[1])
    return int(found[1]) if (found[2] or FIRST) == await era_of(request) else 0


def place(number: int | None, era: str) -> str | None:
    """The id of an event in a stream of events: its number and, after a restore, the era of the log."""
    return None if number is None else f"{number}-{era}" if era else str(number)


class EventSource:
    """The events that an answer is about: those of one stream by version, or those of a whole club by position."""

    def __init__(self, services: Services, club: str, stream: str | None) -> None:
        self.services, self.club, self.stream = services, club, stream

    def number(self, event: Recorded) -> int | None:
        """The number of an event here; None for one that does not belong."""
        if self.stream is None:
            return event.position
        return event.version if event.stream == self.stream else None

    async def beside(self) -> str | None:
        """The tournament whose news concern a match of it, where they say when it is told."""
        loaded = None if self.stream is None else await self.services.streams.match(self.stream)
        return None if loaded is None else round_of(loaded)

    async def head(self) -> int:
        """The last number by now."""
        if self.stream is None:
            return await log.last_position(self.services.readers, self.club)
        loaded = self.services.streams.kept(self.stream) or await self.services.streams.load(self.stream)
        return loaded.head.version if loaded is not None else 0

    async def page(self, after: int) -> list[Stored]:
        """The next events."""
        if self.stream is None:
            return await log.read_club(self.services.readers, self.club, after, log.PAGE)
        return await log.read_stream(self.services.readers, self.club, self.stream, after, after + log.PAGE)

    async def bound(self, caller: Caller, here: int) -> tuple[int | None, bool]:
        """The last number that a caller may be told by now, of a log that is known up to `here`, and whether something
        behind it is held back; no number where nothing of it ever is. Asked behind what is told."""
        streams = self.services.streams
        if self.stream is None:
            at = self.services.recorder.clock()
            end = await log_end(streams, caller, self.club, at, here)
            if end is not None:
                return end, True
            return (here if streams.delayed[self.club][1] else None), False
        known = streams.kept(self.stream)
        if known is not None and not is_delayed(known):
            return None, False
        loaded = await streams.load(self.stream)
        if loaded is None:
            return None, False
        shown = (await stream_seen(self.services, caller, loaded)).head.version
        return shown, shown < loaded.head.version

    def sight(self, caller: Caller) -> ClubSight:
        """The part of them that a caller may see."""
        return ClubSight(self.services, caller, self.club)

    async def json(self, each: Stored, sight: ClubSight) -> bytes:
        """An event as it may be seen; in the log of a club it says where it happened."""
        view = await sight.view(each)
        return codec.encode_plain(view if self.stream else placed(each.event, view))

    async def frame(self, each: Stored, sight: ClubSight) -> bytes:
        """The same as a message of a stream."""
        era = await self.services.streams.era()
        return frames.message((await self.json(each, sight)).decode(), place(self.number(each.event), era))


async def lines(source: EventSource, caller: Caller, after: int, head: int) -> AsyncIterator[bytes]:
    """JSON lines up to where the log was when they were asked for, page by page: who reads them slowly is not told for
    longer than he may be."""
    sight = source.sight(caller)
    while after < head and (page := await source.page(after)):
        page = [each for each in page if (source.number(each.event) or 0) <= head]
        yield b"".join([await source.json(each, sight) + b"\n" for each in page])
        after = source.number(page[-1].event) or head


class Telling:
    """One stream of events: first those in the log, page by page, then new ones."""

    def __init__(self, source: EventSource, after: int) -> None:
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
        """The news that this stream has not been told."""
        while feed.position >= 0 and goes_on(self.source.services, follower):
            here = feed.position
            fresh = feed.since(follower)
            bound, held = await self.source.bound(follower.caller, here)
            if fresh is not None and not held:
                if found := await self._of_window(fresh, follower.caller):
                    yield found
                return
            async for page in self._pages(feed, follower, bound):
                yield page
            follower.seen = -1 if held else here  # what is held back is read from the log, once it may be told
            if held:
                return

    async def _of_window(self, fresh: list[WindowEvent], caller: Caller) -> bytes:
        found, source, after = [], self.source, self.after
        for told in fresh:
            number = source.number(told.stored.event)
            if number is None or number <= after:
                continue
            kind = await ClubSight(source.services, caller, source.club).kind(told.stored.event)
            key = (source.stream is None, kind)
            async with told.turn:
                if key not in told.drawn:
                    told.drawn[key] = await source.frame(told.stored, source.sight(kind))
                    DRAWINGS.inc()
            found.append(told.drawn[key])
            after = number
        self.after = after
        return b"".join(found)

    async def _pages(self, feed: Feed, follower: Follower, bound: int | None) -> AsyncIterator[bytes]:
        """Pages from the log, up to a number; who catches up at the same moment from the same place shares them."""
        full = True
        while full and goes_on(self.source.services, follower):
            kind = await self._kind(follower.caller)
            key = (self.source.stream, self.after, kind, feed.position, feed.epoch, bound)
            if feed.remembered(key) is None:
                found = await feed.page(self.source.stream, self.after)
                page = [each for each in found if bound is None or (self.source.number(each.event) or 0) <= bound]
                full = len(page) == log.PAGE
                async with feed.turn:
                    if feed.remembered(key) is None:  # or another one has drawn it meanwhile
                        sight = self.source.sight(kind)
                        text = b"".join([await self.source.frame(each, sight) for each in page])
                        last = self.source.number(page[-1].event) if page else None
                        feed.remember(key, (text, last, full), len(page))
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
    """True where the client asked for server-sent events."""
    return "text/event-stream" in request.headers.get("accept", "")


async def respond(
    request: AnyRequest, services: Services, caller: Caller, source: EventSource, wanted: str
) -> AnyResponse:
    """JSON lines, or a stream of server-sent events. Raises Refusal when there are too many streams."""
    after = await _last_seen(request, wanted)
    if not wants_stream(request):
        head = await source.head()
        bound, _ = await source.bound(caller, head)
        upto = head if bound is None else min(head, bound)
        headers = {**NO_STORE, ERA: await era_of(request)}
        return Stream(lines(source, caller, after, upto), media_type=LINES, headers=headers)
    asked = FollowRequest(
        source.club, source.stream, caller, credential_of(request), address(request), beside=await source.beside()
    )
    check_room(services, asked)
    return streamed(services, asked, Telling(source, after))


@get(
    "/matches/{match_id:uuid}/events",
    operation_id="matchEvents",
    tags=["events"],
    responses=SAID,
    summary="The match's events: JSON lines, or server-sent events with Accept: text/event-stream",
)
async def match_events(request: AnyRequest, match_id: FromPath[UUID], after: After = "0") -> AnyResponse:
    """`id:` is the version. A stream ends with a message named `end`, a problem that says why."""
    services, caller = services_of(request), await caller_of(request)
    loaded, _ = await match_for(services, caller, match_id)
    return await respond(request, services, caller, EventSource(services, loaded.club, loaded.stream), after)


@get(
    "/tournaments/{tournament_id:uuid}/events",
    operation_id="tournamentEvents",
    tags=["events"],
    responses=SAID,
    summary="The tournament's events: JSON lines, or server-sent events with Accept: text/event-stream",
)
async def tournament_events(request: AnyRequest, tournament_id: FromPath[UUID], after: After = "0") -> AnyResponse:
    """`id:` is the version. A stream ends with a message named `end`, a problem that says why."""
    services, caller = services_of(request), await caller_of(request)
    loaded, _ = await tournament_for(services, caller, tournament_id)
    return await respond(request, services, caller, EventSource(services, loaded.club, loaded.stream), after)


@get(
    "/clubs/{club_id:uuid}/events",
    operation_id="clubEvents",
    tags=["events"],
    responses=SAID,
    summary="The club's events over all its matches",
)
async def club_events(request: AnyRequest, club_id: FromPath[UUID], after: After = "0") -> AnyResponse:
    """`id:` is the position in the club's log. A stream ends with a message named `end`, a problem that says why."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    return await respond(request, services, caller, EventSource(services, club.club, None), after)
