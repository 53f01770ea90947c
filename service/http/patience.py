"""The patience of a request: while the database does not serve it is refused, whatever it waits for."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import structlog
from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.http.answers import AnyResponse
from service.http.caller import AnyRequest
from service.store.patience import SILENCE, DatabaseProbe, SilentError

ASK_AFTER: Final = 2.0  # seconds of a request, then again
REQUEST_SILENCE: Final = 4.0
LOGGER: Final = structlog.get_logger()
Refuse: TypeAlias = Callable[[AnyRequest, SilentError], AnyResponse]


def answered_in_time(asker: DatabaseProbe, refuse: Refuse) -> Callable[[ASGIApp], ASGIApp]:
    """Middleware: a request that waits while the database does not serve is refused, whatever it waits for; `refuse`
    makes the answer. One that is slow for another reason is left alone, and so is an answer that has begun."""

    def patient(app: ASGIApp) -> ASGIApp:
        async def call(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != ScopeType.HTTP:
                await app(scope, receive, send)
                return
            SILENCE.set(REQUEST_SILENCE)
            watch = _Watch(asker, send, lambda: _refused(refuse, scope, receive, send))
            try:
                await app(scope, receive, watch.say)
            except (Exception, asyncio.CancelledError):
                if not watch.given_up:
                    raise
            finally:
                await watch.end()

        return call

    return patient


async def _refused(refuse: Refuse, scope: Scope, receive: Receive, send: Send) -> None:
    request: AnyRequest = Request(scope, receive, send)
    answer = refuse(request, SilentError("the database does not answer"))
    await answer.to_asgi_response(None, request)(scope, receive, send)


class _Watch:
    """A look at one request from time to time, by a timer: nearly all are answered before it goes off, and a task for
    each of them costs more than the rest of this door. The answer of one that was given up is heard by nobody."""

    def __init__(self, asker: DatabaseProbe, send: Send, refuse: Callable[[], Awaitable[None]]) -> None:
        self._asker, self._send, self._refuse = asker, send, refuse
        self._request = asyncio.current_task()
        self._look: asyncio.Task[None] | None = None
        self._begun = False
        self.given_up = False
        self._arm()

    async def say(self, message: Message) -> None:
        """Pass a message on, unless it comes too late."""
        if not self.given_up:
            self._begun = True
            await self._send(message)

    async def end(self) -> None:
        """The request has ended; a refusal that is on its way goes out first."""
        self._timer.cancel()
        if self._look is None:
            return
        if not self.given_up:
            self._look.cancel()
            return
        if self._request is not None:
            self._request.uncancel()  # what runs in its task from here on may run to its end
        await self._look

    def _arm(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(ASK_AFTER, self._wonder)

    def _wonder(self) -> None:
        if not self._begun:
            self._look = asyncio.create_task(self._ask())

    async def _ask(self) -> None:
        try:
            serves = await self._asker.serves()
        except Exception:  # nobody knows: it is looked at again
            LOGGER.exception("whether the database serves could not be asked")
            serves = True
        if self._begun:
            return
        if serves:
            self._arm()
            return
        self.given_up = True
        if self._request is not None:
            self._request.cancel()  # it may take its time over that, and nobody waits for it
        await self._refuse()
