"""Streams in memory: clubs, matches and tournaments as far as they have been folded, brought up to date on each read.

The log stays the only truth: what is kept here is a fold with its version, and is thrown away at will.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from domain.log.event import AnyEvent
from domain.match.state import Match
from service.store import choices, delayed, finding, log
from service.store.going_on import gone_on, gone_on_together
from service.store.kinds import CASE, CLUB, KINDS, MATCH, TOURNAMENT, Kind, State
from service.store.loaded import (
    AnyLoaded,
    Loaded,
    LoadedCase,
    LoadedClub,
    LoadedMatch,
    LoadedTournament,
    fresh,
    head_of,
)
from service.store.log import Stored
from service.store.pool import Pool
from service.store.together import SharedLookUps

KEPT: Final = 512
PASTS: Final = 256  # streams as they were, for those who are behind
PLACES: Final = 20_000
AT_ONCE: Final = 64  # streams that one statement brings up to date


class Streams:
    """The folded streams of this process."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._clubs: dict[str, LoadedClub] = {}
        self._erasures: dict[str, int] = {}
        self._grown: dict[str, int] = {}  # by club: how far its open log had grown when all clubs were last read
        self._kept: OrderedDict[str, AnyLoaded] = OrderedDict()
        self._queues: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.times: OrderedDict[tuple[str, int], datetime] = OrderedDict()  # of recorded versions: they never change
        self.said: OrderedDict[tuple[str, int], list[tuple[AnyEvent, datetime]]] = OrderedDict()  # as of a version
        self.delayed: dict[str, tuple[int, list[str]]] = {}  # by club, as of a position: whose onlookers are behind
        self._era: str | None = None
        self._places: OrderedDict[tuple[str, int], int] = OrderedDict()  # positions by version: they never change
        self._pasts: OrderedDict[tuple[str, int], AnyLoaded] = OrderedDict()
        self.appealed: dict[str, tuple[int, frozenset[str]]] = {}  # by club, as of a position of the closed log
        self.undoubted: OrderedDict[str, int] = OrderedDict()  # by tournament: up to where no doubt began in it
        self.cases: OrderedDict[tuple[str, str], tuple[int, list[str]]] = OrderedDict()  # about a match, as of the same
        self._loads: SharedLookUps[str, None, AnyLoaded | None] = SharedLookUps(lambda stream, _: self._load(stream))
        # two queues by club: who asks for one that is remembered does not wait for another's hundred
        self._together, self._several = (SharedLookUps(self._load_together) for _ in range(2))

    async def era(self) -> str:
        """The era of the database: another one after each restore from a copy, empty before the first."""
        if self._era is None:
            self._era = await choices.read(self.pool, choices.ERA) or ""
        return self._era

    def forget_era(self) -> None:
        """Ask for the era again: it may have changed."""
        self._era = None

    def queue(self, stream: str) -> asyncio.Lock:
        """The queue of commands on one stream inside this process."""
        lock = self._queues.get(stream)
        if lock is None:
            lock = self._queues[stream] = asyncio.Lock()
        return lock

    def kept(self, stream: str) -> AnyLoaded | None:
        """A stream as this process last knew it."""
        return self._kept.get(stream) or self._clubs.get(stream)

    def keep(self, loaded: AnyLoaded) -> None:
        """Remember a stream, unless something newer is remembered; forget the one longest not used. Clubs stay, and
        take no room from the others."""
        known = self.kept(loaded.stream)
        newest = loaded if known is None or known.head.version <= loaded.head.version else known
        if newest.kind is CLUB:
            if newest.words == self._erasures.get(newest.stream, 0):
                self._clubs[newest.stream] = newest
            return
        self._kept[newest.stream] = newest
        self._kept.move_to_end(newest.stream)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def remembered(self) -> tuple[str, ...]:
        """The clubs that are remembered."""
        return tuple(self._clubs)

    def forget(self, club: str) -> None:
        """Read a club again: private words of it are gone."""
        self._erasures[club] = self._erasures.get(club, 0) + 1
        self._clubs.pop(club, None)

    async def match(self, stream: str) -> LoadedMatch | None:
        """A match brought up to date from the log; None for a stream that is none."""
        return await self.of_kind(stream, MATCH)

    async def tournament(self, stream: str) -> LoadedTournament | None:
        """A tournament brought up to date from the log; None for a stream that is none."""
        return await self.of_kind(stream, TOURNAMENT)

    async def case(self, stream: str) -> LoadedCase | None:
        """A case brought up to date from the closed log; None for a stream that is none."""
        return await self.of_kind(stream, CASE)

    async def club(self, club: str) -> LoadedClub | None:
        """A club brought up to date from the log; None for a stream that is none."""
        return await self.of_kind(club, CLUB)

    async def club_beside(self, loaded: AnyLoaded) -> LoadedClub | None:
        """The club of a stream that was just read, with all that stood in the club's own stream then; it is asked for
        again only where that has grown."""
        known, beside = self._clubs.get(loaded.club), loaded.beside
        if known is not None and beside is not None and known.head.version >= beside.club:
            return known
        return await self.club(loaded.club)

    async def of_kind(self, stream: str, kind: Kind[State]) -> Loaded[State] | None:
        """A stream of this kind brought up to date from the log; None for one of another kind, or none."""
        found = await self.load(stream)
        return found if found is not None and found.kind is kind else None

    async def load(self, stream: str) -> AnyLoaded | None:
        """A stream brought up to date; None for one that there is not."""
        known = self.kept(stream)
        if known is None or known.kind.whole:
            return await self._loads.ask(stream)
        found = await self._together.ask(known.club, stream)
        return _right(found[stream]) if stream in found else None

    def absorb(self, events: Sequence[Stored]) -> None:
        """News of one stream, in order, that was read with others: what is remembered goes on with it. Where something
        is missing in between it is forgotten, and read again when it is asked for."""
        last = events[-1]
        known = self.kept(last.event.stream)
        if known is None or known.head.version >= last.event.version:
            return
        news = [each.event for each in events if each.event.version > known.head.version]
        if news[0].version != known.head.version + 1:
            self._kept.pop(known.stream, None)
            self._clubs.pop(known.stream, None)
            return
        self.keep(known.after(news, head_of(last)))

    async def _load(self, stream: str) -> AnyLoaded | None:
        known = self.kept(stream)
        if known is None:
            begun = await finding.origin_of(self.pool, stream)
            if begun is None or begun[1] not in KINDS:
                return None
            known = fresh(begun[0], stream, KINDS[begun[1]])
            known = msgspec.structs.replace(known, words=self._erasures.get(stream, 0))
        known = await self._load_on(known)
        if known.kind is CLUB and known.words != self._erasures.get(stream, 0):
            return await self._load(stream)  # a person was erased while it was read
        return known

    async def _load_on(self, known: AnyLoaded) -> AnyLoaded:
        known, beside = await gone_on(self.pool, known)
        self.keep(known)
        return known if beside is None else msgspec.structs.replace(known, beside=beside)

    async def _load_together(self, club: str, streams: frozenset[str]) -> dict[str, AnyLoaded | Exception]:
        """Streams that were asked for at once, by one statement; what is wrong with one of several stands in its place.
        For one alone that is remembered there is a faster one."""
        alone = self.kept(next(iter(streams))) if len(streams) == 1 else None
        if alone is not None and alone.club == club and not alone.kind.whole:
            return {alone.stream: await self._load_on(alone)}
        wanted, found = sorted(streams), dict[str, AnyLoaded | Exception]()
        for start in range(0, len(wanted), AT_ONCE):
            kept = {stream: self.kept(stream) for stream in wanted[start : start + AT_ONCE]}
            own = {stream: known for stream, known in kept.items() if known is None or known.club == club}
            news, beside = await gone_on_together(self.pool, club, own)
            for stream, each in news.items():
                if isinstance(each, Exception):
                    found[stream] = each
                    continue
                self.keep(each)
                found[stream] = msgspec.structs.replace(each, beside=beside)
        return found

    async def several(self, club: str, streams: Iterable[str]) -> dict[str, AnyLoaded]:
        """Matches, tournaments and cases of a club brought up to date together, by id; none of those that it does not
        have."""
        wanted = dict.fromkeys(streams)
        found = await self._several.ask(club, *wanted) if wanted else {}
        return {stream: _right(found[stream]) for stream in wanted if stream in found}

    async def several_by(self, club: str, streams: Iterable[str], position: int) -> dict[str, AnyLoaded]:
        """The same as of a position of the log in which they stand; none of those that had not begun by then."""
        found = await self.several(club, streams)
        versions = await log.versions_by(self.pool, club, list(found), position) if found else {}
        past = {stream: version for stream, version in versions.items() if version < found[stream].head.version}
        begun = {stream: fresh(club, stream, found[stream].kind) for stream in past}
        then = (await gone_on_together(self.pool, club, begun, past))[0] if past else {}
        return {stream: _right(then.get(stream, found[stream])) for stream in versions}

    async def _on(self, known: Loaded[State], upto: int) -> Loaded[State]:
        return (await gone_on(self.pool, known, upto))[0]

    async def match_at(self, loaded: LoadedMatch, as_of: int | datetime) -> Match | None:
        """The match as of a version or a time; None before it began."""
        state = await self.state_at(loaded, as_of)
        return state if isinstance(state, Match) else None

    async def past(self, loaded: Loaded[State], version: int) -> Loaded[State]:
        """A stream as it was at a version, with the head of then; the last ones are remembered."""
        if version >= loaded.head.version:
            return loaded
        found = self._pasts.get((loaded.stream, version))
        if found is None:
            found = await self._on(fresh(loaded.club, loaded.stream, loaded.kind), version)
            self._pasts[loaded.stream, version] = found
            while len(self._pasts) > PASTS:
                self._pasts.popitem(last=False)
        return found

    async def place(self, loaded: AnyLoaded, version: int) -> int:
        """The position of an event of a stream in its log."""
        key = (loaded.stream, version)
        if key not in self._places:
            self._places[key] = await delayed.place_of(self.pool, loaded.club, loaded.stream, version)
            while len(self._places) > PLACES:
                self._places.popitem(last=False)
        return self._places[key]

    async def state_by(self, loaded: Loaded[State], position: int) -> State:
        """The state as of a position of the log in which it stands."""
        return (await self.by(loaded, position)).state

    async def by(self, loaded: Loaded[State], position: int) -> Loaded[State]:
        """A stream as of a position of the log in which it stands; as it is loaded, where nothing came since."""
        version = min(await log.version_by(self.pool, loaded.club, loaded.stream, position), loaded.head.version)
        if version == loaded.head.version:
            return loaded
        begun = fresh(loaded.club, loaded.stream, loaded.kind)
        return await self._on(begun, version) if version else begun

    async def state_at(self, loaded: Loaded[State], as_of: int | datetime) -> State:
        """The state as of a version or a time."""
        if isinstance(as_of, datetime):
            as_of = await log.version_at(self.pool, loaded.club, loaded.stream, as_of.astimezone(UTC))
        if as_of >= loaded.head.version:  # nothing that came behind what is loaded
            return loaded.state
        return (await self._on(fresh(loaded.club, loaded.stream, loaded.kind), as_of)).state

    async def sides_of(self, stream: str) -> tuple[tuple[str, ...], ...]:
        """The people of a match by side, or of the first match that a stream is about; none where it is about none."""
        loaded = await self.load(stream)
        about = None if loaded is None else next((each.match for each in loaded.reach if each.match), None)
        match = None if about is None else await self.match(about)
        return () if match is None else match.match.setup.sides

    async def club_of(self, loaded: LoadedMatch) -> LoadedClub:
        """A match's club, from memory when everybody who plays in it is known there."""
        known = self._clubs.get(loaded.club)
        people = known.state.players if known is not None else {}
        if known is None or any(player not in people for side in loaded.match.setup.sides for player in side):
            known = await self.club(loaded.club)
        assert known is not None
        return known

    async def clubs(self) -> list[LoadedClub]:
        """Every club; one is read on only where its log has grown since this was last asked."""
        found = [await self._club_at(club, position) for club, position in await log.clubs(self.pool)]
        return [club for club in found if club is not None]

    async def _club_at(self, club: str, position: int) -> LoadedClub | None:
        """A club with all that stood in its open log at a position, which was looked up before."""
        known = self._clubs.get(club)
        if known is None or self._grown.get(club) != position:
            known = await self.club(club)
            self._grown[club] = position
        return known


def _right(found: AnyLoaded | Exception) -> AnyLoaded:
    """A stream that was read. Raises what is wrong with it."""
    if isinstance(found, Exception):
        raise found
    return found
