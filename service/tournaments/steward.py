"""The steward: opens the match of every pairing, and reports to a tournament what came of its matches.

Both follow from the log alone, so nothing is lost when the process ends between two appends: it begins again from what
is there, and whoever reads or directs a tournament waits until it has caught up. Of two processes one is told that the
other was faster, which changes nothing.
"""

import asyncio
from collections import defaultdict
from typing import Any, Final

import msgspec
import structlog

from domain import codec
from domain.decider import Refusal
from domain.match import commands as mc
from domain.match.opening import find_game
from domain.match.race import Race
from domain.match.state import Match, race_of
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.announcing import options_of
from domain.tournament.directing import Orders
from domain.tournament.final_score import plain_worth
from domain.tournament.state import Stage, Tournament
from service.recording import BusyError, Recorder, own_request
from service.store import finding
from service.store.log import By
from service.streams import MATCH, Loaded, Streams

LOGGER = structlog.get_logger()
FIRST: Final = "TournamentAnnounced"


class Place(msgspec.Struct, frozen=True):
    """Where a match belongs: its tournament, the stage, and its name in the plan."""

    tournament: str
    stage: int
    fixture: str


class Watched(msgspec.Struct):
    """What is known of a club: up to which position, its tournaments, whose each match is, which streams there are,
    and what the record of a finished match said."""

    position: int = -1
    tournaments: set[str] = msgspec.field(default_factory=set)
    matches: dict[str, Place] = msgspec.field(default_factory=dict)
    opened: set[str] = msgspec.field(default_factory=set)
    said: dict[str, c.Hear] = msgspec.field(default_factory=dict)


class Steward:
    """Keeps tournaments and their matches in step, club by club."""

    def __init__(self, streams: Streams, recorder: Recorder) -> None:
        self.streams, self.recorder = streams, recorder
        self._clubs: dict[str, Watched] = defaultdict(Watched)
        self._turns: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def catch_up(self, club: str) -> None:
        """Everything that follows from the log as it is now; what fails is begun again from where it stood."""
        async with self._turns[club]:
            known = self._clubs[club]
            if known.position < 0:
                tournaments, head = await finding.begun_with(self.streams.pool, club, FIRST)
                for stream in tournaments:
                    await self._look_at(known, stream, every=True)
                known.position = head
            while True:
                fresh, upto = await finding.touched(self.streams.pool, club, known.position)
                events = [stream for stream, first in fresh if first == FIRST or stream in known.tournaments]
                for stream in events:
                    await self._look_at(known, stream)
                heard = [stream for stream, _ in fresh if stream in known.matches]
                for stream in heard:
                    await self._hear(known, stream)
                known.position = upto
                if not events and not heard:
                    return  # nothing that was appended meanwhile by us: others may go on for as long as they like

    async def _look_at(self, known: Watched, stream: str, every: bool = False) -> None:
        """The pairings of a tournament: matches that are not there yet are opened, those of pairings that were taken
        back are void; `every` match is heard, for nothing is known of it."""
        loaded = await self.streams.tournament(stream)
        if loaded is None:
            return
        known.tournaments.add(stream)
        wanted = {
            each.match: (Place(stream, number, name), stage, each)
            for number, stage in enumerate(loaded.tournament.stages)
            for name, each in stage.pairings.items()
        }
        fresh = [match for match in wanted if match not in known.opened]
        known.opened |= await finding.there(self.streams.pool, fresh) if fresh else set()
        for match in fresh:
            place, stage, pairing = wanted[match]
            known.matches[match] = place
            if match not in known.opened:
                if await self._open(loaded, stage, pairing):
                    known.opened.add(match)
            elif every:
                await self._hear(known, match)
        for match, (place, _, _) in wanted.items():
            known.matches[match] = place
        for match, (place, stage, _) in wanted.items():  # what could not be said before may be said now
            if match in known.said and differs(stage, place.fixture, known.said[match]):
                await self._hear(known, match)
        gone = [match for match, place in known.matches.items() if place.tournament == stream and match not in wanted]
        for match in gone:
            del known.matches[match]
            await self._void(known, match)

    async def _open(self, loaded: Loaded, stage: Stage, pairing: e.Pairing) -> bool:
        """The match stream of a pairing; whether it is there."""
        state = loaded.tournament
        sides = tuple(
            tuple(player for entry in side for player in state.entries[entry].players) for side in pairing.sides
        )
        setup = stage.setup
        command = mc.OpenMatch(
            game=setup.game, options=msgspec.json.decode(setup.options), race=race_given(setup.race), sides=sides,
            tournament=loaded.stream, dealer=dealer_of(stage, pairing),
        )  # fmt: skip
        request = own_request(_self(loaded.stream), f"open {pairing.match}")
        try:
            await self.recorder.begin(loaded.club, pairing.match, MATCH, command, request)
        except (Refusal, BusyError) as error:
            LOGGER.warning("a match of a tournament could not be opened", match=pairing.match, error=str(error))
            return False
        return True

    async def _void(self, known: Watched, match: str) -> None:
        """The match of a pairing that was taken back."""
        found = await self.streams.match(match)
        if found is None or found.match.void:
            return
        request = own_request(_self(found.match.setup.tournament or ""), f"void {match}")
        try:
            await self.recorder.match(match, mc.VoidMatch(), request)
        except (Refusal, BusyError) as error:
            LOGGER.warning("a match could not be made void", match=match, error=str(error))

    async def _hear(self, known: Watched, match: str) -> None:
        """What came of a match: reported when it is new, taken back when it is undone."""
        place = known.matches[match]
        found, loaded = await self.streams.match(match), await self.streams.tournament(place.tournament)
        if found is None or loaded is None:
            return
        known.said.pop(match, None)
        if counts(loaded.tournament, found.match):
            known.said[match] = report_of(place, found.match)
        command = told_by(loaded.tournament, place, found.match)
        if command is None:
            return
        request = own_request(_self(match), f"outcome {match} {found.match.version} {loaded.tournament.version}")
        try:
            await self.recorder.tournament(place.tournament, Orders((command,)), request)
        except Refusal as refusal:  # a later round hangs on it: the director's board shows that the two differ
            LOGGER.info("a result waits for the director", match=match, reason=refusal.detail)
        except BusyError:
            LOGGER.warning("a result could not be reported now", match=match)


