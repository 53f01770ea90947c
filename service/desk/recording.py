"""Recording: a command is decided on its stream, appended, and decided again when somebody was faster.

One recorder serves clubs, matches and tournaments: what a stream is about is its `Decider`. A command goes this way:

1. *Queue.* Commands on one stream wait for each other inside this process, so that most races are never run.
2. *Load.* The stream as this process last knew it; the log is asked only where that may be too old.
3. *Expected version.* A command that names one is decided on that version or not at all (`lost-race`).
4. *Decide.* `decide(state, command, actor)` gives events or a refusal. A refusal on a state that is not the newest is
   no answer: the stream is read again first. No events means that it stands already, which is so only if nothing
   happened since.
5. *Append.* One statement inserts behind the version that was decided on. The primary key judges the race between
   processes: on a violation the command id is looked up, and a command that is in the log already is answered as the
   first time, whoever sent it twice; with another content it is `key-reused`. Else the race is lost, and a command
   without an expected version goes back to 2, up to ten times with jitter, then `BusyError`.
6. *Fold.* The new events bring the stream in memory up to date, and readers are woken.

A repeat is recognised by its id alone and before anything is said of versions: refusals are not remembered, so a repeat
of a refused command is decided afresh, and answered as the first time only if that one was appended after all.
"""

import asyncio
import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import msgspec

from domain.club.commands import FoundClub, GrantRole, RegisterMember, RegisterVisitors, RevokeRole
from domain.club.decide import seat_players
from domain.club.events import PlayerRegistered
from domain.log.actor import Actor, Reach
from domain.log.decider import Decider, New, Refusal, decided, lost_race
from domain.match import commands as c
from domain.match.capacity import check_room
from domain.tournament.orders import Orders
from service.desk.cases.around import with_around
from service.desk.cases.ruled_in import with_case
from service.desk.house import host_of
from service.desk.moments import with_moment
from service.desk.requests import (
    AnyDone,
    BusyError,
    Done,
    DoneMatch,
    DoneTournament,
    KnownPerson,
    Request,
    key_reused,
    own_request,
    signed,
)
from service.store import appending, log
from service.store.appending import LostRaceError
from service.store.device_book import DeviceBook
from service.store.ids import new_id, now
from service.store.log import By
from service.store.streams import CLUB, MATCH, TOURNAMENT, AnyLoaded, Loaded, LoadedClub, Streams, fresh

TRIES: Final = 10
MISSING: Final = {
    CLUB.first: "there is no such club",
    MATCH.first: "there is no such match or tournament",
    TOURNAMENT.first: "there is no such match or tournament",
}
NOTHING: Final = "there is nothing here, or nothing that you may see"
State = TypeVar("State")
Command = TypeVar("Command")


