"""The director's desk: what was asked over the wire becomes commands, with fresh ids and lots, and is recorded."""

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from typing import TypeAlias

import msgspec

from domain.club.decide import seat_players
from domain.club.state import Club
from domain.log.actor import Actor
from domain.log.decider import Refusal, decided, lost_race
from domain.match import commands as mc
from domain.match.events import Settlement
from domain.match.state import Match, is_complete
from domain.tournament import commands as c
from domain.tournament.decide.claims import is_claim
from domain.tournament.decide.rights import own_side, pairing_of
from domain.tournament.evolve import fold
from domain.tournament.orders import Orders, directed
from domain.tournament.state import Tournament
from service.desk.cases.lookup import holding, under_appeal_in
from service.desk.on_stream import actor_on
from service.desk.recording import Recorder
from service.desk.requests import Done, DoneTournament, Request, own_request
from service.desk.signing import asked_of
from service.desk.tournament_bodies import (
    Action,
    AnnounceBody,
    DisputeAction,
    EnterAction,
    PairAction,
    ReportAction,
    RetractAction,
    SubstituteAction,
    UpholdAction,
    on_stage,
)
from service.store.acts import acts_of
from service.store.ids import new_id
from service.store.kinds import TOURNAMENT
from service.store.loaded import LoadedMatch, LoadedTournament

LOTS = 2**31
ResultCommand: TypeAlias = c.Report | c.Dispute | c.Uphold


