"""Recording: a command is decided on its stream, appended, and decided again when somebody was faster.

Clubs, matches, tournaments and cases are served alike: what a stream is about is its `Decider`. A command goes this
way:

1. *Queue.* Commands on one stream are decided one after the other inside this process, so that most races are never
   run.
2. *Load.* The stream as this process last knew it, or as it will be with the appends that are under way; the log is
   asked only where that may be too old.
3. *Expected version.* A command that names one is decided on that version or not at all (`lost-race`).
4. *Decide.* `decide(state, command, actor)` gives events or a refusal. A refusal on a state that is not the newest is
   no answer: the stream is read again first. No events means that it stands already, which is so only if nothing
   happened since.
5. *Append.* One statement inserts behind the version that was decided on, with what else waits for the club's log
   (`store/gathering.py`). The primary key judges the race between
   processes: on a violation the command id is looked up, and a command that is in the log already is answered as the
   first time, whoever sent it twice; with another content it is `key-reused`. Else the race is lost, and a command
   without an expected version goes back to 2, up to ten times with jitter, then `BusyError`.
6. *Tell.* Once it is in the log, the stream in memory is brought up to date, and readers are woken.

A repeat is recognised by its id alone and before anything is said of versions: refusals are not remembered, so a repeat
of a refused command is decided afresh, and answered as the first time only if that one was appended after all.
"""

import asyncio
import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Generic, TypeVar

import msgspec

from domain.club.commands import GrantRole, RevokeRole
from domain.log.actor import Actor
from domain.log.decider import Decider, New, Refusal, decided, lost_race
from domain.match import commands as c
from domain.match.capacity import check_room
from domain.match.sight import is_behind
from domain.match.state import Match
from domain.tournament.orders import Orders
from service.desk.ahead import Ahead
from service.desk.cases.around import with_around
from service.desk.cases.mended_in import with_own_case
from service.desk.cases.ruled_in import with_case
from service.desk.moments import UNTIMED, with_moment
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
from service.store.gathering import Answer, GatheredAppends
from service.store.groups import AppendResult
from service.store.ids import now
from service.store.kinds import CLUB, MATCH, TOURNAMENT
from service.store.loaded import AnyLoaded, Loaded
from service.store.meters import AGAIN
from service.store.pool import Pool
from service.store.streams import Streams

TRIES: Final = 10
MISSING: Final = {
    CLUB.first: "there is no such club",
    MATCH.first: "there is no such match or tournament",
    TOURNAMENT.first: "there is no such match or tournament",
}
NOTHING: Final = "there is nothing here, or nothing that you may see"
State = TypeVar("State")
Command = TypeVar("Command")


class DecidableStream(msgspec.Struct, Generic[State], frozen=True):
    """A stream to decide on; where it is ahead of the log, with the losses that there had been by then."""

    loaded: Loaded[State]
    losses: int | None


class UnderWay(msgspec.Struct, Generic[State], frozen=True):
    """An append that is under way: the stream after it, its first version, and the answer to come."""

    after: Loaded[State]
    first: int
    answer: Answer


