"""Commands that work at the same embedded server: who started it stops it when none of the others is at work.

The server ends with the process that started it. A long import would else be cut off by a short command that came a
moment before it and started the server.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click
import fasteners

from service.run.embedded import Embedded
from service.run.signals import undisturbed

PAUSE: Final = 0.05
TOLD_AFTER: Final = 2.0  # seconds of waiting, until the terminal is told why its command has not ended
WAITS: Final = (
    "this command is done, and waits for another one, which uses the database that this one started. Ctrl-C ends both"
)


@contextmanager
def served(embedded: Embedded) -> Iterator[None]:
    """A server for a service, started or attached to; at the end it is stopped if we started it, whoever uses it.
    Raises EmbeddedError, OSError."""
    embedded.start()
    try:
        yield
    finally:
        _stop(embedded)


@contextmanager
def at_work(embedded: Embedded) -> Iterator[None]:
    """The same for a command: at the end it waits until no other command uses what it started. A service is not waited
    for, it starts a server of its own when this one ends. Raises EmbeddedError, OSError."""
    embedded.start()
    commands = fasteners.InterProcessReaderWriterLock(embedded.root / "at-work")
    commands.acquire_read_lock()
    try:
        embedded.start()  # who had started it may have stopped it while we came
        yield
    finally:
        commands.release_read_lock()
        if embedded.started_here:
            _stop_alone(embedded, commands)


def _stop_alone(embedded: Embedded, commands: fasteners.InterProcessReaderWriterLock) -> None:
    """Stops a server of ours when no other command is at work; who comes meanwhile waits, and starts it again."""
    alone = False
    try:
        _wait_for(commands)
        alone = True
    finally:  # Ctrl-C while we wait
        _stop(embedded)
        if alone:
            commands.release_write_lock()


def _wait_for(commands: fasteners.InterProcessReaderWriterLock) -> None:
    begun, told = time.monotonic(), False
    while not commands.acquire_write_lock(blocking=False):
        if not told and time.monotonic() - begun > TOLD_AFTER:
            click.echo(WAITS, err=True)
            told = True
        time.sleep(PAUSE)


def _stop(embedded: Embedded) -> None:
    with undisturbed():
        embedded.stop()
