"""Pages that follow what they show: said again whenever it has changed, the latest only."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

from litestar import Request, Response
from litestar.response import ServerSentEvent, ServerSentEventMessage

from service.api.events import PING
from service.live.hub import FullError
from service.services import Services

Now: TypeAlias = Callable[[int], Awaitable[tuple[int, str | None]]]  # told last -> what is now, and its text if new


def followed(request: Request[Any, Any, Any], services: Services, club: str, now: Now) -> Response[Any]:
    """Server-sent events for as long as the page is open; a reader that lags gets the latest only."""
    client = request.client.host if request.client else ""

    async def follow() -> AsyncIterator[ServerSentEventMessage]:
        hub, told = services.hub, 0
        try:
            with hub.follow(club, client) as flag:
                while not hub.closing.is_set():
                    flag.clear()
                    told, text = await now(told)
                    if text is not None:
                        yield ServerSentEventMessage(data=text)
                    try:
                        await asyncio.wait_for(flag.wait(), PING)
                    except TimeoutError:
                        yield ServerSentEventMessage(comment="ping", data=None)
        except FullError:
            yield ServerSentEventMessage(comment="too many open streams", data=None, retry=10_000)

    return ServerSentEvent(follow(), headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
