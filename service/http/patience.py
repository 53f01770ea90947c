"""The patience of a request: while the database does not serve it is refused, whatever it waits for."""

import asyncio
from collections.abc import Callable
from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.store.patience import SILENCE, DatabaseProbe, SilentError, cancel_without_waiting

ASK_AFTER: Final = 2.0  # seconds of a request, then again
REQUEST_SILENCE: Final = 4.0


def answered_in_time(asker: DatabaseProbe) -> Callable[[ASGIApp], ASGIApp]:
    """Middleware: a request that waits while the database does not serve is refused, whatever it waits for. Raises
    SilentError. One that is slow for another reason is left alone, and so is an answer that has begun."""

    def patient(app: ASGIApp) -> ASGIApp:
        async def call(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != ScopeType.HTTP:
                await app(scope, receive, send)
                return
            begun = given_up = False

            async def say(message: Message) -> None:
                nonlocal begun
                if not given_up:
                    begun = True
                    await send(message)

            SILENCE.set(REQUEST_SILENCE)
            task = asyncio.ensure_future(app(scope, receive, say))
            try:
                while not (await asyncio.wait({task}, timeout=ASK_AFTER))[0] and not begun:
                    if not await asker.serves() and not begun and not task.done():
                        given_up = True
                        raise SilentError("the database does not answer")
                await task
            finally:
                if not task.done():
                    cancel_without_waiting(task)

        return call

    return patient
