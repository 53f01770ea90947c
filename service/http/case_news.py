"""News of a club's cases for those who direct: the queue, sent again whenever it has changed. Nobody else hears."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Final

import psycopg
from litestar.response import Stream

from domain.log.decider import Refusal
from service.desk.services import Services
from service.http import frames
from service.http.streaming import FULL, HEADERS, FollowRequest, end
from service.live.feed import AGAIN, GONE, PING, STOPPING
from service.live.room import FullError
from service.store.callers import Caller

BEAT: Final = 5.0  # seconds after which whoever listens is asked again who he is
Drawn = Callable[[Caller], Awaitable[str]]


def told_of_cases(services: Services, asked: FollowRequest, draw: Drawn, ping: bytes = frames.PING) -> Stream:
    """The answer: `draw` makes the queue for a caller, and refuses whom it does not concern any more."""
    return Stream(_going_on(services, asked, draw, ping), media_type="text/event-stream", headers=HEADERS)


async def _going_on(services: Services, asked: FollowRequest, draw: Drawn, ping: bytes) -> AsyncIterator[bytes]:
    """The stream as bytes, its end and the reason included."""
    hub = services.hub
    try:
        with hub.room.enter(asked.whose, "cases"), hub.follow(asked.club, closed=True) as news:
            yield frames.OPEN
            last, quiet = "", 0.0
            while not hub.closing.is_set():
                news.clear()
                try:
                    drawn = await draw(await _again(services, asked))
                except Refusal as refusal:
                    yield end(refusal)
                    return
                except (
                    psycopg.Error,
                    OSError,
                ):  # the database is away: whoever listens stays, and hears the rest later
                    await asyncio.sleep(AGAIN)
                    continue
                if drawn != last:
                    last, quiet = drawn, 0.0
                    yield frames.message(drawn)
                elif quiet >= PING:
                    quiet = 0.0
                    yield ping
                with suppress(TimeoutError):
                    async with asyncio.timeout(BEAT):
                        await news.wait()
                quiet += BEAT
            yield end(STOPPING)
    except FullError:
        yield frames.LATER + end(FULL)


async def _again(services: Services, asked: FollowRequest) -> Caller:
    """Looks up anew who listens. Raises Refusal for a caller who is nobody any more."""
    if asked.credential is None:
        return asked.caller
    found = (await services.doors.again([asked.credential])).get(asked.credential)
    if found is None:
        raise GONE[asked.credential[0]]
    return found
