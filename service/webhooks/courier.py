"""The courier, a worker beside requests: claims webhooks with new events, sends the next ones, and saves the result.

Claim, delivery and result are rows of the database, so another process can go on after a crash, under the same id.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

import msgspec
import psycopg
import structlog

from domain import codec
from domain.club.devices import Devices
from domain.club.state import Club
from domain.log.event import Json
from projections.event_place import placed
from projections.event_view import event_view
from service.store import log
from service.store import webhooks as rows
from service.store.device_book import DeviceBook
from service.store.doorkeeper import still_holds
from service.store.ids import new_id, now
from service.store.log import Stored
from service.store.meters import TRIED
from service.store.pool import Pool
from service.store.streams import Streams
from service.store.webhooks import Attempt, Webhook
from service.webhooks.pauses import after_attempt
from service.webhooks.sending import ReceiverAnswer, Sender
from service.webhooks.signing import headers

SLOTS: Final = 16
PAGE: Final = 200  # events that are read for a delivery
MOST: Final = 50  # events in one
BYTES: Final = 200_000
GATHER: Final = 0.25  # seconds
PATIENCE: Final = 5.0
HELD: Final = timedelta(seconds=1)  # until it is looked again whether what is held back may be told
KEEPERS: Final = frozenset({"owner", "secretary", "director"})  # who makes webhooks, and answers for them
REVOKED: Final = "the token that it was made with was revoked, or its maker's role has ended: `enable` it anew"
LOGGER = structlog.get_logger()


class Delivery(msgspec.Struct, frozen=True):
    """The next delivery of a webhook: its events, and the last position in it. Without events nothing is sent."""

    body: bytes
    upto: int
    first: int | None
    events: int


def public_event(each: Stored, devices: Devices) -> msgspec.Raw:
    """An event as the public sees it during its deal: the same in every attempt, and never a hidden card."""
    view = event_view(each.event, None, None, each.hash, devices=devices)
    return msgspec.Raw(codec.encode_plain(placed(each.event, view)))


def body_of(club: str, events: list[msgspec.Raw], **more: Json) -> bytes:
    """The body of a delivery."""
    return codec.encode_plain({"club": club, "events": events, **more})


def next_delivery(hook: Webhook, page: list[Stored], devices: Devices) -> Delivery:
    """The first events of a page that the webhook wants; a delivery that was begun before is the same again."""
    events: list[msgspec.Raw] = []
    first, upto, size = None, hook.position, 0
    for each in page:
        if hook.types is not None and each.event.type not in hook.types:
            continue
        event = public_event(each, devices)
        size += len(bytes(event))
        if hook.pending is None and events and (len(events) == MOST or size > BYTES):
            break
        events.append(event)
        first, upto = first or each.event.position, each.event.position
    if not events and page:
        upto = page[-1].event.position
    return Delivery(body_of(hook.club, events), upto, first, len(events))


class Courier:
    """Delivers for every club. `clock` and `chance` are injected for tests."""

    def __init__(
        self,
        pool: Pool,
        sender: Sender,
        clock: Callable[[], datetime] = now,
        chance: Callable[[], float] = random.random,
        streams: Streams | None = None,
        end: Callable[[str], Awaitable[int | None]] | None = None,
    ) -> None:
        self.pool = pool
        self.streams = streams or Streams(pool)
        self.devices = DeviceBook(pool)
        self.sender = sender
        self.end = end
        self.clock = clock
        self.chance = chance
        self.closing = asyncio.Event()

    async def follow(self, news: asyncio.Event, closing: asyncio.Event) -> None:
        """Deliver due webhooks at any news and at the end of pauses, until cancelled. A delivery that is broken off
        then will be sent again."""
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
        """Claim webhooks that are due; none while the database is away."""
        if most <= 0:
            return []
        try:
            return await rows.claim(self.pool, self.clock(), most)
        except (psycopg.Error, OSError) as error:
            LOGGER.warning("webhooks wait for the database", error=str(error))
            return []

    async def deliver(self, hook: Webhook) -> None:
        """Make one attempt for a claimed webhook; its errors touch no other webhook."""
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
        if not await self._stands(hook):  # asked behind the page: no later event is sent
            over = msgspec.structs.replace(hook, disabled_at=self.clock(), disabled_because=REVOKED)
            await rows.save(self.pool, hook, over, None)
            return
        end = None if self.end is None or hook.pending is not None else await self.end(hook.club)
        if end is not None:  # asked behind the page: what is held back from everybody waits for its time
            page = [each for each in page if each.event.position <= end]
            if not page:
                later = msgspec.structs.replace(hook, next_try_at=self.clock() + HELD)
                await rows.save(self.pool, hook, later, None)
                return
        batch = next_delivery(hook, page, await self.devices.of(hook.club))
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
        await rows.save(self.pool, hook, after_attempt(begun, answer, self.clock(), self.chance()), attempt)

    async def _stands(self, hook: Webhook) -> bool:
        """Asks whether the token or person that it was made by may still make it."""
        if hook.maker is None:
            return True
        return await still_holds(self.pool, self._club_of, hook.club, hook.maker, KEEPERS)

    async def _club_of(self, club: str) -> Club | None:
        loaded = await self.streams.club(club)
        return None if loaded is None else loaded.state

    async def _send(self, hook: Webhook, message: str, body: bytes, at: datetime) -> ReceiverAnswer:
        answer = await self.sender.post(hook.url, body, headers(hook.secret, message, at, body))
        TRIED.labels("delivered" if answer.good else "failed").inc()
        return answer

    async def _unmade(self, hook: Webhook) -> None:
        """Try events that this version cannot read again later, like those of a failing receiver."""
        answer = ReceiverAnswer(
            error=f"the events behind position {hook.position} could not be read: see the service's log"
        )
        try:
            await rows.save(self.pool, hook, after_attempt(hook, answer, self.clock(), self.chance()), None)
        except (psycopg.Error, OSError):
            return  # the claim ends by itself

    async def _release(self, hook: Webhook) -> None:
        try:
            async with asyncio.timeout(1):
                await rows.release(self.pool, hook)
        except (psycopg.Error, OSError):
            return  # as above; a TimeoutError is an OSError

    async def ping(self, hook: Webhook) -> Attempt:
        """Send a signed delivery without events at once; the webhook stays at its position."""
        at, message = self.clock(), f"{hook.id}_ping_{new_id()}"
        answer = await self._send(hook, message, body_of(hook.club, [], ping=True), at)
        attempt = Attempt(message, at, None, None, 0, answer.milliseconds, answer.status, answer.error)
        await rows.add_attempt(self.pool, hook, attempt)
        return attempt
