"""The courier: takes each webhook that has something to tell, sends the next events, and writes down what came of it.

Claim, batch and result are rows of the database, so whatever dies in between is gone on with, by the same id.
"""

import asyncio
import random
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

import msgspec
import psycopg
import structlog
from prometheus_client import Counter
from psycopg_pool import AsyncConnectionPool

from domain import codec
from domain.club.devices import Devices
from projections.event_place import placed
from projections.event_view import event_view
from service.devices import DeviceBook
from service.recording import new_id, now
from service.store import log
from service.store.log import Stored
from service.webhooks import rows
from service.webhooks.pauses import after
from service.webhooks.rows import Attempt, Webhook
from service.webhooks.sending import Answer, Sender
from service.webhooks.signing import headers

SLOTS: Final = 16
PAGE: Final = 200  # events that are read for a delivery
MOST: Final = 50  # events in one
BYTES: Final = 200_000
GATHER: Final = 0.25  # seconds
PATIENCE: Final = 5.0
REVOKED: Final = "the token that it was made with was revoked: `enable` it with another"
LOGGER = structlog.get_logger()
TRIED: Final = Counter("lurch_webhook_attempts_total", "Deliveries tried", ["outcome"])


class Batch(msgspec.Struct, frozen=True):
    """The next delivery of a webhook: its events, and how far it reaches. Without events nothing is sent."""

    body: bytes
    upto: int
    first: int | None
    events: int


def outside(each: Stored, devices: Devices) -> msgspec.Raw:
    """An event as the public sees it while its deal is on: the same in every attempt, and never a hidden card."""
    view = event_view(each.event, None, False, None, each.hash, devices=devices)
    return msgspec.Raw(codec.encode_plain(placed(each.event, view)))


def body_of(club: str, events: list[msgspec.Raw], **more: Any) -> bytes:
    """A delivery's body."""
    return codec.encode_plain({"club": club, "events": events, **more})


def packed(hook: Webhook, page: list[Stored], devices: Devices) -> Batch:
    """The first events of a page that the webhook wants; what was begun before is the same again."""
    events: list[msgspec.Raw] = []
    first, upto, size = None, hook.position, 0
    for each in page:
        if hook.types is not None and each.event.type not in hook.types:
            continue
        event = outside(each, devices)
        size += len(bytes(event))
        if hook.pending is None and events and (len(events) == MOST or size > BYTES):
            break
        events.append(event)
        first, upto = first or each.event.position, each.event.position
    if not events and page:
        upto = page[-1].event.position
    return Batch(body_of(hook.club, events), upto, first, len(events))


class Courier:
    """Delivers for every club. `clock` and `chance` are injected for tests."""

    def __init__(
        self, pool: AsyncConnectionPool[Any], sender: Sender, clock: Callable[[], datetime] = now,
        chance: Callable[[], float] = random.random,
    ) -> None:  # fmt: skip
        self.pool = pool
        self.devices = DeviceBook(pool)
        self.sender = sender
        self.clock = clock
        self.chance = chance
        self.closing = asyncio.Event()

    async def follow(self, news: asyncio.Event, closing: asyncio.Event) -> None:
        """Deliver what is due, whenever there is news or a pause may be over, until cancelled; then what is under
        way is broken off, and will be sent again."""
        self.closing = closing
        under_way: set[asyncio.Task[None]] = set()

        def ended(task: asyncio.Task[None]) -> None:
            under_way.discard(task)
            news.set()

        async with asyncio.TaskGroup() as group:
            while True:
                news.clear()
                for hook in await self.due(SLOTS - len(under_way)):
                    task = group.create_task(self.deliver(hook))
                    under_way.add(task)
                    task.add_done_callback(ended)
                try:
                    async with asyncio.timeout(PATIENCE):
                        await news.wait()
                except TimeoutError:
                    continue
                await asyncio.sleep(GATHER)  # more will come, and goes together

    async def due(self, most: int = SLOTS) -> list[Webhook]:
        """Claim what is due; nothing while the database is away."""
        if most <= 0:
            return []
        try:
            return await rows.claim(self.pool, self.clock(), most)
        except (psycopg.Error, OSError) as error:
            LOGGER.warning("webhooks wait for the database", error=str(error))
            return []

    async def deliver(self, hook: Webhook) -> None:
        """One attempt for a webhook that was claimed. Whatever goes wrong is this webhook's own trouble."""
        try:
            await self._deliver(hook)
        except asyncio.CancelledError:
            await self._release(hook)
            raise
        except (psycopg.Error, OSError) as error:
            LOGGER.warning("a webhook waits for the database", webhook=hook.id, error=str(error))
        except Exception:
            LOGGER.exception("a delivery could not be made up", webhook=hook.id)
            await self._unmade(hook)

    async def _deliver(self, hook: Webhook) -> None:
        limit = PAGE if hook.pending is None else hook.pending - hook.position
        page = await log.read_club(self.pool, hook.club, hook.position, limit)
        if not await rows.stands(self.pool, hook):  # asked after the page was read: nothing later than that is sent
            over = msgspec.structs.replace(hook, disabled_at=self.clock(), disabled_because=REVOKED)
            await rows.save(self.pool, hook, over, None)
            return
        batch = packed(hook, page, await self.devices.of(hook.club))
        if not batch.events:
            passed = msgspec.structs.replace(hook, position=batch.upto, pending=None)
            await rows.save(self.pool, hook, passed, None)
            return
        begun = await rows.begin(self.pool, hook, batch.upto)
        if begun is None:
            return
        if self.closing.is_set():
            await self._release(hook)
            return
        message = f"{hook.id}_{batch.upto}"
        at = self.clock()
        answer = await self._send(hook, message, batch.body, at)
        attempt = Attempt(
            message, at, batch.first, batch.upto, batch.events, answer.milliseconds, answer.status, answer.error
        )
        await rows.save(self.pool, hook, after(begun, answer, self.clock(), self.chance()), attempt)

    async def _send(self, hook: Webhook, message: str, body: bytes, at: datetime) -> Answer:
        answer = await self.sender.post(hook.url, body, headers(hook.secret, message, at, body))
        TRIED.labels("delivered" if answer.good else "failed").inc()
        return answer

    async def _unmade(self, hook: Webhook) -> None:
        """Events that cannot be read by this version are tried again later, like a receiver that fails."""
        answer = Answer(error=f"the events behind position {hook.position} could not be read: see the service's log")
        try:
            await rows.save(self.pool, hook, after(hook, answer, self.clock(), self.chance()), None)
        except (psycopg.Error, OSError):
            return  # the claim ends by itself

    async def _release(self, hook: Webhook) -> None:
        try:
            async with asyncio.timeout(1):
                await rows.release(self.pool, hook)
        except (psycopg.Error, OSError):
            return  # as above; a TimeoutError is an OSError

    async def ping(self, hook: Webhook) -> Attempt:
        """A signed delivery without events, now; it moves nothing."""
        at, message = self.clock(), f"{hook.id}_ping_{new_id()}"
        answer = await self._send(hook, message, body_of(hook.club, [], ping=True), at)
        attempt = Attempt(message, at, None, None, 0, answer.milliseconds, answer.status, answer.error)
        await rows.note(self.pool, hook, attempt)
        return attempt
