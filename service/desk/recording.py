"""Recording: what begins in a club, its streams and its people, beside the commands on what has begun."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from domain.club.commands import FoundClub, RegisterMember, RegisterVisitors
from domain.club.decide import seat_players
from domain.club.events import PlayerRegistered
from domain.log.actor import Reach
from domain.log.decider import Decider, New, Refusal, decided
from domain.match import commands as c
from service.desk.house import host_of
from service.desk.on_stream import MISSING, StreamRecorder
from service.desk.requests import (
    AnyDone,
    BusyError,
    Done,
    DoneMatch,
    KnownPerson,
    Request,
    own_request,
    signed,
)
from service.store import appending
from service.store.ids import new_id
from service.store.kinds import CLUB, MATCH
from service.store.loaded import LoadedClub, fresh
from service.store.log import By

State = TypeVar("State")
Command = TypeVar("Command")


class Recorder(StreamRecorder):
    """Appends to the logs of every club: commands on streams, new streams, files, people."""

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
        whole: bool = False,
    ) -> AnyDone:
        """Append a match, or another kind of stream, from a file, 1,000 events a statement; a broken one goes on. What
        nobody may meet by half goes `whole`, in one statement."""
        loaded = fresh(club, stream or new_id(), kind)
        size = max(len(news), 1) if whole else appending.APPEND_LIMIT
        for start in range(0, len(news), size):
            part = _part(request, start)
            done = await self.answered(club, part)
            if done is None and loaded.head.version != start:
                raise Refusal("misfit", f"match {loaded.stream} was imported by half, and then changed")
            if done is None:
                done = await self._append(loaded, news[start : start + size], part, new_id())
            if done is None:
                raise BusyError(club)
            loaded = done.loaded
        return Done(loaded, 1, loaded.head.version)

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


def _part(request: Request, start: int) -> Request:
    """The request for the events of an import from a place on."""
    return msgspec.structs.replace(request, command_id=f"{request.command_id[:100]}+{start}") if start else request


def last_part(request: Request, count: int) -> Request:
    """The request for the last events of an import of so many: once they stand, all of it does."""
    return _part(request, (count - 1) // appending.APPEND_LIMIT * appending.APPEND_LIMIT)


def _places(people: Sequence[Sequence[str | KnownPerson]]) -> tuple[tuple[str, ...], ...]:
    """Stand-ins for ids, each person another."""
    return tuple(tuple(f"{side}.{place}" for place, _ in enumerate(own)) for side, own in enumerate(people))
