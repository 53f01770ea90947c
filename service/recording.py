"""Recording: a command is decided on its stream, appended, and decided again when somebody was faster."""

import asyncio
import hashlib
import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
import uuid_utils

from domain.actor import SERVICE, Actor
from domain.club.events import ClubFounded, PlayerRegistered
from domain.club.state import seat_players
from domain.decider import New, Refusal, lost_race
from domain.event import Recorded
from domain.match import commands as c
from domain.match.capacity import check_room
from domain.match.decide import decide
from domain.match.state import NoMatch
from domain.tournament.directing import Orders
from service.devices import DeviceBook
from service.store import log
from service.store.log import By, Head, LostRaceError
from service.streams import MATCH, TOURNAMENT, Kind, Loaded, LoadedClub, Streams

TRIES: Final = 10


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person known by id, for two people of one name."""

    id: str


class BusyError(Exception):
    """Ten races in a row were lost: try again in a moment."""


class Request(msgspec.Struct, frozen=True):
    """Who asks what, as whom: the command's id, whether the client chose it, and the fingerprint of its content."""

    by: By
    actor: Actor
    command_id: str
    chosen: bool
    fingerprint: bytes
    expected: int | None = None


class Done(msgspec.Struct, frozen=True):
    """What came of a command: the stream afterwards, and the versions that it appended."""

    loaded: Loaded
    first: int
    last: int
    events: tuple[Recorded, ...] = ()


def new_id() -> str:
    """A UUIDv7: ids in time order."""
    return str(uuid_utils.uuid7())


def now() -> datetime:
    """The service's clock."""
    return datetime.now(UTC)


def own_request(by: By, command_id: str | None = None, actor: Actor = SERVICE) -> Request:
    """A request of the service itself (import, demo); a given id makes it idempotent."""
    chosen = command_id is not None
    name = command_id or new_id()
    return Request(by, actor, name, chosen, hashlib.sha256(name.encode()).digest())


