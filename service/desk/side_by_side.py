"""The stretches of the logs, followed by several processes side by side, this one among them, in one snapshot."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import chain, repeat
from typing import Final, TypeAlias

import msgspec

from service.desk.verify_worker import Answer, VerifyTask
from service.store.chain_bytes import Followed, KnownLogs, StreamRange, follow
from service.store.chains import Snapshot

AHEAD: Final = 1  # stretches that a process knows of beside the one it follows
LONGEST: Final = 1 << 24  # bytes of an answer: every stream of a stretch may have to be read again
ENDED: Final = "a process that verifies ended before it had answered: nothing is known, verify again"
Found: TypeAlias = tuple[StreamRange, Followed]
Queue: TypeAlias = asyncio.Queue[Found | None]


class WorkerError(RuntimeError):
    """A process that verifies cannot go on, or ended: nothing is known of what it was asked."""


class Worker:
    """A process that follows chains, and its answers."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self._to, self._answers = process, process.stdin, process.stdout

    async def tell(self, question: msgspec.Struct) -> None:
        """Ask, without waiting for the answer; whether anybody hears it shows then."""
        try:
            self._to.write(msgspec.json.encode(question) + b"\n")
            await self._to.drain()
        except ConnectionError:
            return

    async def answer(self) -> Followed | None:
        """The next answer; the first is that it is ready. Raises WorkerError."""
        line = await self._answers.readline()
        if not line.endswith(b"\n"):
            raise WorkerError(ENDED)
        answer = msgspec.json.decode(line, type=Answer)
        if answer.failed is not None:
            raise WorkerError(answer.failed)
        return answer.followed

    async def end(self) -> None:
        """End it: it only reads."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def started(asked: VerifyTask, count: int) -> AsyncIterator[list[Worker]]:
    """So many processes, which connect while others work; they end with this. They are in no group of ours, so that a
    terminal's Ctrl-C is our word to them alone."""
    workers: list[Worker] = []
    try:
        for _ in range(count):
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "service.desk.verify_worker"),
                stdin=PIPE,
                stdout=PIPE,
                start_new_session=True,
                limit=LONGEST,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
            workers.append(Worker(process))
            await workers[-1].tell(asked)
        yield workers
    finally:
        for worker in workers:
            await worker.end()


async def followed(
    seen: Snapshot, stretches: Sequence[StreamRange], known: KnownLogs, workers: Sequence[Worker]
) -> AsyncGenerator[Found, None]:
    """Yields what was found in each stretch, in any order. Raises WorkerError: then nothing is known of the rest."""
    left, found, told = iter(stretches), Queue(), 0
    parts = [here(seen, known, left, found), *(there(worker, left, found) for worker in workers)]
    tasks = [asyncio.create_task(each) for each in parts]
    for task in tasks:
        task.add_done_callback(lambda _: found.put_nowait(None))
    try:
        while not all(task.done() for task in tasks) or not found.empty():
            one = await found.get()
            if one is not None:
                told += 1
                yield one
            for task in tasks:
                if task.done():
                    task.result()
        if told != len(stretches):
            raise WorkerError(ENDED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def here(seen: Snapshot, known: KnownLogs, left: Iterator[StreamRange], found: Queue) -> None:
    """Follow what is left, one after the other, in this process."""
    for stretch in left:
        found.put_nowait((stretch, await follow(seen.connection, stretch, known)))


async def there(worker: Worker, left: Iterator[StreamRange], found: Queue) -> None:
    """The same in a process of its own, which takes its first stretch when it is ready. It knows the next one before it
    has answered, since this process hears of an answer only when it does nothing else."""
    await worker.answer()
    asked: deque[StreamRange] = deque()
    for stretch in chain(left, repeat(None, AHEAD)):
        if stretch is not None:
            await worker.tell(stretch)
            asked.append(stretch)
        if asked and (stretch is None or len(asked) > AHEAD):
            answer = await worker.answer()
            if answer is not None:
                found.put_nowait((asked.popleft(), answer))
