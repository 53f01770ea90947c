"""Settlements: a case that the steward opened for a dispute is closed when that is over and nobody has anything to do
in it, once, whatever ends between and however many services there are."""

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Final

import structlog

from domain.case import commands as c
from domain.case.settling import ends_by_itself, settled_as, untouched
from domain.log.decider import Refusal
from service.desk.cases.around import around_of
from service.desk.recording import Recorder
from service.desk.requests import BusyError, closed_request
from service.steward.author import because_of
from service.store import cases
from service.store.kinds import CASE
from service.store.loaded import LoadedCase

LOGGER = structlog.get_logger()
AGAIN: Final = timedelta(minutes=1)  # so often a case is looked at again that waits for the time of an appeal


class Settlements:
    """Closes the cases of disputes that are over, club by club. What is to be closed is decided on the case as it is
    when that is recorded: who comes second finds it closed."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._known: set[str] = set()  # the clubs all of whose cases were looked at, with nothing left to do
        self._later: dict[str, dict[str, datetime]] = defaultdict(dict)  # when each is looked at again

    async def catch_up(self, club: str, after: int, upto: int) -> bool:
        """Close what ended between two positions of a club's open log, or by time; whether there is nothing left to
        do."""
        due = await self._due(club, after, upto)
        done = [await self._close(club, each) for each in due]
        if all(done):
            self._known.add(club)
        return all(done)

    async def _due(self, club: str, after: int, upto: int) -> list[str]:
        """The cases that may have ended: all that hear a dispute, when a club is first looked at."""
        pool, now = self.recorder.streams.pool, self.recorder.clock()
        if club not in self._known:
            return await cases.of_disputes(pool, club)
        due = dict.fromkeys(each for each, at in self._later[club].items() if at <= now)
        for stream in await cases.settling(pool, club, after, upto) if upto > after else ():
            due |= dict.fromkeys(await cases.about_match(pool, club, stream))
            due |= dict.fromkeys(await cases.about_tournament(pool, club, stream))
        return list(due)

    async def _close(self, club: str, stream: str) -> bool:
        """Close a case, if it ends by itself; whether there is nothing left to do."""
        loaded = await self.recorder.streams.case(stream)
        self._later[club].pop(stream, None)
        if loaded is None or not loaded.state.is_open or not untouched(loaded.state):
            return True
        at = self.recorder.clock()
        around = await around_of(self.recorder.streams, loaded, at)
        if settled_as(loaded.state, around) is None:
            return True
        if ends_by_itself(loaded.state, around) is None:
            self._later[club][stream] = at + AGAIN
            return True
        return await self._closed(club, loaded)

    async def _closed(self, club: str, loaded: LoadedCase) -> bool:
        place = loaded.state.calls[0].place
        by = because_of(place.match or place.tournament)
        keys = await self.recorder.devices.of(club, False)
        asked = closed_request(keys, by, f"close case {loaded.stream} {loaded.head.version}")
        try:
            await self.recorder.on_stream(loaded.stream, CASE, c.CloseSettled(), asked)
        except (Refusal, BusyError) as error:
            LOGGER.warning(
                "the case of a dispute that is over could not be closed", case=loaded.stream, error=str(error)
            )
            return isinstance(error, Refusal)
        return True
