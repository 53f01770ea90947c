"""Limits on waiting for the database: a few seconds of silence for a request, and never without end.

A server may live and say nothing: stopped, or behind a network that swallows everything. psycopg then waits for as
long as the server likes, and when its wait is cancelled for ten seconds more. (libpq's own ping is no way to ask:
psycopg holds the interpreter's lock for as long as that waits.)
"""

import asyncio
import math
import time
from collections.abc import Coroutine
from contextvars import ContextVar
from typing import Any, Final, TypeAlias, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

CONNECT_SECONDS: Final = 2
WORK_SILENCE: Final = 15.0  # longer than any statement may take (service/store/roles.py)
SILENCE: Final = ContextVar("SILENCE", default=WORK_SILENCE)
Answer = TypeVar("Answer")
Work: TypeAlias = Coroutine[Any, Any, Answer]
AnyFuture: TypeAlias = asyncio.Future[Any]  # one whose answer nobody takes
_LEFT: Final[set[AnyFuture]] = set()


class SilentError(psycopg.OperationalError):
    """The database says nothing."""


def _heard(waiting: PQGen[Answer], seconds: float) -> PQGen[Answer]:
    """Pass on a wait of psycopg until nothing was heard for so long; psycopg asks ten times a second."""
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


class PatientConnection(psycopg.AsyncConnection[TupleRow]):
    """A connection that is given up, and closed, when it says nothing for too long; with how often, and when
    last, its pool has lent it."""

    used_at: float = -math.inf
    uses: int = 0

    async def wait(self, gen: PQGen[Answer], *more: Any, **named: Any) -> Answer:
        """Wait for a statement. Raises SilentError."""
        try:
            return await super().wait(_heard(gen, SILENCE.get()), *more, **named)
        except SilentError:
            self.pgconn.finish()
            raise


class DatabaseProbe:
    """Asks a database if it serves; several who ask at once share one question."""

    def __init__(self, url: str) -> None:
        self.url = make_conninfo(url, password="", connect_timeout=CONNECT_SECONDS)
        self._question: asyncio.Task[bool] | None = None

    async def serves(self) -> bool:
        """Ask if the database takes a connection in time."""
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


def cancel_without_waiting(task: AnyFuture) -> None:
    """Cancel something and wait for it no longer: it may take its time over that."""
    task.cancel()
    _LEFT.add(task)
    task.add_done_callback(_forgotten)


def _forgotten(task: AnyFuture) -> None:
    _LEFT.discard(task)
    if not task.cancelled():
        task.exception()  # else it is logged as one that nobody has heard of


async def within(seconds: float, work: Work[Answer]) -> Answer:
    """The answer of some work in this time. Raises SilentError; it does not wait for the end of the work, as
    `asyncio.timeout` would."""
    task = asyncio.create_task(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            cancel_without_waiting(task)
    if not done:
        raise SilentError("the database does not answer")
    return task.result()
