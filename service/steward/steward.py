"""The steward: opens the match of every pairing, and reports to a tournament what came of its matches.

Both follow from the log alone, so nothing is lost when the process ends between two appends: it begins again from what
is there, and whoever reads or directs a tournament waits until it has caught up. Of two processes one is told that the
other was faster, which changes nothing.
"""

import asyncio
from collections import defaultdict
from typing import Final

import msgspec
import structlog

from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament.hearing import MatchPlace, News, counts, differs, news_of, refused, report_of, settled
from domain.tournament.orders import Orders
from service.desk.recording import Recorder
from service.desk.requests import BusyError
from service.steward.author import steward_request
from service.steward.beginning import FAR, beginning, note, unknown_tournaments
from service.steward.disputes import Disputes
from service.steward.openings import Openings
from service.steward.silence import Silences
from service.store import finding
from service.store.kinds import TOURNAMENT
from service.store.loaded import LoadedMatch, LoadedTournament
from service.store.streams import Streams

LOGGER = structlog.get_logger()
FIRST: Final = TOURNAMENT.first
MOST: Final = 8  # things that one match may have to say at once


class Watched(msgspec.Struct):
    """The knowledge of a club: its position, its tournaments, whose each match is, which each tournament has, which
    streams there are, what the record of a finished match said, and which matches said something that could not be
    taken. Unless it is `whole`, tournaments that are over may be unknown, and `apart` are the streams that belong to
    none."""

    position: int = -1
    noted: int = 0
    whole: bool = True
    apart: set[str] = msgspec.field(default_factory=set)
    tournaments: set[str] = msgspec.field(default_factory=set)
    matches: dict[str, MatchPlace] = msgspec.field(default_factory=dict)
    paired: dict[str, set[str]] = msgspec.field(default_factory=dict)
    opened: set[str] = msgspec.field(default_factory=set)
    said: dict[str, c.TakeMatchResult] = msgspec.field(default_factory=dict)
    refused: set[str] = msgspec.field(default_factory=set)


