"""The people of the demo club, each with a phone of their own, and the calendar by which they act."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from domain.chance import below, words
from domain.club.commands import DeclareFriends, GrantRole
from domain.log.actor import Actor, Role
from domain.log.decider import Decider
from domain.match import commands as c
from domain.tournament.commands import StagePlan
from domain.tournament.plan import Plan
from service.cli import clerk
from service.desk.matches import Completing
from service.desk.recording import Recorder
from service.desk.requests import Request, own_request
from service.desk.tournament_bodies import Action, AnnounceBody, EnterAction
from service.desk.tournaments import Desk
from service.steward.steward import Steward
from service.store.kinds import CLUB
from service.store.loaded import LoadedTournament
from service.store.log import By, Device
from service.store.pool import Pool
from service.store.streams import Streams

CALLED: Final = "Demo club"
# by strength: whoever stands further up wins more often
MEMBERS: Final = (
    "Marta Lindqvist",
    "Tom Hargreaves",
    "Ilse Brandt",
    "Rui Tavares",
    "Nora Feeney",
    "Colin Webb",
    "Hana Kimura",
    "Jonas Weiss",
    "Agnes Dupont",
    "Dmitri Orlov",
    "Vera Popescu",
    "Sam Oyelaran",
    "Priya Raman",
    "Eero Salmi",
    "Lucia Conti",
    "Ben Achterberg",
)
DIRECTOR: Final = "Dee Marsh"
SECRETARY: Final = "Agnes Dupont"
EARLIEST: Final = timedelta(weeks=30)


class Crowd:
    """A club's people, who do what they do at `crowd.at`; each request has a name, so none is done twice."""

    def __init__(self, pool: Pool, club: str, today: datetime) -> None:
        self.club, self.today, self.at = club, today, today - EARLIEST
        self.recorder = Recorder(Streams(pool), clock=lambda: self.at)
        self.desk, self.steward = Desk(self.recorder), Steward(self.recorder.streams, self.recorder)
        self.ids: dict[str, str] = {}
        self.count = 0

    def back(self, *, hours: float = 0, **ago: float) -> None:
        """Put the calendar to a time before today: the club plays in the evening, three hours at most before now."""
        self.at = self.today - timedelta(**ago) - timedelta(hours=hours)

    def later(self, minutes: float) -> None:
        """Let some time pass, and never more than there is."""
        self.at = min(self.at + timedelta(minutes=minutes), self.today)

    def service(self, name: str) -> Request:
        """A request of the service itself."""
        return own_request(clerk.CLERK, name)

    def asks(self, who: str, role: Role = "player") -> Request:
        """The next request of somebody, from a phone of their own."""
        self.count += 1
        person = self.ids[who]
        own = Actor(role, self.club, person, id=person, strength="own device")
        return own_request(By(person, role, on=Device("phone", who)), f"demo {self.count}", own)

    async def enter(self) -> None:
        """Everybody joins the club; two of them have a role, and two are close."""
        for name in (*MEMBERS, DIRECTOR):
            self.ids[name] = await self.recorder.register(self.club, name, self.service(f"demo member {name}"))
        roles: dict[str, Role] = {DIRECTOR: "director", SECRETARY: "secretary"}
        for name, role in roles.items():
            await self._in_club(GrantRole(self.ids[name], role), f"demo role of {name}")
        close = DeclareFriends(self.ids[DIRECTOR], self.ids["Vera Popescu"])
        await self._in_club(close, "demo friends")

    async def close(self, name: str) -> None:
        """The last entry: the story is told to its end."""
        await self._in_club(GrantRole(self.ids["Eero Salmi"], "scorer"), name)

    async def _in_club(self, command: Any, name: str) -> None:
        await self.recorder.on_stream(self.club, CLUB, command, self.service(name))

    async def opened(self, game: str, sides: Sequence[Sequence[str]], **given: Any) -> str:
        """Open a match; its id."""
        self.count += 1
        options, race = given.pop("options", {}), given.pop("race", {})
        places = tuple(tuple(side) for side in sides)
        command = c.OpenMatch(game=game, options=options, race=race, sides=places, **given)
        done = await self.recorder.open_match(self.club, command, places, self.service(f"demo open {self.count}"))
        return done.loaded.stream

    async def does(self, match: str, command: c.MatchCommand, who: str | None = None) -> int:
        """Record something in a match, as the service or as somebody; the version that it led to."""
        self.count += 1
        request = self.service(f"demo {self.count}") if who is None else self.asks(who)
        loaded = await self.recorder.streams.match(match)
        assert loaded is not None
        full = await Completing(self.recorder).completed(loaded, command, request, False)
        return (await self.recorder.match(match, full, request)).loaded.head.version

    async def signed(self, match: str) -> None:
        """Both sides confirm the last deal, each on a phone of their own."""
        loaded = await self.recorder.streams.match(match)
        assert loaded is not None
        names = {person: name for name, person in self.ids.items()}
        for number, side in enumerate(loaded.match.setup.sides):
            await self.does(match, c.ConfirmResult(deal=len(loaded.match.deals), side=number), names[side[0]])

    async def acts(self, stream: str, kind: Decider[Any, Any, Any], command: Any, who: str) -> None:
        """A step of somebody on another stream, such as a case."""
        await self.recorder.on_stream(stream, kind, command, self.asks(who))

    async def announced(
        self, name: str, stages: list[StagePlan], people: Sequence[str], plan: Plan
    ) -> LoadedTournament:
        """Announce a tournament with its entries, the strongest first."""
        entries = [EnterAction([who], 1900 - 25 * MEMBERS.index(who)) for who in people]
        body = AnnounceBody(name=name, stages=stages, plan=plan, entries=entries)
        return (await self.desk.announce(self.club, body, self.service(f"demo {name}"))).loaded

    async def directs(self, loaded: LoadedTournament, actions: Sequence[Action]) -> LoadedTournament:
        """A tap of the director's; the steward does at once what follows."""
        self.count += 1
        done = await self.desk.act(loaded, actions, None, self.service(f"demo {self.count}"))
        await self.steward.catch_up(self.club)
        found = await self.recorder.streams.tournament(done.loaded.stream)
        assert found is not None
        return found


def wins(one: str, other: str, about: str) -> bool:
    """The winner by lot, true for the first of two: the stronger one more often than not, the same at each telling."""
    ahead = MEMBERS.index(other) - MEMBERS.index(one)
    return below(words(f"demo {about} {one} {other}".encode()), 100) < 50 + 3 * ahead
