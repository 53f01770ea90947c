"""A club with a webhook, a clock set by hand, and the webhook sender."""

from datetime import UTC, datetime, timedelta

from domain.match import commands as c
from service.cli import clerk
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store import log
from service.store import webhooks as rows
from service.store.ids import new_id
from service.store.streams import Streams
from service.webhooks import signing
from service.webhooks.courier import Courier
from service.webhooks.sending import Sender
from tests.conftest import with_pool
from tests.kit.faults.processes import until
from tests.kit.logs import tail

RESULT = c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]})


class Clock:
    """A clock set by hand, so far ahead that no sender with a real clock finds anything due."""

    def __init__(self):
        self.moment = datetime(2100, 1, 1, 19, 30, tzinfo=UTC)

    def __call__(self):
        return self.moment

    def passes(self, **time):
        self.moment += timedelta(**time)


class Scene:
    """A club with a webhook and a match whose results are delivered."""

    def __init__(self, database, club, url, types=None, clock=None, maker=None):
        self.database, self.club, self.clock = database, club, clock or Clock()
        self.secret, self.match = signing.make_secret(), None
        hook = self.on_pool(
            lambda pool: rows.create(pool, club, new_id(), url, self.secret, types, self.clock(), None, b"", maker)
        )
        self.id, self.since = hook.id, hook.position

    def on_pool(self, act):
        return with_pool(self.database, act)

    def record(self, results=1):
        """Record results in the match, which is opened first if necessary."""

        async def act(pool):
            recorder = Recorder(Streams(pool))
            if self.match is None:
                opening = c.OpenMatch(game="parity", options={}, race={"target": 100_000}, sides=())
                people = (("Annie",), ("Benny",))
                done = await recorder.open_match(self.club, opening, people, own_request(clerk.CLERK))
                self.match = done.loaded.stream
            for _ in range(results):
                await recorder.match(self.match, RESULT, own_request(clerk.CLERK))

        self.on_pool(act)

    def wanted(self):
        """Return position and type of every event since the webhook was made."""

        async def act(pool):
            return [(each.event.position, each.event.type) async for each in tail(pool, self.club, self.since)]

        return self.on_pool(act)

    def positions(self):
        return [position for position, _ in self.wanted()]

    def courier(self, pool, **more):
        return Courier(pool, Sender(True, more.pop("seconds", 20.0)), self.clock, lambda: 0.0, **more)

    async def due(self, courier):
        """Return this webhook if it is due; release those of other tests."""
        found = await courier.due(1000)
        for hook in found:
            if hook.id != self.id:
                await rows.release(courier.pool, hook)
        return [hook for hook in found if hook.id == self.id]

    async def settled(self, pool, **more):
        """Deliver until nothing is due and return whether everything arrived."""
        courier = self.courier(pool, **more)
        while hooks := await self.due(courier):
            await courier.deliver(*hooks)
        return (await rows.find(pool, self.club, self.id)).position == await log.last_position(pool, self.club)

    def arrived(self):
        """Wait until everything arrived."""
        return until(self.deliver)

    def deliver(self, **more):
        return self.on_pool(lambda pool: self.settled(pool, **more))

    @property
    def hook(self):
        return self.on_pool(lambda pool: rows.find(pool, self.club, self.id))

    @property
    def attempts(self):
        return self.on_pool(lambda pool: rows.attempts(pool, self.club, self.id))
