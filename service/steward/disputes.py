"""Disputes: each one that begins in a match has its case, opened once, whatever ends between and however many services
there are."""

from collections import defaultdict

import structlog

from domain.case import commands as c
from domain.case.events import Place
from domain.case.state import side_in
from domain.case.statements import LONGEST
from domain.log.decider import Refusal
from domain.match.state import Match
from service.desk.cases.calling import heard
from service.desk.recording import Recorder
from service.desk.requests import BusyError, closed_request
from service.store import cases, log
from service.store.cases import DisputeRow
from service.store.log import By, Device

LOGGER = structlog.get_logger()


class Disputes:
    """Opens the cases of disputes, club by club. The id of the command follows from the match and the version at which
    the dispute began: a second service, or the same one after it ended in between, meets the first answer."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._heard: dict[str, int] = defaultdict(int)  # the position up to which a club's log was looked through

    async def catch_up(self, club: str) -> None:
        """Open what is missing. A dispute that is over when it is looked for has had no need of anybody."""
        pool = self.recorder.streams.pool
        after, upto = self._heard[club], await log.last_position(pool, club)
        if upto <= after:
            return
        done = True
        for each in await cases.disputes(pool, club, after, upto):
            done = await self._open(club, each) and done
        if done:
            self._heard[club] = upto

    async def _open(self, club: str, row: DisputeRow) -> bool:
        """The case of a dispute; whether there is nothing left to do."""
        streams = self.recorder.streams
        by = By(actor=None, role="director", cause=row.match, on=Device("program", "steward"))
        keys = await self.recorder.devices.of(club, False)
        asked = closed_request(keys, by, f"case of dispute {row.match} {row.version}")
        if await log.find_command(streams.pool, club, asked.command_id) is not None:
            return True
        loaded = await streams.match(row.match)
        if loaded is None or not isinstance(loaded.state, Match) or loaded.state.void:
            return True
        match = loaded.state
        found = next((each for each in match.disputes if each.version == row.version), None)
        if found is None:
            return True
        sides = match.setup.sides
        person = row.actor if row.actor is not None and side_in(sides, (row.actor,)) is not None else None
        command = c.OpenCase(
            matter="dispute",
            place=Place(row.match, match.setup.tournament, deal=found.deal),
            sides=sides,
            minutes=0,
            side=found.side,
            person=person,
            dispute=row.version,
            words=None if row.words is None else row.words[:LONGEST],
        )
        try:
            await heard(self.recorder, club, command, asked)
        except (Refusal, BusyError) as error:
            LOGGER.warning("the case of a dispute could not be opened", match=row.match, error=str(error))
            return isinstance(error, Refusal)
        return True
