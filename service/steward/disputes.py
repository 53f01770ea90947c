"""Disputes: each one that begins in a match has its case, opened once and closed when that is over, whatever ends
between and however many services there are."""

import msgspec
import structlog

from domain.case import commands as c
from domain.case.events import CasePlace, Sides
from domain.case.state import side_in
from domain.case.statements import LONGEST
from domain.log.decider import Refusal
from domain.match.state import Match
from service.desk.cases.calling import heard, place_in
from service.desk.recording import Recorder
from service.desk.requests import BusyError, Request, closed_request
from service.steward.author import because_of
from service.steward.beginning import DISPUTES, FAR, note
from service.steward.settlements import Settlements
from service.store import cases, log, views
from service.store.cases import DisputeRow, OutcomeRow

LOGGER = structlog.get_logger()


class Disputes:
    """Opens the cases of disputes, club by club. The id of the command follows from the match and the version at which
    the dispute began: a second service, or the same one after it ended in between, meets the first answer."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.settlements = Settlements(recorder)
        self._heard: dict[str, int] = {}  # the position up to which a club's log was looked through
        self._noted: dict[str, int] = {}  # and the one that whoever begins later goes on from

    async def catch_up(self, club: str) -> None:
        """Open what is missing, and close what is over. A dispute that is over when it is looked for has had no need of
        anybody."""
        pool = self.recorder.streams.pool
        if club not in self._heard:
            self._heard[club] = self._noted[club] = await views.position_of(pool, DISPUTES, club) or 0
        after, upto = self._heard[club], await log.last_position(pool, club)
        done = await self._open_all(club, after, upto) if upto > after else True
        if await self.settlements.catch_up(club, after, upto) and done:
            self._heard[club] = upto
            if upto - self._noted[club] >= FAR:
                await note(pool, club, upto, DISPUTES)
                self._noted[club] = upto

    async def _open_all(self, club: str, after: int, upto: int) -> bool:
        """Open the cases of the disputes that began between two positions; whether there is nothing left to do."""
        pool, done = self.recorder.streams.pool, True
        for each in await cases.disputes(pool, club, after, upto):
            done = await self._open(club, each) and done
        for told in await cases.outcomes_disputed(pool, club, after, upto):
            done = await self._open_outcome(club, told) and done
        return done

    async def _open(self, club: str, row: DisputeRow) -> bool:
        """The case of a dispute; whether there is nothing left to do."""
        asked = await self._asked(club, row.match, row.version)
        if asked is None:
            return True
        loaded = await self.recorder.streams.match(row.match)
        if loaded is None or not isinstance(loaded.state, Match) or loaded.state.void:
            return True
        match = loaded.state
        found = next((each for each in match.disputes if each.version == row.version), None)
        if found is None:
            return True
        place = CasePlace(row.match, match.setup.tournament, deal=found.deal)
        command = _opening(row, place, match.setup.sides)
        return await self._bring(club, msgspec.structs.replace(command, side=found.side, dispute=row.version), asked)

    async def _open_outcome(self, club: str, row: OutcomeRow) -> bool:
        """The case of a disputed result that no record of a match tells of; whether there is nothing left to do."""
        asked = await self._asked(club, row.tournament, row.version)
        found = await self.recorder.streams.tournament(row.tournament)
        if asked is None or found is None or row.fixture not in found.tournament.stages[row.stage].disputed:
            return True
        place, sides = place_in(found.tournament, row.tournament, row.stage, row.fixture)
        match = None if place.match is None else await self.recorder.streams.match(place.match)
        if match is not None and isinstance(match.state, Match) and match.match.deals:
            return True  # the dispute stands in the record too, and has its case from there
        return await self._bring(club, _opening(row, place, sides), asked)

    async def _asked(self, club: str, stream: str, version: int) -> Request | None:
        """The request for the case of a dispute; None where it was answered before."""
        keys = await self.recorder.devices.of(club, False)
        asked = closed_request(keys, because_of(stream), f"case of dispute {stream} {version}")
        known = await log.find_command(self.recorder.streams.pool, club, asked.command_id)
        return asked if known is None else None

    async def _bring(self, club: str, command: c.OpenCase, asked: Request) -> bool:
        try:
            await heard(self.recorder, club, command, asked)
        except (Refusal, BusyError) as error:
            place = command.place
            LOGGER.warning("the case of a dispute could not be opened", match=place.match, error=str(error))
            return isinstance(error, Refusal)
        return True


def _opening(row: DisputeRow | OutcomeRow, place: CasePlace, sides: Sides) -> c.OpenCase:
    """The command that opens the case of a dispute, for whoever began it, where that is somebody of a side."""
    side = None if row.actor is None else side_in(sides, (row.actor,))
    return c.OpenCase(
        matter="dispute",
        place=place,
        sides=sides,
        minutes=0,
        side=side,
        person=None if side is None else row.actor,
        words=None if row.words is None else row.words[:LONGEST],
    )
