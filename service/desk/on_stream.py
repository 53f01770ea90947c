"""Recording: a command is decided on its stream, appended, and decided again when somebody was faster.

Clubs, matches, tournaments and cases are served alike: what a stream is about is its `Decider`. A command goes this
way:

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
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import msgspec

from domain.club.commands import GrantRole, RevokeRole
from domain.log.actor import Actor
from domain.log.decider import Decider, New, Refusal, decided, lost_race
from domain.match import commands as c
from domain.match.capacity import check_room
from domain.match.sight import is_behind
from domain.match.state import Match
from domain.tournament.orders import Orders
from service.desk.cases.around import with_around
from service.desk.cases.mended_in import with_own_case
from service.desk.cases.ruled_in import with_case
from service.desk.moments import with_moment
from service.desk.requests import (
    AnyDone,
    BusyError,
    Done,
    DoneMatch,
    DoneTournament,
    Request,
    key_reused,
    signed,
)
from service.store import appending, log
from service.store.appending import LostRaceError
from service.store.device_book import DeviceBook
from service.store.ids import now
from service.store.streams import CLUB, MATCH, TOURNAMENT, AnyLoaded, Loaded, Streams

TRIES: Final = 10
MISSING: Final = {
    CLUB.first: "there is no such club",
    MATCH.first: "there is no such match or tournament",
    TOURNAMENT.first: "there is no such match or tournament",
}
NOTHING: Final = "there is nothing here, or nothing that you may see"
State = TypeVar("State")
Command = TypeVar("Command")


class StreamRecorder:
    """Records commands on streams that have begun, of every club. `clock` is injected for tests; `said` hears of each
    append, and whether it went to the closed log."""

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
            told = not self._held_back(loaded, request)  # the version too, to whom the stream is told
            if expected is not None and expected != loaded.head.version and told:
                loaded = await self._fresh(loaded)
                if expected != loaded.head.version:
                    raise lost_race(loaded.head.version)
            command = await with_moment(self.streams, loaded, asked, self.clock())
            command = await with_around(self.streams, loaded, command, self.clock())
            try:
                actor = actor_on(loaded, request.actor, command)
                command = await with_case(self.streams, loaded, command, actor, self.clock())
                command = await with_own_case(self.streams, loaded, command, actor)
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
            if expected is not None and expected != loaded.head.version:
                raise lost_race(loaded.head.version)
            if loaded.kind.first == MATCH.first:
                check_room(loaded.head.version, news)
            done = await self._append(loaded, news, signed(request, acting))
            if done is not None:
                return done
            if expected is not None:
                raise lost_race((await self._fresh(loaded)).head.version)
            await asyncio.sleep(random.uniform(0, 0.002 * 2**attempt))  # noqa: S311  # jitter, no secret
        raise BusyError(loaded.stream)

    def _held_back(self, loaded: AnyLoaded, request: Request) -> bool:
        """Tells who asks as an onlooker of a match who may be behind: he is refused for what he is, and is told nothing
        of how far it has come."""
        state = loaded.state
        return isinstance(state, Match) and is_behind(state, actor_on(loaded, request.actor))

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


def actor_on(loaded: AnyLoaded, actor: Actor, command: Any = None) -> Actor:
    """An actor with the rights that reach a stream; a role in a club that is given for a tournament is given by those
    too whose right is for that tournament."""
    here = actor.within(loaded.club)
    if isinstance(command, GrantRole | RevokeRole):
        return here.reaching(None, command.tournament)
    return here.reaching_any(loaded.reach)
