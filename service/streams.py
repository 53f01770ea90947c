"""Streams in memory: matches and clubs as far as they have been folded, brought up to date on each read.

The log stays the only truth: what is kept here is a fold with its version, and is thrown away at will.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from weakref import WeakValueDictionary

import msgspec
from psycopg_pool import AsyncConnectionPool

from domain.actor import Actor
from domain.club import state as club_state
from domain.club.state import Club
from domain.decider import New
from domain.match.decide import decide
from domain.match.evolve import fold
from domain.match.state import Match, NoMatch
from domain.tournament.directing import directed
from domain.tournament.evolve import fold as tournament_fold
from domain.tournament.state import Tournament
from service.live.together import Together
from service.store import finding, log
from service.store.log import Head, Stored

KEPT: Final = 512


class Kind(msgspec.Struct, frozen=True):
    """What a stream is about: the type of its first event, and the decider of its commands."""

    first: str
    initial: Any
    fold: Callable[[Any, Iterable[tuple[int, Any]]], Any]
    decide: Callable[[Any, Any, Actor], list[New]]


MATCH: Final = Kind("MatchOpened", NoMatch(), fold, decide)
TOURNAMENT: Final = Kind("TournamentAnnounced", Tournament(), tournament_fold, directed)
KINDS: Final = {kind.first: kind for kind in (MATCH, TOURNAMENT)}


class Loaded(msgspec.Struct, frozen=True):
    """A match or a tournament as it stands: its club, its state, and the head that the next event chains to."""

    club: str
    stream: str
    state: Any
    head: Head
    kind: Kind = MATCH

    @property
    def match(self) -> Match:
        """The match; only for streams of one that have begun."""
        assert isinstance(self.state, Match)
        return self.state

    @property
    def tournament(self) -> Tournament:
        """The tournament; only for streams of one that have begun."""
        assert isinstance(self.state, Tournament)
        return self.state


class LoadedClub(msgspec.Struct, frozen=True):
    """A club as it stands."""

    club: str
    state: Club
    head: Head


def after(known: LoadedClub, fresh: Sequence[Stored]) -> LoadedClub:
    """A club after some more of its own events."""
    triples = [(each.event.version, each.event.data, each.event.private) for each in fresh]
    last = fresh[-1]
    head = Head(last.event.version, last.hash, last.event.recorded_at)
    return LoadedClub(known.club, club_state.fold(known.state, triples), head)


class Streams:
    """The folded streams of this process."""

    def __init__(self, pool: AsyncConnectionPool[Any]) -> None:
        self.pool = pool
        self._kept: OrderedDict[str, Loaded] = OrderedDict()
        self._clubs: dict[str, LoadedClub] = {}
        self._queues: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._loads: Together[str, None, Loaded | None] = Together(lambda stream, _: self._load(stream))
        self._club_loads: Together[str, None, LoadedClub | None] = Together(lambda club, _: self._club(club))

    def queue(self, stream: str) -> asyncio.Lock:
        """The queue of commands on one stream inside this process."""
        lock = self._queues.get(stream)
        if lock is None:
            lock = self._queues[stream] = asyncio.Lock()
        return lock

    def kept(self, stream: str) -> Loaded | None:
        """A match or tournament as this process last knew it."""
        return self._kept.get(stream)

    def keep(self, loaded: Loaded) -> None:
        """Remember a stream, unless something newer is remembered; forget the one longest not used."""
        known = self._kept.get(loaded.stream)
        if known is None or known.head.version <= loaded.head.version:
            self._kept[loaded.stream] = loaded
        self._kept.move_to_end(loaded.stream)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    async def match(self, stream: str) -> Loaded | None:
        """A match brought up to date from the log; None for a stream that is none."""
        found = await self.load(stream)
        return found if found is not None and found.kind is MATCH else None

    async def tournament(self, stream: str) -> Loaded | None:
        """A tournament brought up to date from the log; None for a stream that is none."""
        found = await self.load(stream)
        return found if found is not None and found.kind is TOURNAMENT else None

    def absorb(self, events: Sequence[Stored]) -> None:
        """News of one stream, in order, that was read with others: what is remembered goes on with it. Where something
        is missing in between it is forgotten, and read again when it is asked for."""
        last = events[-1]
        known = self._kept.get(last.event.stream)
        if known is None or known.head.version >= last.event.version:
            return
        fresh = [(each.event.version, each.event.data) for each in events if each.event.version > known.head.version]
        if fresh[0][0] != known.head.version + 1:
            del self._kept[known.stream]
            return
        head = Head(last.event.version, last.hash, last.event.recorded_at)
        self.keep(Loaded(known.club, known.stream, known.kind.fold(known.state, fresh), head, known.kind))

    async def load(self, stream: str) -> Loaded | None:
        """A match or tournament brought up to date; None for a stream that there is not, or of a club itself."""
        return await self._loads.ask(stream)

    async def _load(self, stream: str) -> Loaded | None:
        known = self._kept.get(stream)
        if known is None:
            begun = await finding.begun(self.pool, stream)
            if begun is None or begun[1] not in KINDS:
                return None
            kind = KINDS[begun[1]]
            known = Loaded(begun[0], stream, kind.initial, Head(), kind)
        fresh, head = await log.read_for_fold(self.pool, known.club, stream, known.head.version)
        if head is not None:
            known = Loaded(known.club, stream, known.kind.fold(known.state, fresh), head, known.kind)
        self.keep(known)
        return known

    async def match_at(self, loaded: Loaded, as_of: int | datetime) -> Match | None:
        """The match as of a version or a time; None before it began."""
        state = await self.state_at(loaded, as_of)
        return state if isinstance(state, Match) else None

    async def state_by(self, loaded: Loaded, position: int) -> Any:
        """A match or tournament as of a position of its club's log."""
        stored = await log.read_stream(self.pool, loaded.club, loaded.stream)
        chosen = [each.event for each in stored if each.event.position <= position]
        return loaded.kind.fold(loaded.kind.initial, [(event.version, event.data) for event in chosen])

    async def state_at(self, loaded: Loaded, as_of: int | datetime) -> Any:
        """A match or tournament as of a version or a time."""
        if isinstance(as_of, datetime):
            as_of = await log.version_at(self.pool, loaded.club, loaded.stream, as_of.astimezone(UTC))
        if as_of == loaded.head.version:
            return loaded.state
        pairs, _ = await log.read_for_fold(self.pool, loaded.club, loaded.stream, 0, as_of)
        return loaded.kind.fold(loaded.kind.initial, pairs)

    async def club(self, club: str) -> LoadedClub | None:
        """A club brought up to date; None for one that there is not."""
        return await self._club_loads.ask(club)

    async def _club(self, club: str) -> LoadedClub | None:
        known = self._clubs.get(club) or LoadedClub(club, Club(), Head())
        fresh = await log.read_stream(self.pool, club, club, known.head.version)
        if fresh:
            known = self._clubs[club] = after(known, fresh)
        return known if known.head.version else None

    async def club_at(self, club: str, position: int) -> LoadedClub:
        """A club that was founded by then, as of a position of its log."""
        stored = [each for each in await log.read_stream(self.pool, club, club) if each.event.position <= position]
        return after(LoadedClub(club, Club(), Head()), stored)

    async def club_of(self, loaded: Loaded) -> LoadedClub:
        """A match's club, from memory when everybody who plays in it is known there."""
        known = self._clubs.get(loaded.club)
        people = known.state.players if known is not None else {}
        if known is None or any(player not in people for side in loaded.match.setup.sides for player in side):
            known = await self.club(loaded.club)
        assert known is not None
        return known

    async def clubs(self) -> list[LoadedClub]:
        """Every club."""
        found = [await self.club(club) for club, _ in await log.clubs(self.pool)]
        return [club for club in found if club is not None]

    def forget_clubs(self) -> None:
        """Read names afresh: somebody may have been erased."""
        self._clubs.clear()