class Recorder:
    """Appends to the log of every club. `clock` is injected for tests; `said` hears of each append."""

    def __init__(
        self,
        streams: Streams,
        said: Callable[[str], None] = lambda _: None,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self.streams = streams
        self.said = said
        self.clock = clock
        self.devices = DeviceBook(streams.pool)

    # ---------------------------------------------------------------- matches

    async def match(self, stream: str, command: c.MatchCommand, request: Request) -> Done:
        """A command on a match. Raises Refusal, also for a lost race and a key used for something else."""
        return await self.on_stream(stream, MATCH, command, request)

    async def tournament(self, stream: str, orders: Orders, request: Request) -> Done:
        """Commands on a tournament, all or none. Raises Refusal as above."""
        return await self.on_stream(stream, TOURNAMENT, orders, request)

    async def on_stream(self, stream: str, kind: Kind, command: Any, request: Request) -> Done:
        """A command on a stream of this kind, decided again when somebody was faster."""
        async with self.streams.queue(stream):
            loaded = self.streams.kept(stream) or await self.streams.load(stream)
            if loaded is None or loaded.kind is not kind:
                raise Refusal("not-found", "there is no such match or tournament")
            if kind is MATCH:
                check_bound(request.actor, stream)
            request = await self._known(loaded.club, request)
            try:
                return await self._until_appended(loaded, command, request)
            except Refusal:
                # a repeat is decided on what is there by now, and may be refused for that; a repeat that is
                # not refused meets its own key in the log when it is appended
                before = await self.answered(loaded.club, request) if request.chosen else None
                if before is None:
                    raise
                return before

    async def _until_appended(self, loaded: Loaded, command: Any, request: Request) -> Done:
        for attempt in range(TRIES):
            if attempt:
                loaded = await self._fresh(loaded.stream)
            expected = request.expected
            if expected is not None and expected != loaded.head.version:
                loaded = await self._fresh(loaded.stream)
                if expected != loaded.head.version:
                    raise lost_race(loaded.head.version)
            try:
                news = loaded.kind.decide(loaded.state, command, request.actor.within(loaded.club))
            except Refusal:
                fresh = await self._fresh(loaded.stream)
                if fresh.head.version == loaded.head.version:
                    raise
                continue
            if not news:  # it stands already: that is so only if nothing has happened since
                before = await self.answered(loaded.club, request) if request.chosen else None
                if before is not None:
                    return before
                fresh = await self._fresh(loaded.stream)
                if fresh.head.version == loaded.head.version:
                    return Done(loaded, loaded.head.version + 1, loaded.head.version)
                continue
            if loaded.kind is MATCH:
                check_room(loaded.head.version, news)
            done = await self._append(loaded, news, request)
            if done is not None:
                return done
            if expected is not None:
                raise lost_race((await self._fresh(loaded.stream)).head.version)
            await asyncio.sleep(random.uniform(0, 0.002 * 2**attempt))  # noqa: S311  # jitter, no secret
        raise BusyError(loaded.stream)

    async def _known(self, club: str, request: Request) -> Request:
        """The request of somebody whose device is known by its id; a new device is written down with what it does."""
        device = await self.devices.known(club, request.by)
        return msgspec.structs.replace(request, actor=msgspec.structs.replace(request.actor, device=device))

    async def _fresh(self, stream: str) -> Loaded:
        loaded = await self.streams.load(stream)
        assert loaded is not None
        return loaded

    async def _append(self, loaded: Loaded, news: list[New], request: Request) -> Done | None:
        """Append; None when the race was lost. An exact repeat is answered as the first time."""
        at = max(self.clock(), loaded.head.recorded_at or datetime.min.replace(tzinfo=UTC))
        by = await self.devices.placed(loaded.club, request.by, at)
        try:
            appended = await log.append(
                self.streams.pool, loaded.club, loaded.stream, loaded.head, news, by, at,
                request.command_id, request.fingerprint,
            )  # fmt: skip
        except LostRaceError:
            return await self.answered(loaded.club, request)
        pairs = [(event.version, event.data) for event in appended.events]
        after = Loaded(loaded.club, loaded.stream, loaded.kind.fold(loaded.state, pairs), appended.head, loaded.kind)
        self.streams.keep(after)
        self.said(loaded.club)
        return Done(after, loaded.head.version + 1, appended.head.version, tuple(appended.events))

    async def answered(self, club: str, request: Request) -> Done | None:
        """The first answer to a command that is in the log already. Raises Refusal (key-reused)."""
        found = await log.find_command(self.streams.pool, club, request.command_id)
        if found is None:
            return None
        stream, first, count, fingerprint = found
        if fingerprint != request.fingerprint:
            raise key_reused()
        loaded = await self._fresh(stream)
        stored = await log.read_stream(self.streams.pool, club, stream, first - 1, first + count - 1)
        return Done(loaded, first, first + count - 1, tuple(each.event for each in stored))

    async def open_match(
        self, club: str, command: c.OpenMatch, people: tuple[tuple[str | Person, ...], ...], request: Request
    ) -> Done:
        """Open a match between people named or known; the unknown are registered as visitors."""
        if request.chosen:
            before = await self.answered(club, request)
            if before is not None:
                return before
        request = await self._known(club, request)
        dry = msgspec.structs.replace(command, sides=_places(people))
        decide(NoMatch(), dry, request.actor.within(club))  # a match that cannot be opened registers nobody
        sides = await self.players(club, people, request)
        ready = msgspec.structs.replace(command, sides=sides)
        loaded = Loaded(club, new_id(), NoMatch(), Head())
        done = await self._append(loaded, decide(loaded.state, ready, request.actor.within(club)), request)
        if done is None:
            raise BusyError(club)
        return done

    async def begin(self, club: str, stream: str, kind: Kind, command: Any, request: Request) -> Done:
        """Begin a stream whose id is known beforehand; a repeat is answered as the first time. Raises Refusal."""
        before = await self.answered(club, request)
        if before is not None:
            return before
        request = await self._known(club, request)
        loaded = Loaded(club, stream, kind.initial, Head(), kind)
        done = await self._append(loaded, kind.decide(kind.initial, command, request.actor.within(club)), request)
        if done is None:
            raise BusyError(club)
        return done

    async def import_match(
        self, club: str, news: list[New], request: Request, stream: str | None = None, kind: Kind = MATCH
    ) -> Done:
        """Append a match, or another kind of stream, from a file, 1,000 events a statement; a broken one goes on."""
        loaded = Loaded(club, stream or new_id(), kind.initial, Head(), kind)
        for start in range(0, len(news), log.APPEND_LIMIT):
            part = _part(request, start)
            done = await self.answered(club, part) if request.chosen else None
            if done is None and loaded.head.version != start:
                raise Refusal("misfit", f"match {loaded.stream} was imported by half, and then changed")
            if done is None:
                done = await self._append(loaded, news[start : start + log.APPEND_LIMIT], part)
            if done is None:
                raise BusyError(club)
            loaded = done.loaded
        return Done(loaded, 1, loaded.head.version)

    async def imported(self, club: str, news: list[New], request: Request) -> Done | None:
        """A match that was imported before, to its last event."""
        return await self.answered(club, _part(request, (len(news) - 1) // log.APPEND_LIMIT * log.APPEND_LIMIT))

    # ------------------------------------------------------------------ clubs

    async def players(
        self, club: str, people: tuple[tuple[str | Person, ...], ...], request: Request, together: bool = True
    ) -> tuple[tuple[str, ...], ...]:
        """The ids of people by side, the unknown registered as visitors; who sits down `together` is somebody else each
        time. Raises Refusal."""
        count = sum(len(side) for side in people)
        for _ in range(TRIES):
            loaded = await self.club(club)
            sides, news = seat_players(loaded.state, people, (new_id() for _ in range(count)))
            if together and len({player for side in sides for player in side}) < count:
                raise Refusal("malformed", "one player sits on two chairs: change one")
            if not news or await self._append_club(loaded, news, own_request(request.by)):
                return sides
        raise BusyError(club)

    async def register(self, club: str, name: str, request: Request) -> str:
        """Register a member. Raises Refusal."""
        for _ in range(TRIES):
            loaded = await self.club(club)
            found = await log.find_command(self.streams.pool, club, request.command_id) if request.chosen else None
            if found is not None:
                if found[3] != request.fingerprint:
                    raise key_reused()
                stored = await log.read_stream(self.streams.pool, club, club, found[1] - 1, found[1])
                return str(stored[0].event.data.player)
            player = new_id()
            news = [New(PlayerRegistered(player, False), {"name": name})]
            if await self._append_club(loaded, news, request):
                return player
        raise BusyError(club)

    async def club(self, club: str) -> LoadedClub:
        """A club. Raises Refusal when there is none."""
        loaded = await self.streams.club(club)
        if loaded is None:
            raise Refusal("not-found", "there is no such club")
        return loaded

    async def _append_club(self, loaded: LoadedClub, news: Sequence[New], request: Request) -> bool:
        at = max(self.clock(), loaded.head.recorded_at or datetime.min.replace(tzinfo=UTC))
        by = await self.devices.placed(loaded.club, request.by, at)
        try:
            await log.append(
                self.streams.pool, loaded.club, loaded.club, loaded.head, list(news), by, at,
                request.command_id, request.fingerprint,
            )  # fmt: skip
        except LostRaceError:
            return False
        self.said(loaded.club)
        return True

    async def found_club(self, name: str, public: bool, by: By) -> str:
        """Found a club: its log begins with this event."""
        club = new_id()
        asked, at = own_request(by), self.clock()
        by = await self.devices.placed(club, by, at)
        await log.append(
            self.streams.pool, club, club, Head(), [New(ClubFounded(name, public))], by, at,
            asked.command_id, asked.fingerprint, founding=True,
        )  # fmt: skip
        self.said(club)
        return club


def check_bound(actor: Actor, match: str) -> None:
    """Raises Refusal for a token that is bound to another match."""
    if actor.match not in (None, match):
        raise Refusal("forbidden", "this token is bound to another match")


def key_reused() -> Refusal:
    """What a client is told that used one key for two requests."""
    return Refusal("key-reused", "this Idempotency-Key was used for another request: make a new one")


def _part(request: Request, start: int) -> Request:
    """The request for the events of an import from a place on."""
    return msgspec.structs.replace(request, command_id=f"{request.command_id[:100]}+{start}") if start else request


def _places(people: Any) -> tuple[tuple[str, ...], ...]:
    """Stand-ins for ids, each person another."""
    return tuple(tuple(f"{side}.{place}" for place, _ in enumerate(own)) for side, own in enumerate(people))