class Desk:
    """Announces tournaments and carries out what is asked of them."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    async def announce(self, club: str, body: AnnounceBody, request: Request) -> DoneTournament:
        """A new tournament with its first entries: all or none. Raises Refusal."""
        before = await self.recorder.answered(club, request)
        if before is not None:
            return before
        house = (await self.recorder.club(club)).state.rules
        announced = c.Announce(body.name, tuple(body.stages), body.plan, house)
        trial = await self._named(club, None, Tournament(), body.entries, request, register=False)
        orders = Orders((announced, *trial))
        decided(directed, TOURNAMENT.initial, orders, request.actor.within(club))  # what cannot be registers nobody
        entries = await self._named(club, None, Tournament(), body.entries, request)
        return await self.recorder.begin(club, new_id(), TOURNAMENT, Orders((announced, *entries)), request)

    async def act(
        self, loaded: LoadedTournament, actions: Sequence[Action], note: str | None, request: Request
    ) -> DoneTournament:
        """Commands in order, all or none; who is refused registers nobody. Raises Refusal."""
        before = await self.recorder.answered(loaded.club, request)
        if before is not None:
            return before
        expected, version = request.expected, loaded.head.version
        if expected is not None and expected != version:
            raise lost_race(version)
        chance = chance_for(loaded.tournament, actions)
        if any(map(_has_consequences, actions)):
            trial = await self._named(loaded.club, loaded.stream, loaded.tournament, actions, request, register=False)
            await self._check_nothing_lost(loaded.tournament, trial, chance, actor_on(loaded, request.actor))
        commands = await self._named(loaded.club, loaded.stream, loaded.tournament, actions, request)
        commands = [await self._with_own(loaded, each, request) for each in commands]
        about = await self._about(loaded, commands, chance, request)
        await self._in_the_record(about, note, request, dispute=True)
        done = await self._directed(loaded, Orders(tuple(commands), chance, note), request)
        await self._in_the_record(about, note, request, dispute=False)
        return done

    async def _with_own(
        self, loaded: LoadedTournament, command: c.TournamentCommand, request: Request
    ) -> c.TournamentCommand:
        """A report with what this device has said of that match before, where a side has spoken."""
        if not isinstance(command, c.Report):
            return command
        own: tuple[tuple[int, str | None], ...] = ()
        device = await self.recorder.devices.known(loaded.club, request.by)
        if device is not None and any(command.fixture in stage.claims for stage in loaded.tournament.stages):
            own = await acts_of(self.recorder.streams.pool, loaded.club, loaded.stream, device, 0)
        return msgspec.structs.replace(command, own=own, upto=loaded.head.version)

    async def _about(
        self, loaded: LoadedTournament, commands: Sequence[c.TournamentCommand], chance: c.Chance, request: Request
    ) -> list[tuple[ResultCommand, LoadedMatch, int | None]]:
        """Words on results of matches that are recorded: the command, the match and the side. Raises
        Refusal, also for a player's word on a match whose record has that of both sides."""
        given = [each for each in commands if isinstance(each, c.Report | c.Dispute | c.Uphold)]
        state, actor = loaded.tournament, actor_on(loaded, request.actor)
        if given:  # what is refused leaves no trace in a match
            actor = decided(directed, state, Orders(tuple(commands), chance), actor)[1]
        found = []
        for each in given:
            pairing = pairing_of(state, each)
            match = await self.recorder.streams.match(pairing.match) if pairing is not None else None
            if match is None or not match.match.deals:
                continue
            if isinstance(each, c.Report) and is_claim(state, each, actor):
                raise Refusal("misfit", "this match is recorded: confirm its result there, or dispute it")
            found.append((each, match, own_side(state, each, actor)))
        return found

    async def _in_the_record(
        self,
        about: Sequence[tuple[ResultCommand, LoadedMatch, int | None]],
        note: str | None,
        request: Request,
        dispute: bool,
    ) -> None:
        """A dispute is recorded in its match before the tournament hears of it, its end when the tournament has: so
        nothing is settled that was not decided, whoever comes between."""
        for place, (each, found, side) in enumerate(about):
            if isinstance(each, c.Dispute) is not dispute:
                continue
            for step, command in enumerate(_said_of(found.match, each, side, note)):
                key = hashlib.sha256(f"{request.command_id} {place}.{step}".encode()).hexdigest()
                with suppress(Refusal) if not dispute else nullcontext():  # somebody has settled it meanwhile
                    asked = msgspec.structs.replace(command, asks=await asked_of(self.recorder.streams, found))
                    await self.recorder.match(found.stream, asked, own_request(request.by, key, request.actor))

    async def _directed(self, loaded: LoadedTournament, orders: Orders, request: Request) -> DoneTournament:
        """The tournament's own events; of disputes that the steward has carried over already there are none left."""
        try:
            return await self.recorder.tournament(loaded.stream, orders, request)
        except Refusal:
            fresh = await self.recorder.streams.tournament(loaded.stream)
            if fresh is None or not all(_known(fresh.tournament, each) for each in orders.commands):
                raise
            return Done(fresh, fresh.head.version + 1, fresh.head.version)

    async def _check_nothing_lost(
        self, state: Tournament, commands: Sequence[c.TournamentCommand], chance: c.Chance, actor: Actor
    ) -> None:
        """Raises Refusal for what cannot be done, and where matches would be void in which something was dealt, unless
        that is meant."""
        news, _ = decided(directed, state, Orders(tuple(commands), chance), actor)
        after = fold(state, [(state.version + at, new.event) for at, new in enumerate(news, start=1)])
        lost = {match: table for match, table in _tables(state).items() if match not in _tables(after)}
        if not lost or any(getattr(each, "knowingly", False) for each in commands):
            return
        dealt = sorted({table for match, table in lost.items() if await self._dealt(match)})
        if dealt:
            said = f"deals are recorded at table {', '.join(map(str, dealt))}, and those matches would be void"
            raise Refusal("confirm-needed", f"{said}: send it again with `knowingly` if that is meant")

    async def _dealt(self, match: str) -> bool:
        found = await self.recorder.streams.match(match)
        return found is not None and bool(found.match.deals)

    async def _fresh(self, state: Tournament, entry: str) -> bool:
        """True where a substitute's open match can begin anew: nothing was dealt in it yet."""
        if state.at < 0:
            return False
        open_ones = [
            pairing.match
            for name, pairing in state.stage.pairings.items()
            if name not in state.stage.decided and any(entry in side for side in pairing.sides)
        ]
        return not any([await self._dealt(match) for match in open_ones])

    async def tried(
        self, loaded: LoadedTournament, actions: Sequence[Action], request: Request
    ) -> tuple[Tournament, tuple[str, ...]]:
        """The tournament as it would be, and the events; nothing is recorded, nobody registered. Raises Refusal."""
        strangers = [each for each in actions if isinstance(each, EnterAction | SubstituteAction)]
        if strangers:
            raise Refusal("malformed", "`preview` is for rounds and results: an entry moves nothing yet")
        commands = await self._named(loaded.club, loaded.stream, loaded.tournament, actions, request)
        state = loaded.tournament
        orders = Orders(tuple(commands), chance_for(state, actions))
        news, _ = decided(directed, state, orders, actor_on(loaded, request.actor))
        after = fold(state, [(state.version + at, new.event) for at, new in enumerate(news, start=1)])
        return after, tuple(type(new.event).__name__ for new in news)

    async def _named(
        self,
        club: str,
        stream: str | None,
        state: Tournament,
        actions: Iterable[Action],
        request: Request,
        register: bool = True,
    ) -> list[c.TournamentCommand]:
        """Commands of actions: people by id; whom the club does not know is registered, unless it is a trial. A pairing
        comes with the matches about which a case is open by now: one that opens later comes too late for it."""
        given = list(actions)
        about = [each for each in given if isinstance(each, EnterAction | SubstituteAction)]
        people: Iterable[tuple[str, ...]] = ()
        if about:
            sides = tuple(tuple(each.players) for each in about)
            if register:
                people = await self.recorder.players(club, sides, request, together=False)
            else:
                known = await self.recorder.club(club)
                people, _ = seat_players(known.state, sides, (f"new {number}" for number in range(2 * len(sides))))
            people = as_entered((await self.recorder.club(club)).state, state, people)
        seated = iter(people)
        pairs = stream is not None and any(isinstance(each, PairAction) for each in given)
        held: tuple[str, ...] = ()
        appealed: tuple[str, ...] = ()
        if stream is not None and pairs:
            held = await holding(self.recorder.streams, club, stream, state)
            appealed = await under_appeal_in(self.recorder.streams, club, stream, state)
        return [await self._command(state, each, seated, held, appealed) for each in given]

    async def _command(
        self,
        state: Tournament,
        action: Action,
        seated: Iterator[tuple[str, ...]],
        held: tuple[str, ...],
        appealed: tuple[str, ...],
    ) -> c.TournamentCommand:
        match action:
            case EnterAction():
                return c.Enter(new_id(), next(seated), action.rating, action.table)
            case SubstituteAction():
                return c.Substitute(action.entry, next(seated), await self._fresh(state, action.entry))
            case PairAction():
                return action.command(held, appealed)
            case c.Seed() if action.how == "lot" and action.lot is None:
                return msgspec.structs.replace(action, lot=secrets.randbelow(LOTS))
            case ReportAction() | RetractAction() | DisputeAction() | UpholdAction():
                return on_stage(action)
            case _:
                return action


