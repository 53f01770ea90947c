"""The director's desk: what was asked over the wire becomes commands, with fresh ids and lots, and is recorded."""

import secrets
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.actor import DIRECTORS, RECORDERS, Actor
from domain.club.state import seat_players
from domain.decider import Refusal, lost_race
from domain.tournament import commands as c
from domain.tournament.directing import Orders, directed
from domain.tournament.events import Pairing
from domain.tournament.evolve import fold
from domain.tournament.state import Tournament
from service.api.tournament_bodies import Action, AnnounceBody, EnterAction, SubstituteAction
from service.auth import Caller, require
from service.recording import Done, Recorder, Request, new_id
from service.streams import TOURNAMENT, Loaded

LOTS = 2**31
OWN = (c.CheckIn, c.Withdraw, c.Dispute, c.Report)


class Desk:
    """Announces tournaments and carries out what is asked of them."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    async def announce(self, club: str, body: AnnounceBody, request: Request) -> Done:
        """A new tournament with its first entries: all or none. Raises Refusal."""
        before = await self.recorder.answered(club, request) if request.chosen else None
        if before is not None:
            return before
        announced = c.Announce(body.name, tuple(body.stages), body.plan)
        trial = await self._named(club, Tournament(), body.entries, request, register=False)
        directed(
            TOURNAMENT.initial, Orders((announced, *trial)), request.actor
        )  # what cannot be announced registers nobody
        entries = await self._named(club, Tournament(), body.entries, request)
        return await self.recorder.begin(club, new_id(), TOURNAMENT, Orders((announced, *entries)), request)

    async def answered(self, club: str, request: Request) -> Done | None:
        """The first answer to a request that is repeated. Raises Refusal for a key that was used for something else."""
        return await self.recorder.answered(club, request) if request.chosen else None

    async def act(self, loaded: Loaded, actions: Sequence[Action], note: str | None, request: Request) -> Done:
        """Commands in order, all or none; who is refused registers nobody. Raises Refusal."""
        before = await self.answered(loaded.club, request)
        if before is not None:
            return before
        expected, version = request.expected, loaded.head.version
        if expected is not None and expected != version:
            raise lost_race(version)
        chance = chance_for(loaded.tournament, actions)
        if any(map(_has_consequences, actions)):
            trial = await self._named(loaded.club, loaded.tournament, actions, request, register=False)
            await self._check_nothing_lost(loaded.tournament, trial, chance, request.actor)
        commands = await self._named(loaded.club, loaded.tournament, actions, request)
        return await self.recorder.tournament(loaded.stream, Orders(tuple(commands), chance, note), request)

    async def _check_nothing_lost(
        self, state: Tournament, commands: Sequence[c.TournamentCommand], chance: c.Chance, actor: Actor
    ) -> None:
        """Raises Refusal for what cannot be done, and where matches would be void in which something was dealt, unless
        that is meant."""
        news = directed(state, Orders(tuple(commands), chance), actor)
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
        """Whether a substitute's open match can begin anew: nothing was dealt in it yet."""
        if state.at < 0:
            return False
        open_ones = [
            pairing.match for name, pairing in state.stage.pairings.items()
            if name not in state.stage.decided and any(entry in side for side in pairing.sides)
        ]  # fmt: skip
        return not any([await self._dealt(match) for match in open_ones])

    async def tried(
        self, loaded: Loaded, actions: Sequence[Action], request: Request
    ) -> tuple[Tournament, tuple[str, ...]]:
        """What the tournament would be, and by which events; nothing is recorded, nobody registered. Raises Refusal."""
        strangers = [each for each in actions if isinstance(each, EnterAction | SubstituteAction)]
        if strangers:
            raise Refusal("malformed", "`preview` is for rounds and results: whoever enters moves nothing yet")
        commands = await self._named(loaded.club, loaded.tournament, actions, request)
        state = loaded.tournament
        news = directed(state, Orders(tuple(commands), chance_for(state, actions)), request.actor)
        after = fold(state, [(state.version + at, new.event) for at, new in enumerate(news, start=1)])
        return after, tuple(type(new.event).__name__ for new in news)

    async def _named(
        self, club: str, state: Tournament, actions: Iterable[Action], request: Request, register: bool = True
    ) -> list[c.TournamentCommand]:
        """Commands of actions: people by id; whom the club does not know is registered, unless it is a trial."""
        given = list(actions)
        about = [each for each in given if isinstance(each, EnterAction | SubstituteAction)]
        people: Iterable[Any] = ()
        if about:
            sides = tuple(tuple(each.players) for each in about)
            if register:
                people = await self.recorder.players(club, sides, request, together=False)
            else:
                known = await self.recorder.club(club)
                people, _ = seat_players(known.state, sides, (f"new {number}" for number in range(2 * len(sides))))
        seated = iter(people)
        return [await self._command(state, each, seated) for each in given]

    async def _command(self, state: Tournament, action: Action, seated: Any) -> c.TournamentCommand:
        match action:
            case EnterAction():
                return c.Enter(new_id(), next(seated), action.rating, action.table)
            case SubstituteAction():
                return c.Substitute(action.entry, next(seated), await self._fresh(state, action.entry))
            case c.Seed() if action.how == "lot" and action.lot is None:
                return msgspec.structs.replace(action, lot=secrets.randbelow(LOTS))
            case _:
                return action


