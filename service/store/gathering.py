"""Group commit: one append of a log is under way in this process, and what arrives meanwhile goes as the next one.

There is no timer: whoever comes alone is sent at once, by a statement of its own. After a group the next one waits for
those who are being served at that moment, for as long as the loop has work at all. A group runs in a task that nobody's
hanging up ends. An append may be put in behind another of the same stream that is not in the log yet: where that one is
not taken, neither is what builds on it.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final, TypeAlias

import psycopg

from service.store.appending import AppendBatch, Appended, LostRaceError
from service.store.groups import BEHIND_A_LOSER, AppendResult, Group
from service.store.log_sql import CLOSED, OPEN
from service.store.meters import APPEND_SECONDS, APPENDS, GROUPS, LOST, WRITTEN
from service.store.pool import Pool

COMMANDS: Final = 256  # the most that go as one group
EVENTS: Final = 1000
BYTES: Final = 1_000_000
PLENTY: Final = 16  # events: so many are worth a statement, and nobody is waited for any longer
PATIENCE: Final = 0.005  # seconds that others are waited for at most
BUSY: Final = 0.0002  # seconds of a turn of the loop in which somebody else was served
QUIET: Final = 2  # turns in which nobody was: then nobody is on his way
_COUNTED: Final = {
    log: (APPENDS.labels(word), WRITTEN.labels(word)) for log, word in ((OPEN, "open"), (CLOSED, "closed"))
}
Answer: TypeAlias = asyncio.Future[Appended]
Heard: TypeAlias = Callable[[AppendResult], None]


class Waiting:
    """An append that waits: its answer, and who hears of that at once, whoever else still listens."""

    def __init__(self, batch: AppendBatch, heard: Heard) -> None:
        self.batch, self._heard = batch, heard
        self.answer: Answer = asyncio.get_running_loop().create_future()
        self.answer.add_done_callback(_taken_note_of)

    def tell(self, outcome: AppendResult) -> None:
        """Say what became of it."""
        self._heard(outcome)
        if self.answer.done():
            return
        if isinstance(outcome, Appended):
            self.answer.set_result(outcome)
        else:
            self.answer.set_exception(outcome)


class LogQueue:
    """The appends to one log of one club: those that wait, and the task that sends them."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._waiting: deque[Waiting] = deque()
        self._sent: dict[str, Waiting] = {}  # the group that is under way, by command
        self.task: asyncio.Task[None] | None = None

    def put(self, waiting: Waiting) -> None:
        """One more; it is sent at once where nothing is under way."""
        self._waiting.append(waiting)
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._send_all())

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                group = self._next()
                self._sent = {each.batch.command: each for each in group}
                GROUPS.observe(len(group))
                with APPEND_SECONDS.time():
                    await Group(self._pool, self._tell).write([each.batch for each in group])
                await self._while_others_are_served()
        finally:
            left = [*self._sent.values(), *self._waiting]  # the service ends
            self._sent, self._waiting = {}, deque()
            for each in left:
                each.tell(psycopg.OperationalError("the service ends"))

    async def _while_others_are_served(self) -> None:
        """Let those in whose request is in work. A loop that is full would else send each by itself: the database is
        faster than the rest of a request."""
        begun = before = monotonic()
        quiet = 0
        while quiet < QUIET and sum(each.batch.count for each in self._waiting) < PLENTY:
            await asyncio.sleep(0)
            now = monotonic()
            if now - begun > PATIENCE:
                return
            quiet = quiet + 1 if now - before < BUSY else 0
            before = now

    def _next(self) -> list[Waiting]:
        """The next group: in order, no command twice in one statement, nothing before what it builds on."""
        most = self._most()
        first = self._waiting.popleft()
        group, left, later = [first], deque[Waiting](), set[str]()
        keys, events, size = {first.batch.command}, first.batch.count, first.batch.size
        while self._waiting and not first.batch.behind.goes_alone:
            batch = self._waiting[0].batch
            events, size = events + batch.count, size + batch.size
            if batch.behind.goes_alone or batch.behind.page != first.batch.behind.page:
                break
            if len(group) >= most or events > EVENTS or size > BYTES:
                break
            each = self._waiting.popleft()
            if batch.command in keys or batch.stream in later:
                later.add(batch.stream)
                left.append(each)
                continue
            keys.add(batch.command)
            group.append(each)
        self._waiting.extendleft(reversed(left))
        return group

    def _most(self) -> int:
        """The number of appends that go as one group. Of a crowd half is left for the next one: what those of this one
        do once they are answered is then done while the database is at the others. A page of a file stays together."""
        crowd = len(self._waiting)
        return COMMANDS if crowd <= 2 * PLENTY or self._waiting[0].batch.behind.page else min(COMMANDS, -(-crowd // 2))

    def _tell(self, batch: AppendBatch, outcome: AppendResult) -> None:
        self._sent.pop(batch.command).tell(outcome)
        if isinstance(outcome, Appended):
            appends, written = _COUNTED[batch.behind.log]
            appends.inc()
            written.inc(batch.count)
            return
        if isinstance(outcome, LostRaceError):
            LOST.inc()
        for each in [each for each in self._waiting if each.batch.stream == batch.stream]:
            self._waiting.remove(each)  # it was put in behind what is not in the log
            LOST.inc()
            each.tell(LostRaceError(BEHIND_A_LOSER))


class GatheredAppends:
    """The appends of this process to the logs of every club."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._logs: dict[tuple[str, int], LogQueue] = {}

    def put(self, batch: AppendBatch, heard: Heard) -> Answer:
        """Append this as soon as it is its turn; `heard` is called once it is known what became of it, before anything
        else runs. The answer raises what `append` raises. Whoever waits for it waits through `asyncio.shield`."""
        log = (batch.club, batch.behind.log)
        queue = self._logs.get(log)
        if queue is None:
            queue = self._logs[log] = LogQueue(self._pool)
        waiting = Waiting(batch, heard)
        queue.put(waiting)
        return waiting.answer

    async def settled(self) -> None:
        """Wait until nothing is under way."""
        while tasks := [each.task for each in self._logs.values() if each.task is not None and not each.task.done()]:
            await asyncio.wait(tasks)


def _taken_note_of(answer: Answer) -> None:
    """An answer that nobody waits for any more is no error."""
    if not answer.cancelled():
        answer.exception()
