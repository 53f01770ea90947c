"""Matches: one way to record for every door. A result finds its deal, a confirmation the figures that it signs."""

from typing import Final
from uuid import UUID

import msgspec

from domain.club.roles import known_person
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.claims import claim_to_second, scores_of
from domain.match.command import OwnActs
from domain.match.mending_commands import Affirm, AnswerCorrection, WithdrawAffirmation
from domain.match.results import to_sign
from domain.match.rights import check_any
from domain.match.state import Match, is_complete, open_deal, race_of
from service.desk.access import match_to_write
from service.desk.on_stream import actor_on
from service.desk.own_table import check_nobody_else
from service.desk.recording import Recorder
from service.desk.requests import BusyError, DoneMatch, Request
from service.desk.services import Services
from service.desk.signing import asked_of, own_acts
from service.store import log
from service.store.callers import Caller
from service.store.loaded import LoadedMatch

OWN: Final = (
    c.EnterResult,
    c.ConfirmResult,
    c.AcceptRuling,
    AnswerCorrection,
    Affirm,
    WithdrawAffirmation,
)
JUST_NOW: Final = 60.0
LOOKS: Final = 5


async def record(
    services: Services,
    caller: Caller,
    match: UUID,
    command: c.MatchCommand,
    request: Request,
    it_happened: bool = False,
) -> DoneMatch:
    """A command on a match, by whichever door it came. Raises Refusal: not-found for who may not see the match, else
    unauthorised for who is not known, else as it is decided."""
    loaded = await match_to_write(services, caller, match)
    for _ in range(LOOKS):
        full = await Completing(services.recorder).completed(loaded, command, request, it_happened)
        try:
            done = await services.recorder.match(loaded.stream, full, request)
        except Refusal as refusal:
            if not await _looked_too_early(services, loaded, full, refusal):
                raise
        else:
            await services.tables.recorded(done)
            return done
    raise BusyError(loaded.stream)


async def _looked_too_early(services: Services, loaded: LoadedMatch, full: c.MatchCommand, refusal: Refusal) -> bool:
    """Tells a refusal because somebody recorded after it was looked what this device had done: it is looked again."""
    if refusal.slug != "changed" or not isinstance(full, OWN) or full.own is None:
        return False
    current = await services.streams.match(loaded.stream)
    return current is not None and current.head.version > full.own.upto


def _deal_of(loaded: LoadedMatch, command: AnswerCorrection | Affirm | WithdrawAffirmation) -> int | None:
    """The number of the deal that somebody speaks of for a side."""
    match command:
        case Affirm():
            return command.deal
        case AnswerCorrection():
            said = (each.event.deal for each in loaded.match.proposals if each.version == command.proposal)
            return next(said, None)
        case _:
            own = (deal for deal in loaded.match.deals for each in deal.affirmed if each.version == command.affirmation)
            return next((deal.number for deal in own), None)


class Completing:
    """Completes a command with what its sender had before the eyes."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    async def completed(
        self, loaded: LoadedMatch, command: c.MatchCommand, request: Request, it_happened: bool
    ) -> c.MatchCommand:
        """The command with what it leaves to the moment: the deal of a result, the figures of a confirmation, what
        this device did before, and what is asked of a signature. Raises Refusal."""
        if isinstance(command, c.RecordFacts | c.StartDeal | c.PauseRecording):
            return command  # a card is recorded as fast as it falls: nothing is asked of it
        command = msgspec.structs.replace(command, asks=await asked_of(self.recorder.streams, loaded))
        match command:
            case c.EnterResult():
                given = await self.result(loaded, command, request, it_happened)
                return msgspec.structs.replace(given, own=await self._own(loaded, request, given.deal))
            case c.ConfirmResult():
                own = await self._own(loaded, request, command.deal)
                return msgspec.structs.replace(await self.confirmation(loaded, command), own=own)
            case c.AcceptRuling():
                return msgspec.structs.replace(command, own=await self._own(loaded, request, command.deal))
            case AnswerCorrection() | Affirm() | WithdrawAffirmation():
                return msgspec.structs.replace(command, own=await self._own(loaded, request, _deal_of(loaded, command)))
            case c.AgreeOwnTable():
                check_any(loaded.match, command, actor_on(loaded, request.actor))
                await check_nobody_else(self.recorder, loaded)
                ruler = known_person((await self.recorder.club(loaded.club)).state, command.ruler)  # and no free words
                return msgspec.structs.replace(command, ruler=ruler)
            case _:
                return command

    async def _own(self, loaded: LoadedMatch, request: Request, deal: int | None) -> OwnActs:
        current = await self.recorder.streams.match(loaded.stream)
        return await own_acts(self.recorder, current or loaded, request.by, deal)

    async def result(
        self, loaded: LoadedMatch, given: c.EnterResult, request: Request, it_happened: bool
    ) -> c.EnterResult:
        """The result with the number of its deal: the one that was on at `expected`, else the one that is on, else the
        next. Raises Refusal (confirm-needed) where another device closed a deal just now, which may be the one that
        is meant."""
        check_any(loaded.match, given, actor_on(loaded, request.actor))  # a stranger is told of no other device
        repeated = request.chosen and await self.recorder.answered(loaded.club, request) is not None
        if repeated or given.deal is not None:
            return given
        seen = await self._seen(loaded, given.expected)
        on = open_deal(seen)
        if on is None and given.expected is None and not it_happened and not race_of(seen).finished:
            await self._check_not_the_same(loaded, seen, request)
        number = len(seen.deals) + 1 if on is None else on.number
        return msgspec.structs.replace(given, deal=number)

    async def _seen(self, loaded: LoadedMatch, expected: int | None) -> Match:
        """The match as whoever asked had seen it."""
        current = await self.recorder.streams.match(loaded.stream)
        assert current is not None
        if expected is None or expected >= current.head.version:
            return current.match
        past = await self.recorder.streams.match_at(current, expected)
        return current.match if past is None else past

    async def _check_not_the_same(self, loaded: LoadedMatch, seen: Match, request: Request) -> None:
        if not seen.deals:
            return
        last = await log.read_stream(
            self.recorder.streams.pool, loaded.club, loaded.stream, seen.changed - 1, seen.changed
        )
        event = last[0].event if last else None
        if event is None:
            return
        ago = (self.recorder.clock() - event.recorded_at).total_seconds()
        device = await self.recorder.devices.known(loaded.club, request.by)
        if ago < JUST_NOW and event.device != device:
            number = len(seen.deals)
            raise Refusal(
                "confirm-needed",
                f"deal {number} was closed a moment ago on another device. Is this the result of deal {number + 1}? "
                f'Then send it again with "deal": {number + 1}',
            )

    async def confirmation(self, loaded: LoadedMatch, given: c.ConfirmResult) -> c.ConfirmResult:
        """The confirmation with the figures that it signs: those that stand as it arrives, where it names none."""
        current = await self.recorder.streams.match(loaded.stream)
        assert current is not None
        match = current.match
        if not 1 <= given.deal <= len(match.deals):
            return given
        deal = match.deals[given.deal - 1]
        claim = claim_to_second(deal, given.side) if deal.claims and not is_complete(match, deal) else None
        if claim is not None:
            scores = given.scores or scores_of(match, claim)
            return msgspec.structs.replace(given, scores=scores, claim=claim.version)
        return given if given.scores is not None else msgspec.structs.replace(given, scores=to_sign(match, deal))
