"""The reading of a history file by other processes, while this one writes: batches come back in the file's order."""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import IO, Final

import msgspec

from service.desk.read_worker import SIZE
from service.desk.reading import BATCH, Found, batches_of, lines_of

LEAST: Final = 300  # lines for which a process is worth its start
ENDED: Final = "a process that reads the file ended before the file did: import it again, what is in the log stays"
_FRAME: Final = msgspec.msgpack.Decoder(list[Found])


class WorkerError(RuntimeError):
    """A process that reads ended before it had read all."""


class Reading:
    """The batches of a file: read here, or by `workers` in turn, each of which is a stream of frames."""

    def __init__(self, lines: Sequence[tuple[int, str]], names: Sequence[str], workers: Sequence[IO[bytes]]) -> None:
        self._lines, self._names, self._workers = lines, names, workers

    @property
    def total(self) -> int:
        """The number of its lines that hold something."""
        return len(self._lines)

    async def batches(self) -> AsyncIterator[list[Found]]:
        """Yields what stands in the file, in order. Raises WorkerError."""
        if not self._workers:
            for found in batches_of(self._lines, self._names):
                yield found
            return
        for batch in range(-(-len(self._lines) // BATCH)):
            yield await asyncio.to_thread(frame, self._workers[batch % len(self._workers)])


def frame(worker: IO[bytes]) -> list[Found]:
    """The next batch of a worker. Raises WorkerError."""
    size = worker.read(SIZE)
    data = worker.read(int.from_bytes(size))
    if len(size) < SIZE or len(data) < int.from_bytes(size):
        raise WorkerError(ENDED)
    return _FRAME.decode(data)


@contextmanager
def reading(text: str, names: Sequence[str], processes: int = 1) -> Iterator[Reading]:
    """The reading of a history file by so many processes, this one among them: the others read and this one writes. A
    short file, or one process, is read here. The others begin at once, and end with this."""
    lines = lines_of(text)
    count = 0 if len(lines) < LEAST else min(processes - 1, -(-len(lines) // BATCH))
    with ExitStack() as stack:
        workers = [_started(stack, text, (str(turn), str(count), *names)) for turn in range(count)]
        yield Reading(lines, names, workers)


def _started(stack: ExitStack, text: str, told: Sequence[str]) -> IO[bytes]:
    """The answers of a process that has the text for its input. It is in no group of ours, so that a terminal's Ctrl-C
    is our word to it alone."""
    with tempfile.TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        process = subprocess.Popen(  # noqa: S603  # this program again
            (sys.executable, "-m", "service.desk.read_worker", *told),
            stdin=file,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    stack.callback(_ended, process)
    assert process.stdout is not None
    return process.stdout


def _ended(process: subprocess.Popen[bytes]) -> None:
    """End it: it only reads."""
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()
