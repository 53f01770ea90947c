"""Feature services without an interface: services on a pool, a club, and callers with given rights."""

import asyncio
import hashlib
from functools import partial
from uuid import UUID

import psycopg

from domain.club.commands import GrantRole
from domain.log.actor import Right
from domain.log.decider import Refusal
from domain.match import commands as c
from service.desk.access import match_to_write
from service.desk.matches import record
from service.desk.requests import KnownPerson, Request, own_request
from service.run.wiring import make_services
from service.store.callers import Caller
from service.store.credentials import Held, standing
from service.store.ids import new_id
from service.store.kinds import CLUB
from service.store.log import By

SERVICE = By(None, "owner")
ODD, EVEN = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [5, 10]}


def request_of(caller, key=None, expected=None, content=b""):
    """Return a request as an interface makes it, with its key and the fingerprint of its content."""
    fingerprint = hashlib.sha256(content).digest()
    return Request(caller.by(), caller.actor(), key or new_id(), key is not None, fingerprint, expected)


class Process:
    """All services of one process, on a pool. `do` runs a coroutine function in the process's loop."""

    def __init__(self, portal, pool):
        self.portal, self.services = portal, make_services(pool)

    def do(self, act, *given, **named):
        return self.portal.call(partial(act, *given, **named))


class DeskRoom:
    """A club of its own, used by callers made directly instead of by an interface."""

    def __init__(self, process, url, public=False):
        self.process, self.services, self.url = process, process.services, url
        self.recorder = self.services.recorder
        self.id = self.do(self.recorder.found_club, "Desk", public, SERVICE)
        self.uuid = UUID(self.id)

    def do(self, act, *given, **named):
        return self.process.do(act, *given, **named)

    def state(self):
        return self.do(self.services.streams.club, self.id).state

    def loaded(self):
        return self.do(self.services.streams.club, self.id)

    def match_of(self, match):
        return self.do(self.services.streams.match, str(match)).match

    def recorded(self):
        """Return the number of events in the log of the club."""
        with psycopg.connect(self.url) as connection:
            return connection.execute("select count(*) from events where club_id = %s", [self.id]).fetchone()[0]

    def events(self, stream):
        """Return type, actor and role of each event of a stream."""
        asked = "select type, actor, role from events where club_id = %s and stream_id = %s order by version"
        with psycopg.connect(self.url) as connection:
            return connection.execute(asked, [self.id, str(stream)]).fetchall()

    def refused(self, act, *given, slug=None, **named):
        """Assert that an act is refused and records nothing; return the refusal."""
        before = self.recorded()
        try:
            done = self.do(act, *given, **named)
        except Refusal as refusal:
            assert self.recorded() == before, "something was recorded"
            assert refusal.slug == (slug or refusal.slug), refusal.detail
            return refusal
        raise AssertionError(f"not refused: {done}")

    def at_once(self, *acts):
        """Run these concurrently; return what each returned or raised."""

        async def together():
            return await asyncio.gather(*(act() for act in acts), return_exceptions=True)

        return self.do(together)

    def member(self, name):
        """Register a member of the club and return the id."""
        return self.do(self.recorder.register, self.id, name, own_request(SERVICE))

    def granted(self, person, role, **scope):
        """Grant a person a role, as the service itself."""
        self.do(self.recorder.on_stream, self.id, CLUB, GrantRole(person, role, **scope), own_request(SERVICE))
        return person

    def person(self, player):
        """Return the caller for a person signed in on a device of their own."""

        async def club_of(club):
            found = await self.services.streams.club(club)
            return None if found is None else found.state

        held = Held(None, None, f"sign-in {new_id()}", people=((self.id, player),))
        return self.do(standing, held, club_of)

    def token(self, role, **scope):
        """Return the caller for a token of this role, in this club by default."""
        id_ = new_id()
        scope.setdefault("club", self.id)
        own = {"id": scope.get("person") or id_}
        return Caller(True, id_, role, f"token {id_}", rights=(Right(role, **own, **scope),))

    def by_code(self, match, player=None):
        """Return the caller who used the code of a table, as a player or as the scorer."""
        right = Right("scorer" if player is None else "player", self.id, None, str(match), player, by_code=True)
        return Caller(True, None, None, f"sign-in {new_id()}", rights=(right,))

    def match(self, one="Annie", other="Benny", game="parity", **more):
        """Open a match between two people, given by name or by id, and return its id."""
        sides = tuple((KnownPerson(each) if len(each) == 36 else each,) for each in (one, other))
        more.setdefault("race", {"target": 300})
        command = c.OpenMatch(game=game, options={}, sides=(), **more)
        done = self.do(self.recorder.open_match, self.id, command, sides, own_request(SERVICE))
        return UUID(done.loaded.stream)

    def record(self, caller, match, command, key=None, expected=None, content=b"", it_happened=False):
        """Return a command on a match as an act for `do`, `refused` or `at_once`."""
        request = request_of(caller, key, expected, content)
        return partial(record, self.services, caller, match, command, request, it_happened)

    def write(self, caller, match, command, **more):
        return self.do(self.record(caller, match, command, **more))

    def to_write(self, caller, match):
        return self.do(match_to_write, self.services, caller, match)
