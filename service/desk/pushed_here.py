"""Pushed streams as they are shown: what was recorded elsewhere, which pushes there were, which forks are kept."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TypeAlias

import msgspec

from domain import registry
from domain.club.events import StreamsPushed
from domain.club.state import Club
from domain.exchange.pushed import PushedStream, is_tournament, read_unit
from domain.log.decider import Refusal
from domain.log.event import AnyEvent
from domain.match.evolve import fold
from domain.match.sight import seen, viewer_of
from domain.match.state import Match, NoMatch, State
from service.desk.services import Services
from service.store import forks, log, pushing
from service.store.callers import Caller
from service.store.forks import Fork
from service.store.loaded import AnyLoaded, LoadedClub
from service.store.pushing import HeadHere

SHOWN = 50  # pushes
ArchivedHead: TypeAlias = tuple[int, str]  # version and hash


class PushedStreamView(msgspec.Struct, frozen=True):
    """A stream of a push: its head there, and whether that event stands here."""

    stream: str
    version: int
    hash: str
    here: bool


class PushView(msgspec.Struct, frozen=True):
    """A push: when it was announced and by whom, from where, and its streams."""

    version: int
    at: datetime
    by: str | None
    source: str
    streams: tuple[PushedStreamView, ...]


class Namesakes(msgspec.Struct, frozen=True):
    """Two people of one name, of whom one came as a visitor: perhaps they are one. `other` would count for `player`."""

    name: str
    player: str
    other: str


class PushesView(msgspec.Struct, frozen=True):
    """The pushes of a club, the newest first, the forks that are kept, and people who may be merged."""

    pushes: tuple[PushView, ...]
    forks: tuple[Fork, ...]
    people: tuple[Namesakes, ...]


async def pushes_of(services: Services, club: LoadedClub) -> PushesView:
    """The last pushes of a club, with what became of them."""
    upto = club.head.version
    stored = await log.read_kind(services.pool, club.club, club.club, StreamsPushed.__name__, upto)
    found = []
    for each in reversed(stored[-SHOWN:]):
        event: StreamsPushed = each.event.data
        asked = [(stream, head[0]) for stream, head in zip(event.streams, event.heads, strict=True)]
        here = await pushing.heads_here(services.pool, club.club, asked)
        streams = tuple(
            PushedStreamView(one.stream, version, digest, _stands(club, event.source, one, version, digest))
            for one, (version, digest) in zip(here, event.heads, strict=True)
        )
        found.append(PushView(each.event.version, each.event.recorded_at, event.by, event.source, streams))
    kept = await forks.kept_forks(services.pool, club.club)
    return PushesView(tuple(found), tuple(kept), namesakes(club.state))


def namesakes(club: Club) -> tuple[Namesakes, ...]:
    """People of one name of whom one is a visitor, once there was a push: somebody may merge them."""
    if not club.pushed:
        return ()
    found: list[Namesakes] = []
    order = {player: place for place, player in enumerate(club.players)}
    for people in club.bearers().values():
        first, *others = sorted(people, key=lambda each: (club.players[each].visitor, order[each]))
        found += [
            Namesakes(club.players[first].name or "", first, each) for each in others if club.players[each].visitor
        ]
    return tuple(found)


async def recorded_elsewhere(services: Services, loaded: AnyLoaded, club: LoadedClub) -> datetime | None:
    """The time at which a stream, or a part of it, was brought from elsewhere; None for one that was recorded here."""
    known = club.state.pushed.get(loaded.stream, ())
    if not known:
        return None
    here = await pushing.heads_here(services.pool, loaded.club, [(loaded.stream, each.version) for each in known])
    said = [
        one.said
        for one, head in zip(known, here, strict=True)
        if _stands(club, one.source, head, one.version, one.hash)
    ]
    if not said:
        return None
    stored = await log.read_stream(services.pool, club.club, club.club, said[-1] - 1, said[-1])
    return stored[0].event.recorded_at


def _stands(club: LoadedClub, source: str, here: HeadHere, version: int, digest: str) -> bool:
    """Tells whether a pushed stream is here. What came from another club as an archive has the hashes of this one; the
    announced ones are its seal there."""
    if _is_archive(club, source):
        return here.version >= version
    return here.there == digest


def _is_archive(club: LoadedClub, source: str) -> bool:
    return len(source) == len(club.club) and source != club.club


async def came_as_archives(services: Services, club: LoadedClub, heads: Collection[ArchivedHead]) -> set[ArchivedHead]:
    """Those of these heads of another club's streams with which they came as archives, and are here: under other ids,
    and whatever people are called there by now."""
    said = {
        (stream, each.version): (each.version, each.hash)
        for stream, known in club.state.pushed.items()
        for each in known
        if (each.version, each.hash) in heads and _is_archive(club, each.source)
    }
    here = await pushing.heads_here(services.pool, club.club, list(said)) if said else []
    return {head for (_, version), head, one in zip(said, said.values(), here, strict=True) if one.version >= version}


async def fork_file(services: Services, caller: Caller, club: LoadedClub, fork: str) -> str:
    """The file of a fork. Raises Refusal where there is none, or where it holds a hand that the caller may not see, as
    whoever plays at that table: by what stands here too, for its own history may open whatever it likes."""
    data = await forks.data_of(services.pool, club.club, fork)
    if data is None:
        raise Refusal("not-found", "there is no such fork: it was thrown away, or somebody in it was erased")
    for each in read_unit(data.encode()).streams:
        if not is_tournament(each):
            here = await services.streams.match(each.stream)
            _check_open(caller, club.club, each, here.state if here is not None and here.club == club.club else None)
    return data


async def throw_away(services: Services, caller: Caller, club: LoadedClub, fork: str) -> None:
    """Throw the file of a fork away; again it does no harm. Raises Refusal for whoever may not read it: it may speak
    against him."""
    try:
        await fork_file(services, caller, club, fork)
    except Refusal as refusal:
        if refusal.slug != "not-found":
            raise
    await forks.drop(services.pool, club.club, fork)


def _check_open(caller: Caller, club: str, stream: PushedStream, here: State | None) -> None:
    """Raises Refusal for a match of which the caller may not see every hand, as it is told there and stands here."""
    events: Sequence[tuple[int, AnyEvent]] = [
        (each.version, registry.read_event(each.type, each.schema, each.data)) for each in stream.events
    ]
    for match in (fold(NoMatch(), events), here):
        if not isinstance(match, Match):
            continue
        viewer = viewer_of(match, caller.actor().within(club).reaching(stream.stream, match.setup.tournament))
        if any(seen(event, viewer, match, version) != event for version, event in events):
            raise Refusal("forbidden", "a deal is in it whose hands you may not see: ask another director for the file")
