"""The desk without a door: services over a pool, a club, and callers with the rights that they are given."""

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
    """A request as a door makes it: its key, and the fingerprint of its content."""
    fingerprint = hashlib.sha256(content).digest()
    return Request(caller.by(), caller.actor(), key or new_id(), key is not None, fingerprint, expected)


class Process:
    """A process that serves: all services, over a pool."""

    def __init__(self, portal, pool):
        self.portal, self.services = portal, make_services(pool)

    def do(self, act, *given, **named):
        """Await something in the loop of the process."""
        return self.portal.call(partial(act, *given, **named))


class DeskRoom:
    """A club of its own, asked by callers that no door has made."""

    def __init__(self, process, url, public=False):
        self.process, self.services, self.url = process, process.services, url
        self.recorder = self.services.recorder
        self.id = self.do(self.recorder.found_club, "Desk", public, SERVICE)
        self.uuid = UUID(self.id)

    def do(self, act, *given, **named):
        return self.process.do(act, *given, **named)

    def state(self):
        """The club by now."""
        return self.do(self.services.streams.club, self.id).state

    def loaded(self):
        return self.do(self.services.streams.club, self.id)

    def match_of(self, match):
        return self.do(self.services.streams.match, str(match)).match

    def recorded(self):
        """The number of events in the log of the club."""
        with psycopg.connect(self.url) as connection:
            return connection.execute("select count(*) from events where club_id = %s", [self.id]).fetchone()[0]

    def events(self, stream):
        """The types of the events of a stream with the actor and the role that they were recorded by."""
        asked = "select type, actor, role from events where club_id = %s and stream_id = %s order by version"
        with psycopg.connect(self.url) as connection:
            return connection.execute(asked, [self.id, str(stream)]).fetchall()

    def refused(self, act, *given, slug=None, **named):
        """Ask for what has to be refused: the refusal, after which nothing is recorded."""
        before = self.recorded()
        try:
            done = self.do(act, *given, **named)
        except Refusal as refusal:
            assert self.recorded() == before, "something was recorded all the same"
            assert refusal.slug == (slug or refusal.slug), refusal.detail
            return refusal
        raise AssertionError(f"it was taken: {done}")

    def at_once(self, *acts):
        """Await all of these at the same time: what each of them answered, or raised."""

        async def together():
            return await asyncio.gather(*(act() for act in acts), return_exceptions=True)

        return self.do(together)

    def member(self, name):
        """A member of the club; the id."""
        return self.do(self.recorder.register, self.id, name, own_request(SERVICE))

    def granted(self, person, role, **scope):
        """Give a person a role, as the service itself."""
        self.do(self.recorder.on_stream, self.id, CLUB, GrantRole(person, role, **scope), own_request(SERVICE))
        return person

    def person(self, player):
        """The caller that a person is who has signed in on a device of his own, by the club's state as it is now."""

        async def club_of(club):
            found = await self.services.streams.club(club)
            return None if found is None else found.state

        held = Held(None, None, f"sign-in {new_id()}", people=((self.id, player),))
        return self.do(standing, held, club_of)

    def token(self, role, **scope):
        """The caller that a token of a role is, in this club if it is said of no other."""
        id_ = new_id()
        scope.setdefault("club", self.id)
        own = {"id": scope.get("person") or id_}
        return Caller(True, id_, role, f"token {id_}", rights=(Right(role, **own, **scope),))

    def by_code(self, match, player=None):
        """The caller who came in by the code of a table: under a name, or to keep the score."""
        right = Right("scorer" if player is None else "player", self.id, None, str(match), player, by_code=True)
        return Caller(True, None, None, f"sign-in {new_id()}", rights=(right,))

    def match(self, one="Annie", other="Benny", game="parity", **more):
        """A match between two people, named or (a UUID's length) known; its id."""
        sides = tuple((KnownPerson(each) if len(each) == 36 else each,) for each in (one, other))
        more.setdefault("race", {"target": 300})
        command = c.OpenMatch(game=game, options={}, sides=(), **more)
        done = self.do(self.recorder.open_match, self.id, command, sides, own_request(SERVICE))
        return UUID(done.loaded.stream)

    def record(self, caller, match, command, key=None, expected=None, content=b"", it_happened=False):
        """A command on a match, as every door records it, to be awaited by `do`, `refused` or `at_once`."""
        request = request_of(caller, key, expected, content)
        return partial(record, self.services, caller, match, command, request, it_happened)

    def write(self, caller, match, command, **more):
        """Record what has to be taken."""
        return self.do(self.record(caller, match, command, **more))

    def to_write(self, caller, match):
        return self.do(match_to_write, self.services, caller, match)