class StreamRecorder:
    """Records commands on streams that have begun, of every club. `clock` is injected for tests; `said` hears of each
    append, and whether it went to the closed log; appends go over the pool of `writers`, if there is one."""

    def __init__(
        self,
        streams: Streams,
        said: Callable[[str, bool], None] = lambda club, closed: None,
        clock: Callable[[], datetime] = now,
        writers: Pool | None = None,
    ) -> None:
        self.streams = streams
        self.said = said
        self.clock = clock
        self.devices = DeviceBook(streams.pool)
        self.appends = GatheredAppends(writers or streams.pool)
        self.ahead = Ahead()

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
                AGAIN.inc()
            async with self.streams.queue(loaded.stream):
                found = await self._attempt(await self._standing(loaded, asked, attempt), asked, request)
            if isinstance(found, Done):
                return found
            done = None if found is None else await self._outcome(found, request)
            if done is not None:
                return done
            if found is not None and request.expected is not None:
                raise lost_race((await self._fresh(loaded)).head.version)
            await asyncio.sleep(random.uniform(0, 0.002 * 2**attempt) if attempt else 0)  # noqa: S311  # jitter
        raise BusyError(loaded.stream)

    async def _standing(self, loaded: Loaded[State], asked: Command, attempt: int) -> "DecidableStream[State]":
        """The stream to decide on: as this process last knew it or, for a command that asks nothing else of the log, as
        it will be with the appends that are under way. After a lost race as it stands in the log."""
        losses = self.ahead.losses
        coming = self.ahead.of(loaded.stream) if not attempt and isinstance(asked, UNTIMED) else None
        if coming is not None:
            return DecidableStream(coming, losses)
        await self.ahead.settled(loaded.stream)
        now = await self._fresh(loaded) if attempt else self.streams.kept(loaded.stream) or loaded
        return DecidableStream(now, None)

    async def _attempt(
        self, on: "DecidableStream[State]", asked: Command, request: Request
    ) -> "Done[State] | UnderWay[State] | None":
        """The command decided, and its append under way; what stands already; None where the stream was not what it
        was taken for. Raises Refusal."""
        loaded, expected = on.loaded, request.expected
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
            if await self._is_newest(loaded):
                raise
            return None
        if not news:  # it stands already: that is so only if nothing has happened since
            await self.ahead.settled(loaded.stream)  # a key that is under way is in the log before it is looked up
            before = await self.answered(loaded.club, request)
            if before is not None:
                return before
            stands = await self._is_newest(loaded)
            return Done(loaded, loaded.head.version + 1, loaded.head.version) if stands else None
        if expected is not None and expected != loaded.head.version:
            raise lost_race(loaded.head.version)
        if loaded.kind.first == MATCH.first:
            check_room(loaded.head.version, news)
        batch = await self.batch(loaded, news, signed(request, acting))
        if on.losses not in (None, self.ahead.losses):
            return None  # what it was decided on may never be in the log
        return self._put(loaded, batch)

    async def _is_newest(self, loaded: AnyLoaded) -> bool:
        """Tells whether the log ends where this does, and with the same event."""
        fresh = await self._fresh(loaded)
        return bool(fresh.head.hash == loaded.head.hash)

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
        await self.ahead.settled(loaded.stream)
        found = await self.streams.of_kind(loaded.stream, loaded.kind)
        assert found is not None
        return found

    async def _append(
        self, loaded: Loaded[State], news: list[New], request: Request, page: str = ""
    ) -> Done[State] | None:
        """Append, in a statement of its own as a `page`; None when the race was lost. An exact repeat is answered as
        the first time."""
        return await self._outcome(self._put(loaded, await self.batch(loaded, news, request, page)), request)

    async def batch(
        self, loaded: AnyLoaded, news: Sequence[New], request: Request, page: str = ""
    ) -> appending.AppendBatch:
        """The events to be appended, with the id of the device; a new device is written down."""
        at = max(self.clock(), loaded.head.recorded_at or datetime.min.replace(tzinfo=UTC))
        behind = appending.Behind(
            loaded.club,
            loaded.stream,
            loaded.head,
            log=loaded.log,
            founding=loaded.stream == loaded.club and not loaded.head.version,
            ends=request.ends,
            page=page,
        )
        by = await self.devices.placed(loaded.club, request.by, at)
        return appending.batch_of(behind, news, by, at, request.command_id, request.fingerprint)

    def _put(self, loaded: Loaded[State], batch: appending.AppendBatch) -> "UnderWay[State]":
        """Send it with what else waits. Readers are woken once it is in the log, whether its sender still listens or
        not."""
        after = loaded.after(batch.events, batch.head)

        def heard(outcome: AppendResult) -> None:
            if not isinstance(outcome, appending.Appended):
                self.ahead.lost(after.stream)
                return
            self.ahead.taken(after)
            self.streams.keep(after)
            self.said(after.club, after.kind.closed)

        answer = self.appends.put(batch, heard)
        self.ahead.put(after, answer)
        return UnderWay(after, loaded.head.version + 1, answer)

    async def _outcome(self, sent: "UnderWay[State]", request: Request) -> Done[State] | None:
        try:
            appended = await asyncio.shield(sent.answer)
        except LostRaceError:
            return await self._first_answer(sent.after.club, request)
        return Done(sent.after, sent.first, sent.after.head.version, tuple(appended.events))

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
