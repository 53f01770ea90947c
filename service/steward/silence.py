"""Silence: who has signed a result of a tournament and waits for the other side, since when, and when that counts."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Literal

import msgspec
import structlog

from domain.log.decider import Refusal
from domain.log.strength import reaches
from domain.match import commands as mc
from domain.match.agreement import figures_of
from domain.match.state import Match, race_of, race_scores
from domain.tournament import commands as c
from domain.tournament.orders import Orders
from domain.tournament.signatures import is_final
from domain.tournament.state import Stage, Tournament
from service.desk.recording import Recorder
from service.desk.requests import BusyError
from service.steward.author import steward_request
from service.store import log
from service.store.loaded import LoadedTournament
from service.store.restored import restored_at

LOGGER = structlog.get_logger()


class Waiting(msgspec.Struct, frozen=True):
    """A side that has not answered: its match, the stage and name of that in the plan, and the version at which the
    other side signed. `deal` is the deal under which that stands in the record; without one it was said in the
    tournament."""

    match: str
    stage: int
    fixture: str
    side: Literal[0, 1]
    since: int
    deal: int | None = None


def asked_for(state: Tournament, number: int, fixture: str) -> bool:
    """True where the silence of a side would say something: the result does not count yet, or is not final and would be
    by silence."""
    stage = state.stages[number]
    if fixture in stage.disputed or fixture in stage.contested:
        return False
    if fixture not in stage.decided:
        return state.plan.counts == "confirmed"
    by_silence = state.plan.final is not None and reaches("timeout", state.plan.final)
    return by_silence and not is_final(state, stage, fixture)


def said(state: Tournament) -> Iterator[Waiting]:
    """The sides that have not answered what the other one said in the tournament itself."""
    for number, stage in enumerate(state.stages):
        for fixture, claims in stage.claims.items():
            if len(claims) == 1 and fixture in stage.pairings and asked_for(state, number, fixture):
                ((side, claim),) = claims.items()
                yield Waiting(stage.pairings[fixture].match, number, fixture, _other(side), claim.version)


def signed(stage: Stage, number: int, fixture: str, match: Match) -> Waiting | None:
    """The side that has not answered what the other one signed in the record of their match, once that is over."""
    if match.disputes or match.void or not race_of(match).finished:
        return None
    last = [deal for deal in match.deals if race_scores(match, deal) is not None][-1]
    under = {side for side in last.confirmed if last.signed.get(side) == figures_of(match)}
    if len(under) != 1 or len(last.confirmed) != 1:
        return None
    (side,) = under
    by = last.signatures.get(side)
    if by is None:
        return None
    return Waiting(stage.pairings[fixture].match, number, fixture, _other(side), by.version, last.number)


def _other(side: int) -> Literal[0, 1]:
    return 0 if side else 1


class Silences:
    """Counts the silence of sides for a yes, in the tournaments that wait for so long."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder, self.streams = recorder, recorder.streams
        self._timed: dict[str, set[str]] = defaultdict(set)  # by club: tournaments in which silence counts
        self._signed_at: dict[tuple[str, int], datetime] = {}  # since when signatures wait for an answer
        self._heard: dict[tuple[str, int], bool] = {}  # words in tournaments: whether the record of their match said so

    def timed(self) -> list[str]:
        """The clubs that this process knows to have such a tournament."""
        return [club for club, timed in self._timed.items() if timed]

    def look_at(self, loaded: LoadedTournament) -> None:
        """Take note of a tournament, if silence counts in it."""
        if loaded.tournament.plan.timeout is not None and not loaded.tournament.finished:
            self._timed[loaded.club].add(loaded.stream)

    async def count(self, club: str) -> bool:
        """Sides that have not answered for as long as their tournaments wait have said yes; whether one of them has."""
        done = False
        for stream in sorted(self._timed[club]):
            loaded = await self.streams.tournament(stream)
            if loaded is None or loaded.tournament.finished:
                self._timed[club].discard(stream)
                continue
            for each in [*await self._said(loaded), *await self._unanswered(loaded)]:
                done = await self._count(loaded, each) or done
        return done

    async def _said(self, loaded: LoadedTournament) -> list[Waiting]:
        """The sides that have not answered what was said in the tournament itself. What was heard from the record of a
        match is answered there: a dispute or a correction is no news to a tournament without a result, where the word
        that was heard still stands."""
        return [each for each in said(loaded.tournament) if await self._waits_there(loaded, each)]

    async def _waits_there(self, loaded: LoadedTournament, each: Waiting) -> bool:
        word = loaded.stream, each.since
        if word not in self._heard:
            stored = await log.read_stream(self.streams.pool, loaded.club, loaded.stream, each.since - 1, each.since)
            self._heard[word] = stored[0].event.cause == each.match
        if self._heard[word]:
            return False
        match = await self.streams.match(each.match)
        return match is None or not match.match.disputes

    async def _unanswered(self, loaded: LoadedTournament) -> list[Waiting]:
        """The sides that have not answered in the records of their matches."""
        found = []
        for number, stage in enumerate(loaded.tournament.stages):
            for fixture, pairing in stage.pairings.items():
                if asked_for(loaded.tournament, number, fixture):
                    match = await self.streams.match(pairing.match)
                    found.append(signed(stage, number, fixture, match.match) if match is not None else None)
        return [each for each in found if each is not None]

    async def _began_elsewhere(self, at: datetime) -> bool:
        """Tells whether this is a copy, and the machine that it is of may still count what was signed at a time: both
        would say it, and the tournament had two histories that nobody made."""
        since = await restored_at(self.streams.pool)
        return since is not None and at < datetime.fromisoformat(since) + timedelta(seconds=1)  # kept to the second

    async def _known_since(self, club: str, stream: str, version: int) -> datetime:
        """The time since which a signature could be answered here: one of an evening that was pushed, since it came."""
        signed_at = await self._recorded_at(club, stream, version)
        home = await self.streams.club(club)
        heads = home.state.pushed.get(stream, ()) if home is not None else ()
        brought = next((head for head in heads if head.version >= version), None)
        return signed_at if brought is None else max(signed_at, await self._recorded_at(club, club, brought.said))

    async def _recorded_at(self, club: str, stream: str, version: int) -> datetime:
        stored = await log.read_stream(self.streams.pool, club, stream, version - 1, version)
        return stored[0].event.recorded_at

    async def _count(self, loaded: LoadedTournament, each: Waiting) -> bool:
        after = loaded.tournament.plan.timeout or 0
        stream = loaded.stream if each.deal is None else each.match
        at = self._signed_at.get((stream, each.since))
        if at is None:
            at = self._signed_at[stream, each.since] = await self._known_since(loaded.club, stream, each.since)
        waited = int((self.recorder.clock() - at).total_seconds() // 60)
        if waited < after or await self._began_elsewhere(at):
            return False
        devices = await self.recorder.devices.of(loaded.club)
        request = steward_request(devices, stream, f"silence {stream} {each.fixture} {each.side} {each.since}")
        try:
            if each.deal is None:
                order = c.CountSilence(each.fixture, each.stage, each.side, each.since, waited)
                await self.recorder.tournament(stream, Orders((order,)), request)
            else:
                word = mc.CountSilence(deal=each.deal, side=each.side, since=each.since, waited=waited, after=after)
                await self.recorder.match(stream, word, request)
        except (Refusal, BusyError) as error:
            LOGGER.info("a side answered meanwhile", match=each.match, reason=str(error))
            return False
        return True
