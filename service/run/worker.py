"""One of several processes that serve: it is told everything on standard input, and ends when that does."""

import os
import signal
import socket
import sys
import threading
import time
from typing import Final

import msgspec

from service.http.limits import RATES, Limits
from service.live.hub import Hub
from service.live.room import PLACES, Room
from service.processors import take_whole_turns
from service.run import tracing
from service.run.app import create_app
from service.run.database import Database
from service.run.embedded import Embedded
from service.run.logs import configure
from service.run.server import serve
from service.run.settings import Settings

STOP_SECONDS: Final = 15.0  # for a stop in order that nobody watches


class Task(msgspec.Struct, frozen=True):
    """What a worker is told: the settings, the URLs of the database and whether it is the embedded one, the number of
    the socket that it serves on, and how many workers serve at a time."""

    settings: Settings
    url: str
    owner_url: str
    embedded: bool
    listener: int
    serving: int


def work(task: Task) -> None:
    """Serve until told to stop."""
    settings, serving = task.settings, task.serving
    configure(settings.log)
    if settings.traces:
        tracing.begin()
    embedded = Embedded(settings.data) if task.embedded else None
    app = create_app(
        Database(task.url, task.owner_url, embedded, ours=False),
        settings,
        lambda: Hub(Room(PLACES.among(serving))),
        limits=Limits(RATES.among(serving)),
    )
    with socket.socket(fileno=task.listener) as listener:
        serve(app, listener, settings.cert, settings.key, _tell_parent)


def _tell_parent(word: bytes) -> bool:
    try:
        os.write(sys.stdout.fileno(), word + b"\n")
    except OSError:
        return False  # it is gone: nobody is told, and this process stops
    return True


def _end_with_parent() -> None:
    """Stop in order when the parent is gone, however it went: nobody else would end this process."""
    while os.read(sys.stdin.fileno(), 1024):  # by the number: a reader of Python would be in the way at the end
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(STOP_SECONDS)
    os._exit(1)


def main() -> None:
    """Read the task, then work."""
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=Task)
    take_whole_turns()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work(task)


if __name__ == "__main__":
    main()