def as_entered(club: Club, state: Tournament, people: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """People by the ids under which they stand in a tournament already, where they do: nobody is entered once more
    under another id."""
    there = {player for entry in state.entries.values() for player in entry.players}
    return [tuple(next((id for id in club.ids_of(who) if id in there), who) for who in own) for own in people]


def _known(state: Tournament, command: c.TournamentCommand) -> bool:
    """True for a dispute that stands already."""
    if not isinstance(command, c.Dispute):
        return False
    stages = state.stages if command.stage is None else state.stages[command.stage : command.stage + 1]
    return any(command.fixture in stage.disputed for stage in stages)


def _said_of(match: Match, command: ResultCommand, side: int | None, note: str | None) -> list[mc.MatchCommand]:
    """The commands to the match for a director's or a side's word on its result."""
    if isinstance(command, c.Dispute):
        over = any(is_complete(match, deal) for deal in match.deals)
        known = any((each.deal, each.side) == (None, side) for each in match.disputes)
        return [mc.DisputeResult(side=side, note=note)] if over and not known else []
    how: Settlement = "upheld" if isinstance(command, c.Uphold) else "corrected"
    return [mc.SettleDispute(how=how, version=each.version, note=note) for each in match.disputes]


def _has_consequences(action: Action) -> bool:
    """True for an action that is tried first: it would register people, or give matches up."""
    if isinstance(action, ReportAction | RetractAction):
        return action.repair == "again"
    return isinstance(action, EnterAction | SubstituteAction | c.UnpairRound)


def _tables(state: Tournament) -> dict[str, int]:
    """The table of every match that was paired, by its stream."""
    return {each.match: each.table for stage in state.stages for each in stage.pairings.values()}


def chance_for(state: Tournament, actions: Sequence[Action]) -> c.Chance:
    """Fresh ids, as many as these actions can take, and a lot."""
    rounds = sum(
        2 if getattr(each, "repair", None) == "again" else isinstance(each, PairAction | SubstituteAction)
        for each in actions
    )
    count = rounds * (len(state.entries) + sum(isinstance(each, EnterAction) for each in actions))
    return c.Chance(tuple(new_id() for _ in range(count)), secrets.randbelow(LOTS))
