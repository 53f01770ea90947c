"""Several processes that serve on one port: their parent binds, migrates, keeps the embedded database, and serves
nothing.

Each worker has a socket of its own on the port, which stays open in the parent until all stop. A worker that ends is
replaced; three that end within a minute end all. Who connects meanwhile is led to one that stands by, or waits for the
next one.
"""

import asyncio
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import click
import msgspec
import psutil
import structlog
from prometheus_client import multiprocess

from service.http.measures import FOLDER
from service.processors import processors
from service.run.database import Database, ready
from service.run.entrance import Entrance
from service.run.notify import READY, STOPPING, notify
from service.run.pool import READERS, REQUESTS, WRITERS
from service.run.reviving import Reviver
from service.run.serve import announce, check, own_hosts
from service.run.server import bind, take_files
from service.run.settings import Settings
from service.run.signals import signals_to_stop
from service.run.worker import Task
from service.store.doctoring import most_connections
from service.store.patience import DatabaseProbe

DEATHS: Final = 3
WITHIN_SECONDS: Final = 60.0
START_SECONDS: Final = 60.0  # until a worker that does not answer is ended
STOP_SECONDS: Final = 20.0  # a worker needs half of that when everything hangs
CONNECTIONS: Final = REQUESTS + READERS + WRITERS + 3  # of a worker: its pools, who listens, a probe, a copy
SPARE: Final = 10  # connections for the commands of the owner
METRICS: Final = "lurch-metrics-"
STAND_BY: Final = "there are more workers than processors: some stand by, and take the place of one that ends"
LOGGER = structlog.get_logger()


class WorkersError(Exception):
    """The workers cannot be had here, or ended again and again; the message says what to do."""


def run(settings: Settings, count: int) -> None:
    """Serve with several workers until told to stop. Raises OSError for a port in use, EmbeddedError, WorkersError."""
    if not hasattr(socket, "SO_REUSEPORT"):
        raise WorkersError("this system lets no processes share a port: leave --workers out")
    check(settings)
    with ExitStack() as ends:
        listeners = [ends.enter_context(each) for each in bound(settings.host, settings.port, count)]
        here = own_hosts(msgspec.structs.replace(settings, port=listeners[0].getsockname()[1]))
        database = ends.enter_context(ready(settings, serves=True))
        _check_room(database.url, count)
        take_files()
        folder = ends.enter_context(metrics_folder())
        announce(database.url, here)
        workers = Workers(database, here, listeners, folder)
        for each in signals_to_stop():  # for good: a loop would give them back before the database has stopped
            signal.signal(each, lambda _, __: workers.stop())
        asyncio.run(workers.serve())


def bound(host: str, port: int, count: int) -> list[socket.socket]:
    """So many sockets on one port, which was nobody's. Raises OSError."""
    with bind(host, port) as first:  # one that shares would share with a service that runs already
        port = first.getsockname()[1]
    return [bind(host, port, shared=True) for _ in range(count)]


@contextmanager
def metrics_folder() -> Iterator[str]:
    """A folder for the figures of the workers; those of parents that were killed are taken away."""
    for left in Path(tempfile.gettempdir()).glob(f"{METRICS}*"):
        number = left.name.removeprefix(METRICS).partition("-")[0]
        if number.isdigit() and not psutil.pid_exists(int(number)):
            shutil.rmtree(left, ignore_errors=True)  # somebody else's stays
    with tempfile.TemporaryDirectory(prefix=f"{METRICS}{os.getpid()}-") as folder:
        yield folder


def _check_room(url: str, count: int) -> None:
    most = most_connections(url)
    if count * CONNECTIONS + SPARE > most:
        raise WorkersError(
            f"the database takes {most} connections, and each worker may need {CONNECTIONS}: take at most "
            f"{max(1, (most - SPARE) // CONNECTIONS)} workers, or raise max_connections of PostgreSQL"
        )