class Steward:
    """Keeps tournaments and their matches in step, club by club."""

    def __init__(self, streams: Streams, recorder: Recorder) -> None:
        self.streams, self.recorder = streams, recorder
        self.disputes, self.openings, self.silences = Disputes(recorder), Openings(recorder), Silences(recorder)
        self._clubs: dict[str, Watched] = defaultdict(Watched)
        self._turns: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def positions(self) -> dict[str, int]:
        """The position up to which each club was read that this process knows."""
        return {club: known.position for club, known in self._clubs.items() if known.position >= 0}

    def timed(self) -> list[str]:
        """The clubs that this process knows to have a tournament in which silence counts."""
        return self.silences.timed()

    async def going(self) -> list[str]:
        """The clubs in which a tournament is not over, by their logs, whatever this process knows of them: lists may be
        behind, or gone."""
        return await finding.clubs_going(self.streams.pool)

    async def catch_up(self, club: str) -> None:
        """Everything that follows from the log as it is now; what fails is begun again from where it stood."""
        async with self._turns[club]:
            await self.disputes.catch_up(club)
            known = self._clubs[club]
            if known.position < 0:
                tournaments, head, known.whole = await beginning(self.streams.pool, club)
                for stream in tournaments:
                    await self._look_at(known, stream, every=True)
                known.position, known.noted = head, 0 if known.whole else head
            while True:
                fresh, upto = await finding.streams_with_news(self.streams.pool, club, known.position)
                for stream in await self._strange(known, club, fresh):
                    await self._look_at(known, stream, every=True)
                events = [stream for stream, first in fresh if first == FIRST or stream in known.tournaments]
                for stream in events:
                    await self._look_at(known, stream)
                heard = [stream for stream, _ in fresh if stream in known.matches]
                for stream in heard:
                    await self._hear(known, stream)
                known.position = upto
                if not events and not heard and not await self.silences.count(club):
                    break  # nothing that was appended meanwhile by us: others may go on for as long as they like
            if not known.refused and known.position - known.noted >= FAR:
                await note(self.streams.pool, club, known.position)
                known.noted = known.position

    async def _strange(self, known: Watched, club: str, fresh: list[tuple[str, str | None]]) -> list[str]:
        """Tournaments of which there is news though they were over when the steward began, and so are not known."""
        if known.whole:
            return []
        seen = known.tournaments, known.matches, known.apart, {club}  # they are large: never joined
        unknown = [stream for stream, first in fresh if first != FIRST and not any(stream in own for own in seen)]
        found, apart = await unknown_tournaments(self.streams.pool, club, unknown)
        known.apart |= apart
        new = {stream for stream, first in fresh if first == FIRST}
        return [stream for stream in found if stream not in new and stream not in known.tournaments]

    async def _look_at(self, known: Watched, stream: str, every: bool = False) -> None:
        """The pairings of a tournament: matches that are not there yet are opened, those of pairings that were taken
        back are void; `every` match is heard, for nothing is known of it."""
        loaded = await self.streams.tournament(stream)
        if loaded is None:
            return
        known.tournaments.add(stream)
        self.silences.look_at(loaded)
        wanted = {
            each.match: (MatchPlace(stream, number, name), stage, each)
            for number, stage in enumerate(loaded.tournament.stages)
            for name, each in stage.pairings.items()
        }
        own = known.paired.setdefault(stream, set())
        own.update(wanted)
        fresh = [match for match in wanted if match not in known.opened]
        known.opened |= await finding.existing(self.streams.pool, loaded.club, fresh) if fresh else set()
        for match in fresh:
            place, stage, pairing = wanted[match]
            known.matches[match] = place
            if match not in known.opened:
                if await self.openings.open(loaded, stage, pairing):
                    known.opened.add(match)
            elif every:
                await self._hear(known, match)
        for match, (place, _, _) in wanted.items():
            known.matches[match] = place
        for match, (place, stage, _) in wanted.items():  # what could not be said before may be said now
            stands = stage.decided.get(place.fixture)
            later = match in known.said and (stands is None or differs(stands, known.said[match]))
            if later or match in known.refused:
                await self._hear(known, match)
        for match in sorted(own - wanted.keys()):
            own.discard(match)
            known.matches.pop(match, None)
            await self.openings.void(loaded, match)

    async def _hear(self, known: Watched, match: str) -> None:
        """News of a match that its tournament does not hold yet, one after the other."""
        place = known.matches[match]
        known.said.pop(match, None)
        known.refused.discard(match)
        for _ in range(MOST):
            found, loaded = await self.streams.match(match), await self.streams.tournament(place.tournament)
            if found is None or loaded is None or found.club != loaded.club:
                return
            pairing = loaded.tournament.stages[place.stage].pairings.get(place.fixture)
            if pairing is None or pairing.match != match:
                return  # others meet there by now
            if counts(loaded.tournament, found.match):
                known.said[match] = report_of(place, found.match)
            for news in await self._news(place, found, loaded):
                if await self._say(place, found, loaded, news):
                    break
                known.refused.add(match)
            else:
                return
        known.refused.add(match)  # others were faster each time

    async def _news(self, place: MatchPlace, found: LoadedMatch, loaded: LoadedTournament) -> list[News]:
        """The news of a match."""
        stage = loaded.tournament.stages[place.stage]
        at = stage.reported.get(place.fixture)
        since = at is not None and await self._later(found, found.match.changed, loaded, at)
        disputed = stage.disputed_at.get(place.fixture)
        fresh = await self._fresh(found, loaded, disputed)
        news = news_of(loaded.tournament, place, found.match, since, fresh)
        if disputed is None or not found.match.settled:
            return news
        over = await self._over(found, loaded, disputed)
        ended = settled(loaded.tournament, place, found.match, over)
        return news if ended is None else [*news, ended]

    async def _fresh(self, found: LoadedMatch, loaded: LoadedTournament, at: int | None) -> bool:
        """True where a dispute is open in the record that began after the tournament was last told of one."""
        if at is None:
            return bool(found.match.disputes)
        return any([await self._later(found, each.version, loaded, at) for each in found.match.disputes])

    async def _over(self, found: LoadedMatch, loaded: LoadedTournament, at: int) -> bool:
        """True where a dispute that had begun in the record when it was known in the tournament is settled since."""
        for begun, ended in reversed(found.match.settled):
            if not await self._later(found, ended, loaded, at):
                return False  # nor was any before it
            if not await self._later(found, begun, loaded, at):
                return True
        return False

    async def _later(self, found: LoadedMatch, version: int, loaded: LoadedTournament, at: int) -> bool:
        """True where an event of a match stands behind one of its tournament."""
        return await finding.is_later(self.streams.pool, found.club, (found.stream, version), (loaded.stream, at))

    async def _say(self, place: MatchPlace, found: LoadedMatch, loaded: LoadedTournament, news: News) -> bool:
        """Report it; what cannot be taken any more contests the result that stands. Whether something was recorded."""
        name = f"{type(news).__name__} {found.stream} {found.head.version} {loaded.head.version}"
        request = steward_request(await self.recorder.devices.of(loaded.club), found.stream, name)
        # said of the tournament as it was read: of a newer one, in which others may meet there, it is asked again
        request = msgspec.structs.replace(request, expected=loaded.head.version)
        try:
            await self.recorder.tournament(place.tournament, Orders((news,)), request)
        except Refusal as refusal:
            if refusal.slug == "lost-race":
                return True
            contest = refused(place, found.match, loaded.tournament.stages[place.stage], news)
            if contest is not None:
                return await self._say(place, found, loaded, contest)
            LOGGER.info("a result waits for the director", match=found.stream, reason=refusal.detail)
            return False
        except BusyError:
            LOGGER.warning("a result could not be reported now", match=found.stream)
            return False
        return True
