"""How long anybody waits for the database: a request for a few seconds of silence, nobody for ever.

A server may live and say nothing: stopped, or behind a network that swallows everything. psycopg then waits for as
long as the server likes, and when its wait is cancelled for ten seconds more. (libpq's own ping is no way to ask:
psycopg holds the interpreter's lock for as long as that waits.)
"""

import asyncio
import time
from collections.abc import Coroutine, Generator
from contextvars import ContextVar
from typing import Any, Final, TypeVar

import psycopg
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from psycopg.conninfo import make_conninfo

ASK_AFTER: Final = 2.0  # seconds of a request, then again
CONNECT_SECONDS: Final = 2
REQUEST_SILENCE: Final = 4.0
WORK_SILENCE: Final = 15.0  # longer than any statement may take (service/roles.py)
SILENCE: Final = ContextVar("SILENCE", default=WORK_SILENCE)
Answer = TypeVar("Answer")
_LEFT: Final[set[asyncio.Future[Any]]] = set()


class SilentError(psycopg.OperationalError):
    """The database says nothing."""


def _heard(waiting: Generator[Any, Any, Answer], seconds: float) -> Generator[Any, Any, Answer]:
    """What psycopg waits for, until nothing was heard for so long. It comes by ten times a second."""
    last = time.monotonic()
    try:
        wanted = next(waiting)
        while True:
            ready = yield wanted
            if ready:
                last = time.monotonic()
            elif time.monotonic() - last > seconds:
                raise SilentError("the database does not answer")
            wanted = waiting.send(ready)
    except StopIteration as end:
        answer: Answer = end.value
        return answer


class Line(psycopg.AsyncConnection[Any]):
    """A connection that is given up, and closed, when it says nothing for too long."""

    async def wait(self, gen: Any, *more: Any, **named: Any) -> Any:
        """Wait for a statement. Raises SilentError."""
        try:
            return await super().wait(_heard(gen, SILENCE.get()), *more, **named)
        except SilentError:
            self.pgconn.finish()
            raise


class Asker:
    """Asks a database whether it serves; who asks while a question is open hears the same answer."""

    def __init__(self, url: str) -> None:
        self.url = make_conninfo(url, password="", connect_timeout=CONNECT_SECONDS)
        self._question: asyncio.Task[bool] | None = None

    async def serves(self) -> bool:
        """Whether it takes a connection, soon."""
        if self._question is None or self._question.done():
            self._question = asyncio.create_task(self._ask())
        return await asyncio.shield(self._question)

    async def _ask(self) -> bool:
        """Being asked for a password is answer enough, and costs a third of giving it."""
        try:
            async with await psycopg.AsyncConnection.connect(self.url):
                return True
        except (psycopg.Error, OSError) as error:
            found = getattr(error, "pgconn", None)
            return bool(found is not None and found.needs_password)


def leave(task: asyncio.Future[Any]) -> None:
    """Cancel something and wait for it no longer: it may take its time over that."""
    task.cancel()
    _LEFT.add(task)
    task.add_done_callback(_forgotten)


def _forgotten(task: asyncio.Future[Any]) -> None:
    _LEFT.discard(task)
    if not task.cancelled():
        task.exception()  # else it is logged as one that nobody has heard of


async def within(seconds: float, work: Coroutine[Any, Any, Answer]) -> Answer:
    """What the work answers in this time. Raises SilentError. `asyncio.timeout` would wait for its end."""
    task = asyncio.create_task(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            leave(task)
    if not done:
        raise SilentError("the database does not answer")
    return task.result()


def answered_in_time(asker: Asker) -> Any:
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
                    leave(task)

        return call

    return patient
