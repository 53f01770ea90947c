"""Openings: each pairing has its match, in the club of its tournament; that of one that was taken back is void."""

import msgspec
import structlog

from domain import codec
from domain.game.race import Race
from domain.log.decider import Refusal
from domain.log.event import JsonObject
from domain.match import commands as mc
from domain.match.opening import find_game
from domain.tournament import events as e
from domain.tournament.decide.announcing import options_of
from domain.tournament.state import Stage
from service.desk.recording import Recorder
from service.desk.requests import BusyError
from service.steward.author import steward_request
from service.store import finding
from service.store.kinds import MATCH
from service.store.loaded import LoadedTournament

LOGGER = structlog.get_logger()


class Openings:
    """Opens the matches of pairings, and makes them void."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder, self.streams = recorder, recorder.streams

    async def open(self, loaded: LoadedTournament, stage: Stage, pairing: e.Pairing) -> bool:
        """The match stream of a pairing; whether it is there."""
        state = loaded.tournament
        sides = tuple(
            tuple(player for entry in side for player in state.entries[entry].players) for side in pairing.sides
        )
        setup = stage.setup
        command = mc.OpenMatch(
            game=setup.game,
            options=msgspec.json.decode(setup.options),
            race=race_given(setup.race),
            sides=sides,
            tournament=loaded.stream,
            dealer=dealer_of(stage, pairing),
            house=setup.house,
            signals=state.plan.signals,
            delay=state.plan.delay,
        )
        devices = await self.recorder.devices.of(loaded.club)
        request = steward_request(devices, loaded.stream, f"open {pairing.match}")
        if await finding.is_begun(self.streams.pool, [pairing.match]):
            LOGGER.warning("a match of a tournament stands in another club", tournament=loaded.stream)
            return False
        try:
            await self.recorder.begin(loaded.club, pairing.match, MATCH, command, request)
        except (Refusal, BusyError) as error:
            LOGGER.warning("a match of a tournament could not be opened", match=pairing.match, error=str(error))
            return False
        return True

    async def void(self, loaded: LoadedTournament, match: str) -> None:
        """The match of a pairing that was taken back, in the club of its tournament."""
        found = await self.streams.match(match)
        if found is None or found.club != loaded.club or found.match.void:
            return
        devices = await self.recorder.devices.of(loaded.club)
        request = steward_request(devices, found.match.setup.tournament or "", f"void {match}")
        try:
            await self.recorder.match(match, mc.VoidMatch(), request)
        except (Refusal, BusyError) as error:
            LOGGER.warning("a match could not be made void", match=match, error=str(error))


def race_given(race: Race) -> JsonObject:
    """A race as the opening of a match takes it."""
    plain: JsonObject = codec.plain(race)
    return plain


def dealer_of(stage: Stage, pairing: e.Pairing) -> int:
    """The seat that deals first: the first of the side whose turn it is."""
    game = find_game(stage.setup.game)
    return game.sides(options_of(stage.setup, game))[pairing.first][0]