def _self(cause: str) -> By:
    """As whom the steward records: the service itself, because of that stream."""
    return By(actor=None, role="director", device="steward", cause=cause)


def race_given(race: Race) -> dict[str, Any]:
    """A race as the opening of a match takes it."""
    plain: dict[str, Any] = codec.plain(race)
    return plain


def dealer_of(stage: Stage, pairing: e.Pairing) -> int:
    """The seat that deals first: the first of the side whose turn it is."""
    game = find_game(stage.setup.game)
    return game.sides(options_of(stage.setup, game))[pairing.first][0]


def told_by(state: Tournament, place: Place, match: Match) -> c.Hear | c.Retract | None:
    """What a match says that its tournament does not hold yet; nothing where they agree, or where the director has
    entered something else by hand, or has opened again what this record said."""
    stage = state.stages[place.stage]
    if state.finished or place.fixture not in stage.pairings or match.void:
        return None
    known = stage.decided.get(place.fixture)
    if known is not None and known.version is None:
        return None
    if known is None and match.version <= stage.withdrawn.get(place.fixture, -1):
        return None
    if not counts(state, match):
        undone = known is not None and not race_of(match).finished
        return c.Retract(place.fixture, place.stage + 1) if undone else None
    report = report_of(place, match)
    return report if differs(stage, place.fixture, report) else None


def differs(stage: Stage, fixture: str, report: c.Hear) -> bool:
    """Whether a stage holds something else of a match than its record says."""
    known = stage.decided.get(fixture)
    return known is None or (known.winner, known.score) != (report.winner, report.score)


def counts(state: Tournament, match: Match) -> bool:
    """Whether a match is over as the tournament counts: played, or confirmed by both sides."""
    if not race_of(match).finished:
        return False
    if state.plan.counts == "played":
        return True
    return bool(match.deals) and len(match.deals[-1].confirmed) == len(match.setup.sides)


def report_of(place: Place, match: Match) -> c.Hear:
    """The result of a finished match. What the games of a match of several were worth does not add up: who wins it has
    won one match, as where only the games are told."""
    race, setup = race_of(match), match.setup.race
    winner: Any = race.winner
    if setup.best_of > 1:
        wins = [sum(game.winner == side for game in race.games) for side in (0, 1)]
        worth = plain_worth(setup, winner)
        return c.Hear(place.fixture, winner, (wins[0], wins[1]), worth, None, match.version, place.stage)
    (game,) = race.games
    worth, levels = (game.worth[0], game.worth[1]), (game.levels[0], game.levels[1])
    score = (race.totals[0], race.totals[1])
    return c.Hear(place.fixture, winner, score, worth, levels, match.version, place.stage)