class Workers:
    """The workers on some sockets, and what their parent does for them."""

    def __init__(
        self, database: Database, settings: Settings, listeners: list[socket.socket], metrics_folder: str
    ) -> None:
        self.database, self.settings, self.listeners = database, settings, listeners
        self.metrics_folder = metrics_folder
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = asyncio.Event()
        self._entrance = Entrance(listeners, processors())
        self._answer = [asyncio.Event() for _ in listeners]
        self._deaths: deque[float] = deque(maxlen=DEATHS)
        self._failed = False

    async def serve(self) -> None:
        """Serve until told to stop. Raises WorkersError."""
        serving = len(self._entrance.serving)
        if standing_by := len(self.listeners) - serving:
            LOGGER.info(STAND_BY, serving=serving, standing_by=standing_by)
        self._loop = asyncio.get_running_loop()
        reviver = Reviver(self.database, DatabaseProbe(self.database.url), self._stopping)
        besides = (reviver.watch(), self._tell_when_all_answer(), self._close_when_it_stops())
        beside = [asyncio.create_task(each) for each in besides]
        try:
            async with asyncio.TaskGroup() as group:
                for number in range(len(self.listeners)):
                    group.create_task(self._keep(number))
        finally:
            for task in beside:
                task.cancel()
        if self._failed:
            raise WorkersError(f"{DEATHS} workers ended within a minute: what they said last stands above")

    def stop(self) -> None:
        """End all in order, once; from a handler of a signal. Before they have begun none begins."""
        if self._loop is None:
            self._stopping.set()
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stopping.set)

    async def _tell_when_all_answer(self) -> None:
        for each in self._answer:
            await each.wait()
        if notify(READY):
            await self._stopping.wait()
            notify(STOPPING)

    async def _close_when_it_stops(self) -> None:
        """Leave the port to the workers, which leave it when they stop: who calls after that is refused at once and
        does not wait for an answer that nobody gives."""
        await self._stopping.wait()
        for each in self.listeners:
            each.close()

    async def _keep(self, number: int) -> None:
        """A worker on the socket of this number, and another one when it ends, until all stop."""
        while not self._stopping.is_set():
            try:
                process = await self._start(self.listeners[number])
            except OSError as error:
                self._note_death(error=str(error))
                continue
            answers = self._answer[number]
            heard = asyncio.create_task(self._hear(process, answers))
            ended, stop = asyncio.create_task(process.wait()), asyncio.create_task(self._stopping.wait())
            answered = asyncio.create_task(answers.wait())
            await asyncio.wait((answered, ended, stop), timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if answered.done():
                self._entrance.answers(number)
                await asyncio.wait((ended, stop), return_when=asyncio.FIRST_COMPLETED)
            for each in (stop, answered):
                each.cancel()
            if not ended.done():
                await _stopped(process)
            self._entrance.ended(number)
            await heard
            answers.clear()
            multiprocess.mark_process_dead(process.pid, self.metrics_folder)
            if not self._stopping.is_set():
                self._note_death(process=process.pid, status=process.returncode)

    def _note_death(self, **of: str | int | None) -> None:
        LOGGER.warning("a worker has ended and is replaced", **of)
        self._deaths.append(time.monotonic())
        if len(self._deaths) == DEATHS and self._deaths[-1] - self._deaths[0] < WITHIN_SECONDS:
            self._failed = True
            self._stopping.set()

    async def _start(self, listener: socket.socket) -> asyncio.subprocess.Process:
        """A process that is told its task; what it says on standard error is ours."""
        number = listener.fileno()  # it may be closed here before the process has begun
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "service.run.worker",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, pass_fds=(number,),
            start_new_session=True,  # Ctrl-C reaches us alone: we stop them in order
            env={name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"}
            | {FOLDER: self.metrics_folder},
        )  # fmt: skip
        database, places = self.database, len(self._entrance.serving)
        embedded = database.embedded is not None
        task = Task(self.settings, database.url, database.owner_url, embedded, number, places)
        assert process.stdin is not None, "it is a pipe"
        process.stdin.write(msgspec.json.encode(task) + b"\n")
        return process

    async def _hear(self, process: asyncio.subprocess.Process, answers: asyncio.Event) -> None:
        """Hear until it ends whether a worker answers requests."""
        assert process.stdout is not None, "it is a pipe"
        async for line in process.stdout:
            if line.strip() == READY:
                answers.set()
            elif line.strip() != STOPPING:
                click.echo(line.decode(errors="replace"), nl=False)


async def _stopped(process: asyncio.subprocess.Process) -> None:
    """Stop a worker in order; one that hangs is killed."""
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
