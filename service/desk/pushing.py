"""Pushing: streams that were recorded in another copy of the club are compared, announced and taken as they are.

Nothing is taken that the club did not announce: who may, is decided with that event, on the club as it stands. A unit
is taken whole or not at all, so that the steward never meets a tournament without its matches."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import Final
from uuid import UUID

import msgspec

from domain import codec
from domain.club.commands import ComingPerson, PushStreams
from domain.club.state import Club, same_name
from domain.exchange.pushed import (
    CheckedStream,
    Folded,
    PushedStream,
    PushedUnit,
    PushState,
    checked,
    common,
    compared,
    read_unit,
)
from domain.exchange.rebuild import BROKEN
from domain.game.protocol import ALL
from domain.log.actor import DIRECTORS
from domain.log.decider import Refusal
from domain.match.state import Match
from domain.tournament.state import Tournament
from projections.match_view import match_view
from projections.tournaments.view import tournament_view
from service.desk.access import club_for, require
from service.desk.erasing_again import erase_pushed, names_erased
from service.desk.pushed_here import came_as_archives
from service.desk.pushed_ties import check_ties, everybody, not_apart
from service.desk.requests import BusyError, Done, Request
from service.desk.services import Services
from service.desk.showing import names_of
from service.store import forks, pushing
from service.store.appending import LostRaceError
from service.store.callers import Caller
from service.store.forks import Fork
from service.store.kinds import CLUB
from service.store.loaded import LoadedClub

TRIES: Final = 5


class PlannedStream(msgspec.Struct, frozen=True):
    """A stream as it compares: `new` here, `there` already, `forked`, or `longer` where all that is here may be its
    beginning: it is, if the hash of `version` is this one there too."""

    stream: str
    state: PushState
    version: int
    hash: str


class AlikePerson(msgspec.Struct, frozen=True):
    """A person of the club with the same name."""

    id: str
    name: str


class PlannedPerson(msgspec.Struct, frozen=True):
    """A person who comes: whether the club knows the id, and who bears the same name here, to be merged by somebody."""

    id: str
    name: str | None
    known: bool
    alike: tuple[AlikePerson, ...]


class PushPlan(msgspec.Struct, frozen=True):
    """The outcome of a push as it would be now; nothing is recorded for it."""

    streams: tuple[PlannedStream, ...]
    people: tuple[PlannedPerson, ...]


class TakenStream(msgspec.Struct, frozen=True):
    """A stream that is here now, to its last version; `was` says how it compared before."""

    stream: str
    was: PushState
    version: int


async def pushed_to(services: Services, caller: Caller, club: UUID) -> LoadedClub:
    """A club for whoever may push to it. Raises Refusal, before anything of its streams is looked at."""
    loaded = await club_for(services, caller, club)
    require(caller, loaded.club, DIRECTORS)
    return loaded


async def plan(
    services: Services, club: LoadedClub, heads: Sequence[tuple[str, int, str]], people: Sequence[ComingPerson]
) -> PushPlan:
    """The outcome of a push of streams with these heads, and of their people. What another club has is new here; what
    came from there as an archive is there already."""
    here = await pushing.heads_here(services.pool, club.club, [(stream, version) for stream, version, _ in heads])
    known = await services.recorder.club(club.club)
    archived = await came_as_archives(services, known, {(version, digest) for _, version, digest in heads})
    found = []
    for (_, version, digest), each in zip(heads, here, strict=True):
        if not each.version:
            state: PushState = "there" if (version, digest) in archived else "new"
        elif each.version >= version:
            state = "there" if each.there == digest else "forked"
        else:
            state = "longer"
        found.append(PlannedStream(each.stream, state, each.version, each.hash))
    return PushPlan(tuple(found), tuple(_planned(known.state, each) for each in people))


def _planned(club: Club, person: ComingPerson) -> PlannedPerson:
    """A person who comes, beside those of the same name."""
    own = set(club.ids_of(person.id)) if person.id in club.players else {person.id}
    bearers = () if person.name is None else club.bearers().get(same_name(person.name), ())
    alike = tuple(AlikePerson(each, club.players[each].name or "") for each in bearers if each not in own)
    return PlannedPerson(person.id, person.name, person.id in club.players, alike)


async def announce(
    services: Services, club: LoadedClub, command: PushStreams, request: Request
) -> tuple[Done[Club], tuple[PlannedPerson, ...]]:
    """Say in the club which streams come; again it records nothing. With the people, as they are then. Raises
    Refusal."""
    done = await services.recorder.on_stream(club.club, CLUB, command, request)
    return done, tuple(_planned(done.loaded.state, each) for each in command.people)


async def take(
    services: Services, club: LoadedClub, data: bytes, request: Request, still: Callable[[], Awaitable[LoadedClub]]
) -> tuple[TakenStream, ...]:
    """Take a unit: all of its streams, or none. `still` raises Refusal once whoever brings it may not any more: a large
    one takes its time. Raises Refusal for one that is not whole, was not announced, or parts from what is here: that is
    kept as a file."""
    unit = read_unit(data)
    if unit.club != club.club:
        raise Refusal("malformed", "these streams are of another club: send its tournaments as archives")
    for _ in range(TRIES):
        async with AsyncExitStack() as stack:
            for stream in sorted(each.stream for each in unit.streams):
                await stack.enter_async_context(services.streams.queue(stream))
                await services.recorder.ahead.settled(stream)
            judged = [await _judged(services, club.club, each) for each in unit.streams]
            if any(each.was == "forked" for each in judged):
                await still()
                await _keep(services, club.club, unit, judged, request)
            news = [each.checked for each in judged if each.checked is not None]
            try:
                if news:
                    await _check_announced(services, club.club, unit, news)
                    fresh = [each.stream.stream for each in judged if each.was == "new"]
                    await check_ties(services, club.club, news, fresh)
                    await still()
                    await pushing.append_pushed(services.pool, club.club, news)
            except LostRaceError as lost:
                if str(lost) == "events_command":
                    break
                continue  # somebody records there: it is looked at again, and is a fork then
        if news:
            services.recorder.said(club.club, False)
        await erase_pushed(services.recorder, club.club, data.decode(), unit.streams[0].stream)
        return tuple(TakenStream(each.stream.stream, each.was, len(each.stream.events)) for each in judged)
    else:
        raise BusyError(club.club)
    raise not_apart()


class _Judged(msgspec.Struct, frozen=True):
    """A pushed stream beside the one that is here: the version that both share, and what is proven of the rest."""

    stream: PushedStream
    was: PushState
    shared: int
    checked: CheckedStream | None


async def _judged(services: Services, club: str, stream: PushedStream) -> _Judged:
    known = await pushing.hashes_of(services.pool, club, stream.stream)
    was, shared = compared(stream, known), common(stream, known)
    if was == "there":
        return _Judged(stream, was, shared, None)
    base: Folded | None = None
    if shared:
        loaded = await services.streams.load(stream.stream)
        if loaded is None or loaded.kind.first != stream.events[0].type:
            raise Refusal("malformed", f"{stream.stream} cannot be taken: it is of another kind here")
        base = await services.streams.state_at(loaded, shared)
        # what was sent of it has the same hashes, and nothing else of that was looked at
        stands = await pushing.stream_to_push(services.pool, club, stream.stream, shared)
        stream = PushedStream(stream.stream, (*stands.events, *stream.events[shared:]))
    now = services.recorder.clock()
    found = await asyncio.to_thread(checked, club, stream, shared, base, now)
    await _check_shown(services, club, found)
    return _Judged(stream, was, shared, found)


async def _check_shown(services: Services, club: str, found: CheckedStream) -> None:
    """Raises Refusal for what no page could show."""
    names = names_of(await services.recorder.club(club))
    try:
        if isinstance(found.state, Tournament):
            known = {**dict.fromkeys(everybody(found.state)), **names}  # they may be announced in another part
            tournament_view(found.stream, club, found.state, known)
        elif isinstance(found.state, Match):
            match_view(found.stream, club, found.state, names, ALL)
    except (*BROKEN, Refusal) as error:
        raise Refusal("malformed", f"{found.stream} cannot be taken: {error}") from None


async def _check_announced(services: Services, club: str, unit: PushedUnit, news: Sequence[CheckedStream]) -> None:
    """Raises Refusal for streams that the club does not know to come with this head."""
    said = (await services.recorder.club(club)).state.pushed
    for each in news:
        last = each.events[-1].event
        if not any((known.version, known.hash) == (last.version, last.hash) for known in said.get(each.stream, ())):
            raise Refusal("misfit", f"{each.stream} was not announced with this head: announce it, then send it again")


async def _keep(services: Services, club: str, unit: PushedUnit, judged: Sequence[_Judged], request: Request) -> None:
    """Keep what parts from the log here, and say so: what both share as it stands here, and behind it what was proven.
    Raises Refusal, always."""
    parted = [each for each in judged if each.was == "forked"]
    heads = sorted(f"{each.stream} {each.events[-1].hash}" for each in unit.streams)
    name = str(UUID(hashlib.sha256(" ".join((club, *heads)).encode()).hexdigest()[:32]))
    first, now = parted[0], services.recorder.clock()
    by = next((each.id for each in request.actor.within(club).each() if each.directs), None)
    fork = Fork(name, first.stream.stream, first.shared + 1, unit.source, by, now)
    whole = PushedUnit(unit.source, club, tuple([await _proven(services, club, each) for each in judged]))
    text = codec.encode_plain(whole).decode()
    erased = "nothing is kept, for somebody in it was erased"
    if names_erased((await services.recorder.club(club)).state, text):
        what = erased
    elif not await forks.keep(services.pool, club, fork, text):
        what = "nothing is kept, for too many forks are: throw some away"
    # looked at behind it once more: an erasure looks through the files before, or finds this one
    elif names_erased((await services.recorder.club(club)).state, text):
        await forks.drop(services.pool, club, name)
        what = erased
    else:
        what = "its file is kept for the director"
    where = ", ".join(f"{each.stream.stream} (from version {each.shared + 1})" for each in parted[:3])
    raise Refusal(
        "forked",
        f"another history of this stands here: {where}; nothing of it was taken, {what}",
        errors=[(each.stream.stream, f"parts at version {each.shared + 1}") for each in parted],
    )


async def _proven(services: Services, club: str, judged: _Judged) -> PushedStream:
    """A pushed stream without anything that was compared by its hashes alone."""
    shared = await pushing.stream_to_push(services.pool, club, judged.stream.stream, judged.shared)
    own = () if judged.checked is None else judged.checked.events
    return PushedStream(judged.stream.stream, (*shared.events, *(each.event for each in own)))