class Recorder:
    """Appends to the logs of every club. `clock` is injected for tests; `said` hears of each append, and whether it
    went to the closed log."""

    def __init__(
        self,
        streams: Streams,
        said: Callable[[str, bool], None] = lambda club, closed: None,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self.streams = streams
        self.said = said
        self.clock = clock
        self.devices = DeviceBook(streams.pool)

    async def match(self, stream: str, command: c.MatchCommand, request: Request) -> DoneMatch:
        """A command on a match. Raises Refusal, also for a lost race and a key used for something else."""
        return await self.on_stream(stream, MATCH, command, request)

    async def tournament(self, stream: str, orders: Orders, request: Request) -> DoneTournament:
        """Commands on a tournament, all or none. Raises Refusal as above."""
        return await self.on_stream(stream, TOURNAMENT, orders, request)

    async def on_stream(
        self, stream: str, kind: Decider[State, Command, Any], command: Command, request: Request
    ) -> Done[State]:
        """A command on a stream of this kind, decided again when somebody was faster. Raises Refusal."""
        async with self.streams.queue(stream):
            loaded = self.streams.kept(stream) or await self.streams.load(stream)
            if loaded is None or loaded.kind is not kind:
                raise Refusal("not-found", MISSING.get(kind.first, NOTHING))
            request = await self._known(loaded.club, request)
            try:
                return await self._until_appended(loaded, command, request)
            except Refusal:
                # a repeat is decided on what is there by now, and may be refused for that; a repeat that is
                # not refused meets its own key in the log when it is appended
                before = await self.answered(loaded.club, request)
                if before is None:
                    raise
                return before

    async def _until_appended(self, loaded: Loaded[State], asked: Command, request: Request) -> Done[State]:
        for attempt in range(TRIES):
            if attempt:
                loaded = await self._fresh(loaded)
            expected = request.expected
            if expected is not None and expected != loaded.head.version:
                loaded = await self._fresh(loaded)
                if expected != loaded.head.version:
                    raise lost_race(loaded.head.version)
            command = await with_moment(self.streams, loaded, asked, self.clock())
            command = await with_around(self.streams, loaded, command, self.clock())
            try:
                actor = actor_on(loaded, request.actor, command)
                command = await with_case(self.streams, loaded, command, actor, self.clock())
                news, acting = decided(loaded.kind.decide, loaded.state, command, actor)
            except Refusal:
                fresh = await self._fresh(loaded)
                if fresh.head.version == loaded.head.version:
                    raise
                continue
            if not news:  # it stands already: that is so only if nothing has happened since
                before = await self.answered(loaded.club, request)
                if before is not None:
                    return before
                fresh = await self._fresh(loaded)
                if fresh.head.version == loaded.head.version:
                    return Done(loaded, loaded.head.version + 1, loaded.head.version)
                continue
            if loaded.kind.first == MATCH.first:
                check_room(loaded.head.version, news)
            done = await self._append(loaded, news, signed(request, acting))
            if done is not None:
                return done
            if expected is not None:
                raise lost_race((await self._fresh(loaded)).head.version)
            await asyncio.sleep(random.uniform(0, 0.002 * 2**attempt))  # noqa: S311  # jitter, no secret
        raise BusyError(loaded.stream)

    async def _known(self, club: str, request: Request) -> Request:
        """The request of somebody whose device is known by its id; a new device is written down with what it does."""
        device = await self.devices.known(club, request.by)
        return msgspec.structs.replace(request, actor=msgspec.structs.replace(request.actor, device=device))

    async def _fresh(self, loaded: Loaded[State]) -> Loaded[State]:
        found = await self.streams.of_kind(loaded.stream, loaded.kind)
        assert found is not None
        return found

    async def _append(self, loaded: Loaded[State], news: list[New], request: Request) -> Done[State] | None:
        """Append; None when the race was lost. An exact repeat is answered as the first time."""
        at = max(self.clock(), loaded.head.recorded_at or datetime.min.replace(tzinfo=UTC))
        by = await self.devices.placed(loaded.club, request.by, at)
        try:
            appended = await appending.append(
                self.streams.pool,
                loaded.club,
                loaded.stream,
                loaded.head,
                news,
                by,
                at,
                request.command_id,
                request.fingerprint,
                founding=loaded.stream == loaded.club and not loaded.head.version,
                ends=request.ends,
                into=loaded.log,
            )
        except LostRaceError:
            return await self._first_answer(loaded.club, request)
        after = loaded.after(appended.events, appended.head)
        self.streams.keep(after)
        self.said(loaded.club, loaded.kind.closed)
        return Done(after, loaded.head.version + 1, appended.head.version, tuple(appended.events))

    async def answered(self, club: str, request: Request) -> AnyDone | None:
        """The first answer to a command whose id its sender chose and that is in the log already. Raises Refusal
        (key-reused)."""
        return await self._first_answer(club, request) if request.chosen else None

    async def _first_answer(self, club: str, request: Request) -> AnyDone | None:
        found = await log.find_command(self.streams.pool, club, request.command_id)
        if found is None:
            return None
        stream, first, count, fingerprint = found
        if fingerprint != request.fingerprint:
            raise key_reused()
        loaded = await self.streams.load(stream)
        assert loaded is not None
        stored = await log.read_stream(self.streams.pool, club, stream, first - 1, first + count - 1)
        return Done(loaded, first, first + count - 1, tuple(each.event for each in stored))

    async def open_match(
        self, club: str, command: c.OpenMatch, people: tuple[tuple[str | KnownPerson, ...], ...], request: Request
    ) -> DoneMatch:
        """Open a match between people named or known, by the settings of the club as they are now; the unknown are
        registered as visitors."""
        before = await self.answered(club, request)
        if before is not None:
            return before
        request = await self._known(club, request)
        actor = request.actor.within(club)
        host = host_of((await self.club(club)).state, actor, command.game)
        command = msgspec.structs.replace(command, host=host)
        dry = msgspec.structs.replace(command, sides=_places(people))
        decided(MATCH.decide, MATCH.initial, dry, actor)  # a match that cannot be opened registers nobody
        sides = await self.players(club, people, request)
        ready = msgspec.structs.replace(command, sides=sides)
        begun = fresh(club, new_id(), MATCH)
        news, acting = decided(MATCH.decide, begun.state, ready, actor)
        done = await self._append(begun, news, signed(request, acting))
        if done is None:
            raise BusyError(club)
        await self._check_two_people(done)
        return done

    async def _check_two_people(self, opened: DoneMatch) -> None:
        """Void a match that was opened as two of its people were merged: a merge finds the matches before it, and this
        finds the merge before the match. Raises Refusal."""
        club = (await self.club(opened.loaded.club)).state
        players = [player for side in opened.loaded.match.setup.sides for player in side]
        if len(set(map(club.whom, players))) == len(players):
            return
        why = "two of its people were made one person as it was opened"
        await self.match(opened.loaded.stream, c.VoidMatch(why), own_request(By(None, "owner")))
        raise Refusal("malformed", "one player sits on two chairs: change one")

    async def begin(
        self,
        club: str,
        stream: str,
        kind: Decider[State, Command, Any],
        command: Command,
        request: Request,
        about: Sequence[Reach] = (),
    ) -> Done[State]:
        """Begin a stream whose id is known beforehand; a repeat is answered as the first time. With `about`, the rights
        that reach one of these decide. Raises Refusal."""
        before = await self.answered(club, request)
        if before is not None:
            return before
        if stream != club:
            request = await self._known(club, request)
        actor = request.actor.within(club)
        news, acting = decided(kind.decide, kind.initial, command, actor.reaching_any(about) if about else actor)
        done = await self._append(fresh(club, stream, kind), news, signed(request, acting))
        if done is None:
            raise BusyError(club)
        return done

    async def import_match(
        self,
        club: str,
        news: list[New],
        request: Request,
        stream: str | None = None,
        kind: Decider[Any, Any, Any] = MATCH,
    ) -> AnyDone:
        """Append a match, or another kind of stream, from a file, 1,000 events a statement; a broken one goes on."""
        loaded = fresh(club, stream or new_id(), kind)
        for start in range(0, len(news), appending.APPEND_LIMIT):
            part = _part(request, start)
            done = await self.answered(club, part)
            if done is None and loaded.head.version != start:
                raise Refusal("misfit", f"match {loaded.stream} was imported by half, and then changed")
            if done is None:
                done = await self._append(loaded, news[start : start + appending.APPEND_LIMIT], part)
            if done is None:
                raise BusyError(club)
            loaded = done.loaded
        return Done(loaded, 1, loaded.head.version)

    async def imported(self, club: str, news: list[New], request: Request) -> AnyDone | None:
        """A match that was imported before, to its last event."""
        return await self.answered(
            club, _part(request, (len(news) - 1) // appending.APPEND_LIMIT * appending.APPEND_LIMIT)
        )

    async def players(
        self, club: str, people: tuple[tuple[str | KnownPerson, ...], ...], request: Request, together: bool = True
    ) -> tuple[tuple[str, ...], ...]:
        """The ids of people by side, the unknown registered as visitors; who sits down `together` is somebody else each
        time. Raises Refusal."""
        count = sum(len(side) for side in people)
        ids = tuple(new_id() for _ in range(count))
        sides, news = seat_players((await self.club(club)).state, people, ids)
        if together and len({player for side in sides for player in side}) < count:
            raise Refusal("malformed", "one player sits on two chairs: change one")
        if not news:
            return sides
        done = await self.on_stream(club, CLUB, RegisterVisitors(people, ids), own_request(request.by))
        return seat_players(done.loaded.state, people, ())[0]

    async def register(
        self, club: str, name: str, request: Request, visitor: bool = False, another: bool = False
    ) -> str:
        """Register a member, or a visitor. Raises Refusal."""
        done = await self.on_stream(club, CLUB, RegisterMember(new_id(), name, visitor, another), request)
        registered = done.events[0].data
        assert isinstance(registered, PlayerRegistered)
        return registered.player

    async def club(self, club: str) -> LoadedClub:
        """A club. Raises Refusal when there is none."""
        loaded = await self.streams.club(club)
        if loaded is None:
            raise Refusal("not-found", MISSING[CLUB.first])
        return loaded

    async def found_club(self, name: str, public: bool, by: By) -> str:
        """Found a club: its log begins with this event."""
        club = new_id()
        await self.begin(club, club, CLUB, FoundClub(name, public), own_request(by))
        return club


def actor_on(loaded: AnyLoaded, actor: Actor, command: Any = None) -> Actor:
    """An actor with the rights that reach a stream; a role in a club that is given for a tournament is given by those
    too whose right is for that tournament."""
    here = actor.within(loaded.club)
    if isinstance(command, GrantRole | RevokeRole):
        return here.reaching(None, command.tournament)
    return here.reaching_any(loaded.reach)


def _part(request: Request, start: int) -> Request:
    """The request for the events of an import from a place on."""
    return msgspec.structs.replace(request, command_id=f"{request.command_id[:100]}+{start}") if start else request


def _places(people: Sequence[Sequence[str | KnownPerson]]) -> tuple[tuple[str, ...], ...]:
    """Stand-ins for ids, each person another."""
    return tuple(tuple(f"{side}.{place}" for place, _ in enumerate(own)) for side, own in enumerate(people))
