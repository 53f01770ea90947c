"""The holders of a data directory, and the end of a server that lives there but does not answer.

Each process of PostgreSQL leads a group of its own, so no single signal reaches them all; what they share
is their working directory. They are ended without being asked: one that is stopped hears nothing. A shell that
somebody has opened there holds the directory too, and is left alone.
"""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import psutil

from service.run.binaries import EmbeddedError

MOST: Final = 3
WITHIN: Final = 600.0  # seconds


def holders(data: Path) -> list[psutil.Process]:
    """Every process that has the data directory as its own, whatever link led it there; who started the others
    comes first."""
    place = str(data.resolve())
    found = {}
    for process in psutil.process_iter(["cwd", "status", "ppid"]):
        if process.info["cwd"] == place and process.info["status"] != psutil.STATUS_ZOMBIE:
            found[process.pid] = process
    return sorted(found.values(), key=lambda process: process.info["ppid"] in found)


def servers(data: Path) -> list[psutil.Process]:
    """Those of them that are PostgreSQL, each followed by what it has started."""
    found = []
    for holder in holders(data):
        with contextlib.suppress(psutil.NoSuchProcess):
            if holder.name().startswith("postgres"):
                found += [holder, *holder.children(recursive=True)]
    return found


def end_all(data: Path) -> None:
    """SIGKILL to a whole server. Raises EmbeddedError where we may not."""
    for process in servers(data):
        with contextlib.suppress(psutil.NoSuchProcess):
            _kill(process, data)


def named(data: Path) -> str:
    """Names those who hold a data directory, for a person to look at."""
    told = []
    for each in holders(data):
        with contextlib.suppress(psutil.NoSuchProcess):
            told.append(f"process {each.pid} ({each.name()})")
    return ", ".join(told) or "nobody we can see"


def _kill(process: psutil.Process, data: Path) -> None:
    try:
        process.kill()
    except psutil.AccessDenied:
        raise EmbeddedError(
            f"process {process.pid} holds {data}, does not answer, and is not ours to end: end it by hand"
        ) from None


def note_end(ledger: Path, clock: Callable[[], float] = time.time) -> None:
    """Write down that a server is ended now, for every process that looks after it. Raises EmbeddedError when that
    was done too often of late: what makes it deaf is then not mended by starting it again."""
    moment = clock()
    recent = [each for each in _ends(ledger) if 0 <= moment - each < WITHIN]
    if len(recent) >= MOST:
        raise EmbeddedError(
            f"PostgreSQL does not answer and was started again {MOST} times in {WITHIN / 60:.0f} minutes already:"
            f" see {ledger.parent / 'postgres.log'}"
        )
    ledger.write_text("".join(f"{each!r}\n" for each in (*recent, moment)))


def _ends(ledger: Path) -> list[float]:
    try:
        return [float(line) for line in ledger.read_text().split()]
    except (OSError, ValueError):
        return []