def _has_consequences(action: Action) -> bool:
    """Whether an action is tried before it is done: it would register people, or give matches up."""
    if isinstance(action, c.Report):
        return action.repair == "again"
    return isinstance(action, EnterAction | SubstituteAction | c.UnpairRound)


def _tables(state: Tournament) -> dict[str, int]:
    """The table of every match that was paired, by its stream."""
    return {each.match: each.table for stage in state.stages for each in stage.pairings.values()}


def chance_for(state: Tournament, actions: Sequence[Action]) -> c.Chance:
    """Fresh ids, as many as these actions can take, and a lot."""
    rounds = sum(
        2 if getattr(each, "repair", None) == "again" else isinstance(each, c.PairRound | SubstituteAction)
        for each in actions
    )
    count = rounds * (len(state.entries) + sum(isinstance(each, EnterAction) for each in actions))
    return c.Chance(tuple(new_id() for _ in range(count)), secrets.randbelow(LOTS))


def check_allowed(caller: Caller, loaded: Loaded, actions: Sequence[Action]) -> None:
    """Directors may everything; a scorer checks people in, and reports and disputes results, of one match where the
    token is bound to it; a player does so for the own entry, or leaves. What stands is corrected by a director. Raises
    Refusal."""
    if caller.role == "player" and caller.player is not None:
        require(caller, loaded.club, RECORDERS | {"player"})
        for each in actions:
            _check_own(caller.player, loaded.tournament, each)
        return
    only = all(isinstance(each, c.CheckIn | c.Report | c.Dispute) for each in actions)
    matches = {_match_of(loaded.tournament, each) for each in actions} if caller.match else {None}
    require(caller, loaded.club, RECORDERS if only else DIRECTORS, matches.pop() if len(matches) == 1 else None)
    if caller.role not in DIRECTORS and any(_corrects(loaded.tournament, each) for each in actions):
        raise Refusal("forbidden", "there is a result already: only a director corrects it, or pairs again")


def _match_of(state: Tournament, action: Action) -> str | None:
    """The stream of the match that an action is about."""
    pairing = _pairing_of(state, action)
    return pairing.match if pairing else None


def _pairing_of(state: Tournament, action: Action) -> Pairing | None:
    """The pairing that an action is about, in the stage that it names."""
    fixture, wanted = getattr(action, "fixture", None), getattr(action, "stage", None)
    numbers = range(state.at, -1, -1) if wanted is None else [wanted - 1]
    found = (state.stages[at].pairings.get(fixture or "") for at in numbers if at <= state.at)
    return next((each for each in found if each is not None), None)


def _corrects(state: Tournament, action: Action) -> bool:
    """Whether a report is more than the first result of a match of the stage that is on."""
    if not isinstance(action, c.Report):
        return False
    if action.repair or action.stage or state.at < 0 or action.fixture in state.stage.decided:
        return True
    return any(action.fixture in stage.pairings for stage in state.stages[: state.at])


def _check_own(player: str, state: Tournament, action: Action) -> None:
    """Raises Refusal for what is not a player's own business."""
    own = {entry.id for entry in state.entries.values() if player in entry.players}
    if isinstance(action, c.CheckIn | c.Withdraw) and action.entry in own:
        return
    if isinstance(action, c.Report | c.Dispute) and state.at >= 0:
        pairing = _pairing_of(state, action)
        mine = pairing is not None and any(entry in own for side in pairing.sides for entry in side)
        if mine and not _corrects(state, action) and getattr(action, "how", "played") == "played":
            return
    raise Refusal("forbidden", "a player checks in, leaves, reports and disputes for the own entry; ask the director")
