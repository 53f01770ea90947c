"""The feed of a club: what happens there is read once for everybody in this process who follows it.

A stream holds no connection between events. It takes what is new from the feed's window, and reads pages from the log
only to catch up. At every notice, and at least every five seconds, those who follow are asked again who they are.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final, TypeVar

import msgspec
import psycopg
import structlog

from domain.log.decider import Refusal
from service.live.hub import Hub
from service.store import log
from service.store.callers import Caller, may_read
from service.store.credentials import Credential
from service.store.doorkeeper import Doorkeeper
from service.store.loaded import LoadedClub
from service.store.log import Stored
from service.store.meters import DRAWINGS, READS
from service.store.pool import Pool
from service.store.streams import Streams
from service.store.together import SharedLookUps

WINDOW: Final = 300  # events that are kept for streams that lag a little
BEAT: Final = 5.0  # seconds
AGAIN: Final = 1.0
PING: Final = 15.0
ABREAST: Final = 4  # streams that are woken before others have a turn
DRAWN: Final = 64  # drawings that are kept of each feed
LOGGER = structlog.get_logger()
Drawing = TypeVar("Drawing")
Also = Callable[[str], Awaitable[None]]


class WindowEvent(msgspec.Struct, frozen=True):
    """An event of the window, with what it looks like to each kind of viewer who was shown it."""

    stored: Stored
    drawn: dict[Hashable, bytes] = msgspec.field(default_factory=dict)
    turn: asyncio.Lock = msgspec.field(default_factory=asyncio.Lock)  # one draws, the others wait for it


class Follower:
    """One open stream: who it is for, the flag that wakes it, what it is about (a stream, or None for all of the
    club), how far it has been told, and why it is over once it is. News of the stream `beside` concern it too."""

    def __init__(
        self,
        caller: Caller,
        credential: Credential | None,
        flag: asyncio.Event,
        topic: str | None,
        steward: bool,
        beside: str | None = None,
    ) -> None:
        self.caller, self.credential, self.flag, self.topic, self.steward = caller, credential, flag, topic, steward
        self.beside = beside
        self.seen = -1
        self.over: Refusal | None = None
        self.pings = 0

    def ask(self, known: dict[Credential, Caller], club: LoadedClub) -> None:
        """The caller by now, and whether he may still read the club."""
        if self.credential is not None:
            caller = known.get(self.credential)
            if caller is None:
                self.over = GONE[self.credential[0]]
                return
            self.caller = caller
        table = any(each.by_code and each.match == self.topic for each in self.caller.rights)
        if not table and not may_read(self.caller, club.club, club.state.public):
            self.over = Refusal("not-found", "you may not see this club any more: ask its owner")

    def concerned(self, streams: Collection[str], club: str) -> bool:
        """True where news of these streams are news to it; of the club itself they are to everybody."""
        return bool(streams) and (
            self.topic is None or self.topic in streams or club in streams or self.beside in streams
        )


GONE: Final = {
    "token": Refusal("unauthorised", "this token was revoked: ask the owner for a new one"),
    "cookie": Refusal("unauthorised", "you are signed out: sign in again, or load the page anew to go on as a guest"),
}
STOPPING: Final = Refusal("unavailable", "the service is stopping: come back in a moment")


class Feed:
    """Events of one club from now on. It stands at a position of the log; its window ends there."""

    def __init__(self, club: str, feeds: "Feeds") -> None:
        self.club, self._feeds = club, feeds
        self.position = -1
        self.epoch = 0  # what was drawn in an earlier one is not shown again
        self.window: deque[WindowEvent] = deque()
        self.loaded: LoadedClub | None = None
        self.followers: set[Follower] = set()
        self.turn = asyncio.Lock()  # of who draws a page
        self._drawn: OrderedDict[Hashable, Any] = OrderedDict()
        self._pinged = monotonic()
        self._pages: SharedLookUps[tuple[str | None, int], None, list[Stored]] = SharedLookUps(self._read_page)

    async def page(self, stream: str | None, after: int) -> list[Stored]:
        """The next events of a stream behind a version, or of the club behind a position; many may ask at once."""
        return await self._pages.ask((stream, after))

    async def _read_page(self, place: tuple[str | None, int], _: frozenset[None]) -> list[Stored]:
        stream, after = place
        READS.inc()
        if stream is None:
            return await log.read_club(self._feeds.readers, self.club, after, log.PAGE)
        return await log.read_stream(self._feeds.readers, self.club, stream, after, after + log.PAGE)

    def since(self, follower: Follower) -> list[WindowEvent] | None:
        """News that a stream has not been told yet; None where it has to catch up from the log. It counts as told."""
        missing = self.position - follower.seen
        if follower.seen < 0 or missing > len(self.window):
            return None
        follower.seen = self.position
        return [self.window[at] for at in range(-missing, 0)]

    def remembered(self, key: Hashable) -> Any:
        """A drawing that was made under this key, if it is one of the last."""
        return self._drawn.get(key)

    def remember(self, key: Hashable, drawing: Drawing, count: int = 1) -> Drawing:
        """A drawing that is the same for everybody who comes with this key."""
        DRAWINGS.inc(count)
        self._drawn[key] = drawing
        while len(self._drawn) > DRAWN:
            self._drawn.popitem(last=False)
        return drawing

    def forget(self) -> None:
        """Draw everything again from the log: private words are gone."""
        self.epoch += 1
        self.window.clear()
        self._drawn.clear()
        self.loaded = None

    async def run(self) -> None:
        """Go on for as long as somebody follows."""
        hub = self._feeds.hub
        with hub.follow(self.club) as flag:
            while self.followers and not hub.closing.is_set():
                flag.clear()
                patience = BEAT
                try:
                    if await self._turn():
                        flag.set()
                except (psycopg.Error, OSError) as error:
                    LOGGER.warning("streams wait for the database", club=self.club, error=str(error))
                    patience = AGAIN
                except Exception:
                    LOGGER.exception("what happened could not be told; it is tried again", club=self.club)
                try:
                    async with asyncio.timeout(patience):
                        await flag.wait()
                except TimeoutError:
                    continue

    async def _turn(self) -> bool:
        """Read what is new, ask who is there, tell it; whether there is more to read."""
        feeds = self._feeds
        first = self.loaded is None
        if self.position < 0:
            self.position = await log.last_position(feeds.readers, self.club)
        READS.inc()
        page = await log.read_club(feeds.readers, self.club, self.position, log.PAGE)
        if first or any(each.event.stream == self.club for each in page):
            self.loaded = await feeds.streams.club(self.club)
        # asked after the page was read: what was recorded after a token was revoked is not told to it
        there = tuple(self.followers)
        known = await feeds.doors.again({each.credential for each in there if each.credential})
        assert self.loaded is not None, "a club that is followed has been read"
        for follower in there:
            follower.ask(known, self.loaded)
        await self._tell(self._take(page), first)
        return len(page) == log.PAGE

    def _take(self, page: list[Stored]) -> set[Follower]:
        """Put what was read into the window and into what is remembered of each stream; whom it concerns. Who is up to
        date and not concerned stays up to date."""
        before, by_stream = self.position, dict[str, list[Stored]]()
        for each in page:
            by_stream.setdefault(each.event.stream, []).append(each)
            self.window.append(WindowEvent(each))
            self.position = each.event.position
        while len(self.window) > WINDOW:
            self.window.popleft()
        for events in by_stream.values():
            self._feeds.streams.absorb(events)
        concerned = {each for each in self.followers if each.concerned(by_stream, self.club)}
        for follower in self.followers - concerned:
            if follower.seen == before:
                follower.seen = self.position
        if any(each.steward for each in self.followers):
            self._feeds.catch_up(self.club)
        return concerned

    async def _tell(self, concerned: set[Follower], everybody: bool) -> None:
        """Wake a few streams at a time, so that a request that comes meanwhile waits for those few only."""
        ping = monotonic() - self._pinged >= PING
        if ping:
            self._pinged = monotonic()
        woken = 0
        for follower in tuple(self.followers):
            follower.pings += ping
            if everybody or ping or follower.over or follower in concerned:
                follower.flag.set()
                woken += 1
                if woken % ABREAST == 0:
                    await asyncio.sleep(0)


class Feeds:
    """The feeds of the clubs that are followed in this process. `also` is what tournaments wait for."""

    def __init__(self, hub: Hub, streams: Streams, doors: Doorkeeper, readers: Pool, also: Also) -> None:
        self.hub, self.streams, self.doors, self.readers, self.also = hub, streams, doors, readers, also
        self._feeds: dict[str, Feed] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._behind: set[str] = set()
        self._catching_up: dict[str, asyncio.Task[None]] = {}

    @contextmanager
    def follow(self, club: str, follower: Follower) -> Iterator[Feed]:
        """The feed of a club; it begins with the first who follows, and ends with the last."""
        feed = self._feeds.get(club)
        if feed is None:
            feed = self._feeds[club] = Feed(club, self)
            self._tasks[club] = asyncio.create_task(feed.run())
        feed.followers.add(follower)
        try:
            yield feed
        finally:
            feed.followers.discard(follower)
            if not feed.followers and self._feeds.get(club) is feed:
                del self._feeds[club]
                self._tasks.pop(club).cancel()

    def forget(self, club: str) -> None:
        """Private words of a club are gone: what is kept of it is drawn again."""
        if club in self._feeds:
            self._feeds[club].forget()

    def catch_up(self, club: str) -> None:
        """Bring the tournaments of a club in step with their matches, beside the streams that wait for it."""
        self._behind.add(club)
        if club not in self._catching_up:
            self._catching_up[club] = asyncio.create_task(self._caught_up(club))

    async def _caught_up(self, club: str) -> None:
        try:
            while club in self._behind and not self.hub.closing.is_set():
                self._behind.discard(club)
                await self.also(club)
        except (psycopg.Error, OSError) as error:
            LOGGER.warning("tournaments wait for the database", club=club, error=str(error))
        except Exception:
            LOGGER.exception("a tournament could not be brought in step; it is tried again with the next event")
        finally:
            del self._catching_up[club]
