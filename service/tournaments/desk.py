"""The director's desk: what was asked over the wire becomes commands, with fresh ids and lots, and is recorded."""

import secrets
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.decider import Refusal
from domain.tournament import commands as c
from domain.tournament.directing import Orders, directed
from domain.tournament.evolve import fold
from domain.tournament.state import Tournament
from service.api.tournament_bodies import Action, AnnounceBody, EnterAction, SubstituteAction
from service.auth import DIRECTORS, RECORDERS, Caller, require
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
        trial = [_stand_in(at, enter) for at, enter in enumerate(body.entries)]
        directed(TOURNAMENT.initial, Orders((announced, *trial)))  # what cannot be announced registers nobody
        entries = await self._named(club, body.entries, request)
        return await self.recorder.begin(club, new_id(), TOURNAMENT, Orders((announced, *entries)), request)

    async def act(self, loaded: Loaded, actions: Sequence[Action], note: str | None, request: Request) -> Done:
        """Commands in order, all or none. Raises Refusal."""
        before = await self.recorder.answered(loaded.club, request) if request.chosen else None
        if before is not None:
            return before
        commands = await self._named(loaded.club, actions, request)
        return await self.recorder.tournament(
            loaded.stream, Orders(tuple(commands), chance_for(loaded.tournament, actions), note), request
        )

    async def tried(
        self, loaded: Loaded, actions: Sequence[Action], request: Request
    ) -> tuple[Tournament, tuple[str, ...]]:
        """What the tournament would be, and by which events; nothing is recorded, nobody registered. Raises Refusal."""
        strangers = [each for each in actions if isinstance(each, EnterAction | SubstituteAction)]
        if strangers:
            raise Refusal("malformed", "`preview` is for rounds and results: whoever enters moves nothing yet")
        commands = await self._named(loaded.club, actions, request)
        state = loaded.tournament
        news = directed(state, Orders(tuple(commands), chance_for(state, actions)))
        after = fold(state, [(state.version + at, new.event) for at, new in enumerate(news, start=1)])
        return after, tuple(type(new.event).__name__ for new in news)

    async def _named(self, club: str, actions: Iterable[Action], request: Request) -> list[c.TournamentCommand]:
        """Commands of actions: people by id, streams and lots fresh."""
        given = list(actions)
        about = [each for each in given if isinstance(each, EnterAction | SubstituteAction)]
        people: Iterable[Any] = ()
        if about:
            sides = tuple(tuple(each.players) for each in about)
            people = await self.recorder.players(club, sides, request, together=False)
        seated = iter(people)
        return [_command(each, seated) for each in given]


def _stand_in(at: int, enter: EnterAction) -> c.Enter:
    """An entry of people who are somebody else each."""
    return c.Enter(str(at), tuple(f"{at}.{each}" for each in range(len(enter.players))), enter.rating, enter.table)


def _command(action: Action, seated: Any) -> c.TournamentCommand:
    match action:
        case EnterAction():
            return c.Enter(new_id(), next(seated), action.rating, action.table)
        case SubstituteAction():
            return c.Substitute(action.entry, next(seated))
        case c.Seed() if action.how == "lot" and action.lot is None:
            return msgspec.structs.replace(action, lot=secrets.randbelow(LOTS))
        case _:
            return action


def chance_for(state: Tournament, actions: Sequence[Action]) -> c.Chance:
    """Fresh ids, as many as these actions can take, and a lot."""
    rounds = sum(isinstance(each, c.PairRound) or getattr(each, "repair", None) == "again" for each in actions)
    count = rounds * (len(state.entries) + sum(isinstance(each, EnterAction) for each in actions))
    return c.Chance(tuple(new_id() for _ in range(count)), secrets.randbelow(LOTS))


def check_allowed(caller: Caller, loaded: Loaded, actions: Sequence[Action]) -> None:
    """Directors may everything; a scorer reports results and checks people in; a player does so for the own entry, and
    disputes or leaves. Raises Refusal."""
    if caller.role == "player" and caller.player is not None:
        require(caller, loaded.club, RECORDERS | {"player"})
        for each in actions:
            _check_own(caller.player, loaded.tournament, each)
        return
    only = all(isinstance(each, c.CheckIn | c.Report | c.Dispute) for each in actions)
    require(caller, loaded.club, RECORDERS if only else DIRECTORS)
    repairs = any(isinstance(each, c.Report) and each.repair for each in actions)
    if repairs and caller.role not in DIRECTORS:
        raise Refusal("forbidden", "only a director pairs again")


def _check_own(player: str, state: Tournament, action: Action) -> None:
    """Raises Refusal for what is not a player's own business."""
    own = {entry.id for entry in state.entries.values() if player in entry.players}
    if isinstance(action, c.CheckIn | c.Withdraw) and action.entry in own:
        return
    if isinstance(action, c.Report | c.Dispute) and state.at >= 0:
        pairing = state.stage.pairings.get(action.fixture)
        mine = pairing is not None and any(entry in own for side in pairing.sides for entry in side)
        first = not isinstance(action, c.Report) or action.fixture not in state.stage.decided
        if mine and first and getattr(action, "how", "played") == "played" and not getattr(action, "repair", None):
            return
    raise Refusal("forbidden", "a player checks in, leaves, reports and disputes for the own entry; ask the director")
